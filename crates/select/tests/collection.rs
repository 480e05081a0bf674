//! From probes to rows, on real class files: one test per rule, which fails without it.

mod compiler;

use std::borrow::Cow;
use std::collections::BTreeMap;

use compiler::{Classes, compile};
use jury_classfile::ClassFile;
use jury_select::*;

struct Project {
    classes: Classes,
    states: BTreeMap<Subject, State>,
}

const ORIGIN: &str = "classes";

impl World for Project {
    fn class(&self, key: &ClassKey) -> Option<FoundClass<'_>> {
        let bytes = self.classes.get(&*key.name)?;
        Some(FoundClass {
            origin: ORIGIN.into(),
            fingerprint: Cow::Owned(ClassFingerprint::of(bytes, Hashing::default())),
        })
    }

    fn state(&self, subject: &Subject) -> State {
        self.states.get(subject).copied().unwrap_or(State::Absent)
    }
}

impl Scene for Project {
    fn class_file(&self, name: &str) -> Option<ClassFileFound> {
        Some(ClassFileFound {
            origin: ORIGIN.into(),
            bytes: self.classes.get(name)?.clone(),
        })
    }
}

fn project(source: &str) -> Project {
    Project {
        classes: compile(source),
        states: BTreeMap::new(),
    }
}

/// A JVM in which every class of the project has been loaded.
struct Jvm {
    observed: Observed,
    numbers: BTreeMap<String, u32>,
}

impl Jvm {
    fn of(project: &Project) -> Self {
        let mut observed = Observed::default();
        let mut numbers = BTreeMap::new();
        let mut next = 7;
        for (name, bytes) in &project.classes {
            let class = ClassFile::read(bytes).unwrap();
            observed.classes.push(ProbedClass {
                first: next,
                methods: class.methods.len() as u32,
                name: name.clone(),
                origin: ORIGIN.into(),
                digest: Hash128::of(bytes),
            });
            for method in &class.methods {
                let method = method.name(&class.pool).unwrap().to_string();
                numbers.insert(format!("{name}.{method}"), next);
                next += 1;
            }
        }
        Jvm { observed, numbers }
    }

    fn traces(&self, methods: &[&str]) -> Traces {
        Traces {
            methods: methods.iter().map(|name| self.numbers[*name]).collect(),
            ..Traces::default()
        }
    }

    fn used(mut self, unit: &str, methods: &[&str]) -> Self {
        let traces = self.traces(methods);
        self.observed.used.push((unit.into(), traces));
        self
    }

    fn touched(mut self, unit: &str, touches: &[Touch]) -> Self {
        let traces = Traces {
            touches: touches.to_vec(),
            ..Traces::default()
        };
        self.observed.used.push((unit.into(), traces));
        self
    }

    fn initialised(self, class: &str, methods: &[&str]) -> Self {
        self.stored(&format!("{class}.<clinit>"), methods)
    }

    fn stored(mut self, method: &str, methods: &[&str]) -> Self {
        let traces = self.traces(methods);
        let number = self.numbers[method];
        self.observed.initialised.push((number, traces));
        self
    }

    fn rows(&self, project: &Project) -> Evidence {
        let mut evidence = Evidence::new();
        let rows = rows(
            &self.observed,
            project,
            Hashing::default(),
            &mut evidence.catalogue,
        );
        for (name, row) in rows.rows {
            let outcome = jury_model::Outcome::Passed;
            evidence.record(name, Recorded { row, outcome });
        }
        evidence
    }
}

/// Units that a change of the project from `before` to `after` affects, with the first reason.
fn affected(jvm: &Jvm, before: &Project, after: &Project) -> Vec<String> {
    let evidence = jvm.rows(before);
    let changes = Changes::between(&evidence.catalogue, after);
    let mut affected = Vec::new();
    for (name, _) in evidence.records() {
        let decision = evidence.check_affected(name, &changes, &Policy::default());
        if let Some(reason) = decision.reasons().first() {
            affected.push(format!(
                "{name}: {}",
                reason.explain(&evidence.catalogue, &changes)
            ));
        }
    }
    affected
}

/// How a test reached what it did not use itself.
const READY_MADE: &str =
    "it had a part in what the test found ready: a static field, or an object of an earlier test";

const TWO_TESTS: &str = "
    class ATest { void t() { } }
    class BTest { void t() { } }
";

fn edit(source: &str, from: &str, to: &str) -> (Project, Project) {
    let source = format!("{TWO_TESTS}{source}");
    assert!(source.contains(from), "{from}");
    (project(&source), project(&source.replace(from, to)))
}

#[test]
fn a_method_that_ran_affects_and_its_neighbour_does_not() {
    let (before, after) = edit(
        "class C { static int one() { return 1; } static int two() { return 2; } }",
        "return 2",
        "return 3",
    );
    let jvm = Jvm::of(&before)
        .used("ATest", &["ATest.t", "C.one"])
        .used("BTest", &["BTest.t", "C.two"]);
    assert_eq!(
        affected(&jvm, &before, &after),
        ["BTest: method `C.two()` changed; the test executes it"]
    );
}

#[test]
fn code_that_ran_depends_on_the_declarations_of_what_it_mentions() {
    for (mention, expected) in [
        ("x instanceof Kind", true),
        ("x == null ? null : (Kind) x", true),
        ("Kind.class", true),
        ("Kind.K", false), // The compiler has copied the constant.
        ("new Kind[1]", true),
    ] {
        let source = format!(
            "class Kind {{ static final int K = 1; }} class C {{ Object m(Object x) {{ return {mention}; }} }}"
        );
        let (before, after) = edit(&source, "class Kind", "abstract class Kind");
        let jvm = Jvm::of(&before)
            .used("ATest", &["C.m"])
            .used("BTest", &["BTest.t"]);
        let expected: &[&str] = match expected {
            true => &["ATest: declarations in `Kind` changed; the test refers to the class"],
            false => &[],
        };
        assert_eq!(affected(&jvm, &before, &after), expected, "{mention}");
    }
}

#[test]
fn a_catch_clause_depends_on_what_it_catches() {
    let (before, after) = edit(
        "class Odd extends RuntimeException { }
         class C { static void m() { try { m(); } catch (Odd odd) { } } }",
        "Odd extends RuntimeException",
        "Odd extends IllegalStateException",
    );
    let jvm = Jvm::of(&before).used("ATest", &["C.m"]);
    assert_eq!(affected(&jvm, &before, &after).len(), 1);
}

#[test]
fn an_override_that_is_added_above_affects() {
    let (before, after) = edit(
        "class Top { public String toString() { return \"top\"; } } class Middle extends Top { }
         class Low extends Middle { static void m() { } }",
        "class Middle extends Top { }",
        "class Middle extends Top { public String toString() { return \"middle\"; } }",
    );
    let jvm = Jvm::of(&before).used("ATest", &["Low.m"]);
    assert_eq!(
        affected(&jvm, &before, &after),
        ["ATest: declarations in `Middle` changed; the test refers to the class"]
    );
}

#[test]
fn what_a_static_initialiser_did_counts_for_every_later_use_of_the_class() {
    let (before, after) = edit(
        "class Setup { static int value() { return 1; } }
         class Config { static int V = Setup.value(); }
         class C { static int read() { return Config.V; } static int other() { return 1; } }",
        "return 1; } }\n         class Config",
        "return 2; } }\n         class Config",
    );
    let jvm = Jvm::of(&before)
        .initialised("Config", &["Config.<clinit>", "Setup.value"])
        .used("ATest", &["C.read", "Config.<clinit>", "Setup.value"])
        .used("BTest", &["C.read"])
        .used("CTest", &["C.other"]);
    let units: Vec<_> = affected(&jvm, &before, &after);
    let method = "method `Setup.value()` changed";
    assert_eq!(
        units,
        [
            format!("ATest: {method}; the test executes it"),
            format!("BTest: {method}; {READY_MADE}")
        ]
    );
}

#[test]
fn what_fills_a_static_field_counts_for_every_later_use_of_its_class() {
    for filling in [
        "static String v; static String get() { if (v == null) v = Setup.value(); return v; }",
        "static final java.util.Map<String, String> M = new java.util.HashMap<>();
         static String get() { return M.computeIfAbsent(\"\", key -> Setup.value()); }",
        "static final String[] A = new String[1];
         static String get() { if (A[0] == null) A[0] = Setup.value(); return A[0]; }",
        "static final ThreadLocal<String> T = ThreadLocal.withInitial(() -> Setup.value());
         static String get() { return T.get(); }",
        "static String v; static void set(String to) { v = to; }
         static String get() { if (v == null) set(Setup.value()); return v; }",
        "static final java.util.Map<String, String> M = new java.util.HashMap<>();
         static void fill(java.util.Map<String, String> map) { map.put(\"\", Setup.value()); }
         static String get() { if (M.isEmpty()) fill(M); return M.get(\"\"); }",
        "static class Box { String v; String getV() { return v; } void setV(String to) { v = to; } }
         static final Box B = new Box();
         static String get() { if (B.getV() == null) B.setV(Setup.value()); return B.getV(); }",
    ] {
        let source = format!(
            "class Setup {{ static String value() {{ return \"1\"; }} }}
             class Config {{ {filling} }} class More extends Config {{ }}
             class C {{ static Object read() {{ return More.get(); }} static int other() {{ return 1; }} }}"
        );
        let (before, after) = edit(&source, "return \"1\"", "return \"2\"");
        let jvm = Jvm::of(&before)
            .stored("Config.get", &["Config.get", "Setup.value"])
            .used("ATest", &["C.read", "Config.get", "Setup.value"])
            .used("BTest", &["C.read", "Config.get"])
            .used("CTest", &["C.other"]);
        let method = "method `Setup.value()` changed";
        assert_eq!(
            affected(&jvm, &before, &after),
            [
                format!("ATest: {method}; the test executes it"),
                format!("BTest: {method}; {READY_MADE}")
            ],
            "{filling}"
        );
    }
}

/// What is stored into some array is not stored into a constant that has no room for it.
#[test]
fn nothing_is_left_in_an_empty_array_or_a_fixed_list() {
    for (field, is_kept) in [
        ("final String[] A = new String[0]", false),
        ("final String[] A = new String[1]", true),
        ("String[] A = new String[0]", true),
        (
            "final String[] A = Setup.MANY ? new String[1] : new String[0]",
            true,
        ),
        ("final String[] A = new String[Setup.MANY ? 1 : 0]", true),
        (
            "final java.util.List<String> A = java.util.List.of()",
            false,
        ),
        (
            "final java.util.List<String> A = new java.util.ArrayList<>()",
            true,
        ),
    ] {
        let list = field.contains("List");
        let put = if list { "x.add(v)" } else { "x[0] = v" };
        let make = if list {
            "var x = new java.util.ArrayList<>(A); java.util.List<String> y = x; y.add(\"\")"
        } else {
            "String[] x = new String[1]"
        };
        let source = format!(
            "class Setup {{ static boolean MANY; static String value() {{ return \"1\"; }} }}
             class Config {{ static {field};
                 static void fill() {{ {make}; Object seen = A; String v = Setup.value(); {put}; }}
                 static int other() {{ return 1; }} }}"
        );
        let (before, after) = edit(&source, "return \"1\"", "return \"2\"");
        let jvm = Jvm::of(&before)
            .stored("Config.fill", &["Config.fill", "Setup.value"])
            .used("ATest", &["Config.fill", "Setup.value"])
            .used("BTest", &["Config.other"]);
        let units = if is_kept { 2 } else { 1 };
        assert_eq!(affected(&jvm, &before, &after).len(), units, "{field}");
    }
}

/// An object in a static field is as good as a static field; other objects belong to who made them.
#[test]
fn what_fills_an_object_that_lives_on_counts_for_every_later_use_of_its_class() {
    for filling in [
        "String v; String get() { if (v == null) v = Setup.value(); return v; }",
        "String v; String get() { String now = v; if (now == null) v = now = Setup.value(); return now; }",
        "boolean is; String v; String get() { if (!is) { v = Setup.value(); is = true; } return v; }",
        "final java.util.Map<String, String> m = new java.util.HashMap<>();
         String get() { return m.computeIfAbsent(\"\", key -> Setup.value()); }",
        "final String[] a = new String[1];
         String get() { if (a[0] == null) a[0] = Setup.value(); return a[0]; }",
        "int n = -1; int get() { if (n == -1) n = Setup.value().length(); return n; }",
        "int n = -1; int get() { if (n < 0) n = Setup.value().length(); return n; }",
        "long n; long get() { if (n == 0) n = Setup.value().length(); return n; }",
        "enum Of { NONE, ALL } Of of = Of.NONE; Of get() { if (of == Of.NONE) { Setup.value(); of = Of.ALL; } return of; }",
        "String v; String get() { if (java.util.Objects.isNull(v)) v = Setup.value(); return v; }",
        "String v; String get() { return v == null ? init() : v; } String init() { return v = Setup.value(); }",
        "String v; String getV() { return v; } void setV(String to) { v = to; }
         String get() { if (getV() == null) setV(Setup.value()); return getV(); }",
        "final java.util.Map<String, String> m = new java.util.HashMap<>();
         void store(String v) { m.put(\"\", v); } void load() { store(Setup.value()); }
         String get() { if (!m.containsKey(\"\")) load(); return m.get(\"\"); }",
    ] {
        let source = format!(
            "class Setup {{ static String value() {{ return \"1\"; }} }}
             class Config {{ static final Config ONE = new Config(); {filling} }}
             class C {{ static Object read() {{ return Config.ONE.get(); }} static int other() {{ return 1; }} }}"
        );
        let (before, after) = edit(&source, "return \"1\"", "return \"2\"");
        let used = |jvm: Jvm| {
            jvm.stored("Config.get", &["Config.get", "Setup.value"])
                .used(
                    "ATest",
                    &["C.read", "Config.<init>", "Config.get", "Setup.value"],
                )
                .used("BTest", &["C.read", "Config.<init>", "Config.get"])
                .used("CTest", &["C.other"])
        };
        let alive = Jvm::of(&before).initialised("Config", &["Config.<clinit>", "Config.<init>"]);
        let method = "method `Setup.value()` changed";
        let itself = format!("ATest: {method}; the test executes it");
        assert_eq!(
            affected(&used(alive), &before, &after),
            [itself.clone(), format!("BTest: {method}; {READY_MADE}")],
            "{filling}"
        );
        let gone = used(Jvm::of(&before));
        assert_eq!(affected(&gone, &before, &after), [itself]);
    }
}

#[test]
fn a_counter_is_no_memory() {
    let (before, after) = edit(
        "class Setup { static int value() { return 1; } }
         class Config { static final Config ONE = new Config(); int n; java.util.List<String> l;
                        int get() { n++; l.add(\"\"); return Setup.value(); } }
         class C { static int read() { return Config.ONE.n; } }",
        "return 1",
        "return 2",
    );
    let jvm = Jvm::of(&before)
        .initialised("Config", &["Config.<clinit>", "Config.<init>"])
        .stored("Config.get", &["Config.get", "Setup.value"])
        .used("ATest", &["Config.get", "Setup.value"])
        .used("BTest", &["C.read"]);
    assert_eq!(affected(&jvm, &before, &after).len(), 1);
}

/// A parser that steps to its end and lets go of its parts has not filled anything for later.
#[test]
fn what_is_emptied_or_steps_on_is_no_memory() {
    let (before, after) = edit(
        "class Setup { static int value() { return 1; } }
         class Reader { static final Reader ONE = new Reader(); Object part; boolean done;
                        boolean step() { if (part == null) return false; done = true; return true; }
                        void close() { if (part != null) part = null; }
                        int run() { while (step()) { } close(); return Setup.value(); } }
         class C { static boolean read() { return Reader.ONE.done; } }",
        "return 1",
        "return 2",
    );
    let jvm = Jvm::of(&before)
        .initialised("Reader", &["Reader.<clinit>", "Reader.<init>"])
        .stored("Reader.run", &["Reader.run", "Setup.value"])
        .used("ATest", &["Reader.run", "Setup.value"])
        .used("BTest", &["C.read"]);
    assert_eq!(affected(&jvm, &before, &after).len(), 1);
}

#[test]
fn a_field_that_is_filled_from_elsewhere_speaks_for_the_class_that_declares_it() {
    let (before, after) = edit(
        "class Setup { static int value() { return 1; } }
         class Config { static int v; } class More extends Config { }
         class Filler { static void fill() { More.v = Setup.value(); } }
         class C { static int read() { return Config.v; } static int other() { return 1; } }",
        "return 1; } }\n         class Config",
        "return 2; } }\n         class Config",
    );
    let jvm = Jvm::of(&before)
        .stored("Filler.fill", &["Filler.fill", "Setup.value"])
        .used("ATest", &["Filler.fill", "Setup.value"])
        .used("BTest", &["C.read"])
        .used("CTest", &["C.other"]);
    assert_eq!(affected(&jvm, &before, &after).len(), 2);
}

#[test]
fn an_object_made_by_another_test_carries_that_tests_dependencies() {
    let (before, after) = edit(
        "class Part { static int weight() { return 1; } }
         class Box { int weight = Part.weight(); int get() { return weight; } }",
        "return 1",
        "return 2",
    );
    let jvm = Jvm::of(&before)
        .used("ATest", &["Box.<init>", "Part.weight"])
        .used("BTest", &["Box.get"]);
    let method = "method `Part.weight()` changed";
    assert_eq!(
        affected(&jvm, &before, &after),
        [
            format!("ATest: {method}; the test executes it"),
            format!("BTest: {method}; {READY_MADE}")
        ]
    );
    let made_its_own = Jvm::of(&before)
        .used("ATest", &["Box.<init>", "Part.weight"])
        .used("BTest", &["Box.get", "Box.<init>"]);
    assert_eq!(affected(&made_its_own, &before, &after).len(), 1);
}

/// Units that find what was filled depend on how the object was made, not on all that its maker did.
#[test]
fn an_object_that_is_handed_to_who_fills_a_static_field_counts_by_its_constructor() {
    let source = "class Unrelated { static int work() { return 1; } }
         class Box { int weight; Box() { weight = 3; } int get() { return weight; } }
         class Config { static int v; static void fill(Box box) { v = box.get(); } static int get() { return v; } }";
    for (edited, units) in [("return 1", 1), ("weight = 3", 2)] {
        let (before, after) = edit(source, edited, &format!("{edited}0"));
        let jvm = Jvm::of(&before)
            .stored("Config.fill", &["Config.fill", "Box.get"])
            .used(
                "ATest",
                &["Unrelated.work", "Box.<init>", "Config.fill", "Box.get"],
            )
            .used("BTest", &["Config.get"]);
        assert_eq!(affected(&jvm, &before, &after).len(), units, "{edited}");
        // That it stands in for a constructor makes nobody a maker.
        let calls_it = jvm.used("CTest", &["Config.get", "Box.get"]);
        assert_eq!(
            affected(&calls_it, &before, &after).len(),
            units + 1,
            "{edited}"
        );
    }
}

#[test]
fn a_test_method_that_is_added_affects_its_class() {
    let (before, after) = edit(
        "",
        "class BTest { void t() { } }",
        "class BTest { void t() { } void u() { } }",
    );
    let jvm = Jvm::of(&before)
        .used("ATest", &["ATest.t"])
        .used("BTest", &["BTest.t"]);
    assert_eq!(
        affected(&jvm, &before, &after),
        ["BTest: declarations in `BTest` changed; the test refers to the class"]
    );
}

#[test]
fn annotations_of_a_class_in_use_count() {
    let (before, after) = edit(
        "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
         @interface Rate { int value() default 1; }
         @Rate class C { static void m() { } }",
        "default 1",
        "default 2",
    );
    let jvm = Jvm::of(&before).used("ATest", &["C.m"]);
    assert_eq!(affected(&jvm, &before, &after).len(), 1);
}

#[test]
fn a_class_without_probes_counts_as_a_whole_for_all() {
    let (before, after) = edit(
        "class Huge { static int m() { return 1; } }",
        "return 1",
        "return 2",
    );
    let mut jvm = Jvm::of(&before)
        .used("ATest", &["ATest.t"])
        .used("BTest", &["BTest.t"]);
    jvm.observed.left_out.push("Huge".into());
    assert_eq!(affected(&jvm, &before, &after).len(), 2);
}

#[test]
fn a_class_that_is_not_as_it_was_loaded_leaves_no_trusted_row() {
    let (before, _) = edit("class C { static void m() { } }", "class C", "class C");
    let mut jvm = Jvm::of(&before)
        .used("ATest", &["C.m"])
        .used("BTest", &["BTest.t"]);
    for class in &mut jvm.observed.classes {
        if class.name == "C" {
            class.digest = Hash128::of(b"another");
        }
    }
    assert_eq!(
        affected(&jvm, &before, &before),
        ["ATest: what the test used was not fully recorded"]
    );
}

#[test]
fn a_method_that_another_agent_added_is_not_the_projects() {
    let (before, after) = edit(
        "class C { static void m() { } static int other() { return 1; } }",
        "return 1",
        "return 2",
    );
    let mut jvm = Jvm::of(&before).used("ATest", &["C.m"]);
    let class = jvm
        .observed
        .classes
        .iter_mut()
        .find(|class| class.name == "C");
    let class = class.unwrap();
    // The classes after it are test classes that did not run.
    class.first = 1000;
    class.methods += 1;
    let place = |method: &str| jvm.numbers[method] - jvm.numbers["C.<init>"];
    let added = 1000 + class.methods - 1;
    jvm.observed.used[0].1.methods = vec![1000 + place("C.m"), added];
    assert_eq!(affected(&jvm, &before, &after), [""; 0]);
}

#[test]
fn a_number_that_no_class_has_leaves_no_trusted_row() {
    let (before, _) = edit("", "class ATest", "class ATest");
    let mut jvm = Jvm::of(&before).used("ATest", &["ATest.t"]);
    jvm.observed.used[0].1.methods.push(1_000_000);
    assert_eq!(
        affected(&jvm, &before, &before),
        ["ATest: what the test used was not fully recorded"]
    );
}

#[test]
fn touches_become_facts_and_uses() {
    let (mut before, mut after) = edit(
        "class Plugin { static int K = 1; }",
        "int K = 1",
        "int K = 1; int more",
    );
    after
        .classes
        .insert("Later".into(), before.classes["Plugin"].clone());
    let file = Subject::File("data.txt".into());
    let gone = Subject::File("gone.txt".into());
    before
        .states
        .insert(file.clone(), State::Present(Hash128::of(b"1")));
    before
        .states
        .insert(gone.clone(), State::Present(Hash128::of(b"1")));
    after.states = before.states.clone();
    after
        .states
        .insert(file.clone(), State::Present(Hash128::of(b"2")));
    let one = |touch: Touch| {
        let jvm = Jvm::of(&before).touched("ATest", &[touch]);
        affected(&jvm, &before, &after)
    };
    assert_eq!(
        one(Touch::Subject(file)),
        ["ATest: file `data.txt` changed; the test saw it"]
    );
    assert_eq!(
        one(Touch::Absent(gone)),
        ["ATest: file `gone.txt` appeared; the test found it missing"]
    );
    assert_eq!(
        one(Touch::ClassByName("Plugin".into())),
        ["ATest: declarations in `Plugin` changed; the test refers to the class"]
    );
    assert_eq!(one(Touch::ClassLoaded("Plugin".into())).len(), 1);
    assert_eq!(one(Touch::Members("Plugin".into())).len(), 1);
}

#[test]
fn a_class_looked_for_in_vain_is_noticed_when_it_comes() {
    let (before, mut after) = edit("", "class ATest", "class ATest");
    after
        .classes
        .insert("Later".into(), before.classes["ATest"].clone());
    after.states.insert(
        Subject::MissingClass("Later".into()),
        State::Present(Hash128::of(b"classes")),
    );
    let jvm = Jvm::of(&before).touched("ATest", &[Touch::ClassByName("Later".into())]);
    assert_eq!(
        affected(&jvm, &before, &after),
        ["ATest: class `Later` appeared; the test found it missing"]
    );
}

/// Two test methods, each on an instance of its own.
fn by_method(source: &str, one: &[&str], two: &[&str]) -> (Project, Jvm) {
    let project = project(source);
    let jvm = Jvm::of(&project)
        .used("T#one", &[&["T.<init>", "T.one"], one].concat())
        .used("T#two", &[&["T.<init>", "T.two"], two].concat());
    (project, jvm)
}

impl Jvm {
    fn shared(mut self, class: &str, methods: &[&str]) -> Self {
        let traces = self.traces(methods);
        self.observed.shared.push((class.into(), traces));
        self
    }

    /// Units, and why classes among them are not told apart.
    fn units(&self, project: &Project) -> Vec<String> {
        let hashing = Hashing::default();
        let rows = rows(&self.observed, project, hashing, &mut Catalogue::new());
        let tangle = |unit: &String| match rows.tangled.get(unit) {
            Some(tangle) => format!("{unit}: {tangle}"),
            None => unit.clone(),
        };
        rows.rows.keys().map(tangle).collect()
    }
}

#[test]
fn methods_of_a_test_class_are_told_apart_by_the_code_they_ran() {
    let source = "class T { void one() { } void two() { } void fixture() { C.fixed(); } }
        class C { static int one() { return 1; } static int fixed() { return 2; } }";
    let (before, jvm) = by_method(source, &["C.one"], &[]);
    let jvm = jvm.shared("T", &["T.fixture", "C.fixed"]);
    assert_eq!(jvm.units(&before), ["T#one", "T#two"]);
    let affected_by = |from: &str, to: &str| {
        let after = project(&source.replace(from, to));
        affected(&jvm, &before, &after)
    };
    assert_eq!(
        affected_by("return 1", "return 3"),
        ["T#one: method `C.one()` changed; the test executes it"]
    );
    assert_eq!(
        affected_by("return 2", "return 3").len(),
        2,
        "a fixture is everyone's"
    );
    assert_eq!(
        affected_by("two() { }", "two() { C.one(); }").len(),
        1,
        "its own body"
    );
    assert_eq!(
        affected_by("void two", "void three").len(),
        2,
        "declarations"
    );
}

#[test]
fn what_one_method_touched_counts_for_all_of_its_class() {
    let (before, jvm) = by_method("class T { void one() { } void two() { } }", &[], &[]);
    let file = Subject::File("data.txt".into());
    let jvm = jvm
        .touched("T#one", &[Touch::Subject(file.clone())])
        .shared("T", &[]);
    let mut after = project("class T { void one() { } void two() { } }");
    after
        .states
        .insert(file, State::Present(Hash128::of(b"new")));
    assert_eq!(
        affected(&jvm, &before, &after).len(),
        2,
        "a library may have kept it"
    );
}

#[test]
fn methods_that_may_leave_something_for_each_other_stay_one_unit() {
    let check = |source: &str, one: &[&str], two: &[&str], expected: &str| {
        let (project, jvm) = by_method(source, one, two);
        assert_eq!(jvm.units(&project), [expected], "{source}");
    };
    check(
        "class T { static final java.util.List<String> log = null; void one() { } void two() { } }",
        &[],
        &[],
        "T: static field `T.log` may carry state between tests",
    );
    check(
        "class Base { static final int[] seen = { }; }
         class T extends Base { void one() { } void two() { } }",
        &[],
        &[],
        "T: static field `Base.seen` may carry state between tests",
    );
    check(
        "class T { void one() { C.set(); } void two() { C.get(); } }
         class Above { static int count; }
         class C extends Above { static void set() { Above.count = 1; } static int get() { return C.count; } }",
        &["C.set"],
        &["C.get"],
        "T: one test writes static field `Above.count`, another reads it",
    );
    check(
        "class T { void one() { System.setProperty(\"a\", \"b\"); } void two() { } }",
        &[],
        &[],
        "T: a test calls `java.lang.System.setProperty`, which others can notice",
    );
}

#[test]
fn state_that_no_test_can_change_ties_nothing_together() {
    let check = |source: &str, one: &[&str], two: &[&str]| {
        let (project, jvm) = by_method(source, one, two);
        assert_eq!(jvm.units(&project), ["T#one", "T#two"], "{source}");
    };
    check(
        "class T { static final String NAME = \"n\"; static int limit = 5; static final Unit UNIT = Unit.CM;
             static final Pair PAIR = null; void one() { } void two() { } }
         enum Unit { CM, INCH } final class Pair { final int a = 1; final String b = \"\"; }",
        &[],
        &[],
    );
    check(
        "class T { void one() { C.set(); } void two() { C.other(); } }
         class C { static int count; static void set() { count = 1; } static void other() { } }",
        &["C.set"],
        &["C.other"],
    );
}

#[test]
fn tests_on_one_instance_stay_one_unit() {
    let project = project("class T { void one() { } void two() { } }");
    let jvm = Jvm::of(&project)
        .used("T#one", &["T.<init>", "T.one"])
        .used("T#two", &["T.two"]);
    assert_eq!(
        jvm.units(&project),
        ["T: its tests share an instance of the class"]
    );
}

#[test]
fn a_class_that_is_known_to_be_tangled_stays_one_unit_with_its_nested_classes() {
    let source = "class T { static class N { void two() { } } void one() { } }";
    let project = project(source);
    let mut jvm = Jvm::of(&project)
        .used("T#one", &["T.<init>", "T.one"])
        .used("T$N#two", &["T$N.<init>", "T$N.two"]);
    assert_eq!(jvm.units(&project), ["T#one", "T$N#two"]);
    jvm.observed.tangled.push(("T".into(), Tangle::Overlapping));
    assert_eq!(
        jvm.units(&project),
        ["T: its tests ran at the same time as others"]
    );
}

//! Extreme mutants and stop methods on what javac really emits. The fixtures carry the truth in
//! comments at the end of a method's first line of code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::support::{self, Compiled};
use jury_classfile::Access;
use jury_mutate::{
    ClassMutants, MethodFacts, MutateSettings, Operator, Replacement, StopReason, StopRules,
    find_mutants,
};

const FIXTURES: [&str; 3] = ["StopMethods.java", "Operators.java", "VersionedSet.java"];

static COMPILED: LazyLock<Compiled> = LazyLock::new(|| {
    Compiled::fixtures(&[&FIXTURES[..], &["kotlin/jvm/internal/Intrinsics.java"]].concat())
});

fn mutants_of(class: &str, settings: &MutateSettings) -> ClassMutants {
    COMPILED.class(class, |file| find_mutants(file, settings).expect("mutants"))
}

fn method<'c>(class: &'c ClassMutants, name: &str) -> &'c MethodFacts {
    class
        .methods
        .iter()
        .find(|method| method.id.name == name)
        .expect(name)
}

fn operators(method: &MethodFacts) -> Vec<&str> {
    method
        .mutants
        .iter()
        .map(|mutant| mutant.id.operator.as_str())
        .collect()
}

fn replacement(class: &ClassMutants, name: &str, operator: &str) -> Replacement {
    let mutants = &method(class, name).mutants;
    mutants
        .iter()
        .find(|mutant| mutant.id.operator == operator)
        .expect(name)
        .replacement
        .clone()
}

fn all_operators() -> MutateSettings {
    MutateSettings {
        operators: Operator::all(),
        ..MutateSettings::default()
    }
}

/// What the comments of a fixture promise, by line.
fn promised(fixture: &str) -> BTreeMap<u16, String> {
    let text = fs::read_to_string(support::source_path(fixture)).expect(fixture);
    let marked = (1..).zip(text.lines()).filter_map(|(line, text)| {
        let (_, comment) = text.rsplit_once("// ")?;
        let is_mark = comment.starts_with("stop: ") || comment.starts_with("mutants: ");
        is_mark.then(|| (line, comment.trim().to_owned()))
    });
    marked.collect()
}

/// What was found in the same form. Constructors, initialisers and methods without code have
/// no line of their own.
fn found(fixture: &str, settings: &MutateSettings) -> BTreeMap<u16, String> {
    let mut stops: BTreeMap<u16, BTreeSet<&str>> = BTreeMap::new();
    let mut lines = BTreeMap::new();
    for class in COMPILED.names_from(fixture) {
        for method in mutants_of(&class, settings).methods {
            let Some(line) = method.first_line else {
                continue;
            };
            match method.stop {
                Some(StopReason::Constructor | StopReason::Clinit) => {}
                Some(reason) => drop(stops.entry(line).or_default().insert(reason.word())),
                None => {
                    let operators = operators(&method).join(" ");
                    let earlier = lines.insert(line, format!("mutants: {operators}"));
                    assert_eq!(
                        earlier, None,
                        "two methods begin on line {line} of {fixture}"
                    );
                }
            }
        }
    }
    let stops = stops.into_iter();
    lines.extend(stops.map(|(line, words)| {
        (
            line,
            format!("stop: {}", words.into_iter().collect::<Vec<_>>().join(" ")),
        )
    }));
    lines
}

#[test]
fn stop_methods_are_recognised_and_nothing_else() {
    assert_eq!(
        found("StopMethods.java", &MutateSettings::default()),
        promised("StopMethods.java")
    );
}

#[test]
fn operators_apply_to_exactly_their_types() {
    assert_eq!(
        found("Operators.java", &all_operators()),
        promised("Operators.java")
    );
}

#[test]
fn the_example_of_the_literature_has_seven_transformations() {
    let settings = MutateSettings::default();
    assert_eq!(
        found("VersionedSet.java", &settings),
        promised("VersionedSet.java")
    );
    let methods = mutants_of("VersionedSet", &settings).methods;
    assert_eq!(
        methods
            .iter()
            .map(|method| method.mutants.len())
            .sum::<usize>(),
        7
    );
}

#[test]
fn replacements_say_what_to_return() {
    let class = mutants_of("Operators", &all_operators());
    let call = |owner: &str, name: &str, result: &str, interface| Replacement::StaticCall {
        owner: owner.into(),
        name: name.into(),
        descriptor: format!("()L{result};"),
        interface,
    };
    let new = |class: &str| Replacement::New {
        class: class.into(),
    };
    let collections = "java/util/Collections";
    let table = [
        ("voids", "void", Replacement::Void),
        ("booleans", "true", Replacement::Int(1)),
        ("bytes", "(byte)1", Replacement::Int(1)),
        ("longs", "1L", Replacement::Long(1)),
        ("floats", "1.0f", Replacement::Float(1.0)),
        ("doubles", "1.0", Replacement::Double(1.0)),
        ("chars", "'\\40'", Replacement::Int(32)),
        ("strings", "\"A\"", Replacement::Str("A".into())),
        (
            "array",
            "empty",
            Replacement::EmptyArray {
                component: "I".into(),
            },
        ),
        (
            "arrays",
            "empty",
            Replacement::EmptyArray {
                component: "[Ljava/lang/String;".into(),
            },
        ),
        (
            "optionalInt",
            "optional",
            call(
                "java/util/OptionalInt",
                "empty",
                "java/util/OptionalInt",
                false,
            ),
        ),
        ("builder", "new", new("java/lang/StringBuilder")),
        ("list", "new", new("java/util/ArrayList")),
        ("deque", "new", new("java/util/LinkedList")),
        ("sortedSet", "new", new("java/util/TreeSet")),
        (
            "iterable",
            "collections",
            call(collections, "emptyList", "java/util/List", false),
        ),
        (
            "set",
            "collections",
            call(collections, "emptySet", "java/util/Set", false),
        ),
        (
            "intStream",
            "stream",
            call(
                "java/util/stream/IntStream",
                "empty",
                "java/util/stream/IntStream",
                true,
            ),
        ),
        ("second", "argument", Replacement::Argument { slot: 2 }),
        ("far", "argument", Replacement::Argument { slot: 3 }),
        ("own", "this", Replacement::This),
    ];
    for (name, operator, expected) in table {
        assert_eq!(
            replacement(&class, name, operator),
            expected,
            "{name} {operator}"
        );
    }
}

#[test]
fn mutants_are_described_in_words() {
    let class = mutants_of("Operators", &all_operators());
    let described = |name: &str| {
        let mutants = method(&class, name).mutants.iter();
        mutants
            .map(|mutant| mutant.description.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(described("voids"), ["body removed"]);
    assert_eq!(
        described("strings"),
        ["returns `null`", "returns `\"\"`", "returns `\"A\"`"]
    );
    assert_eq!(
        described("set"),
        [
            "returns `null`",
            "returns `new HashSet()`",
            "returns `Collections.emptySet()`"
        ]
    );
    assert_eq!(
        described("second"),
        ["returns `0`", "returns `1`", "returns its argument"]
    );
    assert_eq!(described("own"), ["returns `null`", "returns `this`"]);
    assert_eq!(described("array"), ["returns an empty array"]);
}

#[test]
fn arrays_get_null_only_when_asked_for() {
    let mut settings = MutateSettings::default();
    settings.null_policy.for_arrays = true;
    let class = mutants_of("Operators", &settings);
    assert_eq!(operators(method(&class, "array")), ["null", "empty"]);
}

#[test]
fn the_promise_not_to_return_null_can_be_ignored() {
    let mut settings = MutateSettings::default();
    settings.null_policy.despite_not_null = true;
    let class = mutants_of("Operators", &settings);
    for name in ["promised", "promisedToo", "promisedByType"] {
        assert_eq!(operators(method(&class, name)), ["null"], "{name}");
    }
}

#[test]
fn the_study_uses_other_fractions() {
    let class = mutants_of("Operators", &MutateSettings::study());
    assert_eq!(operators(method(&class, "doubles")), ["0.0", "0.1"]);
    assert_eq!(operators(method(&class, "floats")), ["0.0f", "0.1f"]);
}

#[test]
fn a_readmitted_category_is_mutated_and_the_others_are_not() {
    let table = [
        (StopReason::Getter, "getCount"),
        (StopReason::Setter, "setCount"),
        (StopReason::Constant, "one"),
        (StopReason::Empty, "nothing"),
        (StopReason::EmptyArray, "noNumbers"),
        (StopReason::ReturnThis, "self"),
        (StopReason::ReturnParam, "same"),
        (StopReason::Delegate, "size"),
        (StopReason::ToString, "toString"),
        (StopReason::HashCode, "hashCode"),
        (StopReason::Deprecated, "old"),
        (StopReason::KotlinSetter, "setNameNotNull"),
    ];
    for (readmitted, _) in table {
        let mut settings = MutateSettings::default();
        settings.stop_rules.readmit(readmitted);
        let class = mutants_of("StopMethods", &settings);
        for (reason, name) in table {
            let expected = (reason != readmitted).then_some(reason);
            assert_eq!(
                method(&class, name).stop,
                expected,
                "{name} with {readmitted} readmitted"
            );
        }
    }
}

#[test]
fn lambdas_are_stopped_on_request() {
    let mut settings = MutateSettings::default();
    let lambda = |settings: &MutateSettings| {
        let class = mutants_of("StopMethods", settings);
        let lambda = class
            .methods
            .into_iter()
            .find(|method| method.id.name.starts_with("lambda$"));
        lambda.expect("a lambda").stop
    };
    assert_eq!(lambda(&settings), None);
    settings.stop_rules.enforce(StopReason::Lambda);
    assert_eq!(lambda(&settings), Some(StopReason::Lambda));
}

#[test]
fn short_methods_are_stopped_on_request() {
    let mut settings = MutateSettings::default();
    settings.stop_rules.enforce(StopReason::Short);
    let class = mutants_of("VersionedSet", &settings);
    assert_eq!(method(&class, "isEmpty").stop, Some(StopReason::Short));
    assert_eq!(method(&class, "equals").stop, None);
    settings.stop_rules.short_under = 1;
    assert_eq!(
        method(&mutants_of("VersionedSet", &settings), "isEmpty").stop,
        None
    );
}

#[test]
fn what_has_no_body_or_no_object_yet_is_never_mutated() {
    let settings = MutateSettings {
        stop_rules: StopRules::none(),
        ..MutateSettings::default()
    };
    let shape = mutants_of("StopMethods$Shape", &settings);
    assert_eq!(
        method(&shape, "scaled").stop,
        Some(StopReason::AbstractOrNative)
    );
    let class = mutants_of("StopMethods", &settings);
    assert_eq!(method(&class, "<init>").stop, Some(StopReason::Constructor));
    assert_eq!(method(&class, "<clinit>").stop, Some(StopReason::Clinit));
    assert!(
        class
            .methods
            .iter()
            .all(|method| method.stop.is_none() || method.mutants.is_empty())
    );
}

#[test]
fn methods_near_the_limit_of_the_jvm_are_set_aside() {
    let statements = "n = n * 31 + 7;\n".repeat(4_600);
    let text = format!("class Huge {{ int n; void run() {{ {statements} }} }}");
    let stop = |text: &str| {
        let compiled = Compiled::text("Huge", text);
        let settings = MutateSettings {
            stop_rules: StopRules::none(),
            ..Default::default()
        };
        let class = compiled.class("Huge", |file| {
            find_mutants(file, &settings).expect("mutants")
        });
        method(&class, "run").stop
    };
    assert_eq!(stop(&text), Some(StopReason::Huge));
}

#[test]
fn facts_about_class_and_methods_are_kept() {
    let class = mutants_of("VersionedSet", &MutateSettings::default());
    assert_eq!(class.name, "VersionedSet");
    assert_eq!(class.source_file.as_deref(), Some("VersionedSet.java"));
    assert!(class.access.has(Access::PUBLIC));
    let add = method(&class, "add");
    assert_eq!((add.first_line, add.last_line), (Some(9), Some(14)));
    assert!(add.access.has(Access::PUBLIC) && add.code_length > 10);
    assert_eq!(
        add.mutants[0].id.to_string(),
        "VersionedSet#add(Ljava/lang/Object;)V#void"
    );
    assert_eq!(add.mutants[0].line, Some(9));
}

#[test]
fn every_mutant_has_an_id_of_its_own_and_fits_its_method() {
    use jury_classfile::{JavaStr, MethodDescriptor};
    let mut settings = all_operators();
    settings.stop_rules = StopRules::none();
    let mut ids = BTreeSet::new();
    for class in FIXTURES
        .iter()
        .flat_map(|fixture| COMPILED.names_from(fixture))
    {
        for method in mutants_of(&class, &settings).methods {
            let descriptor = JavaStr::new(method.id.descriptor.as_bytes());
            let result = MethodDescriptor::read(descriptor)
                .expect("a descriptor")
                .result;
            for mutant in method.mutants {
                assert!(mutant.replacement.fits(result), "{}", mutant.id);
                assert_eq!(mutant.id.to_string().parse(), Ok(mutant.id.clone()));
                assert!(ids.insert(mutant.id.to_string()), "{} twice", mutant.id);
            }
        }
    }
    assert!(ids.len() > 150);
}

#[test]
fn classes_listed_for_new_have_a_public_constructor_without_parameters() {
    let compiled = Compiled::fixtures(&["Constructible.java"]);
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/extreme/constructible.txt");
    compiled.run_main("Constructible", &list);
}

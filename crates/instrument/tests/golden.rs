//! Each kind of rewriting on a small class: `golden/*.md` hold the source, the listing before
//! and the listing after. `JURY_BLESS=1` writes the listings anew.

use std::path::{Path, PathBuf};
use std::process::Command;

use jury_classfile::opcode::IF_ICMPGT;
use jury_classfile::{ClassFile, listing};
use jury_instrument::{
    ArgumentHook, Body, Call, CallSite, CallWatch, Change, EntryProbe, ExitHook, Gate, Plan, Point,
    PointSwitch, PointedMethod, Recall, Rewritten, Scope, SkipReason, Switch, ValueWatch,
    WorkProbe, rewrite,
};

#[test]
fn argument_hook_passes_receiver_and_arguments() {
    let hook = |method| ArgumentHook {
        hook: 3,
        class: "Greeter",
        method,
    };
    check(
        "argument_hook",
        "-g:none",
        Plan::new().with(hook("greet")).with(hook("<init>")),
    );
}

#[test]
fn entry_probe_counts_calls_but_not_loops() {
    let probe = EntryProbe::new(Scope::all(), "jury/boot/Probes", "HITS", |_, _| {
        Some(70_000)
    });
    check("entry_probe", "-g:none", Plan::new().with(probe));
}

#[test]
fn static_initialisers_are_bracketed_however_they_end() {
    let probe = EntryProbe::new(Scope::all(), "jury/boot/Probes", "HITS", |_, _| Some(7))
        .bracketing_initialisers("initialising", "initialised");
    check("initialiser_probe", "-g:none", Plan::new().with(probe));
}

#[test]
fn methods_that_leave_something_in_static_fields_are_bracketed() {
    let probe = EntryProbe::new(Scope::all(), "jury/boot/Probes", "HITS", |_, _| Some(7))
        .bracketing_stores("storing", "stored");
    check("store_probe", "-g:none", Plan::new().with(probe));
}

#[test]
fn exit_hook_sees_returns_and_exceptions() {
    let hook = ExitHook {
        hook: 3,
        class: "Parser",
        method: "parse",
    };
    check("exit_hook", "-g:none", Plan::new().with(hook));
}

#[test]
fn gate_calls_off_methods_without_result() {
    let gate = Gate {
        gate: 50,
        class: "Choir",
        method: "sing",
    };
    check("gate", "-g:none", Plan::new().with(gate));
}

#[test]
fn recall_returns_what_was_found_before() {
    let recall = Recall {
        class: "Archive",
        method: "find",
        helper: "jury/boot/AnnotatedMethods",
    };
    check("recall", "-g:none", Plan::new().with(recall));
}

#[test]
fn call_site_is_replaced_in_place() {
    let call = |owner: &str, name: &str, descriptor: &str, is_static| Call {
        owner: owner.into(),
        name: name.into(),
        descriptor: descriptor.into(),
        is_static,
        helper_class: "jury/boot/Calls".into(),
        helper_method: name.into(),
    };
    let calls = [
        call("java/util/Iterator", "hasNext", "()Z", false),
        call("java/lang/Math", "max", "(JJ)J", true),
        call("java/lang/Object", "hashCode", "()I", false),
    ];
    check(
        "call_site",
        "-g:none",
        Plan::new().with(CallSite::new(Scope::all(), calls)),
    );
}

#[test]
fn call_watch_shows_switched_bodies_too() {
    let descriptor = "(JLjava/lang/String;)I";
    let watch = CallWatch::new().method(5, "Meter", "read", descriptor);
    let switch = Switch::new().body(1, "Meter", "read", descriptor, Body::Int(0));
    check(
        "call_watch",
        "-g:none",
        Plan::new().with(watch).with(switch),
    );
}

#[test]
fn call_watch_shows_what_a_changed_copy_returns() {
    let class = compile(TICKET, "-g:none");
    let watch = CallWatch::new().method(5, "Ticket", "price", "(IJ)J");
    let changes = vec![(15, Change::Return(Body::Long(0)))];
    let plan = Plan::new()
        .with(watch)
        .with(point_switch(&class, "Ticket", &[], changes));
    check("watched_copy", "-g:none", plan);
}

#[test]
fn value_watch_shows_what_expressions_give() {
    let watch = ValueWatch::new().class(2, "Case");
    check("value_watch", "-g:none", Plan::new().with(watch));
}

#[test]
fn switch_returns_constants_when_active() {
    let switch = Switch::new()
        .body(1, "Account", "balance", "()I", Body::Int(0))
        .body(2, "Account", "balance", "()I", Body::Int(100_000))
        .body(
            3,
            "Account",
            "names",
            "(I)[Ljava/lang/String;",
            Body::EmptyArray,
        )
        .body(400, "Account", "close", "()V", Body::Void);
    check("switch", "-g:none", Plan::new().with(switch));
}

/// Points of the method in the second place of the class.
fn point_switch(
    class: &[u8],
    name: &str,
    blocks: &[(u16, u32)],
    changes: Vec<(u16, Change)>,
) -> PointSwitch {
    let points = (7..).zip(changes);
    let points = points.map(|(number, (pc, change))| Point { number, pc, change });
    let method = PointedMethod {
        index: 1,
        blocks: blocks.to_vec(),
        points: points.collect(),
    };
    let digest = ClassFile::read(class).unwrap().digest();
    PointSwitch::new().class(name, digest, vec![method])
}

/// The same where calls are counted, too.
fn points(class: &[u8], name: &str, blocks: &[(u16, u32)], changes: Vec<(u16, Change)>) -> Plan {
    let probe = WorkProbe::new().class(name, 2, 0);
    Plan::new()
        .with(probe)
        .with(point_switch(class, name, blocks, changes))
}

const TICKET: &str = "class Ticket {
    long price(int age, long full) {
        return age < 18 ? full / 2 : full;
    }
}
";

#[test]
fn point_switch_adds_a_copy_for_each_point() {
    let class = compile(TICKET, "-g:none");
    let half = Change::Omit {
        operands: Vec::new(),
        instead: Some(Body::Long(3)),
    };
    let changes = vec![
        (3, Change::Opcode(IF_ICMPGT)),
        (
            3,
            Change::AlwaysBranch {
                operands: vec![1, 1],
            },
        ),
        (7, half),
        (15, Change::Return(Body::Long(0))),
    ];
    let plan = points(&class, "Ticket", &[(0, 400), (6, 401)], changes);
    check("point_switch", "-g:none", plan);
}

fn skips(changes: Vec<(u16, Change)>) -> Vec<SkipReason> {
    let class = compile(TICKET, "-g:none");
    let rewritten = rewrite(&class, &points(&class, "Ticket", &[], changes)).unwrap();
    let skipped = rewritten.skipped().iter();
    skipped.map(|method| method.reason.clone()).collect()
}

#[test]
fn a_change_that_suits_no_instruction_there_is_refused() {
    let table = [
        (3, Change::Increment(1)),
        (3, Change::Return(Body::Long(1))),
        (4, Change::Opcode(IF_ICMPGT)),
        (1, Change::Opcode(IF_ICMPGT)),
    ];
    for (pc, change) in table {
        assert_eq!(skips(vec![(pc, change)]), [SkipReason::ChangeMismatch]);
    }
    let wrong_type = Change::Return(Body::Int(0));
    assert_eq!(skips(vec![(15, wrong_type)]), [SkipReason::BodyMismatch]);
}

#[test]
fn a_method_with_too_much_to_copy_is_left_alone() {
    let change = (3, Change::Opcode(IF_ICMPGT));
    assert_eq!(skips(vec![change; 2 << 20]), [SkipReason::TooManyCopies]);
}

#[test]
fn points_are_not_looked_for_in_another_class_of_the_same_name() {
    let class = compile(TICKET, "-g:none");
    let other = compile(&TICKET.replace("18", "16"), "-g:none");
    let plan = points(&class, "Ticket", &[], vec![(3, Change::Opcode(IF_ICMPGT))]);
    let rewritten = rewrite(&other, &plan).unwrap();
    let skipped = rewritten.skipped();
    assert_eq!(skipped.len(), 2);
    assert!(
        skipped
            .iter()
            .all(|method| method.reason == SkipReason::OtherClass)
    );
}

#[test]
fn work_probe_ticks_before_jumping_back() {
    let probe = WorkProbe::new().class("Worker", 2, 500);
    check("work_probe", "-g:none", Plan::new().with(probe));
}

#[test]
fn debug_tables_follow_the_code() {
    let probe = EntryProbe::new(Scope::all(), "jury/boot/Probes", "HITS", |_, _| Some(0));
    let hook = ExitHook {
        hook: 1,
        class: "Loop",
        method: "sum",
    };
    check("debug_tables", "-g", Plan::new().with(probe).with(hook));
}

fn check(case: &str, debug: &str, plan: Plan) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{case}.md"));
    let golden = std::fs::read_to_string(&file).unwrap();
    let (intro, rest) = golden.split_once("```java\n").unwrap();
    let (source, _) = rest.split_once("```\n").unwrap();

    let before = compile(source, debug);
    let Rewritten::Changed {
        bytes: after,
        skipped,
    } = rewrite(&before, &plan).unwrap()
    else {
        panic!("nothing was rewritten")
    };
    let skipped: String = skipped
        .iter()
        .map(|method| format!("\nSkipped: `{}`, {}\n", method.name, method.reason))
        .collect();
    let list = |bytes: &[u8]| listing(&ClassFile::read(bytes).unwrap()).unwrap();
    let actual = format!(
        "{intro}```java\n{source}```\n\n## Before\n\n```text\n{}```\n\n## After\n\n```text\n{}```\n{skipped}",
        list(&before),
        list(&after),
    );
    if std::env::var_os("JURY_BLESS").is_some() {
        std::fs::write(&file, &actual).unwrap();
    } else {
        assert!(
            actual == golden,
            "{} differs; it should read:\n{actual}",
            file.display()
        );
    }
}

/// Compiles a source of one class.
fn compile(source: &str, debug: &str) -> Vec<u8> {
    let name = source
        .split_once("class ")
        .unwrap()
        .1
        .split([' ', '<'])
        .next()
        .unwrap();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join(format!("{name}.java"));
    std::fs::write(&file, source).unwrap();
    let javac = std::env::var_os("JAVA_HOME")
        .map_or("javac".into(), |home| PathBuf::from(home).join("bin/javac"));
    let output = Command::new(javac)
        .args(["--release", "17", debug, "-d"])
        .arg(directory.path())
        .arg(&file)
        .output();
    let output = output.unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    std::fs::read(directory.path().join(format!("{name}.class"))).unwrap()
}

/// A method of so many statements, each with a call, a variable and an operation.
fn long_method(statements: usize) -> Vec<u8> {
    let body = "n = n + next();\n".repeat(statements);
    let source = format!(
        "class Long {{ int next() {{ return 1; }}\n int run(int n) {{\n{body}return n;\n}}\n}}"
    );
    compile(&source, "-g:none")
}

/// Why something is left out, and how often the class calls a helper.
fn watched(class: &[u8], plan: Plan) -> (Vec<String>, usize) {
    let rewritten = rewrite(class, &plan).unwrap();
    let skipped = rewritten.skipped().iter();
    let skipped = skipped.map(|one| format!("{}: {}", one.name, one.reason));
    let shown = match &rewritten {
        Rewritten::Changed { bytes, .. } => listing(&ClassFile::read(bytes).unwrap()).unwrap(),
        Rewritten::Unchanged { .. } => String::new(),
    };
    let calls = shown
        .matches("invokestatic jury/boot/Observations.seen (I")
        .count();
    (skipped.collect(), calls)
}

#[test]
fn of_a_method_without_room_less_is_watched() {
    let watch = || Plan::new().with(ValueWatch::new().class(2, "Long"));
    let told = |statements| watched(&long_method(statements), watch());
    // A statement has 7 bytes, and each of the three things to show adds as many.
    let too_long = "run: the code would exceed 65535 bytes";
    assert_eq!(told(1_000), (vec![], 1_000 * 3 + 1));
    let in_part = format!("{too_long}; only what calls give is");
    assert_eq!(told(4_000), (vec![in_part], 4_000));
    assert_eq!(told(8_000), (vec![too_long.to_owned()], 0));
}

#[test]
fn a_method_without_room_to_be_watched_keeps_its_switch() {
    let descriptor = "(I)I";
    let plan = Plan::new()
        .with(CallWatch::new().method(5, "Long", "run", descriptor))
        .with(Switch::new().body(1, "Long", "run", descriptor, Body::Int(0)));
    // Room for a switch, and for no more.
    let class = long_method(9_358);
    let rewritten = rewrite(&class, &plan).unwrap();
    let reason = rewritten.skipped()[0].reason.to_string();
    assert_eq!(reason, "the code would exceed 65535 bytes");
    let Rewritten::Changed { bytes, .. } = rewritten else {
        panic!("unchanged");
    };
    let shown = listing(&ClassFile::read(&bytes).unwrap()).unwrap();
    assert!(shown.contains("getstatic jury/boot/Switches.active"));
    assert!(!shown.contains("jury/boot/Observations"));
}

#[test]
fn what_somebody_wrote_is_shown_and_what_the_compiler_boxed_is_not() {
    let shown = |expression: &str| {
        let source = format!("class Long {{ Object run() {{ return {expression}; }} }}");
        let plan = Plan::new().with(ValueWatch::new().class(2, "Long"));
        let Rewritten::Changed { bytes, .. } =
            rewrite(&compile(&source, "-g:none"), &plan).unwrap()
        else {
            panic!("unchanged");
        };
        let shown = listing(&ClassFile::read(&bytes).unwrap()).unwrap();
        // One is for the exception that may leave the method.
        shown.matches("jury/boot/Observations.seen").count() - 1
    };
    assert_eq!(shown("(Object) 7"), 0);
    assert_eq!(shown("Integer.valueOf(7)"), 0);
    assert_eq!(shown("Integer.valueOf(\"7\")"), 1);
    assert_eq!(shown("String.valueOf(7)"), 1);
    assert_eq!(shown("String.valueOf('x')"), 1);
}

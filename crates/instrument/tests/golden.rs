//! Each kind of rewriting on a small class: `golden/*.md` hold the source, the listing before
//! and the listing after. `JURY_BLESS=1` writes the listings anew.

use std::path::{Path, PathBuf};
use std::process::Command;

use jury_classfile::{ClassFile, listing};
use jury_instrument::{
    ArgumentHook, Body, Call, CallSite, EntryProbe, ExitHook, Plan, Rewritten, Scope, Switch,
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
    let probe = EntryProbe::new(Scope::all(), "jury/boot/Probes", "hit", |_, _| Some(70_000));
    check("entry_probe", "-g:none", Plan::new().with(probe));
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

#[test]
fn work_probe_ticks_before_jumping_back() {
    let probe = WorkProbe::new().class("Worker", 2, 500);
    check("work_probe", "-g:none", Plan::new().with(probe));
}

#[test]
fn debug_tables_follow_the_code() {
    let probe = EntryProbe::new(Scope::all(), "jury/boot/Probes", "hit", |_, _| Some(0));
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

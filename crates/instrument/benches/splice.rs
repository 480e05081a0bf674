//! How fast classes are rewritten. `JURY_BENCH_JAR` names a jar of classes; see
//! `bench/classfile.md`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../../classfile/benches/corpus/mod.rs"]
mod corpus;

use std::hint::black_box;
use std::time::Instant;

use jury_instrument::{ArgumentHook, Call, CallSite, EntryProbe, Plan, Scope, rewrite};

fn main() {
    let Some(corpus) = corpus::load() else { return };
    println!(
        "{} classes, {:.1} MB",
        corpus.classes.len(),
        corpus.megabytes()
    );
    let probe = EntryProbe::new(Scope::all(), "jury/boot/Probes", "HITS", |_, _| {
        Some(100_000)
    });
    let probes = Plan::new().with(probe);
    corpus.measure("entry probes", |bytes| {
        black_box(rewrite(bytes, &probes).is_ok());
    });
    let call = Call {
        owner: "java/util/Iterator".into(),
        name: "hasNext".into(),
        descriptor: "()Z".into(),
        is_static: false,
        helper_class: "jury/boot/Calls".into(),
        helper_method: "hasNext".into(),
    };
    let calls = Plan::new().with(CallSite::new(Scope::all(), [call]));
    corpus.measure("call sites", |bytes| {
        black_box(rewrite(bytes, &calls).is_ok());
    });
    let hook = |class| ArgumentHook {
        hook: 1,
        class,
        method: "run",
    };
    let hooks = [
        "a/Runner",
        "org/junit/runner/JUnitCore",
        "org/testng/TestRunner",
    ];
    let hooks = hooks
        .into_iter()
        .fold(Plan::new(), |plan, class| plan.with(hook(class)));
    let names = [
        "java/lang/String",
        "org/apache/commons/lang3/StringUtils",
        "a/b/C$1",
        "x/Runner",
    ];
    let asked = 10_000;
    let rounds = (0..200).map(|_| {
        let begin = Instant::now();
        for index in 0..asked {
            black_box(hooks.wants(black_box(names[index % names.len()])));
        }
        begin.elapsed()
    });
    let best = rounds.min().unwrap_or_default().as_secs_f64() * 1e9 / asked as f64;
    println!("a class that is not wanted: {best:.1} ns");
}

//! A small run made by hand, for the tests of every format.

use jury_classfile::Access;
use jury_model::{Exit, Failure, Notice, Outcome, TestId};
use jury_mutate::{
    Accepted, Answers, Cause, ClassicPoint, Comparison, Effort, Extent, Gate, JudgedClass,
    JudgedMethod, MethodFacts, MethodId, MethodResult, Mutant, MutantId, MutantResult,
    MutantVerdict, Mutation, MutationRun, NewlyUndetected, Replacement, StopReason, Unreliability,
    UnreliableTest,
};

const SOURCE: &str = "\
package shop;

/* What a customer
   buys. */
public class Basket {
    public void add(Tea tea) {
        tins.add(tea); // <b>not</b> checked
    }

    @Deprecated
    int count() { return 42; }

    private String name() {
        return \"tea & \\\"milk\\\"\";
    }

    void log() {
        LOG.info('x');
    }
}
";

const TESTS: [&str; 2] = ["shop.BasketTests#adds", "shop.BasketTests#counts(int)[2]"];

fn test(number: usize) -> TestId {
    TestId::new(format!("[engine:junit-jupiter]/[test:{number}]"))
}

/// A method with one mutant per letter: `k` is killed, `s` survives, `t` times out, `m` runs out
/// of memory, `c` crashes, `n` is not covered, `-` is skipped.
pub(crate) fn method(id: &str, verdicts: &str) -> JudgedMethod {
    let id: MethodId = id.parse().expect("an id");
    let operators = ["void", "null", "\"A\"", "0", "1"];
    let ids: Vec<MutantId> = operators
        .iter()
        .take(verdicts.len())
        .map(|operator| MutantId {
            method: id.clone(),
            operator: (*operator).to_owned(),
            ordinal: None,
        })
        .collect();
    let covering: Vec<TestId> = match verdicts {
        "n" => Vec::new(),
        _ => vec![test(0), test(1)],
    };
    let mutants = ids.iter().map(|id| Mutant {
        description: match id.operator.as_str() {
            "void" => "body removed".to_owned(),
            operator => format!("returns `{operator}`"),
        },
        id: id.clone(),
        replacement: Replacement::Void,
        line: Some(7),
    });
    let results = ids
        .iter()
        .zip(verdicts.chars())
        .map(|(id, letter)| MutantResult {
            id: id.clone(),
            verdict: verdict(letter),
            covering: covering.clone(),
            answers: None,
        });
    JudgedMethod {
        facts: MethodFacts {
            id: id.clone(),
            access: Access(Access::PUBLIC),
            first_line: Some(7),
            last_line: Some(8),
            code_length: 30,
            mutants: mutants.collect(),
            stop: None,
        },
        points: Vec::new(),
        result: MethodResult {
            id: id.clone(),
            module: ".".into(),
            stop: None,
            covered: !covering.is_empty(),
            extreme: results.collect(),
            classic: Vec::new(),
        },
    }
}

/// Gives a method one point per letter.
pub(crate) fn with_points(method: &mut JudgedMethod, verdicts: &str) {
    for (ordinal, letter) in (0..).zip(verdicts.chars()) {
        let id = MutantId {
            method: method.facts.id.clone(),
            operator: "math".into(),
            ordinal: Some(ordinal),
        };
        method.points.push(ClassicPoint {
            id: id.clone(),
            pc: 2,
            block: 0,
            opcode: 96,
            line: Some(7),
            description: "`+` became `-`".into(),
            mutation: Mutation::Opcode(100),
        });
        method.result.classic.push(MutantResult {
            id,
            verdict: verdict(letter),
            covering: vec![test(0)],
            answers: None,
        });
    }
}

fn verdict(letter: char) -> MutantVerdict {
    match letter {
        'k' => MutantVerdict::Killed {
            by: test(1),
            failure: Failure {
                exception: "org.opentest4j.AssertionFailedError".into(),
                message: "expected: <1> but was: <0>".into(),
                trace: String::new(),
            },
        },
        's' => MutantVerdict::Survived,
        't' => MutantVerdict::TimedOut { during: test(0) },
        'm' => MutantVerdict::OutOfMemory { during: test(0) },
        'c' => MutantVerdict::Crashed { during: test(0) },
        'n' => MutantVerdict::NotCovered,
        '-' => MutantVerdict::Skipped {
            reason: "the class cannot be rewritten".into(),
        },
        other => panic!("no verdict `{other}`"),
    }
}

fn at(mut method: JudgedMethod, first: u16, last: u16) -> JudgedMethod {
    method.facts.first_line = Some(first);
    method.facts.last_line = Some(last);
    for mutant in &mut method.facts.mutants {
        mutant.line = Some(first);
    }
    method
}

fn class(name: &str, methods: Vec<JudgedMethod>) -> JudgedClass {
    JudgedClass {
        name: name.into(),
        module: ".".into(),
        access: Access(Access::PUBLIC),
        source_file: None,
        source_path: None,
        source: None,
        methods,
    }
}

/// A class with source and every classification, and one without source and every odd verdict.
pub(crate) fn run() -> MutationRun {
    let mut stopped = at(method("shop/Basket#count()I", ""), 11, 11);
    stopped.facts.stop = Some(StopReason::Deprecated);
    stopped.result.stop = Some(StopReason::Deprecated);
    let mut log = at(method("shop/Basket#log()V", "s"), 18, 19);
    log.facts.access = Access(Access::PRIVATE);
    let basket = JudgedClass {
        source_file: Some("Basket.java".into()),
        source_path: Some("src/main/java/shop/Basket.java".into()),
        source: Some(SOURCE.into()),
        ..class(
            "shop/Basket",
            vec![
                at(method("shop/Basket#add(Lshop/Tea;)V", "s"), 7, 8),
                stopped,
                at(
                    method("shop/Basket#name()Ljava/lang/String;", "-ks"),
                    14,
                    14,
                ),
                log,
            ],
        )
    };
    let till = class(
        "shop/Till$Drawer",
        vec![
            method("shop/Till$Drawer#open(IJ)Z", "tmck"),
            method("shop/Till$Drawer#shut()V", "n"),
        ],
    );
    MutationRun {
        exit: Exit::Findings,
        classes: vec![basket, till],
        labels: [(test(0), TESTS[0].into()), (test(1), TESTS[1].into())].into(),
        unreliable: vec![UnreliableTest {
            label: "shop.ClockTests#ticks".into(),
            recorded: Outcome::Passed,
            seen: Some(Outcome::Failed),
            cause: Unreliability::Flaky,
            failure: Some(Failure {
                exception: "java.lang.AssertionError".into(),
                message: "expected <tick>\nbut was <tock>".into(),
                trace: String::new(),
            }),
        }],
        notices: vec![Notice::with_hint("one class is odd", "look at it")],
        gate: Gate::default(),
        extent: Extent::default(),
        milestones: Vec::new(),
        matrix: false,
        effort: Effort::default(),
        workers: 2,
        tests: 3,
        cover_millis: 120,
        trial_millis: 480,
    }
}

/// The same run with everybody asked about every mutant: who noticed it is alone in that, but for the
/// first that was killed, and the other test passes.
pub(crate) fn with_matrix() -> MutationRun {
    let mut run = run();
    run.matrix = true;
    let methods = run.classes.iter_mut().flat_map(|class| &mut class.methods);
    let mut results: Vec<&mut MutantResult> = methods
        .flat_map(|method| &mut method.result.extreme)
        .collect();
    for result in &mut results {
        if matches!(result.verdict, MutantVerdict::Skipped { .. }) {
            continue;
        }
        let mut answers = Answers::default();
        let noticed_by = result.verdict.noticed_by();
        answers
            .killing
            .extend(noticed_by.map(|_| result.verdict.clone()));
        let others = result
            .covering
            .iter()
            .filter(|test| Some(*test) != noticed_by);
        answers.surviving.extend(others.cloned());
        result.answers = Some(answers);
    }
    let first = results.iter_mut().find_map(|result| {
        let killed = matches!(result.verdict, MutantVerdict::Killed { .. });
        result.answers.as_mut().filter(|_| killed)
    });
    let first = first.expect("one that was killed");
    first.surviving.clear();
    first.killing.insert(0, verdict('t'));
    let reason = "it does not pass reliably without any mutant";
    let clock = TestId::new("[engine:junit-jupiter]/[test:clock]");
    first.left_out.push((clock, reason.into()));
    run
}

/// The same run against a baseline that accepts one of its findings, and after a better one.
pub(crate) fn accepted() -> MutationRun {
    let mut run = run();
    let accepted = Accepted::parse("# only logs\nshop/Basket#log()V#void\n").expect("a baseline");
    let add: MutantId = "shop/Basket#add(Lshop/Tea;)V#void".parse().expect("an id");
    let name: MutantId = "shop/Basket#name()Ljava/lang/String;#\"A\""
        .parse()
        .expect("an id");
    run.gate = Gate {
        accepted: Some(accepted),
        unaccepted: vec![add.clone(), name],
        obsolete: vec!["shop/Gone#run()V#void".parse().expect("an id")],
        comparison: Some(Comparison {
            newly_undetected: vec![NewlyUndetected {
                id: add,
                cause: Cause::NoLongerDetected,
            }],
            ..Comparison::default()
        }),
        ..Gate::default()
    };
    run
}

/// A run in which everything that comes from outside tries to be markup.
pub(crate) fn hostile() -> MutationRun {
    let evil = "<script>alert(1)</script>";
    let mut run = run();
    run.labels.insert(test(0), format!("a.{evil}#t"));
    run.labels.insert(test(1), format!("a.\"'{evil}|`#t"));
    run.notices.push(Notice::new(evil));
    run.unreliable[0].label = evil.into();
    let class = &mut run.classes[0];
    class.name = format!("a{evil}/B{evil}");
    class.module = evil.into();
    class.source_file = Some(evil.into());
    class.source_path = Some(format!("src/{evil}"));
    class.source = Some(format!("// {evil}\n\"{evil}\"\n{evil}\n"));
    for method in &mut class.methods {
        method.facts.id.name = evil.into();
        method.facts.id.class = class.name.clone();
        for result in &mut method.result.extreme {
            if let MutantVerdict::Killed { failure, .. } = &mut result.verdict {
                failure.message = evil.into();
                failure.exception = evil.into();
            }
        }
    }
    run
}

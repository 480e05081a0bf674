//! Where test frameworks tell what they are doing, release after release, and where tests are
//! chosen: the methods that are hooked. The numbers are those of `jury.boot.Hooks`, which turns the
//! calls into records.

use jury_instrument::{ArgumentHook, Gate, Plan, Recall};

const LAUNCHER: &str = "org/junit/platform/launcher/core/DefaultLauncher";
const LISTENER_ADAPTER: &str = "org/junit/platform/launcher/core/ExecutionListenerAdapter";
const REQUEST_BUILDER: &str = "org/junit/platform/launcher/core/LauncherDiscoveryRequestBuilder";
const NODE_TASK: &str = "org/junit/platform/engine/support/hierarchical/NodeTestTask";
const RUN_NOTIFIER: &str = "org/junit/runner/notification/RunNotifier";
const PARENT_RUNNER: &str = "org/junit/runners/ParentRunner";
const CLASS_RUNNER: &str = "org/junit/runners/BlockJUnit4ClassRunner";
const OLD_CLASS_RUNNER: &str = "org/junit/internal/runners/JUnit38ClassRunner";
const TEST_RESULT: &str = "junit/framework/TestResult";
const TESTNG: &str = "org/testng/TestNG";
const TESTNG_SUITE: &str = "org/testng/SuiteRunner";
const TESTNG_LISTENERS: &str = "org/testng/internal/TestListenerHelper";
/// Calls the listeners itself in TestNG 6.9.10 and its elders, which lack the helper above.
const TESTNG_INVOKER: &str = "org/testng/internal/Invoker";
const SUREFIRE_SCAN: &str = "org/apache/maven/surefire/api/util/DefaultScanResult";
/// Until Surefire 3.0.0-M5.
const OLD_SUREFIRE_SCAN: &str = "org/apache/maven/surefire/util/DefaultScanResult";
const SUREFIRE_MOJO: &str = "org/apache/maven/plugin/surefire/AbstractSurefireMojo";
const FAILSAFE_VERIFIER: &str = "org/apache/maven/plugin/failsafe/VerifyMojo";

const HOOKS: &[ArgumentHook] = &[
    hook(1, LAUNCHER, "<init>"),
    hook(2, LAUNCHER, "discover"),
    hook(3, LAUNCHER, "execute"),
    hook(4, LISTENER_ADAPTER, "executionStarted"),
    hook(5, LISTENER_ADAPTER, "executionSkipped"),
    hook(6, LISTENER_ADAPTER, "executionFinished"),
    hook(7, REQUEST_BUILDER, "configurationParameter"),
    hook(10, RUN_NOTIFIER, "<init>"),
    hook(11, RUN_NOTIFIER, "fireTestStarted"),
    hook(12, RUN_NOTIFIER, "fireTestFinished"),
    hook(13, RUN_NOTIFIER, "fireTestFailure"),
    hook(14, RUN_NOTIFIER, "fireTestAssumptionFailed"),
    hook(15, RUN_NOTIFIER, "fireTestIgnored"),
    hook(20, TEST_RESULT, "<init>"),
    hook(21, TEST_RESULT, "startTest"),
    hook(22, TEST_RESULT, "endTest"),
    hook(23, TEST_RESULT, "addError"),
    hook(24, TEST_RESULT, "addFailure"),
    hook(30, TESTNG, "<init>"),
    hook(31, TESTNG_LISTENERS, "runTestListeners"),
    hook(32, TESTNG_INVOKER, "runTestListeners"),
    hook(33, TESTNG_LISTENERS, "runPostConfigurationListeners"),
    hook(34, TESTNG_INVOKER, "runConfigurationListeners"),
];

/// Where tests are chosen in a test JVM.
const CHOICE: &[ArgumentHook] = &[
    hook(40, REQUEST_BUILDER, "build"),
    hook(41, TESTNG_SUITE, "<init>"),
];

/// Where tests begin that nobody can be asked to leave out before: those of JUnit 3 and 4 without
/// the platform.
const GATES: &[Gate] = &[
    gate(50, PARENT_RUNNER, "run"),
    gate(51, CLASS_RUNNER, "runChild"),
    gate(52, OLD_CLASS_RUNNER, "run"),
];

/// Where everything begins that engines of the platform run as a tree, Jupiter's tests above all.
const PLATFORM_GATE: Gate = gate(53, NODE_TASK, "execute");

/// Most of what it takes to run a single test of the platform is to look for the fixtures of its class,
/// by reflection and once for each kind; a worker does so hundreds of times. What is annotated with what
/// does not change, whatever is switched on.
const ANNOTATED_METHODS: Recall = Recall {
    class: "org/junit/platform/commons/util/AnnotationUtils",
    method: "findAnnotatedMethods",
    helper: "jury/boot/AnnotatedMethods",
};

/// Where tests are chosen in Maven's own JVM.
const SUREFIRE: &[ArgumentHook] = &[
    hook(42, SUREFIRE_SCAN, "<init>"),
    hook(43, OLD_SUREFIRE_SCAN, "<init>"),
    hook(44, SUREFIRE_MOJO, "execute"),
    hook(54, FAILSAFE_VERIFIER, "execute"),
];

/// Where Maven comes to run tests, which are to be forked.
const SUREFIRE_FORKS: &[ArgumentHook] = &[
    hook(45, SUREFIRE_MOJO, "executeProvider"),
    hook(46, SUREFIRE_MOJO, "getEffectiveJvm"),
    hook(47, SUREFIRE_MOJO, "createForkConfiguration"),
    // Until Surefire 2.22.2.
    hook(48, SUREFIRE_MOJO, "getForkConfiguration"),
];

/// Where Maven comes to run tests, which are to stay where they are.
const SUREFIRE_KEEPS: &[ArgumentHook] = &[hook(49, SUREFIRE_MOJO, "executeProvider")];

const fn hook(hook: u16, class: &'static str, method: &'static str) -> ArgumentHook {
    ArgumentHook {
        hook,
        class,
        method,
    }
}

const fn gate(gate: u16, class: &'static str, method: &'static str) -> Gate {
    Gate {
        gate,
        class,
        method,
    }
}

/// For a JVM that runs tests.
pub fn events() -> Plan {
    plan(HOOKS)
}

/// For a JVM that runs tests and may be told to leave some out.
pub fn events_and_choice() -> Plan {
    let plan = plan(&[HOOKS, CHOICE].concat());
    GATES.iter().fold(plan, |plan, gate| plan.with(*gate))
}

/// For a worker, which may be told to stop at the first red test, and runs the same ones many times.
pub fn events_and_early_end() -> Plan {
    let gates = GATES.iter().chain([&PLATFORM_GATE]);
    let plan = gates.fold(plan(HOOKS), |plan, gate| plan.with(*gate));
    plan.with(ANNOTATED_METHODS)
}

/// For a JVM that chooses tests, and forks others to run them: all of them, unless those that it
/// would run itself are to be kept.
pub fn builder_choice(keep_in_process: bool) -> Plan {
    let forks = match keep_in_process {
        true => SUREFIRE_KEEPS,
        false => SUREFIRE_FORKS,
    };
    plan(&[SUREFIRE, forks].concat())
}

fn plan(hooks: &[ArgumentHook]) -> Plan {
    hooks
        .iter()
        .fold(Plan::new(), |plan, hook| plan.with(*hook))
}

/// True if a class file calls the hooks already. Another agent may hand us bytes that it got after
/// our rewriting, to redefine the class with; a second hook would report every test twice.
pub fn is_hooked(class_file: &[u8]) -> bool {
    const HOOKS_CLASS: &[u8] = b"jury/boot/Hooks";
    class_file
        .windows(HOOKS_CLASS.len())
        .any(|window| window == HOOKS_CLASS)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Constants of `jury.boot.Hooks` as `number class method`, from the comments that name them.
    fn java_hooks() -> Vec<String> {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../harness/boot/jury/boot/Hooks.java");
        let source = fs::read_to_string(path).unwrap();
        source
            .split("/** {@code ")
            .skip(1)
            .filter_map(|piece| {
                let (method, behind) = piece.split_once('}')?;
                let constant = behind.split_once(';')?.0.split_once("static final int ")?.1;
                let (_, number) = constant.split_once(" = ")?;
                Some(format!("{number} {method}"))
            })
            .collect()
    }

    #[test]
    fn hooks_have_the_numbers_that_the_java_side_gives_them() {
        let hooks = [HOOKS, CHOICE, SUREFIRE, SUREFIRE_FORKS, SUREFIRE_KEEPS];
        let hooks = hooks.concat().into_iter();
        let hooks = hooks.map(|hook| (hook.hook, hook.class, hook.method));
        let gates =
            (GATES.iter().chain([&PLATFORM_GATE])).map(|gate| (gate.gate, gate.class, gate.method));
        let all: Vec<String> = (hooks.chain(gates))
            .map(|(number, class, method)| format!("{number} {class} {method}"))
            .collect();
        assert_eq!(all, java_hooks());
    }

    #[test]
    fn only_rewritten_classes_count_as_hooked() {
        assert!(is_hooked(b"\xca\xfe\xba\xbe..\x01\0\x0fjury/boot/Hooks.."));
        assert!(!is_hooked(b"\xca\xfe\xba\xbe..jury/boot/Hook"));
        assert!(!is_hooked(b""));
    }
}

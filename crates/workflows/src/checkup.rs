//! `jury doctor`: looks at everything Jury needs and says how to mend what is missing.

use std::collections::BTreeMap;
use std::env;
use std::path::Path;

use jury_jvm::{Installation, cache_directory, try_agent};
use jury_model::{Checkup, Exit, Health, LaunchedBy, Recipe};
use jury_project::{JavaHomeFault, Jdk, Project, find_jdks, java_home_fault};
use jury_store::Store;

/// Looks at one thing after another; a missing part never keeps the others from being examined.
pub fn examine(root: &Path, state_dir: &Path) -> Vec<Checkup> {
    let java_home = java_home_fault();
    let mut checkups = vec![platform()];
    checkups.extend(java_home.as_ref().map(of_java_home));
    checkups.push(project(root, java_home.as_ref()));
    let jdks = find_jdks();
    if jdks.is_empty() {
        checkups.push(bad(
            "jdk",
            "none found",
            "install a JDK (17 or later) or set JAVA_HOME",
        ));
    }
    match cache_directory().and_then(|cache| Installation::prepare(&cache)) {
        Ok(installation) => {
            checkups.push(good(
                "agent",
                format!("unpacked as `{}`", installation.agent().display()),
            ));
            checkups.extend(jdks.iter().map(|jdk| jdk_runs_agent(jdk, &installation)));
        }
        Err(error) => {
            let hint = "set JURY_CACHE_DIR to a directory you can write to";
            checkups.push(bad("agent", with_causes(&error), hint));
        }
    }
    checkups.push(evidence(root, state_dir));
    checkups.extend(tool_options());
    checkups
}

/// The exit code of `jury doctor`.
pub fn verdict(checkups: &[Checkup]) -> Exit {
    let broken = checkups.iter().any(|checkup| checkup.health == Health::Bad);
    if broken { Exit::Broken } else { Exit::Clean }
}

fn platform() -> Checkup {
    let found = format!("{} on {}", env::consts::OS, env::consts::ARCH);
    match env::consts::OS {
        "linux" => good("platform", found),
        "macos" => odd(
            "platform",
            found,
            "Jury builds here but is tried on Linux only",
        ),
        _ => bad("platform", found, "use Linux, or WSL on Windows"),
    }
}

fn of_java_home(fault: &JavaHomeFault) -> Checkup {
    let health = match fault.is_runtime() {
        true => Health::Odd,
        false => Health::Bad,
    };
    Checkup {
        health,
        ..bad("JAVA_HOME", fault.to_string(), &fault.hint())
    }
}

fn project(root: &Path, java_home: Option<&JavaHomeFault>) -> Checkup {
    let project = match Project::discover(root) {
        Ok(project) => project,
        Err(error) => {
            return odd(
                "project",
                with_causes(&error),
                "run `jury doctor` in a project, or pass the test command: `jury test -- CMD`",
            );
        }
    };
    match project.tool_version() {
        // The tool is not to blame for a JVM that it cannot start.
        Err(_) if java_home.is_some_and(|fault| !fault.is_runtime()) => odd(
            "project",
            format!(
                "{} at `{}`, which does not start",
                project.build_tool(),
                project.root().display()
            ),
            "mend `JAVA_HOME` first",
        ),
        Ok(version) => good(
            "project",
            format!(
                "{} at `{}`, {version}",
                project.build_tool(),
                project.root().display()
            ),
        ),
        Err(error) => {
            let hint = error.hint();
            Checkup {
                hint,
                ..bad("project", with_causes(&error), "")
            }
        }
    }
}

/// Starts a JVM of this JDK as a worker: proves the agent, the boot jar and the socket at once.
fn jdk_runs_agent(jdk: &Jdk, installation: &Installation) -> Checkup {
    let subject = format!("jdk {}", jdk.version);
    let place = format!("`{}`", jdk.home.display());
    let recipe = Recipe {
        launched_by: LaunchedBy::Jury,
        java_home: jdk.home.display().to_string(),
        java_version: jdk.version.clone(),
        working_directory: env::temp_dir().display().to_string(),
        class_path: Vec::new(),
        module_path: Vec::new(),
        module_flags: Vec::new(),
        jvm_flags: Vec::new(),
        properties: BTreeMap::new(),
        environment: env::vars().collect(),
        launcher_parameters: BTreeMap::new(),
        jvm_per_class: false,
    };
    match try_agent(&recipe, installation) {
        Ok(()) => good(&subject, format!("{place} loads the agent")),
        Err(error) => bad(
            &subject,
            format!(
                "{place} does not run with the agent: {}",
                with_causes(&error)
            ),
            "Jury needs a HotSpot JVM of this machine's own architecture",
        ),
    }
}

fn evidence(root: &Path, state_dir: &Path) -> Checkup {
    if !state_dir.exists() {
        return good("evidence", "none yet; `jury test` collects it".to_owned());
    }
    let summary = || -> Result<String, jury_store::StoreError> {
        let store = Store::open(state_dir)?;
        let tests = store.tests(&jury_store::TestFilter::default())?.len();
        let recipes = store.recipes(root)?.len();
        let kilobytes = store.size()?.div_ceil(1024);
        Ok(format!(
            "{tests} tests, {recipes} launch recipes, {kilobytes} KB"
        ))
    };
    match summary() {
        Ok(summary) => good("evidence", summary),
        Err(error) => {
            let hint = error.hint().unwrap_or("`jury clean` starts afresh");
            bad("evidence", with_causes(&error), hint)
        }
    }
}

fn tool_options() -> Option<Checkup> {
    let options = env::var("JAVA_TOOL_OPTIONS")
        .ok()
        .filter(|options| !options.is_empty())?;
    let hint = "Jury adds its agent behind them; nothing to do unless they name another agent";
    Some(odd(
        "JAVA_TOOL_OPTIONS",
        format!("set to `{options}`"),
        hint,
    ))
}

fn good(subject: &str, finding: String) -> Checkup {
    Checkup {
        subject: subject.to_owned(),
        health: Health::Good,
        finding,
        hint: None,
    }
}

fn odd(subject: &str, finding: impl Into<String>, hint: &str) -> Checkup {
    Checkup {
        subject: subject.to_owned(),
        health: Health::Odd,
        finding: finding.into(),
        hint: Some(hint.to_owned()),
    }
}

fn bad(subject: &str, finding: impl Into<String>, hint: &str) -> Checkup {
    Checkup {
        health: Health::Bad,
        ..odd(subject, finding, hint)
    }
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

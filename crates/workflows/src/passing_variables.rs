//! Variables that change from one terminal, or one job of a CI server, to the next without a meaning for
//! tests.
//!
//! Only names are known here; what it means that one changes is for others to say.

/// A trailing `*` stands for any end.
const OF_THE_TERMINAL: [&str; 26] = [
    "COLORTERM",
    "COLUMNS",
    "DBUS_*",
    "DISPLAY",
    "GPG_*",
    "HOSTNAME",
    "INVOCATION_ID",
    "JOURNAL_STREAM",
    "JURY_*",
    "LINES",
    "LS_COLORS",
    "OLDPWD",
    "PS1",
    "PWD",
    "SHLVL",
    "SSH_*",
    "STY",
    "TERM",
    "TERM_*",
    "TMUX",
    "TMUX_*",
    "WAYLAND_DISPLAY",
    "WINDOWID",
    "XAUTHORITY",
    "XDG_*",
    "_",
];

/// By what CI servers number and name their jobs. `CI` itself is not among them: tests ask for it.
const OF_THE_JOB: [&str; 35] = [
    // GitHub, GitLab, Azure, Bitbucket, Buildkite, CircleCI, Drone, TeamCity, Travis
    "ACTIONS_*",
    "AGENT_*",
    "BITBUCKET_*",
    "BUILDKITE",
    "BUILDKITE_*",
    "BUILD_ARTIFACTSTAGINGDIRECTORY",
    "BUILD_BUILD*",
    "BUILD_SOURCE*",
    "CIRCLE_*",
    "CI_*",
    "DRONE_*",
    "GITHUB_*",
    "GITLAB_*",
    "RUNNER_*",
    "SYSTEM_*",
    "TEAMCITY_*",
    "TRAVIS_*",
    // Jenkins
    "BUILD_DISPLAY_NAME",
    "BUILD_ID",
    "BUILD_NUMBER",
    "BUILD_TAG",
    "BUILD_URL",
    "CHANGE_*",
    "EXECUTOR_NUMBER",
    "GIT_BRANCH",
    "GIT_COMMIT",
    "GIT_PREVIOUS_*",
    "HUDSON_*",
    "JENKINS_*",
    "JOB_*",
    "NODE_NAME",
    "RUN_*",
    "STAGE_NAME",
    "WORKSPACE",
    "WORKSPACE_TMP",
];

pub(crate) fn is_passing(variable: &str) -> bool {
    matches(&OF_THE_TERMINAL, variable) || matches(&OF_THE_JOB, variable)
}

/// Whether a name is one of these, in which a trailing `*` stands for any end.
pub(crate) fn matches(patterns: &[&str], name: &str) -> bool {
    patterns
        .iter()
        .any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *pattern,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_end() {
        for (variable, expected) in [
            ("SSH_TTY", true),
            ("TERM", true),
            ("_", true),
            ("TERMINAL", false),
            ("_JAVA_OPTIONS", false),
            ("LANG", false),
            ("GITHUB_RUN_ID", true),
            ("BUILD_NUMBER", true),
            ("BUILD_MODE", false),
            ("CI", false),
        ] {
            assert_eq!(is_passing(variable), expected, "{variable}");
        }
    }
}

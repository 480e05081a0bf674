//! Variables that change from one terminal to the next without a meaning for tests.
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

pub(crate) fn is_of_the_terminal(variable: &str) -> bool {
    matches(&OF_THE_TERMINAL, variable)
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
        ] {
            assert_eq!(is_of_the_terminal(variable), expected, "{variable}");
        }
    }
}

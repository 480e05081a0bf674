//! How a JVM is told to compile quickly rather than well.

/// Leaves only HotSpot's first compiler at work.
pub const QUICK_COMPILER: &str = "-XX:TieredStopAtLevel=1";

/// Whether a flag says how the JVM compiles. Whoever has said so keeps it.
pub fn chooses_compiler(flag: &str) -> bool {
    let ways = [
        "-Xint",
        "-Xcomp",
        "-XX:TieredStopAtLevel",
        "-XX:CompilationMode",
    ];
    ways.iter().any(|way| flag.starts_with(way)) || flag.contains("TieredCompilation")
}

/// The variable that holds the flags of Maven's own JVM.
pub const MAVEN_OPTIONS: &str = "MAVEN_OPTS";

/// Together in this order they come from us; nobody else has a use for the first of them.
const QUICK_MAVEN: [&str; 2] = ["-XX:+TieredCompilation", QUICK_COMPILER];

/// What `MAVEN_OPTS` has to be for a Maven that compiles quickly, if its user has not chosen.
pub fn quick_maven(options: &str) -> Option<String> {
    if options.split_whitespace().any(chooses_compiler) {
        return None;
    }
    let quick = QUICK_MAVEN.join(" ");
    Some(format!("{options} {quick}").trim_start().to_owned())
}

/// What `MAVEN_OPTS` was before it was made quick, which may have been nothing.
pub fn plain_maven(options: &str) -> &str {
    let quick = QUICK_MAVEN.join(" ");
    options.strip_suffix(&quick).map_or(options, str::trim_end)
}

/// Takes the flags that make Maven quick out of those of its JVM.
pub fn without_quick_maven(flags: &mut Vec<String>) {
    if let Some(start) = flags.windows(2).rposition(|pair| pair == QUICK_MAVEN) {
        flags.drain(start..start + QUICK_MAVEN.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maven_is_made_quick_unless_its_user_has_chosen() {
        let flags = "-XX:+TieredCompilation -XX:TieredStopAtLevel=1";
        assert_eq!(quick_maven("").as_deref(), Some(flags));
        let more = format!("-Xmx1g {flags}");
        assert_eq!(quick_maven("-Xmx1g").as_deref(), Some(more.as_str()));
        for chosen in ["-Xint", "-Xmx1g -XX:TieredStopAtLevel=4"] {
            assert_eq!(quick_maven(chosen), None, "{chosen}");
        }
    }

    #[test]
    fn what_made_maven_quick_can_be_taken_back() {
        for options in ["", "-Xmx1g", "-Xmx1g -Da=b"] {
            let quick = quick_maven(options).unwrap();
            assert_eq!(plain_maven(&quick), options);
            let mut flags: Vec<String> = quick.split(' ').map(str::to_owned).collect();
            without_quick_maven(&mut flags);
            assert_eq!(flags.join(" "), options);
        }
        assert_eq!(plain_maven(QUICK_COMPILER), QUICK_COMPILER);
        let mut chosen = vec![QUICK_COMPILER.to_owned()];
        without_quick_maven(&mut chosen);
        assert_eq!(chosen, [QUICK_COMPILER]);
    }
}

//! Turns the header of a source file into a page of the manual, so that what users read about
//! an operator stands beside its code and nowhere else.

/// The `//!` lines at the top of a file, as Markdown.
pub(crate) fn header(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    lines
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .fold(String::new(), |page, line| page + line + "\n")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_header_ends_where_the_code_begins() {
        let source = "//! # Why\n//!\n//!     code\n\nuse std::fmt; //! no\n";
        assert_eq!(super::header(source), "# Why\n\n    code\n");
    }
}

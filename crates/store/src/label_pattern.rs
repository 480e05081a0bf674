//! What users type to pick tests: a part of a test's label, or, with `*` in it, all of the label
//! with `*` standing for any text. No other character is special, because labels are full of
//! brackets and may hold question marks.

#[derive(Debug)]
pub struct LabelPattern<'a> {
    pieces: Vec<&'a str>,
}

impl<'a> LabelPattern<'a> {
    pub fn new(text: &'a str) -> Self {
        Self {
            pieces: text.split('*').collect(),
        }
    }

    pub fn matches(&self, label: &str) -> bool {
        match self.pieces.as_slice() {
            [] => true,
            [part] => label.contains(part),
            [first, middle @ .., last] => {
                let Some(mut rest) = label.strip_prefix(first) else {
                    return false;
                };
                // The earliest place for each piece leaves most room for those after it.
                for piece in middle {
                    match rest.split_once(piece) {
                        Some((_, after)) => rest = after,
                        None => return false,
                    }
                }
                rest.ends_with(last)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, label: &str, expected: bool) {
        assert_eq!(
            LabelPattern::new(pattern).matches(label),
            expected,
            "{pattern} on {label}"
        );
    }

    #[test]
    fn without_a_star_any_part_of_the_label_matches() {
        check("BTest#adds", "a.BTest#adds(int)[2]", true);
        check("(int)[2]", "a.BTest#adds(int)[2]", true);
        check("", "a.BTest#adds", true);
        check("CTest", "a.BTest#adds", false);
    }

    #[test]
    fn with_a_star_the_whole_label_must_match() {
        check("a.*#adds*", "a.BTest#adds(int)[2]", true);
        check("*[2]", "a.BTest#adds(int)[2]", true);
        check("*", "a.BTest#adds", true);
        check("BTest#*", "a.BTest#adds", false);
        check("a.*#adds", "a.BTest#adds(int)[2]", false);
        check("*Test*Test*", "a.BTest#adds", false);
    }

    #[test]
    fn prefix_and_suffix_do_not_share_letters() {
        check("aba*aba", "aba", false);
        check("aba*aba", "abaaba", true);
    }
}

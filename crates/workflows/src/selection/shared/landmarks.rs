//! Places that every machine has, each at a path of its own.

use std::path::Path;

/// Marks that stand for paths, the innermost place first.
#[derive(Debug, Clone)]
pub(super) struct Landmarks(Vec<(&'static str, String)>);

impl Landmarks {
    pub fn new(root: &Path, jdk: Option<&Path>, home: Option<&Path>) -> Self {
        let places = [("{project}", Some(root)), ("{jdk}", jdk), ("{home}", home)];
        let named = places.into_iter().filter_map(|(mark, place)| {
            let place = place?.to_str()?.trim_end_matches('/');
            (!place.is_empty()).then(|| (mark, place.to_owned()))
        });
        Landmarks(named.collect())
    }

    /// The text with marks instead of this machine's paths.
    pub fn hide(&self, text: &str) -> String {
        let hide = |text: String, (mark, place): &(&str, String)| text.replace(place, mark);
        self.0.iter().fold(text.to_owned(), hide)
    }

    /// The text with this machine's paths instead of marks.
    pub fn show(&self, text: &str) -> String {
        let show = |text: String, (mark, place): &(&str, String)| text.replace(mark, place);
        self.0.iter().fold(text.to_owned(), show)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_here_becomes_the_path_there() {
        let here = Landmarks::new(
            Path::new("/homes/mine/shop"),
            Some(Path::new("/opt/jdk")),
            Some(Path::new("/homes/mine")),
        );
        let there = Landmarks::new(
            Path::new("/builds/7/shop"),
            Some(Path::new("/usr/lib/jvm/17")),
            Some(Path::new("/homes/theirs/")),
        );
        for (path, expected) in [
            (
                "/homes/mine/shop/target/classes",
                "/builds/7/shop/target/classes",
            ),
            (
                "/homes/mine/.m2/repository/a.jar",
                "/homes/theirs/.m2/repository/a.jar",
            ),
            ("/opt/jdk", "/usr/lib/jvm/17"),
            ("/srv/lib/b.jar", "/srv/lib/b.jar"),
        ] {
            assert_eq!(there.show(&here.hide(path)), expected);
        }
    }

    #[test]
    fn a_home_at_the_very_root_stands_for_nothing() {
        let landmarks = Landmarks::new(Path::new("/p"), None, Some(Path::new("/")));
        assert_eq!(landmarks.hide("/srv/a.jar"), "/srv/a.jar");
    }
}

//! Names of places that mean the same in every copy of a project, so that evidence holds wherever
//! the project lies.

use std::iter;
use std::path::{Component, Path, PathBuf};

/// A place in the project by its path from the root; any other by its full path.
pub(super) fn within(root: &Path, place: &Path) -> String {
    match place.strip_prefix(root) {
        Ok(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
        Ok(inside) => inside.to_string_lossy().into_owned(),
        Err(_) => place.to_string_lossy().into_owned(),
    }
}

/// Whether a place is below the root. A link counts as what it leads to, as the agent sees it.
pub(super) fn is_within(root: &Path, place: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    match (real(root), real(place)) {
        (Some(root), Some(place)) => place.starts_with(root),
        _ => place.starts_with(root),
    }
}

/// The path without `.` and `..`.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}

/// A place in the project as a JVM that works in `directory` can name it; any other as it is named.
pub(super) fn seen_from(directory: &Path, root: &Path, name: &str) -> String {
    let place = Path::new(name);
    let (Ok(place), Ok(directory)) = (place.strip_prefix(root), directory.strip_prefix(root))
    else {
        return name.to_owned();
    };
    let shared = iter::zip(place.components(), directory.components())
        .take_while(|(own, other)| own == other)
        .count();
    let up = directory
        .components()
        .skip(shared)
        .map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(place.components().skip(shared)).collect();
    within(Path::new(""), &path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_the_project_are_named_from_its_root() {
        let name = |place: &str| within(Path::new("/p"), Path::new(place));
        assert_eq!(name("/p/core/target/classes/"), "core/target/classes");
        assert_eq!(name("/p"), ".");
        assert_eq!(name("/other/classes"), "/other/classes");
        assert_eq!(name("/pp/classes"), "/pp/classes");
    }

    #[test]
    fn a_jvm_sees_places_in_the_project_from_where_it_works() {
        let name = |place: &str| seen_from(Path::new("/p/core"), Path::new("/p"), place);
        assert_eq!(name("/p/core/src/data.txt"), "src/data.txt");
        assert_eq!(name("/p/api/data.txt"), "../api/data.txt");
        assert_eq!(name("/p/core"), ".");
        assert_eq!(name("/p"), "..");
        assert_eq!(name("data.txt"), "data.txt");
        assert_eq!(name("/etc/hosts"), "/etc/hosts");
    }

    #[test]
    fn a_jvm_that_works_elsewhere_names_places_in_full() {
        let name = seen_from(Path::new("/tmp"), Path::new("/p"), "/p/data.txt");
        assert_eq!(name, "/p/data.txt");
    }
}

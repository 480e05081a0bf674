//! Which mutants this run is about: all of them, one shard, or those that a change concerns.
//!
//! A change concerns a method if it touched the method's lines, or lines that a test of the method
//! runs in test code. Lines between two methods (signatures, annotations, braces) are taken to
//! belong to both: too much is tried rather than too little.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;

use jury_history::{Changes, FileChange};
use jury_model::Notice;
use jury_mutate::{ClassMutants, MethodFacts, MethodId, MutantId, Shard};

use super::lab::Baseline;
use super::subject::{Probe, Role, Subject, SubjectClass};

pub(super) struct Docket<'a> {
    pub shard: Option<Shard>,
    /// Methods that a change concerns; none if every method is meant.
    concerned: Option<HashSet<&'a MethodId>>,
}

impl<'a> Docket<'a> {
    pub fn new(subject: &'a Subject, changes: Option<&Changes>, shard: Option<Shard>) -> Self {
        let classes = || subject.classes.iter().map(|class| &class.facts);
        Docket {
            shard,
            concerned: changes.map(|changes| touched(classes(), changes)),
        }
    }

    /// Adds what is run by tests whose own code was touched.
    pub fn add_changed_tests(&mut self, subject: &'a Subject, baselines: &[Baseline]) {
        let Some(concerned) = &mut self.concerned else {
            return;
        };
        let probes = subject.probes();
        let is_touched_test = |probe: &Probe<'_>| {
            subject.classes[probe.class].role == Role::Test && concerned.contains(probe.method)
        };
        let touched: Vec<bool> = probes.iter().map(is_touched_test).collect();
        for baseline in baselines {
            if baseline.hits.iter().any(|probe| touched[*probe as usize]) {
                let methods = baseline.hits.iter().map(|probe| probes[*probe as usize]);
                concerned.extend(methods.map(|probe| probe.method));
            }
        }
    }

    /// The methods whose mutants may be tried, if that is known before any test has run and there
    /// are others.
    pub fn few_methods(&self, subject: &'a Subject) -> Option<BTreeSet<&'a MethodId>> {
        let is_touched = |class: &SubjectClass| {
            let mut methods = class.facts.methods.iter();
            let concerned = self.concerned.as_ref();
            concerned.is_some_and(|all| methods.any(|method| all.contains(&method.id)))
        };
        let of = |role: Role| subject.classes.iter().filter(move |one| one.role == role);
        // What touched tests run comes in later.
        if of(Role::Test).any(is_touched) {
            return None;
        }
        if self.concerned.is_none() && of(Role::Spared).next().is_none() {
            return None;
        }
        let methods = of(Role::OnTrial).flat_map(|class| &class.facts.methods);
        let ids = methods.map(|method| &method.id);
        Some(ids.filter(|id| self.is_about(id)).collect())
    }

    pub fn holds(&self, mutant: &MutantId) -> bool {
        self.is_about(&mutant.method) && self.shard.is_none_or(|shard| shard.holds(mutant))
    }

    pub fn is_about(&self, method: &MethodId) -> bool {
        let concerned = self.concerned.as_ref();
        concerned.is_none_or(|concerned| concerned.contains(method))
    }
}

/// What the reader should know of changes that no method stands for.
pub(super) fn unmapped(subject: &Subject, changes: &Changes) -> Option<Notice> {
    let classes: Vec<&ClassMutants> = subject.classes.iter().map(|class| &class.facts).collect();
    let files: Vec<String> = changes
        .iter()
        .filter(|(path, _)| path.split('/').any(|part| part == "src"))
        .filter(|(path, change)| {
            **change == FileChange::Deleted || compiled_from(path, &classes).is_empty()
        })
        .map(|(path, _)| format!("`{path}`"))
        .collect();
    let shown = files.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    let more = if files.len() > 3 { ", …" } else { "" };
    (!files.is_empty()).then(|| {
        Notice::with_hint(
            format!(
                "which tests these changed files concern is not known, so no method is tried for \
                 them: {shown}{more}"
            ),
            "compile first if they are sources; without --diff everything is tried",
        )
    })
}

/// Methods that the changes touched, in tests as well.
fn touched<'a>(
    classes: impl Iterator<Item = &'a ClassMutants>,
    changes: &Changes,
) -> HashSet<&'a MethodId> {
    let classes: Vec<&ClassMutants> = classes.collect();
    let mut touched = HashSet::new();
    for (path, change) in changes {
        let compiled = compiled_from(path, &classes);
        let methods = || compiled.iter().flat_map(|class| &class.methods);
        match change {
            FileChange::Whole => touched.extend(methods().map(|method| &method.id)),
            FileChange::Lines(lines) => touched.extend(methods_at(methods(), lines)),
            FileChange::Deleted => {}
        }
    }
    let homes: Vec<&MethodId> = classes
        .iter()
        .flat_map(|class| methods_of_lambdas(class, &touched))
        .collect();
    touched.extend(homes);
    touched
}

/// The classes that a source file holds. Where packages and directories disagree, as they may, all
/// classes from a file of that name are taken.
fn compiled_from<'a>(path: &str, classes: &[&'a ClassMutants]) -> Vec<&'a ClassMutants> {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let named: Vec<&ClassMutants> = classes
        .iter()
        .copied()
        .filter(|class| class.source_file.as_deref() == Some(name))
        .collect();
    let at_home: Vec<&ClassMutants> = named
        .iter()
        .copied()
        .filter(|class| {
            let package = class
                .name
                .rsplit_once('/')
                .map_or("", |(package, _)| package);
            directory == package
                || package.is_empty()
                || directory.ends_with(&format!("/{package}"))
        })
        .collect();
    if at_home.is_empty() { named } else { at_home }
}

fn methods_at<'a>(
    methods: impl Iterator<Item = &'a MethodFacts>,
    changed: &[RangeInclusive<u32>],
) -> Vec<&'a MethodId> {
    let mut touched = Vec::new();
    let mut spans: Vec<(RangeInclusive<u32>, &MethodId)> = Vec::new();
    for method in methods {
        match (method.first_line, method.last_line) {
            (Some(first), Some(last)) => {
                spans.push((u32::from(first)..=u32::from(last), &method.id));
            }
            // Where it stands is not known, so it may be meant.
            _ => touched.push(&method.id),
        }
    }
    for line in changed.iter().flat_map(Clone::clone) {
        let inside = spans.iter().filter(|(span, _)| span.contains(&line));
        let mut inside = inside.map(|(_, id)| *id).peekable();
        if inside.peek().is_some() {
            touched.extend(inside);
            continue;
        }
        let before = spans
            .iter()
            .map(|(span, _)| *span.end())
            .filter(|end| *end < line);
        let after = spans
            .iter()
            .map(|(span, _)| *span.start())
            .filter(|start| *start > line);
        let (before, after) = (before.max(), after.min());
        let neighbours = spans
            .iter()
            .filter(|(span, _)| Some(*span.end()) == before || Some(*span.start()) == after);
        touched.extend(neighbours.map(|(_, id)| *id));
    }
    touched
}

/// The methods in whose text touched lambdas stand: compilers give these a method of their own.
fn methods_of_lambdas<'a>(
    class: &'a ClassMutants,
    touched: &HashSet<&MethodId>,
) -> Vec<&'a MethodId> {
    let mut by_name: HashMap<&str, Vec<&MethodId>> = HashMap::new();
    for method in &class.methods {
        by_name.entry(&method.id.name).or_default().push(&method.id);
    }
    let lambdas = class
        .methods
        .iter()
        .filter(|method| touched.contains(&method.id));
    lambdas
        .filter_map(|method| by_name.get(home_of_lambda(&method.id.name)?))
        .flatten()
        .copied()
        .collect()
}

/// `total` of javac's `lambda$total$0` and of Kotlin's `total$lambda$0`.
fn home_of_lambda(name: &str) -> Option<&str> {
    match name.strip_prefix("lambda$") {
        Some(rest) => rest.rsplit_once('$').map(|(home, _)| home),
        None => name.split_once("$lambda$").map(|(home, _)| home),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_classfile::Access;

    /// Methods as `name first last`.
    fn class(name: &str, source: &str, methods: &[(&str, u16, u16)]) -> ClassMutants {
        let method = |(method, first, last): &(&str, u16, u16)| MethodFacts {
            id: MethodId {
                class: name.into(),
                name: method.to_string(),
                descriptor: "()V".into(),
            },
            access: Access(0),
            first_line: (*first > 0).then_some(*first),
            last_line: (*last > 0).then_some(*last),
            code_length: 1,
            mutants: Vec::new(),
            stop: None,
        };
        ClassMutants {
            name: name.into(),
            source_file: Some(source.into()),
            access: Access(0),
            methods: methods.iter().map(method).collect(),
        }
    }

    fn check(classes: &[ClassMutants], path: &str, change: FileChange, expected: &str) {
        let changes = [(path.to_owned(), change)].into();
        let found = touched(classes.iter(), &changes);
        let mut names: Vec<String> = found
            .iter()
            .map(|id| format!("{}.{}", id.class, id.name))
            .collect();
        names.sort();
        assert_eq!(names.join(" "), expected);
    }

    fn line(line: u32) -> FileChange {
        FileChange::Lines(vec![line..=line])
    }

    fn basket() -> ClassMutants {
        let methods = [("add", 4, 6), ("total", 10, 14), ("lambda$total$0", 12, 12)];
        class("shop/Basket", "Basket.java", &methods)
    }

    const PATH: &str = "core/src/main/java/shop/Basket.java";

    #[test]
    fn a_line_touches_the_method_around_it() {
        check(&[basket()], PATH, line(5), "shop/Basket.add");
        check(
            &[basket()],
            PATH,
            FileChange::Lines(vec![6..=6, 11..=11]),
            "shop/Basket.add shop/Basket.total",
        );
    }

    #[test]
    fn a_line_between_methods_touches_both() {
        check(
            &[basket()],
            PATH,
            line(8),
            "shop/Basket.add shop/Basket.total",
        );
        check(&[basket()], PATH, line(2), "shop/Basket.add");
        check(&[basket()], PATH, line(99), "shop/Basket.total");
    }

    #[test]
    fn a_lambda_belongs_to_the_method_it_stands_in() {
        let methods = [
            ("total", 10, 10),
            ("lambda$total$0", 11, 12),
            ("add", 20, 21),
        ];
        let basket = class("shop/Basket", "Basket.java", &methods);
        check(
            &[basket],
            PATH,
            line(11),
            "shop/Basket.lambda$total$0 shop/Basket.total",
        );
        assert_eq!(home_of_lambda("total$lambda$3"), Some("total"));
        assert_eq!(home_of_lambda("total"), None);
    }

    #[test]
    fn a_new_file_touches_everything_in_it_and_a_deleted_one_nothing() {
        let all = "shop/Basket.add shop/Basket.lambda$total$0 shop/Basket.total";
        check(&[basket()], PATH, FileChange::Whole, all);
        check(&[basket()], PATH, FileChange::Deleted, "");
    }

    #[test]
    fn packages_tell_files_of_one_name_apart() {
        let other = class("mill/Basket", "Basket.java", &[("weave", 5, 5)]);
        check(&[basket(), other.clone()], PATH, line(5), "shop/Basket.add");
        check(&[other], PATH, line(5), "mill/Basket.weave");
        check(
            &[basket()],
            "core/src/main/java/shop/Till.java",
            line(5),
            "",
        );
    }

    #[test]
    fn methods_without_lines_may_be_meant() {
        let bare = class("shop/Basket", "Basket.java", &[("add", 0, 0)]);
        check(&[bare], PATH, line(5), "shop/Basket.add");
    }
}

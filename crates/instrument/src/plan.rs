//! The list of rewritings to carry out.

use std::fmt;

use crate::kinds::{Classes, Kind};
use crate::scope::{ClassNames, Scope};

/// What to rewrite, in which classes. Kinds run in the order in which they were added.
#[derive(Default)]
pub struct Plan {
    kinds: Vec<Box<dyn Kind>>,
    named: ClassNames,
    scopes: Vec<Scope>,
}

impl Plan {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a rewriting: any of the types this crate names for what they do.
    #[expect(private_bounds, reason = "the kinds of rewriting are a closed list")]
    pub fn with(mut self, kind: impl Kind + 'static) -> Self {
        match kind.classes() {
            Classes::Named(names) => names.into_iter().for_each(|name| self.named.insert(name)),
            Classes::Within(scope) => self.scopes.push(scope.clone()),
        }
        self.kinds.push(Box::new(kind));
        self
    }

    /// Whether the class, named in VM form (`a/b/C`), is to be rewritten. Asked for every class
    /// that a JVM loads, so it costs a few nanoseconds.
    #[inline]
    pub fn wants(&self, class_name: &str) -> bool {
        self.named.contains(class_name)
            || self.scopes.iter().any(|scope| scope.contains(class_name))
    }

    pub(crate) fn kinds(&self) -> impl Iterator<Item = &dyn Kind> {
        self.kinds.iter().map(|kind| &**kind)
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plan({} kinds)", self.kinds.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArgumentHook, EntryProbe};

    #[test]
    fn an_empty_plan_wants_nothing() {
        assert!(!Plan::new().wants("java/lang/Object"));
    }

    #[test]
    fn a_plan_wants_what_any_of_its_kinds_wants() {
        let hook = ArgumentHook {
            hook: 1,
            class: "a/Runner",
            method: "run",
        };
        let scope = Scope::within(["b/"]).unwrap();
        let probe = EntryProbe::new(scope, "jury/boot/Probes", "HITS", |_, _| Some(0));
        let plan = Plan::new().with(hook).with(probe);
        assert!(plan.wants("a/Runner"));
        assert!(plan.wants("b/Anything"));
        assert!(!plan.wants("a/RunnerB"));
    }
}

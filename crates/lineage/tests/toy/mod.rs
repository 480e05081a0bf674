//! Programs small enough that what each test does at each revision is known for certain.

use std::collections::{BTreeMap, BTreeSet};

use jury_lineage::{Course, Dag, Deed, Plan, Refusal, Revision, Selector, Test, TestSet};

/// What can be said in a method. A merge takes over what either side added or took away.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Line {
    /// Does something; the number tells one edit from another.
    Act(u32),
    Call(u32),
}

type Body = BTreeSet<Line>;

/// Methods by number, and the methods that each test calls.
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub methods: BTreeMap<u32, Body>,
    pub tests: BTreeMap<Test, Vec<u32>>,
}

impl Program {
    /// Every method that a test gets to, with what it says: the test's behaviour.
    pub fn behaviour(&self, test: Test) -> BTreeMap<u32, Body> {
        let mut reached = BTreeMap::new();
        let mut pending = self.tests.get(&test).cloned().unwrap_or_default();
        while let Some(method) = pending.pop() {
            let body = self.methods.get(&method).cloned().unwrap_or_default();
            let calls = body.iter().filter_map(|line| match line {
                Line::Call(callee) => Some(*callee),
                Line::Act(_) => None,
            });
            let calls: Vec<u32> = calls.collect();
            if reached.insert(method, body).is_none() {
                pending.extend(calls);
            }
        }
        reached
    }

    /// Does here what was done between two other versions.
    pub fn with(&self, old: &Program, new: &Program) -> Program {
        let mut merged = self.clone();
        let empty = Body::new();
        for method in old.methods.keys().chain(new.methods.keys()) {
            let before = old.methods.get(method).unwrap_or(&empty);
            let after = new.methods.get(method).unwrap_or(&empty);
            let own = merged.methods.entry(*method).or_default();
            own.retain(|line| !before.contains(line) || after.contains(line));
            own.extend(after.difference(before).cloned());
        }
        for (test, calls) in &new.tests {
            if !old.tests.contains_key(test) {
                merged.tests.insert(*test, calls.clone());
            }
        }
        merged
            .tests
            .retain(|test, _| !old.tests.contains_key(test) || new.tests.contains_key(test));
        merged
    }
}

/// Revisions in the order in which they were made.
#[derive(Debug, Default)]
pub struct Story {
    revisions: Vec<(String, Vec<String>, Program)>,
}

impl Story {
    pub fn program(&self, name: &str) -> &Program {
        let found = self.revisions.iter().find(|(own, _, _)| own == name);
        &found.expect("a revision").2
    }

    pub fn add(&mut self, name: &str, parents: &[&str], program: Program) {
        let parents = parents.iter().map(|parent| parent.to_string()).collect();
        self.revisions.push((name.to_owned(), parents, program));
    }

    pub fn commit(&mut self, name: &str, parent: &str, method: u32, lines: &[Line]) {
        let mut program = self.program(parent).clone();
        let body = program.methods.entry(method).or_default();
        body.extend(lines.iter().cloned());
        self.add(name, &[parent], program);
    }

    /// What git would make of the tips without being helped.
    pub fn merged(&self, base: &str, tips: &[&str]) -> Program {
        let base = self.program(base);
        let mut merged = self.program(tips[0]).clone();
        for tip in &tips[1..] {
            merged = merged.with(base, self.program(tip));
        }
        merged
    }

    pub fn merge(&mut self, name: &str, base: &str, tips: &[&str]) {
        let program = self.merged(base, tips);
        self.add(name, tips, program);
    }

    /// The difference between two revisions, done on top of another.
    pub fn apply(&mut self, name: &str, onto: &str, old: &str, new: &str) {
        let program = self
            .program(onto)
            .with(self.program(old), self.program(new));
        self.add(name, &[onto], program);
    }

    pub fn end(self) -> History {
        let listed = self.revisions.iter().map(|(name, parents, _)| {
            let parents = parents.iter().map(String::as_str).collect();
            (name.as_str(), parents)
        });
        let dag = Dag::new(listed);
        let programs = (self.revisions.iter())
            .map(|(name, _, program)| (dag.find(name).expect("a revision"), program.clone()))
            .collect();
        History { dag, programs }
    }
}

#[derive(Debug)]
pub struct History {
    pub dag: Dag,
    pub programs: BTreeMap<Revision, Program>,
}

impl Selector for History {
    fn available(&self, at: Revision) -> Option<TestSet> {
        Some(self.programs.get(&at)?.tests.keys().copied().collect())
    }

    /// By what each test was seen to use at `from`.
    fn affected(&self, from: Revision, to: Revision) -> TestSet {
        let (old, new) = (&self.programs[&from], &self.programs[&to]);
        let changed = |test: &Test| {
            let used = old.behaviour(*test);
            used.iter()
                .any(|(method, body)| new.methods.get(method).cloned().unwrap_or_default() != *body)
        };
        let both = old.tests.keys().filter(|test| new.tests.contains_key(test));
        both.copied().filter(changed).collect()
    }
}

impl History {
    pub fn find(&self, name: &str) -> Revision {
        self.dag.find(name).expect("a revision")
    }

    pub fn select(&self, head: &str, deed: Deed, plan: Plan) -> Result<TestSet, Refusal> {
        let course = Course {
            dag: &self.dag,
            selector: self,
            head: self.find(head),
            deed,
            is_automatic: true,
        };
        course.select(plan).map(|selected| selected.tests)
    }

    /// Tests that were left out although at no other revision they do what they now do.
    pub fn missed(&self, head: &str, selected: &TestSet) -> TestSet {
        let head = self.find(head);
        let now = &self.programs[&head];
        let seen = |test: &Test| {
            let behaviour = now.behaviour(*test);
            let others = self
                .programs
                .iter()
                .filter(|(revision, _)| **revision != head);
            others
                .filter(|(_, program)| program.tests.contains_key(test))
                .any(|(_, program)| program.behaviour(*test) == behaviour)
        };
        let left_out = now.tests.keys().filter(|test| !selected.contains(test));
        left_out.copied().filter(|test| !seen(test)).collect()
    }
}

//! Runs a toy program's tests one after another in one JVM, so that each static initialiser runs
//! for one of them only, and records what every test used.

use std::collections::BTreeMap;

use jury_model::Outcome;
use jury_select::{ClassVersion, Evidence, Fact, Recorded, Row, State, Subject, Use, World};

use super::{CLASSES, Op, Program, key};

/// What a test or an initialiser came upon, in order.
pub type Trace = Vec<String>;

/// Statements after which a test or an initialiser is stopped; recursion has no other end.
const FUEL: usize = 60;

pub struct Jvm<'p> {
    program: &'p Program,
    evidence: Evidence,
    /// What the static initialisers that have run left behind, and what they used.
    initialized: BTreeMap<usize, (Trace, Row)>,
}

/// One test, or one static initialiser, while it runs.
#[derive(Default)]
struct Window {
    trace: Trace,
    row: Row,
    steps: usize,
}

impl<'p> Jvm<'p> {
    pub fn new(program: &'p Program) -> Self {
        Jvm {
            program,
            evidence: Evidence::new(),
            initialized: BTreeMap::new(),
        }
    }

    /// The evidence, and the outcome of each test.
    pub fn run_all(mut self) -> (Evidence, BTreeMap<String, Trace>) {
        let mut outcomes = BTreeMap::new();
        let tests = self.program.class(CLASSES).unwrap();
        for (name, _) in &tests.methods {
            let mut window = Window::default();
            self.execute(CLASSES, *name, &mut window);
            let Window { trace, row, .. } = window;
            self.evidence.record(
                name.to_string(),
                Recorded {
                    row,
                    outcome: Outcome::Passed,
                },
            );
            outcomes.insert(name.to_string(), trace);
        }
        (self.evidence, outcomes)
    }

    fn step(&mut self, op: Op, window: &mut Window) {
        match op {
            Op::Say(value) => window.trace.push(value.to_string()),
            Op::ReadFile(file) => {
                let content = self.program.files.get(&file);
                window.trace.push(format!("file {content:?}"));
                self.see(Subject::File(file.to_string()), window);
            }
            Op::ReadConstant(class) => {
                if self.load(class, window) {
                    let constant = self.program.class(class).unwrap().constant;
                    window.trace.push(format!("constant {constant}"));
                }
            }
            Op::ReadStatic(class) => {
                if self.load(class, window) {
                    self.initialize(class, window);
                    let value = self.initialized[&class].0.join(",");
                    window.trace.push(format!("static ({value})"));
                }
            }
            Op::CallStatic(class, name) => {
                if self.load(class, window) {
                    self.initialize(class, window);
                    self.call(class, name, window);
                }
            }
            Op::CallVirtual(made, through, name) => {
                if self.load(made, window) && self.load(through, window) {
                    self.initialize(made, window);
                    // Resolution looks above the class that the call names; dispatch starts
                    // at the object's own class.
                    if self.find(through, name).is_none() {
                        window.trace.push("no such method".into());
                    } else {
                        self.call(made, name, window);
                    }
                }
            }
            Op::IsKindOf(class, kind) => {
                if self.load(class, window) && self.load(kind, window) {
                    let is_kind = self.program.with_parents(class).any(|above| above == kind);
                    window.trace.push(format!("kind {is_kind}"));
                }
            }
            Op::ListMethods(class) => {
                if self.load(class, window) {
                    let methods = &self.program.class(class).unwrap().methods;
                    let names = methods.iter().map(|(name, _)| name.to_string());
                    window
                        .trace
                        .push(format!("methods {}", names.collect::<Vec<_>>().join(",")));
                    self.book(class, Use::listed(), window);
                }
            }
        }
    }

    fn call(&mut self, class: usize, name: u8, window: &mut Window) {
        match self.find(class, name) {
            None => window.trace.push("no such method".into()),
            Some(declaring) => self.execute(declaring, name, window),
        }
    }

    fn find(&self, class: usize, name: u8) -> Option<usize> {
        self.program.with_parents(class).find(|above| {
            self.program
                .class(*above)
                .is_some_and(|own| own.method(name).is_some())
        })
    }

    fn execute(&mut self, class: usize, name: u8, window: &mut Window) {
        let own = self.program.class(class).unwrap();
        let method = name.to_string();
        let usage = Use::of_methods(&own.fingerprint(), [(&*method, "")]);
        self.book(class, usage, window);
        for op in own.method(name).unwrap() {
            window.steps += 1;
            if window.steps > FUEL {
                return;
            }
            self.step(*op, window);
        }
    }

    /// Books the class and all above it; false, and a trace of it, if one of them is missing.
    fn load(&mut self, class: usize, window: &mut Window) -> bool {
        for above in self.program.with_parents(class) {
            if self.program.class(above).is_none() {
                self.see(Subject::MissingClass(above.to_string()), window);
                window.trace.push(format!("no class {above}"));
                return false;
            }
            self.book(above, Use::referenced(), window);
        }
        true
    }

    /// Runs the static initialisers that have not run yet, those above first. Whoever needs the
    /// class gets what its initialiser used, though it ran for somebody else.
    fn initialize(&mut self, class: usize, window: &mut Window) {
        let mut chain: Vec<usize> = self.program.with_parents(class).collect();
        chain.reverse();
        for each in chain {
            if !self.initialized.contains_key(&each) {
                let mut own = Window::default();
                for op in &self.program.class(each).unwrap().initializer {
                    self.step(*op, &mut own);
                }
                self.initialized.insert(each, (own.trace, own.row));
            }
            window.row.absorb(&self.initialized[&each].1);
        }
    }

    fn book(&mut self, class: usize, usage: Use, window: &mut Window) {
        let fingerprint = self.program.class(class).unwrap().fingerprint();
        let id = self.evidence.catalogue.class(ClassVersion {
            key: key(class),
            fingerprint,
        });
        window.row.add_use(id, usage);
    }

    fn see(&mut self, subject: Subject, window: &mut Window) {
        let state: State = self.program.state(&subject);
        window
            .row
            .add_fact(self.evidence.catalogue.fact(Fact { subject, state }));
    }
}

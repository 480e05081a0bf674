//! The code under trial: the project's own classes as the recorded class paths lead to them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use jury_classfile::ClassFile;
use jury_jvm::{Body, ProbedClass, SwitchedBody, WorkPlan};
use jury_model::{Notice, Recipe};
use jury_mutate::{ClassMutants, Mutant, MutateSettings, Replacement, find_mutants};
use jury_store::StoredTest;

/// All classes under trial, their mutants numbered from 0 and their methods likewise.
pub(super) struct Subject {
    pub classes: Vec<SubjectClass>,
    pub plan: WorkPlan,
    pub notices: Vec<Notice>,
    /// For each mutant its class and its place there, and the number of its method.
    pub mutants: Vec<MutantPlace>,
}

pub(super) struct SubjectClass {
    pub facts: ClassMutants,
    /// The directory of class files that holds the class.
    pub directory: PathBuf,
    /// Number of its first method; the others follow in the order of the class file.
    pub first_method: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MutantPlace {
    pub class: usize,
    pub method: usize,
    pub mutant: usize,
    pub method_number: u32,
}

/// More methods than this have no numbers in the harness; no project has come near.
const MOST_METHODS: u32 = 1 << 20;

impl Subject {
    /// Gathers the classes of every directory on the recipes' class paths that holds no tests.
    /// Jars are other people's code.
    pub fn gather<'r>(
        recipes: impl IntoIterator<Item = &'r Recipe>,
        tests: &[StoredTest],
        settings: &MutateSettings,
        wanted: impl Fn(&str) -> bool,
    ) -> Self {
        let test_classes: BTreeSet<String> = tests
            .iter()
            .map(|test| test.test.class.replace('.', "/"))
            .collect();
        let mut subject = Subject {
            classes: Vec::new(),
            plan: WorkPlan::default(),
            notices: Vec::new(),
            mutants: Vec::new(),
        };
        let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
        for directory in directories(recipes) {
            if test_classes
                .iter()
                .any(|class| directory.join(format!("{class}.class")).is_file())
            {
                continue;
            }
            for file in class_files(&directory) {
                if let Ok(inside) = file.strip_prefix(&directory) {
                    let name = inside.with_extension("").to_string_lossy().into_owned();
                    found.entry(name).or_insert_with(|| directory.clone());
                }
            }
        }
        let mut next_method = 0;
        for (name, directory) in found {
            if name.ends_with("module-info") || name.ends_with("package-info") || !wanted(&name) {
                continue;
            }
            if next_method > MOST_METHODS {
                break;
            }
            match read_class(&directory.join(format!("{name}.class")), settings) {
                Ok(facts) => {
                    let methods = facts.methods.len();
                    subject.add(facts, directory, next_method);
                    next_method += methods as u32;
                }
                Err(reason) => subject.notices.push(Notice::new(format!(
                    "the class file of `{name}` is left out: {reason}"
                ))),
            }
        }
        subject
    }

    fn add(&mut self, facts: ClassMutants, directory: PathBuf, first_method: u32) {
        self.plan.probes.push(ProbedClass {
            class: facts.name.clone(),
            methods: facts.methods.len() as u16,
            first: first_method,
        });
        for (method, method_facts) in facts.methods.iter().enumerate() {
            for (mutant, one) in method_facts.mutants.iter().enumerate() {
                let number = self.mutants.len() as u32;
                self.mutants.push(MutantPlace {
                    class: self.classes.len(),
                    method,
                    mutant,
                    method_number: first_method + method as u32,
                });
                if let Some(body) = body(&one.replacement) {
                    self.plan.switches.push(SwitchedBody {
                        number,
                        class: facts.name.clone(),
                        method: method_facts.id.name.clone(),
                        descriptor: method_facts.id.descriptor.clone(),
                        body,
                    });
                }
            }
        }
        self.classes.push(SubjectClass {
            facts,
            directory,
            first_method,
        });
    }

    pub fn mutant(&self, number: usize) -> &Mutant {
        let place = self.mutants[number];
        &self.classes[place.class].facts.methods[place.method].mutants[place.mutant]
    }

    /// True if workers carry the mutant's body.
    pub fn is_switched(&self, number: usize) -> bool {
        body(&self.mutant(number).replacement).is_some()
    }
}

fn directories<'r>(recipes: impl IntoIterator<Item = &'r Recipe>) -> BTreeSet<PathBuf> {
    recipes
        .into_iter()
        .flat_map(|recipe| {
            let patched = recipe.module_flags.iter().filter_map(|flag| {
                flag.strip_prefix("--patch-module=")
                    .and_then(|patch| patch.split_once('='))
            });
            let patches = patched
                .flat_map(|(_, paths)| paths.split(':'))
                .map(PathBuf::from);
            let listed = recipe
                .class_path
                .iter()
                .chain(&recipe.module_path)
                .map(PathBuf::from);
            listed.chain(patches).collect::<Vec<_>>()
        })
        .filter(|path| path.is_dir())
        .collect()
}

fn class_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        let Ok(entries) = fs::read_dir(&directory) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                // Links are not followed: they may lead round in a circle.
                Ok(kind) if kind.is_dir() && entry.file_name() != "META-INF" => pending.push(path),
                Ok(kind)
                    if kind.is_file() && path.extension().is_some_and(|ext| ext == "class") =>
                {
                    files.push(path);
                }
                _ => {}
            }
        }
    }
    files
}

fn read_class(path: &Path, settings: &MutateSettings) -> Result<ClassMutants, String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let file = ClassFile::read(&bytes).map_err(|error| error.to_string())?;
    find_mutants(&file, settings).map_err(|error| error.to_string())
}

/// The body as workers know it; none for what they cannot switch.
fn body(replacement: &Replacement) -> Option<Body> {
    Some(match replacement {
        Replacement::Void => Body::Void,
        Replacement::Null => Body::Null,
        Replacement::Int(value) => Body::Int(*value),
        Replacement::Long(value) => Body::Long(*value),
        Replacement::Float(value) => Body::Float(value.to_bits()),
        Replacement::Double(value) => Body::Double(value.to_bits()),
        Replacement::Str(text) => Body::Text(text.clone()),
        Replacement::EmptyArray { .. } => Body::EmptyArray,
        Replacement::New { class } => Body::New(class.clone()),
        Replacement::StaticCall {
            owner,
            name,
            descriptor,
            interface: false,
        } => Body::Call {
            class: owner.clone(),
            method: name.clone(),
            descriptor: descriptor.clone(),
            is_interface: false,
            arguments: Vec::new(),
        },
        Replacement::Argument { slot } => Body::Argument(*slot),
        Replacement::This => Body::Argument(0),
        Replacement::StaticCall { .. } | Replacement::Boxed(_) => return None,
    })
}

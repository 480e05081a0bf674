//! The code under trial: the project's own classes as the recorded class paths lead to them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use jury_classfile::ClassFile;
use jury_jvm::{Point, PointedClass, PointedMethod, ProbedClass, SwitchedBody, WorkPlan};
use jury_model::{Notice, Recipe};
use jury_mutate::{
    ClassMutants, ClassicOperator, ClassicPoint, MethodId, MutantId, MutateSettings, StopReason,
    StopRules, find_mutants, find_points,
};
use jury_store::StoredTest;

use super::carried;
use super::sources::GeneratedSources;

/// All classes under trial.
pub(crate) struct Subject {
    pub classes: Vec<SubjectClass>,
    pub plan: WorkPlan,
    pub notices: Vec<Notice>,
    /// Classes that would be on trial if their files could be read, in VM form.
    pub unreadable: Vec<String>,
    /// By number: the extreme mutants of all classes, then the classic ones.
    pub mutants: Vec<MutantPlace>,
    /// The number of the first classic mutant.
    pub first_point: usize,
    next_probe: u32,
}

pub(crate) struct SubjectClass {
    pub facts: ClassMutants,
    /// The points of each method; empty unless classic operators are asked for.
    pub points: Vec<Vec<ClassicPoint>>,
    /// The directory of class files that holds the class.
    pub directory: PathBuf,
    pub role: Role,
    digest: u64,
}

impl SubjectClass {
    /// The bytes of its class file, unless it has gone meanwhile.
    pub fn read(&self) -> Option<Vec<u8>> {
        fs::read(self.directory.join(format!("{}.class", self.facts.name))).ok()
    }
}

impl SubjectClass {
    fn declare_generated(&mut self, rules: &StopRules) {
        self.facts.declare_generated(rules);
        if rules.enforces(StopReason::Generated) {
            self.points.iter_mut().for_each(Vec::clear);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    OnTrial,
    /// Code that the user did not ask for; it is only watched.
    Spared,
    /// A test, or what stands among tests.
    Test,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MutantPlace {
    pub class: usize,
    /// The probe of the mutant's method or, for a point, of its block: only tests that hit it can
    /// notice the mutant.
    pub probe: u32,
}

/// What reports that it ran.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Probe<'s> {
    /// Its place among the classes.
    pub class: usize,
    pub method: &'s MethodId,
    /// Where in the method a block begins; none for the method as a whole.
    pub block: Option<u16>,
}

/// What makes the mutants.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Engines<'a> {
    pub extreme: &'a MutateSettings,
    pub classic: &'a [&'static ClassicOperator],
}

/// More probes than this have no numbers in the harness; no project has come near.
const MOST_PROBES: u32 = 1 << 20;

impl Subject {
    /// Gathers the classes of every directory on the recipes' class paths. All of them are probed;
    /// those that are wanted, and do not stand among tests, are on trial. Jars are other people's
    /// code.
    pub fn gather<'r>(
        recipes: impl IntoIterator<Item = &'r Recipe>,
        tests: &[StoredTest],
        engines: Engines<'_>,
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
            unreadable: Vec::new(),
            mutants: Vec::new(),
            first_point: 0,
            next_probe: 0,
        };
        let (among_tests, code): (Vec<PathBuf>, Vec<PathBuf>) =
            directories(recipes).into_iter().partition(|directory| {
                test_classes
                    .iter()
                    .any(|class| directory.join(format!("{class}.class")).is_file())
            });
        let mut found: BTreeMap<String, &Path> = BTreeMap::new();
        for directory in code.iter().chain(&among_tests) {
            for file in class_files(directory) {
                if let Ok(inside) = file.strip_prefix(directory) {
                    let name = inside.with_extension("").to_string_lossy().into_owned();
                    found.entry(name).or_insert(directory);
                }
            }
        }
        let nothing = MutateSettings {
            operators: Vec::new(),
            ..engines.extreme.clone()
        };
        let mut generated: HashMap<&Path, GeneratedSources> = HashMap::new();
        for (name, directory) in found {
            if name.ends_with("module-info") || name.ends_with("package-info") {
                continue;
            }
            if subject.next_probe > MOST_PROBES {
                break;
            }
            let role = match among_tests.iter().any(|tests| tests == directory) {
                true => Role::Test,
                false if wanted(&name) => Role::OnTrial,
                false => Role::Spared,
            };
            let engines = match role {
                Role::OnTrial => engines,
                Role::Spared | Role::Test => Engines {
                    extreme: &nothing,
                    classic: &[],
                },
            };
            match read_class(directory.to_owned(), &name, engines) {
                Ok(mut class) => {
                    if role == Role::OnTrial
                        && (generated.entry(directory))
                            .or_insert_with(|| GeneratedSources::beside(directory))
                            .include(directory, &class.facts)
                    {
                        class.declare_generated(&engines.extreme.stop_rules);
                    }
                    subject.add(SubjectClass { role, ..class });
                }
                Err(reason) => {
                    if role == Role::OnTrial {
                        subject.unreadable.push(name.clone());
                    }
                    subject.notices.push(Notice::new(format!(
                        "the class file of `{name}` is left out: {reason}"
                    )));
                }
            }
        }
        subject.first_point = subject.mutants.len();
        for class in 0..subject.classes.len() {
            subject.add_points(class);
        }
        subject
    }

    /// The ids of all mutants, by number.
    pub fn mutant_ids(&self) -> Vec<&MutantId> {
        let methods = self.classes.iter().flat_map(|class| &class.facts.methods);
        let extreme = methods.flat_map(|method| &method.mutants);
        let points = self.classes.iter().flat_map(|class| &class.points);
        let extreme = extreme.map(|mutant| &mutant.id);
        extreme
            .chain(points.flatten().map(|point| &point.id))
            .collect()
    }

    /// What each probe stands for, by number.
    pub fn probes(&self) -> Vec<Probe<'_>> {
        let mut probes = Vec::with_capacity(self.next_probe as usize);
        for (class, one) in self.classes.iter().enumerate() {
            probes.extend(one.facts.methods.iter().map(|method| Probe {
                class,
                method: &method.id,
                block: None,
            }));
        }
        let place = |name: &str| {
            let named = |class: &SubjectClass| class.facts.name.as_str().cmp(name);
            self.classes.binary_search_by(named).ok()
        };
        for pointed in &self.plan.points {
            let Some(class) = place(&pointed.class) else {
                continue;
            };
            for method in &pointed.methods {
                let id = &self.classes[class].facts.methods[usize::from(method.index)].id;
                probes.extend(method.blocks.iter().map(|(block, _)| Probe {
                    class,
                    method: id,
                    block: Some(*block),
                }));
            }
        }
        probes
    }

    fn add(&mut self, class: SubjectClass) {
        let facts = &class.facts;
        let first_probe = self.next_probe;
        self.next_probe += facts.methods.len() as u32;
        self.plan.probes.push(ProbedClass {
            class: facts.name.clone(),
            methods: facts.methods.len() as u16,
            first: first_probe,
        });
        for (probe, method) in (first_probe..).zip(&facts.methods) {
            for mutant in &method.mutants {
                self.plan.switches.push(SwitchedBody {
                    number: self.mutants.len() as u32,
                    class: facts.name.clone(),
                    method: method.id.name.clone(),
                    descriptor: method.id.descriptor.clone(),
                    body: carried::body(&mutant.replacement),
                });
                self.mutants.push(MutantPlace {
                    class: self.classes.len(),
                    probe,
                });
            }
        }
        self.classes.push(class);
    }

    fn add_points(&mut self, index: usize) {
        let class = &mut self.classes[index];
        let points = class.points.iter().map(Vec::len).sum::<usize>();
        // There is no more than one block to a point.
        if self.next_probe as usize + points > MOST_PROBES as usize {
            class.points.iter_mut().for_each(Vec::clear);
            self.notices.push(Notice::new(format!(
                "`{}` gets no classic mutants: there are too many in the project",
                class.facts.name
            )));
        }
        let mut methods = Vec::new();
        for (method, points) in (0..).zip(&class.points) {
            if points.is_empty() {
                continue;
            }
            let mut blocks = BTreeMap::new();
            let carried = points.iter().map(|point| {
                let probe = *blocks.entry(point.block).or_insert_with(|| {
                    self.next_probe += 1;
                    self.next_probe - 1
                });
                let number = self.mutants.len() as u32;
                self.mutants.push(MutantPlace {
                    class: index,
                    probe,
                });
                Point {
                    number,
                    pc: point.pc,
                    change: carried::change(&point.mutation),
                }
            });
            let points = carried.collect();
            methods.push(PointedMethod {
                index: method,
                blocks: blocks.into_iter().collect(),
                points,
            });
        }
        if !methods.is_empty() {
            self.plan.points.push(PointedClass {
                class: class.facts.name.clone(),
                digest: class.digest,
                methods,
            });
        }
    }
}

fn directories<'r>(recipes: impl IntoIterator<Item = &'r Recipe>) -> BTreeSet<PathBuf> {
    recipes.into_iter().flat_map(class_directories).collect()
}

/// The directories of classes that a recipe leads to, in the order in which they are searched.
pub(crate) fn class_directories(recipe: &Recipe) -> Vec<PathBuf> {
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
    patches.chain(listed).filter(|path| path.is_dir()).collect()
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

fn read_class(
    directory: PathBuf,
    name: &str,
    engines: Engines<'_>,
) -> Result<SubjectClass, String> {
    let path = directory.join(format!("{name}.class"));
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let file = ClassFile::read(&bytes).map_err(|error| error.to_string())?;
    let facts = find_mutants(&file, engines.extreme).map_err(|error| error.to_string())?;
    let points = if engines.classic.is_empty() {
        Vec::new()
    } else {
        find_points(&file, engines.classic, &StopRules::unwritten_code())
            .map_err(|error| error.to_string())?
    };
    Ok(SubjectClass {
        facts,
        points: points.into_iter().map(|method| method.points).collect(),
        directory,
        role: Role::OnTrial,
        digest: file.digest(),
    })
}

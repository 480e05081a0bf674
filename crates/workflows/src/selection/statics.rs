//! `jury test --static`: leaves out test classes by what class files alone show.
//!
//! A test class may be left out if it passed before with the very same classes within its reach, or
//! if nothing that changed since a revision is within its reach. What class files cannot explain,
//! such as an edited data file, may affect everything, so everything runs.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use jury_model::{Notice, UnitName};
use jury_select::{Digest, Hash128};
use jury_store::{LabelPattern, read_derived, write_derived};

use super::evidence::UnitVersion;
use super::grouping::class_of;
use super::{Advice, Selection};
use crate::impact::{StaticView, is_source};

/// How to select without evidence.
#[derive(Debug, Clone, Default)]
pub struct Statically {
    /// Where all tests are taken to have passed.
    pub since: Option<String>,
    /// Paths of files that no test reads.
    pub unread: Vec<String>,
}

/// What static selection learns in the course of a build.
#[derive(Debug)]
pub(super) struct StaticCourse {
    how: Statically,
    state_dir: PathBuf,
    passes: Passes,
    /// What each unit would have passed with, had it passed.
    states: BTreeMap<UnitName, Hash128>,
    /// All that lies around the classes; found out when first asked for.
    rest: Option<Hash128>,
    pub notices: Vec<Notice>,
}

/// With what each unit has passed, newest first.
type Passes = BTreeMap<(String, String), Vec<[u8; 16]>>;

const FILE: &str = "static.passes";
const KEPT: usize = 8;

impl StaticCourse {
    pub fn open(how: Statically, state_dir: PathBuf) -> Self {
        let passes = read_derived(&state_dir, FILE)
            .and_then(|bytes| postcard::from_bytes(&bytes).ok())
            .unwrap_or_default();
        StaticCourse {
            how,
            state_dir,
            passes,
            states: BTreeMap::new(),
            rest: None,
            notices: Vec::new(),
        }
    }

    fn has_passed(&self, unit: &UnitName, state: Hash128) -> bool {
        let key = (unit.module.clone(), unit.class.clone());
        let known = self.passes.get(&key);
        known.is_some_and(|states| states.contains(&state.0))
    }

    /// Remembers units that came out green, and forgets that others ever did in this state.
    pub fn learn(&mut self, results: BTreeMap<UnitName, bool>) {
        for (unit, is_green) in results {
            if let Some(state) = self.states.get(&unit) {
                let key = (unit.module.clone(), unit.class.clone());
                let states = self.passes.entry(key).or_default();
                states.retain(|known| *known != state.0);
                if is_green {
                    states.insert(0, state.0);
                }
                states.truncate(KEPT);
            }
        }
        // A cache: what it cannot keep is found out again by running.
        if let Ok(bytes) = postcard::to_allocvec(&self.passes) {
            let _ = write_derived(&self.state_dir, FILE, &bytes);
        }
    }
}

impl Selection {
    pub(super) fn advise_statically(
        &self,
        course: &mut StaticCourse,
        module: &str,
    ) -> BTreeMap<String, Advice> {
        let revision = course.how.since.as_deref();
        let view = match StaticView::now(&self.root, &course.state_dir, revision) {
            Ok(view) => view,
            Err(error) => {
                let message =
                    format!("every test runs, because of its classes nothing is known: {error}");
                course.notices.push(Notice::new(message));
                return BTreeMap::new();
            }
        };
        for notice in view.notices {
            if !course.notices.contains(&notice) {
                course.notices.push(notice);
            }
        }
        let rest = match course.rest {
            Some(rest) => rest,
            None => *course
                .rest
                .insert(self.surrounding_state(&course.how.unread)),
        };
        let unread: Vec<LabelPattern<'_>> = patterns(&course.how.unread).collect();
        let unexplained = (view.unexplained.iter())
            .find(|path| !unread.iter().any(|pattern| pattern.matches(path)))
            .map(|path| format!("`{path}` has changed, and no class file tells whom it affects"));
        let mut advice = BTreeMap::new();
        let mut is_own: HashMap<PathBuf, bool> = HashMap::new();
        for (class, test) in view.tests {
            let place = is_own.entry(test.place);
            if !*place.or_insert_with_key(|place| self.module_of(place) == module) {
                continue;
            }
            let unit = UnitName::new(module, &class);
            let state = test.reach.map(|reach| state_of(reach, rest));
            if let Some(state) = state {
                course.states.insert(unit.clone(), state);
            }
            let passed = state.is_some_and(|state| course.has_passed(&unit, state));
            // Only tests that failed cannot be asked for together with class files alone.
            let policy = self.policy(&class, None);
            let reason = if policy.as_ref().is_some_and(|policy| policy.force) {
                Some("it is to run in any case".to_owned())
            } else if passed {
                None
            } else if course.how.since.is_none() {
                Some(match state {
                    Some(_) => "it has not passed with the classes it leads to now".to_owned(),
                    None => "a class it leads to cannot be read".to_owned(),
                })
            } else if self.was_red(&unit) {
                Some("it did not pass the last time".to_owned())
            } else {
                unexplained.clone().or(test.impact)
            };
            let mut known = Advice {
                wanted: policy.is_some(),
                reasons: reason.into_iter().collect(),
                ..Advice::default()
            };
            for version in self.newest(&unit) {
                known.counts.add_all(&version.counts);
                known.micros += version.micros;
            }
            advice.insert(class, known);
        }
        advice
    }

    /// The command, its environment, and every file but sources, which show in the classes.
    fn surrounding_state(&self, unread: &[String]) -> Hash128 {
        let unread: Vec<LabelPattern<'_>> = patterns(unread).collect();
        let mut digest = Digest::new("jury static surroundings 1");
        self.surroundings.add_to(&mut digest);
        for path in self.inputs.paths() {
            let inside = path.strip_prefix(&self.root).unwrap_or(path);
            let name = inside.to_string_lossy();
            let is_class = path.extension().is_some_and(|end| end == "class");
            if is_source(path) || is_class || unread.iter().any(|one| one.matches(&name)) {
                continue;
            }
            digest.bytes(name.as_bytes());
            match self.files.content(path) {
                Ok(hash) => digest.hash(hash),
                Err(_) => digest.byte(0),
            }
        }
        digest.finish()
    }

    fn was_red(&self, unit: &UnitName) -> bool {
        let mut newest = self.newest(unit);
        newest.any(|version| version.recorded.outcome.is_red())
    }

    /// What was recorded last of a class, or of each of its methods.
    fn newest(&self, unit: &UnitName) -> impl Iterator<Item = &UnitVersion> {
        let class = unit.class.clone();
        let units =
            (self.modules.get(&unit.module)).map(|known| known.units.range(class.clone()..));
        // Methods of a class follow it in order, among those of classes within it.
        let all = units.into_iter().flatten();
        let all = all.take_while({
            let class = class.clone();
            move |(name, _)| name.starts_with(&class)
        });
        all.filter(move |(name, _)| class_of(name) == class)
            .filter_map(|(_, versions)| versions.first())
    }
}

fn state_of(reach: Hash128, rest: Hash128) -> Hash128 {
    let mut digest = Digest::new("jury static state 1");
    digest.hash(reach);
    digest.hash(rest);
    digest.finish()
}

fn patterns(texts: &[String]) -> impl Iterator<Item = LabelPattern<'_>> {
    texts.iter().map(|text| LabelPattern::new(text))
}

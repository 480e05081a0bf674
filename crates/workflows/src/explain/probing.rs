//! Finds out what a test could assert where the difference itself has no name: calls are put into
//! copies of the tests, and what they return is watched with and without the mutant.
//!
//! A call that returns something else with the mutant on, and the same whenever it is made in the
//! original, becomes a candidate, which is still to be proven.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use jury_classfile::ClassFile;
use jury_explain::{
    Exposure, Expression, ExpressionKind, Place, Probe, Property, PropertyName, Proposal, Side,
    Spot, assert_at,
};
use jury_jvm::{Attention, JvmError};
use jury_model::Recipe;

use super::bench::{Bench, Comparison, Differing, Originals, Room};
use super::drafts::{Compiled, Draft, Lines, TestSource, compile_drafts};
use super::proof::{Candidate, Wanted};
use crate::mutate::lab::LabTest;
use crate::mutate::subject::Subject;

/// A mutant for which calls are to be tried.
pub(super) struct Inquiry {
    /// Its place among the explanations.
    pub explanation: usize,
    pub switch: u32,
    /// Only fresh JVMs show it.
    pub is_hidden: bool,
    /// The likeliest first.
    pub planned: Vec<Planned>,
}

/// A call to try in a test.
pub(super) struct Planned {
    pub test: usize,
    pub source: Arc<TestSource>,
    pub spot: Spot,
    pub side: Side,
    pub probe: Probe,
    /// What differs there.
    pub exposure: Exposure,
    /// Conditions that tell the run in which it differs from others.
    pub guards: Vec<String>,
    /// A call of the test itself is made once more for it, which may be one too many.
    pub repeats: bool,
}

/// A planned call in a compiled copy of its test.
struct Placed<'p> {
    planned: &'p Planned,
    proposal: Proposal,
    lines: Option<Lines>,
}

impl Placed<'_> {
    fn stands_on(&self, line: Option<u16>) -> bool {
        let lines = self.lines.as_ref().zip(line);
        lines.is_some_and(|(lines, line)| lines.contains(&line.into()))
    }
}

/// Asks all mutants' questions together; the answers are what to prove.
pub(super) fn probe(
    room: &Room<'_>,
    subject: &Subject,
    inquiries: &[Inquiry],
) -> Result<Vec<Wanted>, JvmError> {
    let mut wanted = Vec::new();
    for recipe in recipes(room, inquiries) {
        // Calls that turn out to be more than questions make tests fail; the likeliest rarely do.
        for share in [1, 4] {
            let open: Vec<&Inquiry> = inquiries
                .iter()
                .filter(|each| {
                    wanted
                        .iter()
                        .all(|one: &Wanted| one.explanation != each.explanation)
                })
                .collect();
            wanted.extend(ask(room, subject, recipe, &open, share)?);
        }
    }
    Ok(wanted)
}

fn recipes<'a>(room: &Room<'a>, inquiries: &[Inquiry]) -> Vec<&'a Recipe> {
    let mut recipes: Vec<&Recipe> = Vec::new();
    for planned in inquiries.iter().flat_map(|each| &each.planned) {
        let recipe = room.tests[planned.test].recipe;
        if !recipes.iter().any(|known| std::ptr::eq(*known, recipe)) {
            recipes.push(recipe);
        }
    }
    recipes
}

/// One attempt with the first of each mutant's calls, one in `share`.
fn ask(
    room: &Room<'_>,
    subject: &Subject,
    recipe: &Recipe,
    inquiries: &[&Inquiry],
    share: usize,
) -> Result<Vec<Wanted>, JvmError> {
    let of_recipe = |planned: &&Planned| std::ptr::eq(room.tests[planned.test].recipe, recipe);
    let mut placed: Vec<Vec<Placed<'_>>> = Vec::new();
    for inquiry in inquiries {
        let likeliest = inquiry.planned.len().div_ceil(share);
        let planned = inquiry.planned.iter().take(likeliest).filter(of_recipe);
        placed.push(planned.map(place).collect());
    }
    let all: Vec<&Placed<'_>> = placed.iter().flatten().collect();
    let (drafts, numbers) = drafts(&all);
    if drafts.is_empty() || room.is_cancelled() {
        return Ok(Vec::new());
    }
    let compiled = compile_drafts(&jury_jvm::compile, recipe, &drafts)?;
    let mut numbers = numbers.into_iter();
    for (each, number) in placed.iter_mut().flatten().zip(&mut numbers) {
        each.lines = compiled.lines[number].clone();
    }
    if compiled.is_empty() {
        return Ok(Vec::new());
    }
    let changed = compiled.recipe(recipe);
    let tests = with_recipe(room.tests, recipe, &changed);
    let room = Room {
        tests: &tests,
        ..*room
    };
    let mut bench = Bench::new(&room);
    let mut originals = Originals::new();
    let mut wanted = Vec::new();
    for (inquiry, placed) in inquiries.iter().zip(&placed) {
        let mut candidates = Vec::new();
        let mut tests: Vec<usize> = placed.iter().map(|each| each.planned.test).collect();
        tests.dedup();
        for test in tests {
            let mut comparison = Comparison {
                switch: inquiry.switch,
                attention: Attention {
                    values: true,
                    ..Attention::default()
                },
                originals: &mut originals,
                caveats: &mut Vec::new(),
            };
            let found = bench.compare(&[test], &mut comparison)?;
            for differing in &found {
                let answers = Answers {
                    subject,
                    compiled: &compiled,
                    differing,
                    originals: &originals,
                };
                candidates.extend(answers.candidates(placed));
            }
        }
        if !candidates.is_empty() {
            wanted.push(Wanted {
                explanation: inquiry.explanation,
                switch: inquiry.switch,
                is_hidden: inquiry.is_hidden,
                candidates,
            });
        }
    }
    Ok(wanted)
}

fn place(planned: &Planned) -> Placed<'_> {
    let text = &planned.source.java.text;
    let statement = planned.probe.statement();
    Placed {
        planned,
        proposal: Proposal::at(text, statement, &planned.spot, planned.side),
        lines: None,
    }
}

/// Several mutants may want the same call; it is made once. Returns which draft each one is.
fn drafts<'a>(all: &[&'a Placed<'a>]) -> (Vec<Draft<'a>>, Vec<usize>) {
    let mut drafts: Vec<Draft<'_>> = Vec::new();
    let mut known: HashMap<(&Path, usize, &str), usize> = HashMap::new();
    let numbers = all.iter().map(|each| {
        let start = each.proposal.range.start;
        let key = (
            each.planned.source.file.as_path(),
            start,
            each.proposal.replacement.as_str(),
        );
        *known.entry(key).or_insert_with(|| {
            drafts.push(Draft {
                source: &each.planned.source,
                proposal: &each.proposal,
            });
            drafts.len() - 1
        })
    });
    let numbers = numbers.collect();
    (drafts, numbers)
}

/// All tests, those of a recipe with another one.
fn with_recipe<'a>(
    tests: &[LabTest<'a>],
    recipe: &Recipe,
    changed: &'a Recipe,
) -> Vec<LabTest<'a>> {
    let own = tests.iter().map(|test| LabTest {
        recipe: if std::ptr::eq(test.recipe, recipe) {
            changed
        } else {
            test.recipe
        },
        ..test.clone()
    });
    own.collect()
}

/// What a test with calls in it showed of a mutant.
struct Answers<'a> {
    subject: &'a Subject,
    compiled: &'a Compiled,
    differing: &'a Differing,
    originals: &'a Originals,
}

impl Answers<'_> {
    /// In the order of the calls.
    fn candidates(&self, placed: &[Placed<'_>]) -> Vec<Candidate> {
        let mut classes: HashMap<u32, Option<Vec<u8>>> = HashMap::new();
        // Of several calls on a line, the last is the one that was asked for.
        let mut last: HashMap<usize, (u16, Vec<Vec<Candidate>>)> = HashMap::new();
        for difference in &self.differing.differences {
            let Place::Value { class, method, pc } = difference.property.place else {
                continue;
            };
            let bytes = classes.entry(class).or_insert_with(|| self.read(class));
            let file = bytes.as_deref().map(ClassFile::read);
            let Some(Ok(file)) = file else { continue };
            let Ok(Some(expression)) = Expression::read(&file, method, pc) else {
                continue;
            };
            let source = &self.subject.classes[class as usize - 1].facts.source_file;
            let ExpressionKind::Call { name, .. } = &expression.kind else {
                continue;
            };
            let own = placed.iter().position(|each| {
                let same_source = each
                    .planned
                    .source
                    .file
                    .file_name()
                    .map(|n| n.to_string_lossy());
                each.planned.test == self.differing.test
                    && each.stands_on(expression.line)
                    && each.planned.probe.method == *name
                    && same_source.as_deref() == source.as_deref()
            });
            let Some(own) = own else { continue };
            if !self.is_steady(&difference.property) {
                continue;
            }
            let planned = placed[own].planned;
            let property = PropertyName::read(&difference.property.name);
            if property.field.is_some() {
                continue;
            }
            let proposals = assert_at(
                &planned.source.java.text,
                (&planned.spot, planned.side),
                (&planned.probe, &expression.type_descriptor),
                (&property.aspect, &difference.original),
                &planned.guards,
            );
            if proposals.is_empty() {
                continue;
            }
            let entry = last.entry(own).or_insert((pc, Vec::new()));
            if entry.0 < pc {
                *entry = (pc, Vec::new());
            }
            let candidates = proposals.into_iter().map(|proposal| Candidate {
                test: planned.test,
                source: Arc::clone(&planned.source),
                proposal,
                value: difference.original.to_string(),
                exposure: planned.exposure.clone(),
            });
            entry.1.push(candidates.collect());
        }
        let mut ordered: Vec<(usize, Vec<Vec<Candidate>>)> = last
            .into_iter()
            .map(|(own, (_, candidates))| (own, candidates))
            .collect();
        ordered.sort_by_key(|(own, _)| *own);
        let ordered = ordered.into_iter().flat_map(|(_, each)| each);
        short_first(ordered.collect(), |each| &each.proposal.statement)
    }

    fn read(&self, class: u32) -> Option<Vec<u8>> {
        let name = &self.subject.classes[class as usize - 1].facts.name;
        fs::read(self.compiled.classes().join(format!("{name}.class"))).ok()
    }

    /// Whether the original shows one value only, however often the place is passed.
    fn is_steady(&self, property: &Property) -> bool {
        let original = self.originals.get(&self.differing.test);
        original.is_some_and(|original| {
            let values = original.stable.values_of(property.place, &property.name);
            values.len() == 1
        })
    }
}

/// What is long is read by nobody. Variants of an assertion, which begin with the one without a condition,
/// stay together: there are only so many tries, and where the first does not hold in all invocations of a
/// test, its like will not, either.
fn short_first<T>(mut assertions: Vec<Vec<T>>, text: impl Fn(&T) -> &str) -> Vec<T> {
    assertions.sort_by_key(|variants| variants.first().map_or(0, |first| text(first).len() / 100));
    assertions.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assertion_is_tried_under_its_condition_before_another_is() {
        let long = "assertEquals(1, x); ".repeat(10);
        let condition = "if (\"a file with a long name\".equals(file.getName())) ".repeat(2);
        let guarded = format!("{condition}assertTrue(b);");
        let all = vec![
            vec![&*long],
            vec!["assertTrue(b);", &guarded],
            vec!["assertTrue(c);"],
        ];
        let ordered = short_first(all, |each| each);
        assert_eq!(
            ordered,
            ["assertTrue(b);", &guarded, "assertTrue(c);", &long]
        );
    }
}

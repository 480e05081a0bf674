//! Turns what was seen of a mutant into an explanation.

mod gaps;
mod unvaried;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use jury_classfile::ClassFile;
use jury_explain::{
    CALL_COUNT, CallGraph, Closest, Difference, Explanation, Exposure, Expression, ExpressionKind,
    Gaps, Holder, Infection, Known, Lead, Located, Member, Place, PropertyName, Side, Spot,
    Symptom, Trigger, guards, holders, names_in_scope, parameter_names, probes, propose,
    shown_value,
};
use jury_mutate::{Finding, JudgedClass, JudgedMethod, MethodId, MutationRun, rank};

use super::bench::{Differing, Evidence};
use super::drafts::TestSource;
use super::probing::Planned;
use super::proof::Candidate;
use super::sources::TestSources;
use super::survivors::{Survivor, Unit};
use crate::mutate::lab::LabTest;
use crate::mutate::subject::{Role, Subject, SubjectClass};

const ENTRY_POINTS_SHOWN: usize = 5;
const READERS_SHOWN: usize = 5;
/// Test methods, and expressions of each, that assertions are proposed for.
pub(super) const TESTS_TRIED: usize = 3;
const EXPRESSIONS_TRIED: usize = 12;
const MOST_CANDIDATES: usize = 24;
/// Calls that are tried for one mutant.
const MOST_PLANNED: usize = 160;

pub(super) struct Findings<'a> {
    run: &'a MutationRun,
    subject: &'a Subject,
    graph: &'a CallGraph,
    tests: &'a [LabTest<'a>],
    /// Whether every place that differs is named, not one for each test.
    pub every_place: bool,
    sources: TestSources<'a>,
}

/// An explanation, and what might be asserted.
pub(super) struct Explained {
    pub explanation: Explanation,
    pub switch: u32,
    /// Only fresh JVMs show the mutant.
    pub is_hidden: bool,
    pub candidates: Vec<Candidate>,
    /// What may be called where no candidate holds.
    pub planned: Vec<Planned>,
}

/// An expression of a test that differs.
struct Sighted {
    /// Of the class, among those of the subject.
    class: usize,
    expression: Expression,
    property: PropertyName,
    difference: Difference,
}

impl Sighted {
    /// Whether another is the same property of the same expression, in whatever turn.
    fn is_same(&self, other: &Sighted) -> bool {
        other.difference.property.place == self.difference.property.place
            && other.property == self.property
    }

    /// What shows a property that objects of the JDK have, as far as the name of the type tells.
    fn reader_of_jdk(&self) -> Option<&'static str> {
        let of = self.expression.type_name();
        let is_thrown = ["Throwable", "Exception", "Error"];
        let is_thrown = is_thrown.iter().any(|kind| of.ends_with(kind));
        Some(match (self.property.field.as_deref()?, of.as_str()) {
            ("message", _) if is_thrown => "java.lang.Throwable.getMessage()",
            ("time", "java.util.Date") => "java.util.Date.getTime()",
            ("value", "java.util.Optional") => "java.util.Optional.get()",
            ("value", "java.util.concurrent.atomic.AtomicReference") => {
                "java.util.concurrent.atomic.AtomicReference.get()"
            }
            _ => return None,
        })
    }
}

impl<'a> Findings<'a> {
    pub fn new(
        run: &'a MutationRun,
        subject: &'a Subject,
        graph: &'a CallGraph,
        tests: &'a [LabTest<'a>],
        root: &'a Path,
    ) -> Self {
        Findings {
            run,
            subject,
            graph,
            tests,
            every_place: false,
            sources: TestSources::new(root),
        }
    }

    pub fn explain(&self, unit: &Unit<'_>, evidence: Evidence<'_>) -> Explained {
        // Where calls could not be compared, the code of tests may still tell.
        let symptom = match (&evidence.infected[..], &evidence.exposed[..]) {
            ([], []) => Symptom::NoInfection,
            (_, []) => Symptom::NoPropagation,
            _ => Symptom::WeakOracle,
        };
        let gaps = self.gaps(unit, &evidence, symptom);
        let mut caveats = self.unwatched(&evidence);
        let tests = (evidence.tests.iter())
            .map(|test| self.label(*test))
            .collect();
        let infection = evidence.infected.first();
        let mut exposures = Vec::new();
        let mut candidates = Vec::new();
        let mut planned = Vec::new();
        let mut remote = Vec::new();
        let mut repeating = Vec::new();
        let mut methods: BTreeSet<&str> = BTreeSet::new();
        for differing in &evidence.exposed {
            let sighted = self.sighted(differing);
            for one in self.told(&sighted) {
                let source = self.source(one.class);
                let located = source
                    .as_ref()
                    .and_then(|source| source.java.locate(&one.expression));
                exposures.push(self.shown(differing.test, one, located.as_ref()));
            }
            // What holds in one invocation of a method rarely holds in the others.
            let is_new = methods.insert(&self.tests[differing.test].method);
            if is_new && methods.len() <= TESTS_TRIED {
                candidates.extend(self.candidates(differing, &sighted));
                let near = self.calls_on_holders(differing, &sighted);
                let (again, once): (Vec<_>, Vec<_>) = near.into_iter().partition(|one| one.repeats);
                planned.extend(once);
                repeating.extend(again);
                remote.extend(self.calls_in_scope(differing, &sighted));
                remote.extend(self.calls_in_own_scope(differing, &sighted));
            }
        }
        // What spans lines is hard to read where it is repeated.
        candidates.sort_by_key(|one| one.proposal.statement.contains('\n'));
        candidates.truncate(MOST_CANDIDATES);
        planned.append(&mut remote);
        planned.append(&mut repeating);
        planned.truncate(MOST_PLANNED);
        caveats.extend(evidence.caveats.iter().cloned());
        let (switch, is_hidden) = (evidence.survivor.switch, evidence.is_hidden);
        let explanation = Explanation {
            subject: evidence.survivor.explained.clone(),
            symptom,
            parameters: self.parameters(unit.method),
            tests,
            infection: infection.and_then(|first| self.infection(unit, first, &evidence.stack)),
            exposures,
            closest: evidence.closest.map(|(distance, test)| Closest {
                test: self.label(test),
                distance,
            }),
            unvaried: match symptom {
                Symptom::NoInfection => self.unvaried(unit, &evidence),
                _ => Vec::new(),
            },
            entry_points: match symptom {
                Symptom::WeakOracle => Vec::new(),
                _ => self.entry_points(unit.method, &evidence.tests),
            },
            gaps,
            caveats,
            is_local: false,
            millis: evidence.millis,
        };
        Explained {
            explanation,
            switch,
            is_hidden,
            candidates,
            planned,
        }
    }

    /// What is told of a test: the one place that is fittest for an assertion, or all.
    fn told<'s>(&self, sighted: &'s [Sighted]) -> Vec<&'s Sighted> {
        let mut told: Vec<&Sighted> = Vec::new();
        for one in sighted {
            // The same property, met again in another turn, tells nothing new.
            if told.iter().all(|known| !known.is_same(one)) {
                told.push(one);
            }
            if !self.every_place {
                break;
            }
        }
        told
    }

    pub fn not_reached(&self, survivor: &Survivor<'_>) -> Explanation {
        Explanation {
            subject: survivor.explained.clone(),
            symptom: Symptom::NotReached,
            parameters: Vec::new(),
            tests: Vec::new(),
            infection: None,
            closest: None,
            exposures: Vec::new(),
            unvaried: Vec::new(),
            entry_points: self.entry_points(&survivor.id.method, &[]),
            gaps: Gaps::default(),
            caveats: Vec::new(),
            is_local: false,
            millis: 0,
        }
    }

    fn label(&self, test: usize) -> String {
        self.run.label(&self.tests[test].id).to_owned()
    }

    fn infection(
        &self,
        unit: &Unit<'_>,
        differing: &Differing,
        stack: &[String],
    ) -> Option<Infection> {
        let first = differing.differences.iter().min_by_key(|difference| {
            let name = PropertyName::read(&difference.property.name);
            let roles = ["result", "receiver", "argument", "exit"];
            let role = roles.iter().position(|role| name.role.starts_with(role));
            (difference.property.ordinal, role.unwrap_or(roles.len()))
        })?;
        let name = PropertyName::read(&first.property.name);
        Some(Infection {
            test: self.label(differing.test),
            call: first.property.call(),
            readers: self.readers_after(unit, &name),
            original: shown_value(&name.aspect, &first.original),
            mutant: shown_value(&name.aspect, &first.mutant),
            role: name.role,
            field: name.field,
            aspect: name.aspect,
            given: given(differing),
            differences: differing.differences.len(),
            differing_calls: differing_calls(differing),
            compared_calls: differing.calls,
            stack: self.frames(stack),
            trigger: self.trigger(stack),
        })
    }

    fn is_test(&self, class: &str) -> bool {
        let place = self.place_of(class);
        place.is_some_and(|place| self.subject.classes[place].role == Role::Test)
    }

    /// Of a class in VM form, among those of the subject.
    fn place_of(&self, class: &str) -> Option<usize> {
        let named = |each: &SubjectClass| each.facts.name.as_str().cmp(class);
        self.subject.classes.binary_search_by(named).ok()
    }

    /// The statement of the test that led to a call.
    fn trigger(&self, stack: &[String]) -> Option<Trigger> {
        let frames = stack.iter().rev().map(|frame| frame.split(' '));
        for mut frame in frames {
            let class = frame.next()?.replace('.', "/");
            if !self.is_test(&class) {
                continue;
            }
            let line: u16 = frame.nth(1)?.parse().ok()?;
            let source = self.source(self.place_of(&class)?)?;
            return Some(Trigger {
                file: source.path.clone(),
                line,
                statement: source.java.statement(line)?,
            });
        }
        None
    }

    /// What the source calls the parameters of a method.
    fn parameters(&self, method: &MethodId) -> Vec<String> {
        let Some(place) = self.place_of(&method.class) else {
            return Vec::new();
        };
        let bytes = self.subject.classes[place].read().unwrap_or_default();
        let file = ClassFile::read(&bytes);
        let names = file.and_then(|file| parameter_names(&file, &method.name, &method.descriptor));
        names.unwrap_or_default()
    }

    /// Methods that a test can call to see a field that differs after a call.
    fn readers_after(&self, unit: &Unit<'_>, name: &PropertyName) -> Vec<String> {
        let method = member(unit.method);
        let (Some(class), Some(field)) = (method.class_of(&name.role), name.outermost_field())
        else {
            return Vec::new();
        };
        let package = self.package_of_tests(&method, &unit.tests);
        let mut readers = self.graph.readers(&class, field, &package);
        readers.retain(|reader| !reader.descriptor.ends_with(")V") && **reader != method);
        let readers = readers.iter().take(READERS_SHOWN);
        readers.map(ToString::to_string).collect()
    }

    /// From the method to the test, without the framework around them.
    fn frames(&self, stack: &[String]) -> Vec<String> {
        let is_test = |class: &str| self.is_test(&class.replace('.', "/"));
        let parts = stack
            .iter()
            .map(|frame| frame.split(' ').collect::<Vec<_>>());
        let frames: Vec<Vec<&str>> = parts.collect();
        let last = frames.iter().rposition(|frame| is_test(frame[0]));
        let kept = &frames[..last.map_or(0, |last| last + 1)];
        let shown = kept.iter().map(|frame| match frame[..] {
            [class, method, line] if !line.starts_with('-') => format!("{class}.{method}:{line}"),
            [class, method, ..] => format!("{class}.{method}"),
            _ => frame.join(" "),
        });
        shown.collect()
    }

    /// Assertions that may show what differs in a test, the likeliest first.
    fn candidates(&self, differing: &Differing, sighted: &[Sighted]) -> Vec<Candidate> {
        let test = differing.test;
        let mut candidates: Vec<Candidate> = Vec::new();
        for (one, source, located) in self.located(sighted) {
            let guards = self.guards(differing, one, &source);
            let lead = Lead {
                source: &source.java.text,
                expression: &one.expression,
                located: &located,
                property: &one.property,
                original: &one.difference.original,
                guards: &guards,
            };
            for proposal in propose(&lead) {
                if candidates.iter().all(|known| known.proposal != proposal) {
                    candidates.push(Candidate {
                        test,
                        source: Arc::clone(&source),
                        proposal,
                        value: one.difference.original.to_string(),
                        exposure: self.shown(test, one, Some(&located)),
                    });
                }
            }
        }
        candidates
    }

    /// Calls that may show what differs in a test, on what holds it.
    fn calls_on_holders(&self, differing: &Differing, sighted: &[Sighted]) -> Vec<Planned> {
        let mut planned: Vec<Planned> = Vec::new();
        for (one, source, located) in &self.located(sighted) {
            if one.property.field.is_none() {
                continue;
            }
            let guards = self.guards(differing, one, source);
            for (text, spot, side) in holders(&one.expression, located) {
                if side != Side::Instead {
                    let holder = Holder {
                        text,
                        of: one.expression.type_descriptor.clone(),
                        field: one.property.outermost_field().map(str::to_owned),
                    };
                    let at = (source, spot, side);
                    self.plan(differing.test, one, &holder, at, &guards, &mut planned);
                }
            }
        }
        planned
    }

    /// The same on whatever is in scope when the method ends.
    fn calls_in_scope(&self, differing: &Differing, sighted: &[Sighted]) -> Vec<Planned> {
        let mut planned: Vec<Planned> = Vec::new();
        let mut ends: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (one, source, _) in &self.located(sighted) {
            let line = one.expression.line.unwrap_or_default();
            let Some(end) = source.java.end_of_method(line) else {
                continue;
            };
            if !ends.insert((one.class, end.statement.start)) {
                continue;
            }
            let side = if end.leaves {
                Side::Before
            } else {
                Side::After
            };
            let guards = self.guards(differing, one, source);
            for holder in self.in_scope(one.class, line) {
                let at = (source, &end, side);
                self.plan(differing.test, one, &holder, at, &guards, &mut planned);
            }
        }
        planned
    }

    /// The same at the end of the test method itself, where all that differs is in a helper: what holds for one
    /// call of a helper rarely holds for the others, and what the test handed to it has a name there.
    fn calls_in_own_scope(&self, differing: &Differing, sighted: &[Sighted]) -> Vec<Planned> {
        let mut planned = Vec::new();
        let Some(one) = sighted.first() else {
            return planned;
        };
        let Some((class, line)) = self.first_line(&self.tests[differing.test].method) else {
            return planned;
        };
        let Some(source) = self.source(class) else {
            return planned;
        };
        let end_of = |line: Option<u16>| source.java.end_of_method(line?);
        let Some(end) = end_of(Some(line)) else {
            return planned;
        };
        let mut own = sighted.iter().filter(|each| each.class == class);
        if own.any(|each| end_of(each.expression.line).as_ref() == Some(&end)) {
            return planned;
        }
        let side = if end.leaves {
            Side::Before
        } else {
            Side::After
        };
        for holder in self.in_scope(class, line) {
            let at = (&source, &end, side);
            self.plan(differing.test, one, &holder, at, &[], &mut planned);
        }
        planned
    }

    /// The class of a test method, among those of the subject, and its first line.
    fn first_line(&self, test: &str) -> Option<(usize, u16)> {
        let (class, name) = test.split_once('#')?;
        let place = self.place_of(&class.replace('.', "/"))?;
        let bytes = self.subject.classes[place].read()?;
        let file = ClassFile::read(&bytes).ok()?;
        let is_own = |each: &&jury_classfile::Member<'_>| {
            each.name(&file.pool).is_ok_and(|own| own == *name)
        };
        let code = file.methods.iter().find(is_own)?.code(&file.pool).ok()??;
        let lines = code.line_numbers(&file.pool).ok()?;
        let first = lines.into_iter().map(|each| each.line).min()?;
        Some((place, first))
    }

    /// Adds all calls on a holder that are not planned there yet.
    fn plan(
        &self,
        test: usize,
        one: &Sighted,
        holder: &Holder,
        (source, spot, side): (&Arc<TestSource>, &Spot, Side),
        guards: &[String],
        planned: &mut Vec<Planned>,
    ) {
        let shown_in = self.source(one.class);
        let located = shown_in.and_then(|source| source.java.locate(&one.expression));
        let exposure = self.shown(test, one, located.as_ref());
        for probe in probes(self.graph, holder, &self.package(one)) {
            let known = planned
                .iter()
                .any(|known| known.probe == probe && known.spot == *spot && known.side == side);
            if !known {
                planned.push(Planned {
                    test,
                    source: Arc::clone(source),
                    spot: spot.clone(),
                    side,
                    probe,
                    exposure: exposure.clone(),
                    guards: guards.to_vec(),
                    repeats: holder.text.contains('('),
                });
            }
        }
    }

    /// Conditions that tell this run of the method of an expression from others: by its parameters,
    /// and, where its test has several invocations, by fields of its class.
    fn guards(&self, differing: &Differing, one: &Sighted, source: &TestSource) -> Vec<String> {
        let Place::Value { class, method, .. } = one.difference.property.place else {
            return Vec::new();
        };
        let parameters = source
            .java
            .parameters(one.expression.line.unwrap_or_default());
        let own = &self.tests[differing.test].method;
        let invocations = self.tests.iter().filter(|test| test.method == *own);
        let has_invocations = invocations.take(2).count() == 2;
        if parameters.is_empty() && !has_invocations {
            return Vec::new();
        }
        let facts = &self.subject.classes[one.class];
        let bytes = facts.read().unwrap_or_default();
        let Ok(file) = ClassFile::read(&bytes) else {
            return Vec::new();
        };
        let mut known: Vec<(usize, Known)> = Vec::new();
        let at = |pc| Place::Value { class, method, pc };
        for (place, value) in differing.steady.range(at(0)..at(Place::ESCAPED)) {
            let Place::Value { pc, .. } = *place else {
                continue;
            };
            let Ok(Some(expression)) = Expression::read(&file, method, pc) else {
                continue;
            };
            let rank = match &expression.kind {
                ExpressionKind::Variable(name) => parameters.iter().position(|each| each == name),
                ExpressionKind::Field { owner, .. } if has_invocations => {
                    (*owner == facts.facts.name).then_some(parameters.len())
                }
                _ => None,
            };
            let one = Known {
                name: expression.name(),
                of: expression.type_descriptor,
                value: value.to_string(),
            };
            known.extend(rank.map(|rank| (rank, one)));
        }
        known.sort_by(|(rank, one), (other_rank, other)| {
            (rank, &one.name).cmp(&(other_rank, &other.name))
        });
        known.dedup();
        // What was assigned to meanwhile tells nothing.
        let is_told_once =
            |name: &str| known.iter().filter(|(_, one)| one.name == name).count() == 1;
        let known = known.iter().map(|(_, one)| one);
        let known = known.filter(|one| is_told_once(&one.name)).cloned();
        guards(&known.collect::<Vec<_>>())
    }

    /// What can be called at the end of the method on a line.
    fn in_scope(&self, class: usize, line: u16) -> Vec<Holder> {
        let bytes = self.subject.classes[class].read().unwrap_or_default();
        let file = ClassFile::read(&bytes);
        let names = file.and_then(|file| names_in_scope(&file, line));
        names.unwrap_or_default()
    }

    /// Expressions that differ, where they stand in their sources.
    fn located<'s>(&self, sighted: &'s [Sighted]) -> Vec<(&'s Sighted, Arc<TestSource>, Located)> {
        let mut found: Vec<(&Sighted, Arc<TestSource>, Located)> = Vec::new();
        for one in sighted {
            if found.len() == EXPRESSIONS_TRIED {
                break;
            }
            // The same property, met again in another turn, tells nothing new.
            if found.iter().any(|(other, ..)| other.is_same(one)) {
                continue;
            }
            if let Some(source) = self.source(one.class)
                && let Some(located) = source.java.locate(&one.expression)
            {
                found.push((one, source, located));
            }
        }
        found
    }

    fn source(&self, class: usize) -> Option<Arc<TestSource>> {
        let class = &self.subject.classes[class];
        self.sources.of(&class.directory, &class.facts)
    }

    /// In which the code of a test stands.
    fn package(&self, sighted: &Sighted) -> String {
        let test = &self.subject.classes[sighted.class].facts.name;
        let package = test.rsplit_once('/').map_or("", |(package, _)| package);
        package.to_owned()
    }

    /// What differs in the code of a test, the fittest for an assertion first.
    fn sighted(&self, differing: &Differing) -> Vec<Sighted> {
        let mut files: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        let mut sighted = Vec::new();
        for difference in &differing.differences {
            let Place::Value { class, method, pc } = difference.property.place else {
                continue;
            };
            let class = class as usize - 1;
            let bytes = files
                .entry(class)
                .or_insert_with(|| self.subject.classes[class].read().unwrap_or_default());
            let Ok(file) = ClassFile::read(bytes) else {
                continue;
            };
            if let Ok(Some(expression)) = Expression::read(&file, method, pc) {
                sighted.push(Sighted {
                    class,
                    expression,
                    property: PropertyName::read(&difference.property.name),
                    difference: difference.clone(),
                });
            }
        }
        sighted.sort_by_key(fitness);
        sighted
    }

    fn shown(&self, test: usize, sighted: &Sighted, located: Option<&Located>) -> Exposure {
        let class = &self.subject.classes[sighted.class];
        let file = self.source(sighted.class).map(|source| source.path.clone());
        let property = &sighted.property;
        Exposure {
            test: self.label(test),
            file: file.or(class.facts.source_file.clone()),
            line: sighted.expression.line,
            columns: located.and_then(|located| located.columns),
            expression: match located {
                Some(located) if located.columns.is_some() => located.text.clone(),
                _ => sighted.expression.name(),
            },
            type_name: sighted.expression.type_name(),
            field: property.field.clone(),
            aspect: property.aspect.clone(),
            original: (sighted.expression).shown_value(property, &sighted.difference.original),
            mutant: (sighted.expression).shown_value(property, &sighted.difference.mutant),
            readers: match sighted.reader_of_jdk() {
                Some(reader) => vec![reader.to_owned()],
                None => self
                    .readers(sighted)
                    .iter()
                    .take(READERS_SHOWN)
                    .map(ToString::to_string)
                    .collect(),
            },
            assertion: None,
        }
    }

    /// Methods that a test can call on the expression to see the field that differs.
    fn readers(&self, sighted: &Sighted) -> Vec<&'a Member> {
        let Some(field) = sighted.property.outermost_field() else {
            return Vec::new();
        };
        let class = sighted.expression.type_descriptor.trim_start_matches('L');
        let class = class.trim_end_matches(';');
        let mut readers = self.graph.readers(class, field, &self.package(sighted));
        readers.retain(|reader| !reader.descriptor.ends_with(")V"));
        readers
    }

    /// For tests in the package of one that runs the method, or of the method itself.
    fn entry_points(&self, method: &MethodId, tests: &[usize]) -> Vec<String> {
        let member = member(method);
        let package = self.package_of_tests(&member, tests);
        let nearest = self.graph.entry_points(&member, &package);
        let nearest = nearest.iter().take(ENTRY_POINTS_SHOWN);
        nearest.map(ToString::to_string).collect()
    }

    fn package_of_tests(&self, method: &Member, tests: &[usize]) -> String {
        let own = tests.first().map(|test| self.tests[*test].class.as_str());
        match own.and_then(|class| class.rsplit_once('.')) {
            Some((package, _)) => package.replace('.', "/"),
            None => method.package().to_owned(),
        }
    }

    /// The place of each explanation in a list whose first page is worth reading.
    pub fn ranks(&self, explanations: &[Explanation]) -> HashMap<String, (bool, usize, String)> {
        let methods: BTreeMap<String, (&JudgedClass, &JudgedMethod)> = self
            .run
            .methods()
            .map(|(class, method)| (method.facts.id.to_string(), (class, method)))
            .collect();
        let method_of = |id: &str| {
            let mutant: Option<jury_mutate::MutantId> = id.parse().ok();
            mutant.map(|mutant| mutant.method.to_string())
        };
        let wanted: BTreeSet<String> = explanations
            .iter()
            .filter_map(|each| method_of(&each.subject.id))
            .collect();
        let findings = wanted.iter().filter_map(|id| methods.get(id));
        let findings = findings.map(|(class, method)| {
            let id = &method.facts.id;
            let member = member(id);
            Finding {
                method: id.clone(),
                classification: method.result.classification(),
                class_access: class.access,
                method_access: method.facts.access,
                covering_tests: method.covering().len(),
                code_length: method.facts.code_length,
                callers: Some(self.graph.callers(&member).len()),
                callees: Some(self.graph.callees(&member)),
                is_placeholder: self.graph.is_placeholder(&member),
            }
        });
        let ranked = rank(findings);
        let places: HashMap<String, usize> = ranked
            .iter()
            .map(|each| each.finding.method.to_string())
            .zip(0..)
            .collect();
        explanations
            .iter()
            .map(|each| {
                let id = &each.subject.id;
                let place = method_of(id).and_then(|method| places.get(&method).copied());
                let unreached = each.symptom == Symptom::NotReached;
                let place = place.unwrap_or(usize::MAX);
                (id.clone(), (unreached, place, id.clone()))
            })
            .collect()
    }
}

/// After how many calls something differs.
fn differing_calls(differing: &Differing) -> usize {
    let calls = differing.differences.iter();
    let calls = calls.filter(|each| &*each.property.name != CALL_COUNT);
    calls
        .map(|each| each.property.ordinal)
        .collect::<BTreeSet<u32>>()
        .len()
}

fn member(method: &MethodId) -> Member {
    Member {
        class: method.class.clone(),
        name: method.name.clone(),
        descriptor: method.descriptor.clone(),
    }
}

/// Smaller is fitter: a value of its own that can be written down, of something with a name.
fn fitness(sighted: &Sighted) -> (usize, usize, u32, Place) {
    let named = match sighted.expression.kind {
        ExpressionKind::Variable(_) | ExpressionKind::Field { .. } => 0,
        ExpressionKind::Call { .. } => 1,
        ExpressionKind::New(_) => 2,
        ExpressionKind::Operation | ExpressionKind::Element => 3,
        ExpressionKind::Escaped => 9,
    };
    let aspect = match (&sighted.property.field, sighted.property.aspect.as_str()) {
        (None, "value") => 0,
        (None, "null" | "size" | "length") => 1,
        (Some(_), "value") => 2,
        (Some(_), _) => 3,
        _ => 8,
    };
    let Difference { property, .. } = &sighted.difference;
    (aspect, named, property.ordinal, property.place)
}

/// The arguments that a call was given, by number, as people read them.
fn given(differing: &Differing) -> Vec<(usize, String)> {
    let given = differing.given.iter();
    given
        .filter_map(|(name, value)| Some((name.argument()?, shown_value(&name.aspect, value))))
        .collect()
}

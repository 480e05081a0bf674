//! An explanation in plain sentences: what happened, and the next step.

use jury_explain::{
    Closest, Effect, Explanation, Exposure, Infection, Symptom, Unvaried, argument,
};

const TESTS_SHOWN: usize = 3;
const FRAMES_SHOWN: usize = 8;
const VARIANTS_SHOWN: usize = 2;
const PLACES_SHOWN: usize = 10;
/// Characters of a value that are shown.
const LONGEST_VALUE: usize = 120;

/// Which tests run the method.
pub(crate) fn run_by(explanation: &Explanation) -> String {
    let tests = &explanation.tests;
    let shown: Vec<&str> = tests.iter().take(TESTS_SHOWN).map(String::as_str).collect();
    let more = match tests.len().saturating_sub(TESTS_SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let pass = if tests.len() == 1 { "passes" } else { "pass" };
    let nearest = match &explanation.closest {
        Some(Closest { distance: 1, .. }) if tests.len() == 1 => {
            "; it makes the call itself".into()
        }
        Some(Closest { distance, .. }) if tests.len() == 1 => {
            format!("; {distance} calls lead there")
        }
        Some(Closest { test, distance: 1 }) => format!("; {test} makes the call itself"),
        Some(Closest { test, distance }) => {
            format!("; nearest is {test}, from where {distance} calls lead there")
        }
        None => String::new(),
    };
    format!("run by {}{more}, which {pass}{nearest}", shown.join(", "))
}

/// What happened, one sentence each.
pub(crate) fn story(explanation: &Explanation) -> Vec<String> {
    match explanation.symptom {
        Symptom::NotReached => vec!["No test runs it.".to_owned()],
        Symptom::NoInfection => no_infection(explanation),
        Symptom::NoPropagation => {
            let infection = explanation.infection.iter();
            let infection = infection.map(|infection| infected(explanation, infection));
            infection.chain([unexposed(explanation)]).collect()
        }
        Symptom::WeakOracle => weak_oracle(explanation),
        Symptom::Infected => {
            let infection = explanation.infection.iter();
            let infection = infection.map(|infection| infected(explanation, infection));
            infection.collect()
        }
    }
}

/// The next step.
pub(crate) fn hint(explanation: &Explanation) -> Option<String> {
    match explanation.symptom {
        Symptom::NotReached => {
            let point = explanation.entry_points.first()?;
            Some(match *point == explanation.subject.signature() {
                true => "call it in a test".to_owned(),
                false => format!("reach it through {point}"),
            })
        }
        Symptom::NoInfection if explanation.gaps.calls.is_some() => Some(
            "nothing is known of what the change does: see the notes for what kept it from being \
             compared, and ask again without that"
                .to_owned(),
        ),
        Symptom::NoInfection => {
            let closest = explanation.closest.as_ref().map(|closest| &closest.test);
            let test = closest.or(explanation.tests.first())?;
            Some(format!("{}{}", unseen_first(explanation), another_input(explanation, test)))
        }
        Symptom::NoPropagation => Some(match &explanation.entry_points[..] {
            _ if sees_a_field(explanation) => format!(
                "{}{}{}",
                unwatched_first(explanation),
                readers_hint(explanation),
                or_test(explanation)
            ),
            [] => "no method that a test could call leads here: is the code needed? A test needs \
                   an accessible way to it"
                .to_owned(),
            points => format!(
                "{}test {} with this case and assert on what it gives; or see whether its caller \
                 needs the call at all",
                unwatched_first(explanation),
                points.join(" or ")
            ),
        }),
        Symptom::WeakOracle if explanation.is_local => Some(
            "what it is differs from one machine or day to another: assert what holds on all of them"
                .to_owned(),
        ),
        Symptom::WeakOracle => told(explanation).map(look_at),
        Symptom::Infected => {
            Some("`--stage propagation` says whether a test could see it".to_owned())
        }
    }
}

/// What to look at before another input is thought of.
fn unseen_first(explanation: &Explanation) -> String {
    match &explanation.gaps.effects[..] {
        [] => String::new(),
        effects => format!(
            "see first whether {} should differ: then assert that; otherwise ",
            listed(effects)
        ),
    }
}

fn unwatched_first(explanation: &Explanation) -> String {
    match &explanation.gaps.code[..] {
        [] => String::new(),
        code => format!("see whether {} shows it; otherwise ", shortened(code)),
    }
}

fn listed(effects: &[Effect]) -> String {
    let words: Vec<&str> = effects.iter().map(|effect| effect.word()).collect();
    words.join(" and ")
}

fn another_input(explanation: &Explanation, test: &str) -> String {
    if explanation.subject.operator == "conditionals_boundary" {
        let line = explanation.subject.line;
        let line = line.map_or(String::new(), |line| format!(" on line {line}"));
        return format!(
            "copy {test} and give it an input for which both sides of the comparison{line} \
             are equal"
        );
    }
    let variants = explanation.unvaried.iter();
    let variants = variants.filter_map(|each| variant(explanation, each));
    let variants: Vec<String> = variants.take(VARIANTS_SHOWN).collect();
    let example = match &variants[..] {
        [] => String::new(),
        variants => format!("; for example {}", variants.join(", or ")),
    };
    format!("copy {test} and give it an input for which another outcome is right{example}")
}

/// Where no expression shows the difference, as far as that was looked at.
fn unexposed(explanation: &Explanation) -> String {
    match &explanation.gaps.code[..] {
        [] => "No expression in the code of any test that runs it shows the difference.".to_owned(),
        code => format!(
            "No expression that was watched in the code of the tests shows the difference; {} {}.",
            shortened(code),
            "could not be watched in full"
        ),
    }
}

fn shortened(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(TESTS_SHOWN).map(String::as_str).collect();
    match names.len().saturating_sub(TESTS_SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn sees_a_field(explanation: &Explanation) -> bool {
    let infection = explanation.infection.as_ref();
    infection.is_some_and(|infection| infection.field.is_some())
}

/// What differs is a field: somebody reads it, or it needs another way to be seen.
fn readers_hint(explanation: &Explanation) -> String {
    let readers = explanation.infection.iter().flat_map(|each| &each.readers);
    let readers: Vec<&str> = readers.map(String::as_str).collect();
    match &readers[..] {
        [] => "no method that a test could call reads this field: it needs an accessor, or \
               another way to be seen"
            .to_owned(),
        readers => format!("assert in this case through {}", readers.join(" or ")),
    }
}

/// The other ways out, where what differs is a field.
fn or_test(explanation: &Explanation) -> String {
    let points = &explanation.entry_points;
    let test = match &points[..] {
        [] => String::new(),
        points => format!("; or test {} with this case", points.join(" or ")),
    };
    format!("{test}; or see whether its caller needs the call at all")
}

/// The change to the test that would notice the mutant.
pub(crate) fn diff(explanation: &Explanation) -> Option<&str> {
    let (_, assertion) = explanation.assertion()?;
    Some(&assertion.diff)
}

/// From the method to the test; long ones are cut in the middle. Where a test makes the call itself and
/// sees what it does, there is nothing to tell.
pub(crate) fn stack(explanation: &Explanation) -> Vec<&str> {
    let infection = explanation.infection.as_ref();
    let stack = infection.map_or(&[][..], |infection| &infection.stack[..]);
    if explanation.symptom == Symptom::WeakOracle && stack.len() <= 2 {
        return Vec::new();
    }
    let mut shown: Vec<&str> = stack
        .iter()
        .take(FRAMES_SHOWN)
        .map(String::as_str)
        .collect();
    if stack.len() > FRAMES_SHOWN + 1 {
        shown.push("…");
    }
    if stack.len() > FRAMES_SHOWN {
        shown.extend(stack.last().map(String::as_str));
    }
    shown
}

/// What is asserted, or could be; then where else the difference shows.
fn weak_oracle(explanation: &Explanation) -> Vec<String> {
    let told = told(explanation);
    let known = told.map(also);
    let mut others: Vec<String> = Vec::new();
    for other in explanation.exposures.iter().map(also) {
        // Invocations of one test differ at the same place.
        if known.as_ref() != Some(&other) && !others.contains(&other) {
            others.push(other);
        }
    }
    let mut story: Vec<String> = told.map(exposed).into_iter().collect();
    let trigger = explanation.infection.as_ref().filter(|infection| {
        let place = infection
            .trigger
            .as_ref()
            .map(|trigger| (&trigger.file, trigger.line));
        place != told.and_then(|told| Some((told.file.as_ref()?, told.line?)))
    });
    story.extend(trigger.and_then(triggered));
    story.extend(others.iter().take(PLACES_SHOWN).cloned());
    if others.len() > PLACES_SHOWN {
        let more = others.len() - PLACES_SHOWN;
        story.push(format!("It shows in {more} more places."));
    }
    story
}

/// What is told of a weak oracle: what can be asserted, or else the first that differs.
fn told(explanation: &Explanation) -> Option<&Exposure> {
    let asserted = explanation.assertion().map(|(exposure, _)| exposure);
    asserted.or(explanation.exposures.first())
}

fn no_infection(explanation: &Explanation) -> Vec<String> {
    if let Some(why) = &explanation.gaps.calls {
        return vec![format!("Nothing could be compared after any call: {why}.")];
    }
    let mut story = vec![
        "Nothing that was looked at differs after any call. Not looked at are static fields, files, \
         streams, and objects that the call was not given."
            .to_owned(),
    ];
    if !explanation.gaps.effects.is_empty() {
        let effects = listed(&explanation.gaps.effects);
        story.push(format!(
            "The method uses {effects}: whether those differ is not known."
        ));
    }
    let unvaried = explanation.unvaried.iter();
    let unvaried: Vec<String> = unvaried
        .map(|each| never_varied(explanation, each))
        .collect();
    if !unvaried.is_empty() {
        story.push(format!("In all calls: {}.", unvaried.join("; ")));
    }
    story
}

fn never_varied(explanation: &Explanation, unvaried: &Unvaried) -> String {
    let what = thing(
        explanation,
        &unvaried.role,
        unvaried.field.as_deref(),
        &unvaried.aspect,
    );
    match (unvaried.aspect.as_str(), unvaried.value.as_str()) {
        ("null", "true") => format!("{what} was null"),
        ("null", _) => format!("{what} was never null"),
        (_, value) => format!("{what} was {}", excerpt(value, 0)),
    }
}

/// An input that was never tried.
fn variant(explanation: &Explanation, unvaried: &Unvaried) -> Option<String> {
    let variant = unvaried.variant.as_ref()?;
    let what = thing(
        explanation,
        &unvaried.role,
        unvaried.field.as_deref(),
        &unvaried.aspect,
    );
    Some(match (unvaried.aspect.as_str(), unvaried.value.as_str()) {
        ("null", "true") => format!("{what} that is not null"),
        _ => format!("{what} = {variant}"),
    })
}

fn infected(explanation: &Explanation, infection: &Infection) -> String {
    let what = thing(
        explanation,
        &infection.role,
        infection.field.as_deref(),
        &infection.aspect,
    );
    let versus = versus(&infection.aspect, &infection.original, &infection.mutant);
    let call = call(explanation, infection);
    let often = match (infection.differing_calls, infection.compared_calls) {
        (0, _) | (_, 0 | 1) => String::new(),
        (some, all) => format!(" Something differs after {some} of {all} calls."),
    };
    let trigger = triggered(infection).map_or(String::new(), |trigger| format!(" {trigger}"));
    format!(
        "In {}, after call {call}, {what} {versus}.{often}{trigger}",
        infection.test
    )
}

/// What in the test led to the call.
fn triggered(infection: &Infection) -> Option<String> {
    let trigger = infection.trigger.as_ref()?;
    Some(format!(
        "{}:{}, `{}`, led to it.",
        trigger.file, trigger.line, trigger.statement
    ))
}

/// `3, isOption("--a")`; only the number where the call was given nothing that can be written down.
fn call(explanation: &Explanation, infection: &Infection) -> String {
    let (number, subject) = (infection.call, &explanation.subject);
    if infection.given.is_empty() {
        return number.to_string();
    }
    let value_of = |argument: usize| {
        let own = infection.given.iter().find(|(each, _)| *each == argument);
        match (own, explanation.parameters.get(argument - 1)) {
            (Some((_, value)), _) => excerpt(value, 0),
            (None, Some(name)) => name.clone(),
            (None, None) => "…".to_owned(),
        }
    };
    let count = infection.given.iter().map(|(argument, _)| *argument).max();
    let count = count.unwrap_or_default().max(explanation.parameters.len());
    let arguments: Vec<String> = (1..=count).map(value_of).collect();
    format!("{number}, `{}({})`", subject.method, arguments.join(", "))
}

fn exposed(exposure: &Exposure) -> String {
    format!(
        "{}: {} ({}) {}. No assertion looks at it.",
        place(exposure),
        what(exposure),
        exposure.type_name,
        versus(&exposure.aspect, &exposure.original, &exposure.mutant)
    )
}

/// What it is, and what it was without the change.
fn versus(aspect: &str, original: &str, mutant: &str) -> String {
    match (aspect, mutant) {
        ("null", "true") => "is null; in the original it is not".to_owned(),
        ("null", _) => "is not null; in the original it is".to_owned(),
        _ => {
            let same = original.chars().zip(mutant.chars());
            let same = same.take_while(|(one, other)| one == other).count();
            let (mutant, original) = (excerpt(mutant, same), excerpt(original, same));
            format!("is {mutant}; the original gives {original}")
        }
    }
}

/// As much of a value as somebody reads, from a little before a place.
fn excerpt(value: &str, place: usize) -> String {
    let length = value.chars().count();
    if length <= LONGEST_VALUE {
        return value.to_owned();
    }
    let start = match place.saturating_sub(LONGEST_VALUE / 4) {
        near if near < LONGEST_VALUE / 4 => 0,
        far => far.min(length - LONGEST_VALUE),
    };
    let shown: String = value.chars().skip(start).take(LONGEST_VALUE).collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if start + LONGEST_VALUE < length {
        "…"
    } else {
        ""
    };
    format!("{before}{shown}{after} ({length} characters)")
}

fn also(exposure: &Exposure) -> String {
    format!("Also {}: {}.", place(exposure), what(exposure))
}

fn place(exposure: &Exposure) -> String {
    let columns = match exposure.columns {
        Some((only, last)) if only == last => format!(", column {only}"),
        Some((first, last)) => format!(", columns {first}–{last}"),
        None => String::new(),
    };
    match (&exposure.file, exposure.line) {
        (Some(file), Some(line)) => format!("{file}:{line}{columns}"),
        (Some(file), None) => file.clone(),
        _ => exposure.test.clone(),
    }
}

fn what(exposure: &Exposure) -> String {
    match (&exposure.field, exposure.aspect.as_str()) {
        (None, "value" | "null") => format!("`{}`", exposure.expression),
        (None, aspect) => format!("{} of `{}`", spoken(aspect), exposure.expression),
        (Some(field), "value" | "null") => {
            format!("field `{field}` of `{}`", exposure.expression)
        }
        (Some(field), aspect) => {
            format!(
                "{} of field `{field}` of `{}`",
                spoken(aspect),
                exposure.expression
            )
        }
    }
}

fn look_at(exposure: &Exposure) -> String {
    match (&exposure.assertion, &exposure.field, &exposure.readers[..]) {
        (Some(_), ..) => "this compiles, passes, and fails with the mutant:".to_owned(),
        (None, None, _) => "assert it there".to_owned(),
        (None, Some(_), []) => "no method that the test could call reads this field: it needs an \
                                accessor, or another way to be seen"
            .to_owned(),
        (None, Some(_), readers) => format!("assert through {}", readers.join(" or ")),
    }
}

/// `the result`, `field count of the receiver`, `the size of argument 1 (`names`)`.
fn thing(explanation: &Explanation, role: &str, field: Option<&str>, aspect: &str) -> String {
    let role = article(explanation, role);
    let holder = match (&*role, field) {
        ("the exit", _) => return "the exception thrown".to_owned(),
        ("the calls", _) => return "the number of calls".to_owned(),
        (_, Some(field)) => format!("field `{field}` of {role}"),
        (_, None) => role,
    };
    match aspect {
        "value" | "null" => holder,
        aspect => format!("{} of {holder}", spoken(aspect)),
    }
}

fn article(explanation: &Explanation, role: &str) -> String {
    let Some(number) = argument(role) else {
        return format!("the {role}");
    };
    match explanation.parameters.get(number.wrapping_sub(1)) {
        Some(name) => format!("{role} (`{name}`)"),
        None => role.to_owned(),
    }
}

fn spoken(aspect: &str) -> &str {
    match aspect {
        "size" => "the size",
        "length" => "the length",
        "class" => "the class",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explanation::sample;

    #[test]
    fn other_places_are_named_once_each() {
        let mut weak = sample::run().explanations.remove(0);
        let mut other = Exposure {
            assertion: None,
            ..weak.exposures[0].clone()
        };
        weak.exposures.push(other.clone());
        other.line = Some(20);
        weak.exposures.extend([other.clone(), other]);
        let story = story(&weak);
        assert_eq!(story.len(), 2, "{story:?}");
        assert!(story[1].starts_with("Also src/test/java/shop/CardTest.java:20"));
    }

    #[test]
    fn the_closest_test_is_named_with_its_distance() {
        let mut weak = sample::run().explanations.remove(0);
        assert!(run_by(&weak).ends_with("which passes; it makes the call itself"));
        weak.tests.push("shop.DeskTest#opens".into());
        weak.closest = Some(Closest {
            test: "shop.DeskTest#opens".into(),
            distance: 3,
        });
        let told = run_by(&weak);
        let nearest = "; nearest is shop.DeskTest#opens, from where 3 calls lead there";
        assert!(told.ends_with(nearest), "{told}");
    }

    #[test]
    fn what_no_test_reaches_is_not_reached_through_itself() {
        let mut unreached = sample::run().explanations.remove(3);
        assert_eq!(
            hint(&unreached).unwrap(),
            "reach it through shop.Desk.close()"
        );
        unreached.entry_points = vec!["shop.Card.discard()".into()];
        assert_eq!(hint(&unreached).unwrap(), "call it in a test");
    }

    #[test]
    fn each_symptom_is_told_with_its_next_step() {
        let told: Vec<String> = sample::run()
            .explanations
            .iter()
            .map(|each| {
                let hint = hint(each).unwrap_or_default();
                format!("{}\n  {}\n  → {hint}", each.symptom, story(each).join(" "))
            })
            .collect();
        insta::assert_snapshot!(told.join("\n"));
    }

    #[test]
    fn what_differs_far_inside_a_long_text_is_shown_there() {
        let text = |inside: &str| format!("\"{}{inside}{}\"", "a".repeat(200), "b".repeat(200));
        let told = versus("value", &text("1"), &text("2"));
        let (mutant, original) = told.split_once("; ").unwrap();
        assert!(mutant.contains("aa2bb") && mutant.ends_with("… (403 characters)"));
        assert!(original.contains("aa1bb") && original.starts_with("the original gives …aa"));
        assert_eq!(versus("value", "1", "0"), "is 0; the original gives 1");
        assert_eq!(
            versus("null", "false", "true"),
            "is null; in the original it is not"
        );
    }

    #[test]
    fn a_call_is_written_with_what_it_was_given() {
        let mut lost = sample::run().explanations.remove(1);
        lost.parameters = vec!["card".into(), "count".into()];
        let infection = lost.infection.as_mut().unwrap();
        infection.given = vec![(2, "7".into())];
        let told = &story(&lost)[0];
        assert!(
            told.contains("after call 1, `isFull(card, 7)`, the result is true"),
            "{told}"
        );
    }

    #[test]
    fn where_nothing_could_be_compared_nothing_is_claimed() {
        let mut idle = sample::run().explanations.remove(2);
        idle.gaps.calls = Some("no test passed".into());
        assert_eq!(
            story(&idle),
            ["Nothing could be compared after any call: no test passed."]
        );
        let hint = hint(&idle).unwrap();
        assert!(
            hint.starts_with("nothing is known of what the change does"),
            "{hint}"
        );
    }

    #[test]
    fn test_code_that_was_not_watched_is_named_where_no_expression_differs() {
        let mut lost = sample::run().explanations.remove(1);
        lost.gaps.code = vec!["shop.CardTest.stamps".into()];
        let told = &story(&lost)[1];
        assert_eq!(
            told,
            "No expression that was watched in the code of the tests shows the difference; \
             shop.CardTest.stamps could not be watched in full."
        );
        let hint = hint(&lost).unwrap();
        assert!(
            hint.starts_with("see whether shop.CardTest.stamps shows it; otherwise test"),
            "{hint}"
        );
    }

    #[test]
    fn what_the_method_does_beside_what_is_looked_at_is_told_and_comes_first() {
        let mut idle = sample::run().explanations.remove(2);
        idle.gaps.effects = vec![Effect::StaticFields, Effect::Files];
        let told = &story(&idle)[1];
        assert_eq!(
            told,
            "The method uses static fields and files or streams: whether those differ is not known."
        );
        let hint = hint(&idle).unwrap();
        let first = "see first whether static fields and files or streams should differ: then \
                     assert that; otherwise copy shop.CardTest#stamps and";
        assert!(hint.starts_with(first), "{hint}");
    }

    #[test]
    fn a_field_that_no_test_sees_leaves_the_other_ways_out() {
        let mut lost = sample::run().explanations.remove(1);
        let infection = lost.infection.as_mut().unwrap();
        infection.field = Some("count".into());
        infection.readers = vec!["shop.Card.getCount()".into()];
        assert_eq!(
            hint(&lost).unwrap(),
            "assert in this case through shop.Card.getCount(); or test shop.Card.isFull() with \
             this case; or see whether its caller needs the call at all"
        );
    }

    #[test]
    fn a_weak_oracle_is_told_with_what_led_to_the_call_where_that_is_elsewhere() {
        let run = sample::run();
        let mut weak = run.explanations[0].clone();
        weak.infection = run.explanations[1].infection.clone();
        assert_eq!((story(&weak).len(), stack(&weak).len()), (1, 0));
        let infection = weak.infection.as_mut().unwrap();
        infection.stack.insert(1, "shop.Card.pay:9".into());
        infection.trigger.as_mut().unwrap().line = 11;
        let told = story(&weak);
        assert_eq!(
            told[1],
            "src/test/java/shop/CardTest.java:11, `card.stamp();`, led to it."
        );
        assert_eq!(stack(&weak).len(), 3);
    }

    #[test]
    fn what_was_null_or_never_was_is_told_as_such() {
        let mut idle = sample::run().explanations.remove(2);
        let null = |value: &str, variant: &str| Unvaried {
            aspect: "null".into(),
            value: value.into(),
            variant: Some(variant.into()),
            ..idle.unvaried[0].clone()
        };
        let unvaried = [null("true", "not null"), null("false", "null")];
        for (one, told, tried) in [
            (
                &unvaried[0],
                "argument 1 was null",
                "argument 1 that is not null",
            ),
            (
                &unvaried[1],
                "argument 1 was never null",
                "argument 1 = null",
            ),
        ] {
            idle.unvaried = vec![one.clone()];
            assert!(story(&idle)[1].ends_with(&format!("{told}.")));
            assert!(hint(&idle).unwrap().ends_with(tried));
        }
    }

    #[test]
    fn a_field_that_nobody_reads_is_a_finding_about_testability() {
        let mut weak = sample::run().explanations.remove(0);
        assert!(!weak.lacks_observer());
        weak.exposures[0].assertion = None;
        assert!(!weak.lacks_observer());
        weak.exposures[0].readers.clear();
        assert!(weak.lacks_observer());
        let hint = hint(&weak).unwrap();
        assert!(
            hint.ends_with("it needs an accessor, or another way to be seen"),
            "{hint}"
        );
    }

    #[test]
    fn a_boundary_is_missed_by_inputs_beside_it() {
        let mut idle = sample::run().explanations.remove(2);
        idle.subject.operator = "conditionals_boundary".into();
        let hint = hint(&idle).unwrap();
        let equal = "both sides of the comparison on line 7 are equal";
        assert!(hint.ends_with(equal), "{hint}");
    }

    #[test]
    fn an_argument_has_the_name_that_the_source_gives_it() {
        let mut idle = sample::run().explanations.remove(2);
        idle.parameters = vec!["other".into()];
        assert!(story(&idle)[1].contains("argument 1 (`other`) was 0"));
    }

    #[test]
    fn what_holds_on_one_machine_only_is_not_to_be_asserted() {
        let mut weak = sample::run().explanations.remove(0);
        weak.exposures[0].assertion = None;
        weak.is_local = true;
        assert!(
            hint(&weak)
                .unwrap()
                .starts_with("what it is differs from one machine or day")
        );
    }

    #[test]
    fn a_long_stack_is_cut_in_the_middle() {
        let mut explanation = sample::run().explanations.remove(1);
        let infection = explanation.infection.as_mut().unwrap();
        infection.stack = (0..20).map(|frame| format!("a.B.m{frame}:1")).collect();
        let shown = stack(&explanation);
        assert_eq!(
            (shown.len(), shown[8], shown[9]),
            (FRAMES_SHOWN + 2, "…", "a.B.m19:1")
        );
    }
}

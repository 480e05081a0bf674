//! An explanation in plain sentences: what happened, and the next step.

use jury_explain::{Closest, Explanation, Exposure, Infection, Symptom, Unvaried};

const TESTS_SHOWN: usize = 3;
const FRAMES_SHOWN: usize = 8;
const VARIANTS_SHOWN: usize = 2;
const PLACES_SHOWN: usize = 10;

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
            let infection = explanation.infection.iter().map(infected);
            let lost = "No expression in the code of any test that runs it shows the difference.";
            infection.chain([lost.to_owned()]).collect()
        }
        Symptom::WeakOracle => weak_oracle(explanation),
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
        Symptom::NoInfection => {
            let closest = explanation.closest.as_ref().map(|closest| &closest.test);
            let test = closest.or(explanation.tests.first())?;
            let variants = explanation.unvaried.iter().filter_map(variant);
            let variants: Vec<String> = variants.take(VARIANTS_SHOWN).collect();
            let example = match &variants[..] {
                [] => String::new(),
                variants => format!("; for example {}", variants.join(", or ")),
            };
            Some(format!(
                "copy {test} and give it an input for which another outcome is right{example}"
            ))
        }
        Symptom::NoPropagation => Some(match &explanation.entry_points[..] {
            _ if sees_a_field(explanation) => readers_hint(explanation),
            [] => "no method that a test could call leads here: is the code needed? A test needs \
                   an accessible way to it"
                .to_owned(),
            points => format!(
                "test {} with this case and assert on what it gives; or see whether its caller \
                 needs the call at all",
                points.join(" or ")
            ),
        }),
        Symptom::WeakOracle => told(explanation).map(look_at),
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

/// The change to the test that would notice the mutant.
pub(crate) fn diff(explanation: &Explanation) -> Option<&str> {
    let (_, assertion) = explanation.assertion()?;
    Some(&assertion.diff)
}

/// From the method to the test; long ones are cut in the middle.
pub(crate) fn stack(explanation: &Explanation) -> Vec<&str> {
    let infection = match explanation.symptom {
        Symptom::NoPropagation => explanation.infection.as_ref(),
        _ => None,
    };
    let stack = infection.map_or(&[][..], |infection| &infection.stack[..]);
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
    let mut story = vec![
        "Nothing that was looked at differs after any call: the tests' inputs lead to the same \
         outcome with and without the change."
            .to_owned(),
    ];
    let unvaried: Vec<String> = explanation.unvaried.iter().map(never_varied).collect();
    if !unvaried.is_empty() {
        story.push(format!("In all calls: {}.", unvaried.join("; ")));
    }
    story
}

fn never_varied(unvaried: &Unvaried) -> String {
    let what = thing(&unvaried.role, unvaried.field.as_deref(), &unvaried.aspect);
    format!("{what} was {}", unvaried.value)
}

/// An input that was never tried.
fn variant(unvaried: &Unvaried) -> Option<String> {
    let variant = unvaried.variant.as_ref()?;
    let what = thing(&unvaried.role, unvaried.field.as_deref(), &unvaried.aspect);
    Some(format!("{what} = {variant}"))
}

fn infected(infection: &Infection) -> String {
    let what = thing(
        &infection.role,
        infection.field.as_deref(),
        &infection.aspect,
    );
    format!(
        "In {}, after call {}, {what} is {}; the original gives {}.",
        infection.test, infection.call, infection.mutant, infection.original
    )
}

fn exposed(exposure: &Exposure) -> String {
    format!(
        "{}: {} ({}) is {}; the original gives {}. No assertion looks at it.",
        place(exposure),
        what(exposure),
        exposure.type_name,
        exposure.mutant,
        exposure.original
    )
}

fn also(exposure: &Exposure) -> String {
    format!("Also {}: {}.", place(exposure), what(exposure))
}

fn place(exposure: &Exposure) -> String {
    let columns = match exposure.columns {
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
        (None, "value") => format!("`{}`", exposure.expression),
        (None, aspect) => format!("{} of `{}`", spoken(aspect), exposure.expression),
        (Some(field), "value") => format!("field `{field}` of `{}`", exposure.expression),
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

/// `the result`, `field count of the receiver`, `the size of argument 1`.
fn thing(role: &str, field: Option<&str>, aspect: &str) -> String {
    let holder = match (role, field) {
        ("exit", _) => return "the exception thrown".to_owned(),
        ("calls", _) => return "the number of calls".to_owned(),
        (role, Some(field)) => format!("field `{field}` of {}", article(role)),
        (role, None) => article(role),
    };
    match aspect {
        "value" => holder,
        aspect => format!("{} of {holder}", spoken(aspect)),
    }
}

fn article(role: &str) -> String {
    if role.starts_with("argument") {
        role.to_owned()
    } else {
        format!("the {role}")
    }
}

fn spoken(aspect: &str) -> &str {
    match aspect {
        "null" => "nullness",
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

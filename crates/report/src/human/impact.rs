//! What a change can reach, for a terminal.

use std::fmt::Write;

use jury_impact::{Change, ImpactRun, ImpactedType, Link, MethodRun};

use super::{BAD, FAINT, GOOD, ODD, STRONG, notices, plural, styled};

/// How many steps of a way are shown before its middle is left out.
const STEPS_SHOWN: usize = 4;

/// Which lists to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImpactPart {
    /// Changes and tests.
    Summary,
    Changed,
    Impacted,
    Tests,
    Graph,
}

pub fn impact(run: &ImpactRun, part: ImpactPart) -> String {
    let mut out = String::new();
    match &run.methods {
        None => by_class(&mut out, run, part),
        Some(methods) => by_method(&mut out, methods, part),
    }
    notices(&mut out, &run.notices);
    let _ = writeln!(
        out,
        "{STRONG}jury{STRONG:#} since {}: {} of {} changed, {} impacted, {} of {} test classes",
        run.since,
        run.changed.len(),
        plural(run.type_count, "type"),
        run.impacted.len(),
        run.tests.len(),
        run.test_count,
    );
    let _ = writeln!(
        out,
        "  {FAINT}{}, {} read in {}, analysed in {}{FAINT:#}",
        plural(run.type_count, "type"),
        plural(run.edge_count, "edge"),
        micros(run.read_micros),
        micros(run.analysis_micros),
    );
    if let Some(methods) = &run.methods {
        closer_look(&mut out, methods, run.test_count);
    }
    out
}

/// What the closer look comes to, and what it took.
fn closer_look(out: &mut String, methods: &MethodRun, test_count: usize) {
    let judged = match methods.by_class {
        0 => String::new(),
        count => format!(", {count} of them judged by types"),
    };
    let _ = writeln!(
        out,
        "{STRONG}by methods{STRONG:#}: {} changed, {} of {} impacted, {} of {} test classes{judged}",
        plural(methods.changed.len(), "part"),
        methods.impacted.len(),
        plural(methods.method_count, "method"),
        methods.tests.len(),
        test_count,
    );
    let _ = writeln!(
        out,
        "  {FAINT}{}, {} read in {}, analysed in {}{FAINT:#}",
        plural(methods.method_count, "method"),
        plural(methods.edge_count, "edge"),
        micros(methods.read_micros),
        micros(methods.analysis_micros),
    );
}

fn by_method(out: &mut String, run: &MethodRun, part: ImpactPart) {
    if matches!(part, ImpactPart::Summary | ImpactPart::Changed) {
        for name in &run.changed {
            let _ = writeln!(out, "{:7} {name}", styled(ODD, Change::Changed.word()));
        }
    }
    match part {
        ImpactPart::Summary | ImpactPart::Tests => types(out, &run.tests),
        ImpactPart::Changed => {}
        ImpactPart::Impacted => types(out, &run.impacted),
        ImpactPart::Graph => graph(out, &run.edges),
    }
}

fn graph(out: &mut String, edges: &[(String, String, Link)]) {
    for (from, to, link) in edges {
        let _ = writeln!(out, "{from} {FAINT}{}{FAINT:#} {to}", link.word());
    }
}

fn by_class(out: &mut String, run: &ImpactRun, part: ImpactPart) {
    match part {
        ImpactPart::Summary => {
            changed(out, run);
            types(out, &run.tests);
        }
        ImpactPart::Changed => changed(out, run),
        ImpactPart::Impacted => types(out, &run.impacted),
        ImpactPart::Tests => types(out, &run.tests),
        ImpactPart::Graph => graph(out, &run.edges),
    }
}

fn changed(out: &mut String, run: &ImpactRun) {
    for one in &run.changed {
        let style = match one.change {
            Change::New => GOOD,
            Change::Changed => ODD,
            Change::Deleted => BAD,
        };
        let _ = writeln!(out, "{:7} {}", styled(style, one.change.word()), one.name);
    }
}

fn types(out: &mut String, types: &[ImpactedType]) {
    for one in types {
        let _ = writeln!(out, "{}{FAINT}{}{FAINT:#}", one.name, way(one));
    }
}

/// How a type gets to the change, in words.
fn way(one: &ImpactedType) -> String {
    let Some((last, others)) = one.way.split_last() else {
        return "  changed itself".to_owned();
    };
    let mut text = String::from("  ");
    for (place, step) in others.iter().enumerate() {
        if place == STEPS_SHOWN - 2 && others.len() > STEPS_SHOWN {
            let _ = write!(text, "… ");
        }
        if place < STEPS_SHOWN - 2 || place + 1 == others.len() {
            let _ = write!(text, "{} {} ", verb(step.link), step.to);
        }
    }
    let _ = write!(text, "{} {}", verb(last.link), last.to);
    text
}

fn verb(link: Link) -> &'static str {
    match link {
        Link::Inherits => "→ inherits",
        Link::Mentions => "→",
        Link::Names => "→ by name",
        Link::Service => "→ by service",
        Link::Injects => "→ injected",
        Link::Calls => "→ calls",
        Link::Overrides => "→ overridden by",
        Link::Initialises => "→ initialises",
        Link::Answers => "→ answers with",
    }
}

fn micros(micros: u64) -> String {
    format!("{:.1} ms", micros as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury_impact::{ChangedType, Step};

    fn run() -> ImpactRun {
        let step = |link, to: &str| Step {
            link,
            to: to.to_owned(),
        };
        ImpactRun {
            since: "revision `main`".into(),
            changed: vec![ChangedType {
                name: "shop.Tax".into(),
                module: ".".into(),
                change: Change::Changed,
            }],
            impacted: Vec::new(),
            tests: vec![ImpactedType {
                name: "shop.BasketTests".into(),
                module: ".".into(),
                way: vec![
                    step(Link::Mentions, "shop.Basket"),
                    step(Link::Injects, "shop.Austria"),
                    step(Link::Inherits, "shop.Tax"),
                ],
            }],
            type_count: 7,
            edge_count: 1,
            test_count: 2,
            read_micros: 1500,
            analysis_micros: 40,
            ..ImpactRun::default()
        }
    }

    #[test]
    fn the_summary_says_what_changed_and_how_tests_get_there() {
        let text = anstream::adapter::strip_str(&impact(&run(), ImpactPart::Summary)).to_string();
        assert_eq!(
            text,
            "changed shop.Tax\n\
             shop.BasketTests  → shop.Basket → injected shop.Austria → inherits shop.Tax\n\
             jury since revision `main`: 1 of 7 types changed, 0 impacted, 1 of 2 test classes\n  \
             7 types, 1 edge read in 1.5 ms, analysed in 0.0 ms\n"
        );
    }

    #[test]
    fn a_closer_look_stands_beside_the_first_with_what_it_took() {
        let mut run = run();
        let mut test = run.tests[0].clone();
        test.way = vec![Step {
            link: Link::Calls,
            to: "shop.Tax.rate(int)".into(),
        }];
        run.methods = Some(MethodRun {
            changed: vec!["shop.Tax.rate(int)".into()],
            tests: vec![test],
            by_class: 1,
            method_count: 30,
            edge_count: 90,
            read_micros: 2500,
            analysis_micros: 300,
            ..MethodRun::default()
        });
        let text = anstream::adapter::strip_str(&impact(&run, ImpactPart::Summary)).to_string();
        assert_eq!(
            text,
            "changed shop.Tax.rate(int)\n\
             shop.BasketTests  → calls shop.Tax.rate(int)\n\
             jury since revision `main`: 1 of 7 types changed, 0 impacted, 1 of 2 test classes\n  \
             7 types, 1 edge read in 1.5 ms, analysed in 0.0 ms\n\
             by methods: 1 part changed, 0 of 30 methods impacted, 1 of 2 test classes, \
             1 of them judged by types\n  \
             30 methods, 90 edges read in 2.5 ms, analysed in 0.3 ms\n"
        );
    }

    #[test]
    fn a_long_way_keeps_its_beginning_and_its_end() {
        let mut one = run().tests.remove(0);
        let middle: Vec<Step> = (0..9)
            .map(|number| Step {
                link: Link::Mentions,
                to: format!("M{number}"),
            })
            .collect();
        one.way.splice(1..1, middle);
        assert_eq!(
            way(&one),
            "  → shop.Basket → M0 … → injected shop.Austria → inherits shop.Tax"
        );
    }
}

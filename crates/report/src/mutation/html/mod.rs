//! One self-contained page: packages, classes, sources with the verdicts in them. It asks nothing
//! of the network and can be read without scripts; scripts add the filters. Everything that comes
//! from the project is escaped.

mod java;
mod panel;
mod source;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use jury_explain::Explanation;
use jury_model::TestId;
use jury_mutate::{
    Classification, JudgedClass, JudgedMethod, MethodId, MethodResult, Metrics, MutationRun,
    Ranked, TriedMutant, Unreliability,
};

use self::panel::{badge, fold, panel};
use self::source::{Placed, annotated};
use super::markup::Escaped;
use super::{is_finding, percent, source_name, spoken, spoken_cause, spoken_method};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Findings listed at the top.
const FIRST_SHOWN: usize = 10;

pub fn html(run: &MutationRun) -> String {
    explained_html(run, &[])
}

/// The page, with what is known about why mutants went unnoticed.
pub fn explained_html(run: &MutationRun, explanations: &[Explanation]) -> String {
    let page = Page::new(run, explanations);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>Jury: what the tests check</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    page.head(&mut out);
    page.gate(&mut out);
    page.first_findings(&mut out);
    page.redundancy(&mut out);
    page.filters(&mut out);
    out.push_str("<main>\n");
    for (package, units) in page.packages() {
        page.package(&mut out, &package, &units);
    }
    out.push_str("</main>\n");
    page.foot(&mut out);
    let _ = write!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
    out
}

/// A package within its module.
type Package = (String, String);
/// A top-level class with its nested classes.
type Unit<'a> = Vec<&'a JudgedClass>;

struct Page<'a> {
    run: &'a MutationRun,
    findings: Vec<(Ranked, &'a JudgedClass, &'a JudgedMethod)>,
    /// The number in each method's anchor.
    anchors: HashMap<&'a MethodId, usize>,
    /// By mutant.
    explanations: HashMap<&'a str, &'a Explanation>,
    many_modules: bool,
}

impl<'a> Page<'a> {
    fn new(run: &'a MutationRun, explanations: &'a [Explanation]) -> Self {
        let ids = run.methods().map(|(_, method)| &method.facts.id);
        let first_module = run.classes.first().map(|class| &class.module);
        Page {
            run,
            findings: run.findings(),
            anchors: ids.zip(0..).collect(),
            explanations: explanations
                .iter()
                .map(|each| (each.subject.id.as_str(), each))
                .collect(),
            many_modules: run
                .classes
                .iter()
                .any(|class| Some(&class.module) != first_module),
        }
    }

    fn packages(&self) -> BTreeMap<Package, BTreeMap<&'a str, Unit<'a>>> {
        let mut packages: BTreeMap<Package, BTreeMap<&str, Unit<'_>>> = BTreeMap::new();
        for class in self
            .run
            .classes
            .iter()
            .filter(|class| !class.methods.is_empty())
        {
            let (package, name) = class.name.rsplit_once('/').unwrap_or(("", &class.name));
            let top_level = name.split('$').next().unwrap_or(name);
            packages
                .entry((class.module.clone(), source_name(package)))
                .or_default()
                .entry(top_level)
                .or_default()
                .push(class);
        }
        packages
    }

    fn head(&self, out: &mut String) {
        let metrics = self.run.metrics();
        out.push_str("<header>\n<h1>What the tests check</h1>\n<div class=\"tiles\">\n");
        let score = percent(metrics.extreme_score());
        let mut tile = |word: &str, figure: &str, label: &str| {
            let _ = writeln!(
                out,
                "<div class=\"tile {word}\"><strong>{figure}</strong>{label}</div>"
            );
        };
        tile("score", &score, "of mutants noticed");
        for (classification, count) in shares(&metrics) {
            let word = classification.word();
            tile(word, &count.to_string(), spoken(classification));
        }
        out.push_str("</div>\n");
        bar(out, &metrics);
        out.push_str("</header>\n");
    }

    fn gate(&self, out: &mut String) {
        let gate = &self.run.gate;
        match gate.passes() {
            Some(true) => out.push_str("<section class=\"gate\"><h2>✓ The gate is passed</h2>\n"),
            Some(false) => {
                out.push_str("<section class=\"gate shut\"><h2>✗ The gate is not passed</h2>\n");
            }
            None => out.push_str("<section class=\"gate\">\n"),
        }
        let breaches = gate
            .breaches
            .iter()
            .map(|breach| Escaped(&breach.to_string()).to_string());
        list(out, "Limits that do not hold", breaches.collect());
        let unaccepted = gate.unaccepted.iter().map(|id| {
            let method = self.link(&id.method);
            format!("{method} <code>{}</code>", Escaped(&id.operator))
        });
        list(out, "Not in the baseline", unaccepted.collect());
        let news = gate
            .comparison
            .iter()
            .flat_map(|comparison| &comparison.newly_undetected);
        let news = news.map(|new| {
            let method = self.link(&new.id.method);
            let (operator, cause) = (Escaped(&new.id.operator), spoken_cause(new.cause));
            format!("{method} <code>{operator}</code>: {cause}")
        });
        list(
            out,
            "Unnoticed since the last run that passed",
            news.collect(),
        );
        out.push_str("</section>\n");
    }

    fn first_findings(&self, out: &mut String) {
        let entries = self
            .findings
            .iter()
            .take(FIRST_SHOWN)
            .map(|(ranked, _, method)| {
                let reasons: Vec<String> = ranked.reasons.iter().map(ToString::to_string).collect();
                format!(
                    "{} {} <small>{}</small>",
                    badge(method.result.classification()),
                    self.link(&method.facts.id),
                    Escaped(&reasons.join(", ")),
                )
            });
        let entries: Vec<String> = entries.collect();
        if !entries.is_empty() {
            out.push_str("<section class=\"first\">\n");
            list(out, "Worth a look first", entries);
            out.push_str("</section>\n");
        }
    }

    /// Which tests are needed for all that is noticed, if all were asked.
    fn redundancy(&self, out: &mut String) {
        let Some(redundancy) = self.run.redundancy() else {
            return;
        };
        let labels = |tests: &[&TestId]| -> Vec<String> {
            let labels = tests.iter().map(|test| self.run.label(test));
            labels.map(|label| Escaped(label).to_string()).collect()
        };
        let _ = writeln!(
            out,
            "<section class=\"matrix\">\n<h2>Who notices what</h2>\n<p>{} of {} tests notice \
             something; {} of them are the only one to notice some mutant.</p>",
            redundancy.noticing.len(),
            redundancy.noticing.len() + redundancy.idle.len(),
            redundancy.sole.len(),
        );
        fold(
            out,
            "notice nothing that the others do not notice, too",
            &labels(&redundancy.dispensable),
        );
        fold(
            out,
            "run mutants and notice none",
            &labels(&redundancy.idle),
        );
        out.push_str("\n</section>\n");
    }

    fn filters(&self, out: &mut String) {
        out.push_str(
            "<form class=\"filters\" hidden>\n<input type=\"search\" id=\"search\" \
             placeholder=\"class, method, test or message\" aria-label=\"Search\">\n",
        );
        for classification in Classification::ALL {
            let of_this = |method: &&JudgedMethod| method.result.classification() == classification;
            let methods = self.run.methods().map(|(_, method)| method);
            let count = methods.filter(of_this).count();
            let checked = match classification {
                Classification::NotAnalysed => "",
                _ => " checked",
            };
            let _ = writeln!(
                out,
                "<label><input type=\"checkbox\" name=\"verdict\" value=\"{}\"{checked}>\
                 {} {count}</label>",
                classification.word(),
                badge(classification),
            );
        }
        out.push_str(
            "<label><input type=\"checkbox\" id=\"findings\"> only findings</label>\n\
             <button type=\"button\" id=\"unfold\">unfold all</button>\n\
             <button type=\"button\" id=\"fold\">fold all</button>\n\
             <output id=\"shown\"></output>\n</form>\n",
        );
    }

    fn package(
        &self,
        out: &mut String,
        (module, package): &Package,
        units: &BTreeMap<&str, Unit<'_>>,
    ) {
        let results = units.values().flatten().flat_map(|class| results(class));
        let metrics = Metrics::of(results);
        let name = match package.as_str() {
            "" => "(no package)",
            name => name,
        };
        let module = if self.many_modules {
            format!("<small>{}</small> ", Escaped(module))
        } else {
            String::new()
        };
        let _ = writeln!(
            out,
            "<details class=\"package\" open><summary><h2>{module}{}</h2>{}</summary>",
            Escaped(name),
            figures(&metrics)
        );
        for (name, classes) in units {
            self.unit(out, name, classes);
        }
        out.push_str("</details>\n");
    }

    fn unit(&self, out: &mut String, name: &str, classes: &[&JudgedClass]) {
        let metrics = Metrics::of(classes.iter().flat_map(|class| results(class)));
        let _ = writeln!(
            out,
            "<details class=\"unit\"><summary><h3>{}</h3>{}</summary>",
            Escaped(name),
            figures(&metrics)
        );
        let mut methods = Vec::new();
        for class in classes {
            let nested = class.name.split_once('$').map(|(_, nested)| nested);
            for method in &class.methods {
                methods.push(Placed {
                    method,
                    panel: self.panel(nested, method),
                });
            }
        }
        let source = classes.iter().find_map(|class| class.source.as_deref());
        match source {
            Some(source) => out.push_str(&annotated(source, &methods)),
            None => {
                out.push_str("<p>The source was not found.</p>\n");
                methods
                    .iter()
                    .for_each(|placed| out.push_str(&placed.panel));
            }
        }
        out.push_str("</details>\n");
    }

    fn panel(&self, nested: Option<&str>, method: &JudgedMethod) -> String {
        let id = &method.facts.id;
        let ranked = is_finding(method.result.classification())
            .then(|| {
                self.findings
                    .iter()
                    .find(|(ranked, _, _)| ranked.finding.method == *id)
            })
            .flatten()
            .map(|(ranked, _, _)| ranked);
        let anchor = self.anchors.get(id).copied().unwrap_or_default();
        panel(self, anchor, nested, method, ranked)
    }

    fn explanation(&self, mutant: &TriedMutant<'_>) -> Option<&'a Explanation> {
        let id = mutant.result.id.to_string();
        self.explanations.get(id.as_str()).copied()
    }

    fn link(&self, id: &MethodId) -> String {
        let name = spoken_method(id);
        match self.anchors.get(id) {
            Some(anchor) => format!("<a href=\"#m{anchor}\"><code>{}</code></a>", Escaped(&name)),
            None => format!("<code>{}</code>", Escaped(&name)),
        }
    }

    fn foot(&self, out: &mut String) {
        out.push_str("<footer>\n");
        let unreliable = self.run.unreliable.iter().map(|test| {
            let seen = match (test.cause, test.seen) {
                (Unreliability::KnownFlaky, _) => "found by jury flaky",
                (_, Some(outcome)) => &format!("now {outcome}"),
                (_, None) => "now not found",
            };
            format!(
                "<code>{}</code>: {} in the build, {seen}",
                Escaped(&test.label),
                test.recorded
            )
        });
        list(
            out,
            "Unreliable tests, kept out of all verdicts",
            unreliable.collect(),
        );
        let notices = self.run.notices.iter().map(|notice| {
            let hint = notice
                .hint
                .as_deref()
                .map_or(String::new(), |hint| format!(" ({hint})"));
            Escaped(&format!("{}{hint}", notice.message)).to_string()
        });
        list(out, "Notes", notices.collect());
        let _ = writeln!(
            out,
            "<p>Jury ran {} tests on {} worker JVMs: {} ms to see what they run, {} ms to try \
             mutants.</p>\n</footer>",
            self.run.tests, self.run.workers, self.run.cover_millis, self.run.trial_millis
        );
    }
}

fn results(class: &JudgedClass) -> impl Iterator<Item = &MethodResult> {
    class.methods.iter().map(|method| &method.result)
}

/// Methods by verdict; those that were not analysed are no share of anything.
fn shares(metrics: &Metrics) -> [(Classification, u64); 4] {
    [
        (Classification::Tested, metrics.tested),
        (Classification::PartiallyTested, metrics.partially_tested),
        (Classification::PseudoTested, metrics.pseudo_tested),
        (Classification::NotCovered, metrics.not_covered),
    ]
}

fn figures(metrics: &Metrics) -> String {
    let words: Vec<String> = shares(metrics)
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(classification, count)| format!("{count} {}", spoken(classification)))
        .collect();
    let mut out = format!("<span class=\"words\">{}</span>", words.join(" · "));
    bar(&mut out, metrics);
    let score = percent(metrics.extreme_score());
    let _ = write!(out, "<span class=\"score\">{score}</span>");
    out
}

fn bar(out: &mut String, metrics: &Metrics) {
    out.push_str("<span class=\"bar\" aria-hidden=\"true\">");
    for (classification, count) in shares(metrics) {
        if count > 0 {
            let word = classification.word();
            let _ = write!(out, "<i class=\"{word}\" style=\"flex:{count}\"></i>");
        }
    }
    out.push_str("</span>");
}

/// A titled list of markup; nothing at all if it is empty.
fn list(out: &mut String, title: &str, entries: Vec<String>) {
    if entries.is_empty() {
        return;
    }
    let _ = writeln!(out, "<h2>{title}</h2>\n<ul>");
    for entry in entries {
        let _ = writeln!(out, "<li>{entry}");
    }
    out.push_str("</ul>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::sample::{accepted, hostile, run, with_matrix};

    /// The page without what is the same on every page.
    fn body(run: &MutationRun) -> String {
        html(run).replace(STYLE, "…\n").replace(SCRIPT, "…\n")
    }

    #[test]
    fn the_page_shows_packages_classes_sources_and_verdicts() {
        insta::assert_snapshot!(body(&run()));
    }

    #[test]
    fn the_gate_is_shown_with_what_is_new() {
        let page = body(&accepted());
        for part in [
            "✗ The gate is not passed",
            "Not in the baseline",
            "<code>void</code>: tests noticed it before",
        ] {
            assert!(page.contains(part), "no `{part}` in {page}");
        }
    }

    #[test]
    fn with_a_matrix_everybody_who_notices_a_mutant_is_listed() {
        let page = body(&with_matrix());
        for part in [
            "2 of 2 tests notice something; 2 of them are the only one",
            "<summary>1 more notice it</summary><ul><li>shop.BasketTests#adds<div",
            "<summary>1 do not</summary><ul><li>shop.BasketTests#counts(int)[2]<",
            "<summary>1 left out</summary><ul><li>[engine:junit-jupiter]/[test:clock]: it does",
        ] {
            assert!(page.contains(part), "no `{part}` in {page}");
        }
    }

    #[test]
    fn hostile_names_stay_text() {
        let page = body(&hostile());
        assert_eq!(page.matches("<script").count(), 1, "{page}");
        assert!(
            page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"),
            "{page}"
        );
    }

    #[test]
    fn the_page_asks_nothing_of_the_network() {
        let page = html(&run());
        for part in ["http://", "https://", "src=", "url(", "@import", "fetch("] {
            assert!(!page.contains(part), "`{part}`");
        }
    }
}

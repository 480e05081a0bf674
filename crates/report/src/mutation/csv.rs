//! One line per mutant, for spreadsheets and scripts (RFC 4180).

use jury_mutate::MutationRun;

use super::{reason, source_name, source_path};

const HEADER: [&str; 13] = [
    "module",
    "class",
    "method",
    "descriptor",
    "file",
    "line",
    "classification",
    "operator",
    "description",
    "verdict",
    "noticed_by",
    "reason",
    "covering_tests",
];

pub fn csv(run: &MutationRun) -> String {
    let mut header = HEADER.map(str::to_owned).to_vec();
    if run.matrix {
        header.extend(["killing_tests".to_owned(), "surviving_tests".to_owned()]);
    }
    let mut out = row(&header);
    for (class, method) in run.methods() {
        let id = &method.facts.id;
        for mutant in method.tried() {
            let verdict = &mutant.result.verdict;
            let noticed_by = verdict.noticed_by().map_or("", |test| run.label(test));
            let mut cells = vec![
                class.module.clone(),
                source_name(&id.class),
                id.name.clone(),
                id.descriptor.clone(),
                source_path(class),
                mutant.line.map_or(String::new(), |line| line.to_string()),
                method.result.classification().word().to_owned(),
                mutant.result.id.operator.clone(),
                mutant.description.to_owned(),
                verdict.word().to_owned(),
                noticed_by.to_owned(),
                reason(verdict).unwrap_or_default(),
                mutant.result.covering.len().to_string(),
            ];
            if run.matrix {
                let answers = mutant.result.answers.as_ref();
                let count =
                    |count: Option<usize>| count.map_or(String::new(), |count| count.to_string());
                cells.push(count(answers.map(|answers| answers.killing.len())));
                cells.push(count(answers.map(|answers| answers.surviving.len())));
            }
            out.push_str(&row(&cells));
        }
    }
    out
}

fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    format!("{}\r\n", cells.join(","))
}

fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::sample::{run, with_matrix};

    #[test]
    fn every_mutant_has_its_line() {
        insta::assert_snapshot!(csv(&run()));
    }

    #[test]
    fn with_a_matrix_it_is_said_how_many_tests_notice_each() {
        let text = csv(&with_matrix());
        let ends: Vec<&str> = (text.lines())
            .map(|line| {
                line.rsplit_once("covering_tests,")
                    .map_or(line, |(_, end)| end)
            })
            .collect();
        assert_eq!(ends[0], "killing_tests,surviving_tests");
        assert!(ends[1].ends_with(",2,0,2"), "{text}");
        assert!(ends[2].ends_with(",2,,"), "{text}");
        assert!(ends[3].ends_with(",2,2,0"), "{text}");
    }

    #[test]
    fn separators_inside_a_cell_are_quoted() {
        assert_eq!(quoted("a,\"b\"\nc"), "\"a,\"\"b\"\"\nc\"");
        assert_eq!(quoted("plain"), "plain");
    }
}

//! What code hosts take to open an issue: the verdict as its title, the comment for a pull request
//! as its body. GitHub takes it as it is; GitLab calls the body `description`.

use jury_mutate::MutationRun;
use serde::Serialize;

use super::json_text;
use super::markdown::{headline, markdown};

pub fn issue_json(run: &MutationRun) -> String {
    let body = markdown(run);
    json_text(&Issue {
        title: format!("Jury: {}", headline(run, &run.metrics())),
        description: &body,
        body: &body,
        labels: ["tests"],
    })
}

#[derive(Serialize)]
struct Issue<'a> {
    title: String,
    body: &'a str,
    description: &'a str,
    labels: [&'static str; 1],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::sample::accepted;

    #[test]
    fn an_issue_has_the_verdict_as_its_title_and_the_findings_in_its_body() {
        let issue: serde_json::Value = serde_json::from_str(&issue_json(&accepted())).unwrap();
        assert_eq!(issue["title"], "Jury: the gate is not passed");
        let body = issue["body"].as_str().unwrap();
        assert_eq!(body, markdown(&accepted()));
        assert_eq!(issue["description"], body);
    }
}

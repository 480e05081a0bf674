//! A run with one explanation of each symptom.

use jury_explain::{
    Assertion, Closest, ExplainRun, Explanation, Exposure, Gaps, Infection, Subject, Symptom,
    Trigger, Unvaried,
};
use jury_model::Exit;

pub(crate) fn run() -> ExplainRun {
    let mut weak = explanation(Symptom::WeakOracle, "stamp", "body removed");
    weak.exposures = vec![Exposure {
        test: "shop.CardTest#stamps".into(),
        file: Some("src/test/java/shop/CardTest.java".into()),
        line: Some(12),
        columns: Some((9, 12)),
        expression: "card".into(),
        type_name: "shop.Card".into(),
        field: Some("count".into()),
        aspect: "value".into(),
        original: "1".into(),
        mutant: "0".into(),
        readers: vec!["shop.Card.getCount()".into()],
        assertion: Some(Assertion {
            text: "assertEquals(1, card.getCount());".into(),
            diff: "--- a/CardTest.java\n+++ b/CardTest.java\n@@ -12 +12,2 @@\n \
                   card.stamp();\n+assertEquals(1, card.getCount());\n"
                .into(),
        }),
    }];
    let mut lost = explanation(Symptom::NoPropagation, "isFull", "returns `true`");
    lost.infection = Some(Infection {
        test: "shop.CardTest#stamps".into(),
        call: 1,
        role: "result".into(),
        field: None,
        aspect: "value".into(),
        original: "false".into(),
        mutant: "true".into(),
        given: Vec::new(),
        differences: 1,
        differing_calls: 1,
        compared_calls: 4,
        stack: vec![
            "shop.Card.isFull:20".into(),
            "shop.CardTest.stamps:12".into(),
        ],
        trigger: Some(Trigger {
            file: "src/test/java/shop/CardTest.java".into(),
            line: 12,
            statement: "card.stamp();".into(),
        }),
        readers: Vec::new(),
    });
    lost.entry_points = vec!["shop.Card.isFull()".into()];
    let mut idle = explanation(Symptom::NoInfection, "equals", "returns `true`");
    idle.unvaried = vec![Unvaried {
        role: "argument 1".into(),
        field: None,
        aspect: "value".into(),
        value: "0".into(),
        variant: Some("1".into()),
    }];
    let mut unreached = explanation(Symptom::NotReached, "discard", "body removed");
    unreached.tests.clear();
    unreached.closest = None;
    unreached.entry_points = vec!["shop.Desk.close()".into()];
    ExplainRun {
        exit: Exit::Findings,
        explanations: vec![weak, lost, idle, unreached],
        notices: Vec::new(),
        applied: Vec::new(),
        runs: 10,
        explain_millis: 1200,
    }
}

fn explanation(symptom: Symptom, method: &str, description: &str) -> Explanation {
    Explanation {
        subject: Subject {
            id: format!("shop/Card#{method}()V#void"),
            class: "shop.Card".into(),
            method: method.into(),
            descriptor: "()V".into(),
            description: description.into(),
            operator: "void".into(),
            file: Some("src/main/java/shop/Card.java".into()),
            line: Some(7),
        },
        symptom,
        parameters: Vec::new(),
        tests: vec!["shop.CardTest#stamps".into()],
        infection: None,
        closest: Some(Closest {
            test: "shop.CardTest#stamps".into(),
            distance: 1,
        }),
        exposures: Vec::new(),
        unvaried: Vec::new(),
        entry_points: Vec::new(),
        gaps: Gaps::default(),
        caveats: Vec::new(),
        is_local: false,
        millis: 3,
    }
}

//! What all tests said to a mutant, as stored text. Equal failures, and there are many, are
//! written once.

use std::collections::HashMap;

use jury_model::Failure;
use serde::{Deserialize, Serialize};

use crate::memory::{LONGEST_MESSAGE, StoredAnswer};
use crate::record::cut;

#[derive(Serialize, Deserialize)]
struct Content {
    /// Exception and message.
    failures: Vec<(String, String)>,
    /// Place, word, and place among the failures.
    answers: Vec<(u32, String, Option<usize>)>,
}

pub fn write(answers: &[StoredAnswer]) -> String {
    let mut failures = Vec::new();
    let mut places = HashMap::new();
    let mut place = |failure: &Failure| {
        let message = cut(&failure.message, LONGEST_MESSAGE).to_owned();
        let failure = (failure.exception.clone(), message);
        *places.entry(failure.clone()).or_insert_with(|| {
            failures.push(failure);
            failures.len() - 1
        })
    };
    let answers = answers.iter().map(|answer| {
        let failure = answer.failure.as_ref().map(&mut place);
        (answer.place, answer.verdict.clone(), failure)
    });
    let answers = answers.collect();
    // ok: lists of texts and numbers can always be serialised.
    serde_json::to_string(&Content { failures, answers }).unwrap_or_default()
}

/// None for text that `write` cannot have written.
pub fn read(text: &str) -> Option<Vec<StoredAnswer>> {
    let Content { failures, answers } = serde_json::from_str(text).ok()?;
    let answers = answers.into_iter().map(|(place, verdict, failure)| {
        let failure = match failure {
            Some(number) => {
                let (exception, message) = failures.get(number)?.clone();
                Some(Failure {
                    exception,
                    message,
                    trace: String::new(),
                })
            }
            None => None,
        };
        Some(StoredAnswer {
            place,
            verdict,
            failure,
        })
    });
    answers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(place: u32, message: &str) -> StoredAnswer {
        StoredAnswer {
            place,
            verdict: "killed".into(),
            failure: Some(Failure {
                exception: "java.lang.AssertionError".into(),
                message: message.into(),
                trace: String::new(),
            }),
        }
    }

    #[test]
    fn answers_come_back_and_equal_failures_are_written_once() {
        let overran = StoredAnswer {
            place: 9,
            verdict: "timed-out".into(),
            failure: None,
        };
        let answers = [answer(0, "no"), answer(4, "no"), answer(7, "nay"), overran];
        let text = write(&answers);
        assert_eq!(read(&text).unwrap(), answers);
        assert_eq!(text.matches("AssertionError").count(), 2, "{text}");
    }

    #[test]
    fn other_text_is_no_list_of_answers() {
        for text in ["", "[]", "{\"failures\":[],\"answers\":[[0,\"killed\",0]]}"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}

//! Errors that are somebody's to mend: each carries its exit code and, where there is one, a hint.

use std::fmt;

use jury_model::{Exit, Notice};
use jury_workflows::WorkflowError;

/// An expected failure with its exit code.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    notice: Notice,
}

impl Failure {
    pub fn usage(message: impl Into<String>) -> Self {
        Self {
            exit: Exit::Usage,
            notice: Notice::new(message),
        }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.notice.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.notice.message)
    }
}

impl std::error::Error for Failure {}

/// Splits any error into what to say and how to exit.
pub fn explain(error: &anyhow::Error) -> (Exit, Notice) {
    if let Some(failure) = error.downcast_ref::<Failure>() {
        return (failure.exit, failure.notice.clone());
    }
    let chain: Vec<String> = error.chain().map(ToString::to_string).collect();
    let workflow = error.downcast_ref::<WorkflowError>();
    let hint = workflow.and_then(WorkflowError::hint);
    // Whatever fails outside our own logic is the environment: files, processes, the store.
    (
        workflow.map_or(Exit::Broken, WorkflowError::exit),
        Notice {
            message: chain.join(": "),
            hint,
        },
    )
}

//! What is to be done to one method's code.

use super::patch::PatchMark;
use super::{Patch, Prologue, Snippet};

/// Several rewritings may add to the same edit. All pcs are those of the original code.
#[derive(Debug, Default)]
pub struct CodeEdit {
    /// Run on entry; branches to the method's first instruction do not run it again.
    pub prologue: Prologue,
    /// Carried out in the method and in its copies.
    pub patch: Patch,
    /// Carried out in the method alone.
    pub own_patch: Patch,
    pub(super) on_throw: Option<Snippet>,
    pub(super) body: Option<Prologue>,
    pub(super) added: Vec<AddedMethod>,
}

/// A private method added to the class, with the parameters and the result of the one edited.
#[derive(Debug)]
pub(super) struct AddedMethod {
    pub name: u16,
    pub code: AddedCode,
}

#[derive(Debug)]
pub(super) enum AddedCode {
    Copy(Patch),
    Body(Prologue),
}

/// A state of an edit to return to.
#[derive(Debug)]
pub struct Mark {
    prologue: (usize, u16, usize),
    reports_returns: bool,
    patch: PatchMark,
    own_patch: PatchMark,
    on_throw: Option<usize>,
    has_body: bool,
    added: usize,
}

impl CodeEdit {
    pub(super) fn clear(&mut self) {
        self.prologue.clear();
        self.patch.clear();
        self.own_patch.clear();
        self.on_throw = None;
        self.body = None;
        self.added.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.prologue.snippet.is_empty()
            && self.patch.is_empty()
            && self.own_patch.is_empty()
            && self.on_throw.is_none()
            && self.body.is_none()
            && self.added.is_empty()
    }

    /// Code run for every exception that leaves the original code. It finds the exception on
    /// the stack, must leave it there to be thrown on, and sees no local variables.
    pub fn on_throw(&mut self) -> &mut Snippet {
        self.on_throw.get_or_insert_with(|| Snippet::with_depth(1))
    }

    /// Drops the original code and runs `body` instead, which must not complete normally. It
    /// overrides the other parts of the edit, added methods apart.
    pub fn replace_body(&mut self, body: Prologue) {
        self.body = Some(body);
    }

    /// Adds a copy of the original code as a method of its own, under a name from the pool. It has
    /// this edit's shared patch and then one of its own, and nothing else of the edit.
    pub fn add_copy(&mut self, name: u16, patch: Patch) {
        self.added.push(AddedMethod {
            name,
            code: AddedCode::Copy(patch),
        });
    }

    /// Adds a method with this body, which must not complete normally.
    pub fn add_method(&mut self, name: u16, body: Prologue) {
        self.added.push(AddedMethod {
            name,
            code: AddedCode::Body(body),
        });
    }

    pub fn mark(&self) -> Mark {
        let snippet = &self.prologue.snippet;
        Mark {
            prologue: (
                snippet.code.len(),
                snippet.max_depth,
                self.prologue.landings.len(),
            ),
            reports_returns: self.prologue.before_return.is_some(),
            patch: self.patch.mark(),
            own_patch: self.own_patch.mark(),
            on_throw: self.on_throw.as_ref().map(|snippet| snippet.code.len()),
            has_body: self.body.is_some(),
            added: self.added.len(),
        }
    }

    /// Takes back what was asked for since the mark.
    pub fn rewind(&mut self, mark: &Mark) {
        let (code, max_depth, landings) = mark.prologue;
        self.prologue.snippet.rewind(code, max_depth, 0);
        self.prologue.landings.truncate(landings);
        if !mark.reports_returns {
            self.prologue.before_return = None;
        }
        self.patch.rewind(&mark.patch);
        self.own_patch.rewind(&mark.own_patch);
        match (&mut self.on_throw, mark.on_throw) {
            (Some(snippet), Some(code)) => snippet.rewind(code, snippet.max_depth, 1),
            (on_throw, _) => *on_throw = None,
        }
        if !mark.has_body {
            self.body = None;
        }
        self.added.truncate(mark.added);
    }
}

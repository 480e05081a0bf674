//! What is to be done to one method's code.

use super::{Prologue, Snippet};
use crate::instruction::Instruction;
use crate::opcode::{INVOKESTATIC, NOP};

/// Several rewritings may add to the same edit. All pcs are those of the original code.
#[derive(Debug, Default)]
pub struct CodeEdit {
    /// Run on entry; branches to the method's first instruction do not run it again.
    pub prologue: Prologue,
    pub(super) insertions: Vec<Insertion>,
    pub(super) calls: Vec<ReplacedCall>,
    pub(super) on_throw: Option<Snippet>,
    pub(super) body: Option<Snippet>,
}

#[derive(Debug)]
pub(super) struct Insertion {
    pub pc: u16,
    /// Whether a branch to `pc` runs the snippet, too.
    pub place: Place,
    pub snippet: Snippet,
}

/// A state of an edit to return to.
#[derive(Debug)]
pub struct Mark {
    prologue: (usize, u16, usize),
    insertions: usize,
    calls: usize,
    on_throw: Option<usize>,
    has_body: bool,
}

/// At one pc, what follows the instruction before comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    AfterPrevious,
    Before,
}

#[derive(Debug)]
pub(super) struct ReplacedCall {
    pub pc: u16,
    /// `invokestatic`, padded with `nop` to the length of the call it replaces.
    bytes: [u8; 5],
    length: u8,
}

impl ReplacedCall {
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl CodeEdit {
    pub(super) fn clear(&mut self) {
        self.prologue.clear();
        self.insertions.clear();
        self.calls.clear();
        self.on_throw = None;
        self.body = None;
    }

    /// Brings insertions into the order in which they will lie in the code.
    pub(super) fn sort(&mut self) {
        self.insertions
            .sort_by_key(|insertion| (insertion.pc, insertion.place));
    }

    pub fn is_empty(&self) -> bool {
        self.prologue.snippet.is_empty()
            && self.insertions.is_empty()
            && self.calls.is_empty()
            && self.on_throw.is_none()
            && self.body.is_none()
    }

    /// Runs `snippet` whenever the instruction is about to run, however it is reached.
    pub fn insert_before(&mut self, instruction: &Instruction<'_>, snippet: Snippet) {
        self.insertions.push(Insertion {
            pc: instruction.pc,
            place: Place::Before,
            snippet,
        });
    }

    /// Runs `snippet` when the instruction has completed and the next one follows.
    pub fn insert_after(&mut self, instruction: &Instruction<'_>, snippet: Snippet) {
        let pc = instruction.pc + instruction.length;
        self.insertions.push(Insertion {
            pc,
            place: Place::AfterPrevious,
            snippet,
        });
    }

    /// Calls the static `method` (a pool index) in place of another call; a receiver becomes
    /// its first argument. Nothing moves.
    pub fn replace_call(&mut self, call: &Instruction<'_>, method: u16) {
        let [high, low] = method.to_be_bytes();
        self.calls.push(ReplacedCall {
            pc: call.pc,
            bytes: [INVOKESTATIC, high, low, NOP, NOP],
            length: call.length as u8,
        });
    }

    /// Code run for every exception that leaves the original code. It finds the exception on
    /// the stack, must leave it there to be thrown on, and sees no local variables.
    pub fn on_throw(&mut self) -> &mut Snippet {
        self.on_throw.get_or_insert_with(|| Snippet::with_depth(1))
    }

    /// Drops the original code and runs `body` instead, which must not complete normally. It
    /// overrides every other part of the edit.
    pub fn replace_body(&mut self, body: Snippet) {
        self.body = Some(body);
    }

    pub fn mark(&self) -> Mark {
        let snippet = &self.prologue.snippet;
        Mark {
            prologue: (
                snippet.code.len(),
                snippet.max_depth,
                self.prologue.landings.len(),
            ),
            insertions: self.insertions.len(),
            calls: self.calls.len(),
            on_throw: self.on_throw.as_ref().map(|snippet| snippet.code.len()),
            has_body: self.body.is_some(),
        }
    }

    /// Takes back what was asked for since the mark.
    pub fn rewind(&mut self, mark: &Mark) {
        let (code, max_depth, landings) = mark.prologue;
        self.prologue.snippet.rewind(code, max_depth, 0);
        self.prologue.landings.truncate(landings);
        self.insertions.truncate(mark.insertions);
        self.calls.truncate(mark.calls);
        match (&mut self.on_throw, mark.on_throw) {
            (Some(snippet), Some(code)) => snippet.rewind(code, snippet.max_depth, 1),
            (on_throw, _) => *on_throw = None,
        }
        if !mark.has_body {
            self.body = None;
        }
    }
}

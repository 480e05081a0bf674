//! Marks a number at the entry of every method.
//!
//! Inserted: `if (marks[number] == 0) marks[number] = 1`, without a call: calls, even rare ones, cost
//! compilers most of what they know about a program, and interpreters the most of all. Static
//! initialisers, and other methods that leave something in fields for those who come later, can be
//! bracketed by two calls, so that what runs because of them is known for all who use their class
//! later. Numbers are dense: a class is given a run of them, one per entry of its method table, so that
//! a number leads back to its method by subtraction.

use jury_classfile::splice::{CodeEdit, FieldRef, MethodRef, PoolExtension};

use super::bracket::bracket;
use super::{ClassInHand, Classes, Kind, MethodInHand, MethodRewriter};
use crate::rewrite::SkipReason;
use crate::scope::Scope;

/// Reserves numbers for a class of this name with this many methods (abstract ones included)
/// and returns the first; none leaves the class alone.
pub type Numbering = dyn Fn(&str, u16) -> Option<u32> + Send + Sync;

/// Probes every method with code of the classes in scope.
pub struct EntryProbe {
    scope: Scope,
    helper_class: String,
    /// A static array of shorts in the helper class.
    marks: String,
    initialisers: Option<Brackets>,
    stores: Option<Brackets>,
    numbering: Box<Numbering>,
}

/// Helper methods around others.
struct Brackets {
    begin: String,
    end: String,
}

impl EntryProbe {
    /// `marks` is a static field of the helper class, which is named in VM form: an array of shorts
    /// with room for every number.
    pub fn new(
        scope: Scope,
        helper_class: impl Into<String>,
        marks: impl Into<String>,
        numbering: impl Fn(&str, u16) -> Option<u32> + Send + Sync + 'static,
    ) -> Self {
        EntryProbe {
            scope,
            helper_class: helper_class.into(),
            marks: marks.into(),
            initialisers: None,
            stores: None,
            numbering: Box::new(numbering),
        }
    }

    /// Calls `begin(number)` before anything else in a static initialiser and `end(number)`
    /// however it ends. Both are static methods of the helper class that take an int.
    pub fn bracketing_initialisers(
        mut self,
        begin: impl Into<String>,
        end: impl Into<String>,
    ) -> Self {
        self.initialisers = Some(Brackets {
            begin: begin.into(),
            end: end.into(),
        });
        self
    }

    /// Does the same around other methods that may leave something in a static field, or fill a field
    /// of an object once for all who come later, constructors excepted.
    pub fn bracketing_stores(mut self, begin: impl Into<String>, end: impl Into<String>) -> Self {
        self.stores = Some(Brackets {
            begin: begin.into(),
            end: end.into(),
        });
        self
    }

    fn call<'p>(&'p self, method: &'p str) -> MethodRef<'p> {
        MethodRef {
            class: &self.helper_class,
            name: method,
            descriptor: "(I)V",
        }
    }
}

impl Kind for EntryProbe {
    fn classes(&self) -> Classes<'_> {
        Classes::Within(&self.scope)
    }

    fn open<'p>(&'p self, class: &ClassInHand<'_, '_>) -> Option<Box<dyn MethodRewriter<'p> + 'p>> {
        if !self.scope.contains(class.name) {
            return None;
        }
        let first = (self.numbering)(class.name, class.file.methods.len() as u16)?;
        // What is malformed is skipped by whoever reads the code.
        let stores = class.file.stores().unwrap_or_default().into_iter();
        let leaves_something = stores.map(|one| !one.statics.is_empty() || !one.memos.is_empty());
        Some(Box::new(NumberedClass {
            probe: self,
            first,
            leaves_something: leaves_something.collect(),
        }))
    }
}

struct NumberedClass<'p> {
    probe: &'p EntryProbe,
    first: u32,
    /// Of each method in the order of the class file.
    leaves_something: Vec<bool>,
}

impl<'p> MethodRewriter<'p> for NumberedClass<'p> {
    fn rewrite(
        &mut self,
        method: &MethodInHand<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        // Java has no unsigned int: the helper sees numbers from 2^31 on as negative.
        let number = self.first.wrapping_add(method.index.into()) as i32;
        if let Some(brackets) = self.brackets(method) {
            let begin = self.probe.call(&brackets.begin);
            let end = self.probe.call(&brackets.end);
            bracket(method, number, begin, end, edit, pool)?;
        }
        self.mark(number, edit, pool)
    }
}

impl<'p> NumberedClass<'p> {
    fn brackets(&self, method: &MethodInHand<'_, '_>) -> Option<&'p Brackets> {
        if method.name == "<clinit>" {
            return self.probe.initialisers.as_ref();
        }
        let leaves_something = self.leaves_something.get(usize::from(method.index));
        let brackets = self.probe.stores.as_ref();
        brackets.filter(|_| !method.is_constructor() && leaves_something == Some(&true))
    }

    /// Inserts `if (marks[number] == 0) marks[number] = 1`.
    fn mark(
        &self,
        number: i32,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason> {
        let marks = FieldRef {
            class: &self.probe.helper_class,
            name: &self.probe.marks,
            descriptor: "[S",
        };
        let prologue = &mut edit.prologue;
        prologue.code().get_static(marks, pool)?;
        prologue.code().push_int(number, pool)?;
        prologue.code().load_short();
        let marked = prologue.branch_if_not_zero();
        prologue.code().get_static(marks, pool)?;
        prologue.code().push_int(number, pool)?;
        prologue.code().push_int(1, pool)?;
        prologue.code().store_short();
        prologue.land(marked)?;
        Ok(())
    }
}

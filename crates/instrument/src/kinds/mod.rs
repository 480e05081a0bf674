//! The kinds of rewriting, one file each. This is their register: a kind exists if it is
//! listed here.

mod argument_hook;
mod entry_probe;

use jury_classfile::splice::{CodeEdit, PoolExtension, SkipReason};
use jury_classfile::{ClassFile, JavaStr, Member, MethodDescriptor};

use crate::scope::Scope;

pub use argument_hook::ArgumentHook;
pub use entry_probe::{EntryProbe, Numbering};

/// A rewriting as the plan holds it, for all classes.
pub(crate) trait Kind: Send + Sync {
    fn classes(&self) -> Classes<'_>;

    /// Prepares for one class; none if there is nothing to do in it.
    fn open<'p>(&'p self, class: &ClassInHand<'_, '_>) -> Option<Box<dyn MethodRewriter<'p> + 'p>>;
}

/// A rewriting made ready for one class. It sees the methods with code, in order.
pub(crate) trait MethodRewriter<'p> {
    fn rewrite(
        &mut self,
        method: &MethodInHand<'_, '_>,
        edit: &mut CodeEdit,
        pool: &mut PoolExtension<'p>,
    ) -> Result<(), SkipReason>;
}

/// The classes a kind is for.
pub(crate) enum Classes<'k> {
    Named(Vec<&'k str>),
    Within(&'k Scope),
}

pub(crate) struct ClassInHand<'c, 'a> {
    pub file: &'c ClassFile<'a>,
    pub name: &'c str,
}

pub(crate) struct MethodInHand<'m, 'a> {
    /// The method's place in the class file's table.
    pub index: u16,
    pub member: &'m Member<'a>,
    pub name: JavaStr<'a>,
    pub descriptor: MethodDescriptor<'a>,
}

impl MethodInHand<'_, '_> {
    pub fn is_constructor(&self) -> bool {
        self.name == "<init>"
    }
}

//! The kinds of rewriting, one file each. This is their register: a kind exists if it is
//! listed here.

mod argument_hook;
mod bracket;
mod call_site;
mod call_watch;
mod chosen_methods;
mod entry_probe;
mod exit_hook;
mod gate;
mod observation;
mod point_switch;
mod recall;
mod switch;
mod value_watch;
mod work_probe;

use jury_classfile::splice::{CodeEdit, PoolExtension};
use jury_classfile::{ClassFile, Code, JavaStr, Malformed, Member, MethodDescriptor};

use crate::rewrite::SkipReason;
use crate::scope::Scope;

pub use argument_hook::ArgumentHook;
pub use call_site::{Call, CallSite};
pub use call_watch::CallWatch;
pub use entry_probe::{EntryProbe, Numbering};
pub use exit_hook::ExitHook;
pub use gate::Gate;
pub use point_switch::{Change, Point, PointSwitch, PointedMethod};
pub use recall::Recall;
pub use switch::{Body, Switch};
pub use value_watch::ValueWatch;
pub use work_probe::WorkProbe;

/// A rewriting as the plan holds it, for all classes.
pub(crate) trait Kind: Send + Sync {
    fn classes(&self) -> Classes<'_>;

    /// Whether a method does the same without it, but for what is seen of it.
    fn only_looks(&self) -> bool {
        false
    }

    /// Prepares for one class; none if there is nothing to do in it.
    fn open<'p>(&'p self, class: &ClassInHand<'_, '_>) -> Option<Box<dyn MethodRewriter<'p> + 'p>>;
}

/// A rewriting of methods of a single class, which needs no preparation.
pub(crate) trait InOneClass: Send + Sync {
    /// In VM form.
    fn class(&self) -> &'static str;
}

impl<K: InOneClass> Kind for K
where
    for<'p> &'p K: MethodRewriter<'p>,
{
    fn classes(&self) -> Classes<'_> {
        Classes::Named(vec![self.class()])
    }

    fn open<'p>(&'p self, class: &ClassInHand<'_, '_>) -> Option<Box<dyn MethodRewriter<'p> + 'p>> {
        (class.name == self.class()).then(|| Box::new(self) as _)
    }
}

/// A rewriting made ready for one class. It sees the methods with code, in order. What it asked
/// for before it failed is taken back.
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
    pub file: &'m ClassFile<'a>,
    /// The method's place in the class file's table.
    pub index: u16,
    pub member: &'m Member<'a>,
    pub name: JavaStr<'a>,
    pub descriptor: MethodDescriptor<'a>,
    /// How much of it there is room to watch.
    pub watched: Extent,
}

/// How much of a method is watched by kinds that only look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    All,
    /// What calls give: the rest is made of it.
    Calls,
    Nothing,
}

impl Extent {
    pub fn less(self) -> Option<Self> {
        match self {
            Extent::All => Some(Extent::Calls),
            Extent::Calls => Some(Extent::Nothing),
            Extent::Nothing => None,
        }
    }
}

impl<'a> MethodInHand<'_, 'a> {
    /// Only methods with code are offered, so it is there.
    pub fn code(&self) -> Result<Code<'a>, Malformed> {
        self.member
            .code(&self.file.pool)?
            .ok_or(Malformed::Truncated("Code"))
    }

    pub fn is_constructor(&self) -> bool {
        self.name == "<init>"
    }
}

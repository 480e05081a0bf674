//! Carrying out a plan on one class.

use std::collections::BTreeMap;

use jury_classfile::splice::{self, CodeEdit, PoolExtension, Spliced, splice_methods};
use jury_classfile::{ClassFile, Malformed, MethodDescriptor};
use thiserror::Error;

use crate::Plan;
use crate::kinds::{ClassInHand, Extent, MethodInHand, MethodRewriter};

/// What became of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rewritten {
    /// The plan asked for nothing here, or for nothing that could be done.
    Unchanged { skipped: Vec<SkippedMethod> },
    Changed {
        bytes: Vec<u8>,
        skipped: Vec<SkippedMethod>,
    },
}

impl Rewritten {
    /// Methods for which something the plan asked for could not be done.
    pub fn skipped(&self) -> &[SkippedMethod] {
        match self {
            Rewritten::Unchanged { skipped } | Rewritten::Changed { skipped, .. } => skipped,
        }
    }
}

/// A method for which a rewriting was left out, and why. Others may still have been made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedMethod {
    pub name: String,
    pub descriptor: String,
    pub reason: SkipReason,
}

/// Why a rewriting was left out.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SkipReason {
    #[error("a constructor cannot be left before it has initialized `this`")]
    Constructor,
    #[error("the body does not return what the method promises")]
    BodyMismatch,
    #[error("the change does not suit the instruction")]
    ChangeMismatch,
    #[error("the method is too long to be copied for each of its points")]
    TooManyCopies,
    #[error("the class that was loaded is not the one that was analysed")]
    OtherClass,
    #[error("{0}; only what calls give is")]
    WatchedInPart(splice::SkipReason),
    #[error(transparent)]
    Unwatched(splice::SkipReason),
    #[error(transparent)]
    Splice(#[from] splice::SkipReason),
    #[error(transparent)]
    Malformed(#[from] Malformed),
}

/// The bytes are no class file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("failed to read class file: {0}")]
pub struct RewriteError(#[from] pub Malformed);

/// Rewrites one class as the plan asks. Where a method has no room for all of it, less of it is
/// watched, or nothing: what switches and counts must not be lost to what only looks.
pub fn rewrite(bytes: &[u8], plan: &Plan) -> Result<Rewritten, RewriteError> {
    let file = ClassFile::read(bytes)?;
    let name = file.name()?.to_str();
    let class = ClassInHand {
        file: &file,
        name: &name,
    };
    let watched = plan
        .kinds()
        .any(|kind| kind.only_looks() && kind.open(&class).is_some());
    let mut limits: Limits = BTreeMap::new();
    loop {
        let (bytes, mut skips, refused) = attempt(&class, plan, &limits);
        let lowered = watched && lower(&mut limits, &refused);
        if lowered {
            continue;
        }
        for (index, (extent, reason)) in limits {
            // What does not fit even so is told below.
            if refused.iter().all(|(other, _)| *other != index) {
                let reason = match extent {
                    Extent::Nothing => SkipReason::Unwatched(reason),
                    _ => SkipReason::WatchedInPart(reason),
                };
                skips.push((index, reason));
            }
        }
        let refused = refused.into_iter();
        skips.extend(refused.map(|(index, reason)| (index, reason.into())));
        let skipped = skips
            .into_iter()
            .map(|(index, reason)| named(&file, index, reason))
            .collect();
        return Ok(match bytes {
            Some(bytes) => Rewritten::Changed { bytes, skipped },
            None => Rewritten::Unchanged { skipped },
        });
    }
}

/// Methods of which less is watched than was asked for, with how much still is, and why not more.
type Limits = BTreeMap<u16, (Extent, splice::SkipReason)>;

type Skips<R> = Vec<(u16, R)>;

/// Has less watched in methods that were refused. False if that can no longer help.
fn lower(limits: &mut Limits, refused: &[(u16, splice::SkipReason)]) -> bool {
    let mut lowered = false;
    for (index, reason) in refused {
        let known = limits.get(index).map(|(extent, _)| *extent);
        if let Some(less) = known.unwrap_or(Extent::All).less() {
            let limit = limits.entry(*index);
            limit.or_insert((less, reason.clone())).0 = less;
            lowered = true;
        }
    }
    lowered
}

/// The new class, rewritings that failed, and methods that were refused as a whole.
fn attempt(
    class: &ClassInHand<'_, '_>,
    plan: &Plan,
    limits: &Limits,
) -> (
    Option<Vec<u8>>,
    Skips<SkipReason>,
    Skips<splice::SkipReason>,
) {
    let file = class.file;
    let mut rewriters: Vec<_> = plan.kinds().filter_map(|kind| kind.open(class)).collect();
    let mut skips = Vec::new();
    if rewriters.is_empty() {
        return (None, skips, Vec::new());
    }
    let Spliced { bytes, skipped } = splice_methods(file, |index, member, edit, pool| {
        let method = (|| {
            Ok(MethodInHand {
                file,
                index,
                member,
                name: member.name(&file.pool)?,
                descriptor: MethodDescriptor::read(member.descriptor(&file.pool)?)?,
                watched: limits
                    .get(&index)
                    .map_or(Extent::All, |(extent, _)| *extent),
            })
        })();
        match method {
            Ok(method) => {
                let skipped = apply(&mut rewriters, &method, edit, pool);
                skips.extend(skipped.map(|reason| (index, reason)));
            }
            Err(malformed) => skips.push((index, SkipReason::Malformed(malformed))),
        }
    });
    (bytes, skips, skipped)
}

/// Lets each rewriter in turn add to the edit; one that fails leaves no trace but its reason.
fn apply<'p>(
    rewriters: &mut [Box<dyn MethodRewriter<'p> + 'p>],
    method: &MethodInHand<'_, '_>,
    edit: &mut CodeEdit,
    pool: &mut PoolExtension<'p>,
) -> impl Iterator<Item = SkipReason> {
    rewriters.iter_mut().filter_map(move |rewriter| {
        let mark = edit.mark();
        let failed = rewriter.rewrite(method, edit, pool).err();
        if failed.is_some() {
            edit.rewind(&mark);
        }
        failed
    })
}

fn named(file: &ClassFile<'_>, index: u16, reason: SkipReason) -> SkippedMethod {
    let member = &file.methods[usize::from(index)];
    let text = |index| match file.pool.utf8(index) {
        Ok(text) => text.to_str().into_owned(),
        Err(_) => format!("#{index}"),
    };
    SkippedMethod {
        name: text(member.name_index),
        descriptor: text(member.descriptor_index),
        reason,
    }
}

//! Carrying out a plan on one class.

use jury_classfile::splice::{SkippedMethod, Spliced, splice_methods};
use jury_classfile::{ClassFile, Malformed, MethodDescriptor};
use thiserror::Error;

use crate::Plan;
use crate::kinds::{ClassInHand, MethodInHand};

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
    /// Methods the plan asked for that had to stay as they were.
    pub fn skipped(&self) -> &[SkippedMethod] {
        match self {
            Rewritten::Unchanged { skipped } | Rewritten::Changed { skipped, .. } => skipped,
        }
    }
}

/// The bytes are no class file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("failed to read class file: {0}")]
pub struct RewriteError(#[from] pub Malformed);

/// Rewrites one class as the plan asks.
pub fn rewrite(bytes: &[u8], plan: &Plan) -> Result<Rewritten, RewriteError> {
    let file = ClassFile::read(bytes)?;
    let name = file.name()?.to_str();
    let class = ClassInHand {
        file: &file,
        name: &name,
    };
    let mut rewriters: Vec<_> = plan.kinds().filter_map(|kind| kind.open(&class)).collect();
    if rewriters.is_empty() {
        return Ok(Rewritten::Unchanged {
            skipped: Vec::new(),
        });
    }
    let Spliced { bytes, skipped } = splice_methods(&file, |index, member, edit, pool| {
        let method = MethodInHand {
            index,
            member,
            name: member.name(&file.pool)?,
            descriptor: MethodDescriptor::read(member.descriptor(&file.pool)?)?,
        };
        rewriters
            .iter_mut()
            .try_for_each(|rewriter| rewriter.rewrite(&method, edit, pool))
    });
    Ok(match bytes {
        Some(bytes) => Rewritten::Changed { bytes, skipped },
        None => Rewritten::Unchanged { skipped },
    })
}

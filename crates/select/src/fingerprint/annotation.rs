//! Annotations that the program can see at run time (JVMS §4.7.16–22).
//!
//! Java gives no meaning to the order of annotations on a declaration, nor to that of the
//! elements within one; both are hashed as sets. Arrays keep their order.

use super::constant::Constants;
use super::reader::Reader;
use super::{Opaque, Result};
use crate::hash::{Digest, Hash128};

/// No compiler nests annotations nearly so deep; hostile input would, to exhaust our stack.
const MAX_NESTING: u8 = 64;

/// A `u2 count` and that many annotations.
pub(super) fn add_annotations(
    reader: &mut Reader<'_>,
    constants: &mut Constants<'_, '_>,
    digest: &mut Digest,
) -> Result<()> {
    let annotations = (0..reader.u2()?).map(|_| annotation(reader, constants, 0));
    digest.unordered(annotations.collect::<Result<_>>()?);
    Ok(())
}

/// Annotations of each parameter, in the parameters' order.
pub(super) fn add_parameter_annotations(
    reader: &mut Reader<'_>,
    constants: &mut Constants<'_, '_>,
    digest: &mut Digest,
) -> Result<()> {
    let parameters = reader.u1()?;
    digest.byte(parameters);
    (0..parameters).try_for_each(|_| add_annotations(reader, constants, digest))
}

/// Annotations on the types that a declaration mentions.
pub(super) fn add_type_annotations(
    reader: &mut Reader<'_>,
    constants: &mut Constants<'_, '_>,
    digest: &mut Digest,
) -> Result<()> {
    let annotations = (0..reader.u2()?).map(|_| {
        let mut digest = Digest::new("type annotation");
        let target = reader.u1()?;
        digest.byte(target);
        digest.bytes(reader.take(target_length(target)?)?);
        let steps = usize::from(reader.u1()?);
        digest.bytes(reader.take(2 * steps)?);
        digest.hash(annotation(reader, constants, 0)?);
        Ok(digest.finish())
    });
    digest.unordered(annotations.collect::<Result<_>>()?);
    Ok(())
}

/// How many bytes say which type is meant (JVMS table 4.7.20-A), for targets that can stand on
/// a declaration; the others stand in code, where reflection does not look.
fn target_length(target: u8) -> Result<usize> {
    match target {
        0x00 | 0x01 | 0x16 => Ok(1),
        0x10..=0x12 | 0x17 => Ok(2),
        0x13..=0x15 => Ok(0),
        _ => Err(Opaque),
    }
}

fn annotation(
    reader: &mut Reader<'_>,
    constants: &mut Constants<'_, '_>,
    depth: u8,
) -> Result<Hash128> {
    let mut digest = Digest::new("annotation");
    constants.add(reader.u2()?, &mut digest)?;
    let elements = (0..reader.u2()?).map(|_| {
        let mut digest = Digest::new("element");
        constants.add(reader.u2()?, &mut digest)?;
        add_value(reader, constants, depth, &mut digest)?;
        Ok(digest.finish())
    });
    let elements = elements.collect::<Result<_>>()?;
    digest.unordered(elements);
    Ok(digest.finish())
}

/// The default of an annotation's element.
pub(super) fn add_default(
    reader: &mut Reader<'_>,
    constants: &mut Constants<'_, '_>,
    digest: &mut Digest,
) -> Result<()> {
    add_value(reader, constants, 0, digest)
}

fn add_value(
    reader: &mut Reader<'_>,
    constants: &mut Constants<'_, '_>,
    depth: u8,
    digest: &mut Digest,
) -> Result<()> {
    if depth == MAX_NESTING {
        return Err(Opaque);
    }
    let tag = reader.u1()?;
    digest.byte(tag);
    match tag {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => {
            constants.add(reader.u2()?, digest)
        }
        b'e' => {
            constants.add(reader.u2()?, digest)?;
            constants.add(reader.u2()?, digest)
        }
        b'@' => {
            digest.hash(annotation(reader, constants, depth + 1)?);
            Ok(())
        }
        b'[' => {
            let count = reader.u2()?;
            digest.number(count.into());
            (0..count).try_for_each(|_| add_value(reader, constants, depth + 1, digest))
        }
        _ => Err(Opaque),
    }
}

//! Moving the tables that speak of code: lines, local variables, type annotations.

use super::SkipReason;
use super::code::put_u2;
use super::relocation::Relocation;
use crate::annotation;
use crate::cursor::{Cursor, u2};
use crate::error::Malformed;

/// Code inserted before an instruction belongs to that instruction's line, a prologue to the
/// first line, so that stack traces through it stay meaningful.
pub(super) fn line_numbers(
    bytes: &[u8],
    relocation: &Relocation,
    out: &mut Vec<u8>,
) -> Result<(), SkipReason> {
    let rows = Cursor::new(bytes, "LineNumberTable").table(4)?;
    out.extend_from_slice(&bytes[..2]);
    for row in rows.chunks_exact(4) {
        put_u2(out, relocation.start(u2(row, 0))?);
        out.extend_from_slice(&row[2..]);
    }
    Ok(())
}

pub(super) fn local_variables(
    bytes: &[u8],
    relocation: &Relocation,
    out: &mut Vec<u8>,
) -> Result<(), SkipReason> {
    let rows = Cursor::new(bytes, "LocalVariableTable").table(10)?;
    out.extend_from_slice(&bytes[..2]);
    for row in rows.chunks_exact(10) {
        stretch(row, relocation, out)?;
        out.extend_from_slice(&row[4..]);
    }
    Ok(())
}

/// A start and a length.
fn stretch(bytes: &[u8], relocation: &Relocation, out: &mut Vec<u8>) -> Result<(), SkipReason> {
    let (start, length) = (u2(bytes, 0), u2(bytes, 2));
    let end = start.checked_add(length).ok_or(SkipReason::CodeTooLong)?;
    let new_start = relocation.start(start)?;
    let new_length = relocation.start(end)?.checked_sub(new_start);
    put_u2(out, new_start);
    // Only a stretch that ends inside a switch instruction could come out backwards.
    put_u2(out, new_length.ok_or(Malformed::BranchTarget(end.into()))?);
    Ok(())
}

/// Targets inside code (JVMS table 4.7.20-B): variables' stretches and instructions' offsets.
/// Exception table indices stay, since rows are only added at the end.
pub(super) fn type_annotations(
    bytes: &[u8],
    relocation: &Relocation,
    out: &mut Vec<u8>,
) -> Result<(), SkipReason> {
    let mut cursor = Cursor::new(bytes, "type annotations");
    let count = cursor.u2()?;
    put_u2(out, count);
    let mut copied = cursor.at();
    for _ in 0..count {
        let target = cursor.u1()?;
        match target {
            annotation::LOCAL_VARIABLE | annotation::RESOURCE_VARIABLE => {
                let rows = cursor.table(6)?;
                out.extend_from_slice(&bytes[copied..cursor.at() - rows.len()]);
                for row in rows.chunks_exact(6) {
                    stretch(row, relocation, out)?;
                    out.extend_from_slice(&row[4..]);
                }
                copied = cursor.at();
            }
            annotation::INSTANCEOF..=annotation::METHOD_REFERENCE_ARGUMENT => {
                out.extend_from_slice(&bytes[copied..cursor.at()]);
                put_u2(out, relocation.instruction(cursor.u2()?)?);
                copied = cursor.at();
                if target >= annotation::CAST {
                    cursor.u1()?;
                }
            }
            annotation::CATCH => drop(cursor.u2()?),
            value => {
                let what = "type annotation target in code";
                return Err(Malformed::Unknown { what, value }.into());
            }
        }
        annotation::skip_path(&mut cursor)?;
        annotation::skip(&mut cursor)?;
    }
    out.extend_from_slice(&bytes[copied..]);
    Ok(())
}

//! Writing one edited Code attribute.

use std::borrow::Cow;

use super::edit::AddedCode;
use super::patch::Insertion;
use super::relocation::Relocation;
use super::{CodeEdit, Patch, PoolExtension, Prologue, SkipReason, Snippet, tables};
use crate::attribute::Attribute;
use crate::class::ClassFile;
use crate::code::Code;
use crate::cursor::{i4, u2};
use crate::error::Malformed;
use crate::instruction::{instruction_length, switch_padding};
use crate::opcode::*;
use crate::stack_map::{Frame, FrameChange, FrameWriter, Frames};

/// Classes from Java 6 on are verified by their stack maps (JVMS §4.10.1).
const FIRST_VERSION_WITH_FRAMES: u16 = 50;

/// Appends the attribute with `edit` carried out. On an error `out` holds a torso, which the
/// caller cuts off.
pub(super) fn write(
    class: &ClassFile<'_>,
    attribute: Attribute<'_>,
    edit: &CodeEdit,
    pool: &mut PoolExtension<'_>,
    out: &mut Vec<u8>,
) -> Result<(), SkipReason> {
    let code = Code::read(attribute)?;
    put_u2(out, attribute.name_index);
    with_length(out, |out| match &edit.body {
        Some(body) => write_body(class, code.max_locals, body, pool, out),
        None => {
            let on_throw = edit.on_throw.as_ref();
            let patches = [&edit.patch, &edit.own_patch];
            Splice::new(class, &code, &edit.prologue, &patches, on_throw)?.write(pool, out)
        }
    })
}

/// Appends the code of a method that the edit adds, likewise.
pub(super) fn write_added(
    class: &ClassFile<'_>,
    attribute: Attribute<'_>,
    edit: &CodeEdit,
    added: &AddedCode,
    pool: &mut PoolExtension<'_>,
    out: &mut Vec<u8>,
) -> Result<(), SkipReason> {
    let code = Code::read(attribute)?;
    put_u2(out, attribute.name_index);
    with_length(out, |out| match added {
        AddedCode::Body(body) => write_body(class, code.max_locals, body, pool, out),
        AddedCode::Copy(patch) => {
            let nothing = Prologue::default();
            Splice::new(class, &code, &nothing, &[&edit.patch, patch], None)?.write(pool, out)
        }
    })
}

/// Code that has nothing in common with the original but the parameters.
fn write_body(
    class: &ClassFile<'_>,
    max_locals: u16,
    body: &Prologue,
    pool: &mut PoolExtension<'_>,
    out: &mut Vec<u8>,
) -> Result<(), SkipReason> {
    let Prologue {
        snippet, landings, ..
    } = body;
    put_u2(out, snippet.max_depth);
    put_u2(out, max_locals);
    put_code_length(out, snippet.code.len())?;
    out.extend_from_slice(&snippet.code);
    put_u2(out, 0);
    if landings.is_empty() || class.major_version < FIRST_VERSION_WITH_FRAMES {
        put_u2(out, 0);
        return Ok(());
    }
    put_u2(out, 1);
    put_u2(out, pool.utf8("StackMapTable")?);
    with_length(out, |out| {
        let mut writer = FrameWriter::new(out);
        for &pc in landings {
            let change = FrameChange::Same;
            writer.write(Frame { pc, change }, Ok::<u16, SkipReason>)?;
        }
        writer.finish();
        Ok(())
    })
}

struct Splice<'s, 'a> {
    class: &'s ClassFile<'a>,
    code: &'s Code<'a>,
    /// The code with instructions overwritten where they stand.
    bytes: Cow<'a, [u8]>,
    prologue: &'s Prologue,
    /// In the order in which they will lie in the code.
    insertions: Vec<&'s Insertion>,
    on_throw: Option<&'s Snippet>,
    relocation: Relocation,
    /// `nop`s in front of the prologue that bring it to a multiple of four bytes. They go in
    /// front so that the prologue's last landing is the original first instruction.
    padding: usize,
}

impl<'s, 'a> Splice<'s, 'a> {
    fn new(
        class: &'s ClassFile<'a>,
        code: &'s Code<'a>,
        prologue: &'s Prologue,
        patches: &[&'s Patch],
        on_throw: Option<&'s Snippet>,
    ) -> Result<Self, SkipReason> {
        let length = prologue.snippet.code.len();
        let padding = length.next_multiple_of(4) - length;
        // Its code and the `athrow` that ends it.
        let handler = on_throw.map_or(0, |handler| handler.code.len() + 1);
        let bytes = Patch::overwritten(code.bytes, patches)?;
        let mut insertions: Vec<_> = patches.iter().flat_map(|patch| &patch.insertions).collect();
        insertions.sort_by_key(|insertion| (insertion.pc, insertion.place));
        let relocation = Relocation::new(&bytes, padding + length, &insertions, handler)?;
        Ok(Splice {
            class,
            code,
            bytes,
            prologue,
            insertions,
            on_throw,
            relocation,
            padding,
        })
    }

    fn write(&self, pool: &mut PoolExtension<'_>, out: &mut Vec<u8>) -> Result<(), SkipReason> {
        put_u2(out, self.max_stack()?);
        put_u2(out, self.code.max_locals);
        put_code_length(out, self.relocation.new_length)?;
        self.write_code(out)?;
        self.write_handlers(out)?;
        self.write_attributes(pool, out)
    }

    fn max_stack(&self) -> Result<u16, SkipReason> {
        let inserted = self.insertions.iter().map(|each| each.snippet.max_depth);
        let body = self.code.max_stack.checked_add(inserted.max().unwrap_or(0));
        let handler = self.on_throw.map_or(0, |handler| handler.max_depth);
        let body = body.ok_or(SkipReason::StackTooDeep)?;
        Ok(body.max(self.prologue.snippet.max_depth).max(handler))
    }

    fn write_code(&self, out: &mut Vec<u8>) -> Result<(), SkipReason> {
        let begin = out.len();
        out.resize(begin + self.padding, NOP);
        out.extend_from_slice(&self.prologue.snippet.code);
        if self.relocation.uniform {
            // Offsets inside the code are relative and switch padding is kept, so it is copied.
            out.extend_from_slice(&self.bytes);
        } else {
            self.write_moved_instructions(out)?;
        }
        if let Some(handler) = self.on_throw {
            out.extend_from_slice(&handler.code);
            out.push(ATHROW);
        }
        debug_assert_eq!(out.len() - begin, self.relocation.new_length);
        Ok(())
    }

    fn write_moved_instructions(&self, out: &mut Vec<u8>) -> Result<(), SkipReason> {
        let code = &*self.bytes;
        let mut insertions = self.insertions.iter().peekable();
        let mut pc = 0;
        while pc < code.len() {
            while let Some(here) = insertions.next_if(|each| usize::from(each.pc) == pc) {
                out.extend_from_slice(&here.snippet.code);
            }
            let next = pc + instruction_length(code, pc)?;
            self.write_instruction(pc, &code[pc..next], out)?;
            pc = next;
        }
        Ok(())
    }

    fn write_instruction(
        &self,
        pc: usize,
        bytes: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), SkipReason> {
        let opcode = bytes[0];
        match opcode {
            IFEQ..=JSR | IFNULL | IFNONNULL => {
                let offset = self.moved_offset(pc, i32::from(u2(bytes, 1) as i16))?;
                let offset = i16::try_from(offset).map_err(|_| SkipReason::BranchTooFar)?;
                out.push(opcode);
                out.extend(offset.to_be_bytes());
            }
            GOTO_W | JSR_W => {
                out.push(opcode);
                out.extend(self.moved_offset(pc, i4(bytes, 1))?.to_be_bytes());
            }
            TABLESWITCH | LOOKUPSWITCH => {
                let new_pc = usize::from(self.relocation.instruction(pc as u16)?);
                out.push(opcode);
                out.resize(out.len() + switch_padding(new_pc), 0);
                let operands = &bytes[1 + switch_padding(pc)..];
                let is_table = opcode == TABLESWITCH;
                for (index, word) in operands.chunks_exact(4).enumerate() {
                    // tableswitch: default, low, high, offsets; lookupswitch: default, count,
                    // then keys and offsets in turn.
                    let is_offset = match (index, is_table) {
                        (0, _) => true,
                        (_, true) => index >= 3,
                        (_, false) => index >= 3 && index % 2 == 1,
                    };
                    let word = i4(word, 0);
                    let word = if is_offset {
                        self.moved_offset(pc, word)?
                    } else {
                        word
                    };
                    out.extend(word.to_be_bytes());
                }
            }
            _ => out.extend_from_slice(bytes),
        }
        Ok(())
    }

    fn moved_offset(&self, pc: usize, offset: i32) -> Result<i32, SkipReason> {
        let target = pc as i64 + i64::from(offset);
        if !(0..self.code.bytes.len() as i64).contains(&target) {
            return Err(Malformed::BranchTarget(target).into());
        }
        let from = self.relocation.instruction(pc as u16)?;
        let to = self.relocation.target(target as u16)?;
        Ok(i32::from(to) - i32::from(from))
    }

    fn write_handlers(&self, out: &mut Vec<u8>) -> Result<(), SkipReason> {
        let rows = self.code.exception_table.len() / 8 + usize::from(self.on_throw.is_some());
        put_u2(
            out,
            u16::try_from(rows).map_err(|_| SkipReason::CodeTooLong)?,
        );
        for handler in self.code.handlers() {
            put_u2(out, self.relocation.target(handler.start)?);
            put_u2(out, self.relocation.target(handler.end)?);
            put_u2(out, self.relocation.target(handler.target)?);
            put_u2(out, handler.catch_type);
        }
        if self.on_throw.is_some() {
            // Last in the table, so every handler of the method's own comes first. It covers the
            // prologue, too, which may run other code in the method's stead.
            put_u2(out, 0);
            put_u2(out, self.handler_pc()?);
            put_u2(out, self.handler_pc()?);
            put_u2(out, 0);
        }
        Ok(())
    }

    fn handler_pc(&self) -> Result<u16, SkipReason> {
        self.relocation.target(self.code.bytes.len() as u16)
    }

    fn write_attributes(
        &self,
        pool: &mut PoolExtension<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), SkipReason> {
        let count_at = out.len();
        let mut count = 0u16;
        let mut frames_due = self.class.major_version >= FIRST_VERSION_WITH_FRAMES
            && (!self.prologue.landings.is_empty() || self.on_throw.is_some());
        put_u2(out, 0);
        for attribute in self.code.attributes.iter() {
            count += 1;
            put_u2(out, attribute.name_index);
            let relocation = &self.relocation;
            with_length(out, |out| {
                match attribute.name(&self.class.pool)?.as_bytes() {
                    b"StackMapTable" => {
                        frames_due = false;
                        self.write_frames(attribute.bytes, pool, out)
                    }
                    b"LineNumberTable" => tables::line_numbers(attribute.bytes, relocation, out),
                    b"LocalVariableTable" | b"LocalVariableTypeTable" => {
                        tables::local_variables(attribute.bytes, relocation, out)
                    }
                    b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                        tables::type_annotations(attribute.bytes, relocation, out)
                    }
                    _ => {
                        out.extend_from_slice(attribute.bytes);
                        Ok(())
                    }
                }
            })?;
        }
        if frames_due {
            count = count.checked_add(1).ok_or(SkipReason::CodeTooLong)?;
            put_u2(out, pool.utf8("StackMapTable")?);
            with_length(out, |out| self.write_frames(&[0, 0], pool, out))?;
        }
        out[count_at..count_at + 2].copy_from_slice(&count.to_be_bytes());
        Ok(())
    }

    fn write_frames(
        &self,
        original: &[u8],
        pool: &mut PoolExtension<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), SkipReason> {
        let relocate = |pc| self.relocation.instruction(pc);
        let mut writer = FrameWriter::new(out);
        let mut frames = Frames::read(original)?.peekable();
        let start = self.relocation.target(0)?;
        let starts_with_frame = matches!(frames.peek(), Some(Ok(Frame { pc: 0, .. })));
        for landing in &self.prologue.landings {
            let pc = landing + self.padding as u16;
            // A loop to the first instruction has brought a frame of its own.
            if pc != start || !starts_with_frame {
                writer.write(
                    Frame {
                        pc,
                        change: FrameChange::Same,
                    },
                    relocate,
                )?;
            }
        }
        for frame in frames {
            let frame = frame?;
            let pc = self.relocation.target(frame.pc)?;
            writer.write(Frame { pc, ..frame }, relocate)?;
        }
        if self.on_throw.is_some() {
            let throwable = pool.class("java/lang/Throwable")?;
            writer.write_handler(self.handler_pc()?, throwable)?;
        }
        writer.finish();
        Ok(())
    }
}

pub(super) fn put_u2(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_be_bytes());
}

fn put_code_length(out: &mut Vec<u8>, length: usize) -> Result<(), SkipReason> {
    let length = u16::try_from(length).map_err(|_| SkipReason::CodeTooLong)?;
    out.extend_from_slice(&u32::from(length).to_be_bytes());
    Ok(())
}

/// Writes a `u4` length, then what it is the length of.
fn with_length(
    out: &mut Vec<u8>,
    contents: impl FnOnce(&mut Vec<u8>) -> Result<(), SkipReason>,
) -> Result<(), SkipReason> {
    let at = out.len();
    out.extend([0; 4]);
    contents(out)?;
    let length = (out.len() - at - 4) as u32;
    out[at..at + 4].copy_from_slice(&length.to_be_bytes());
    Ok(())
}

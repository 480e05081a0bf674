//! A tiny assembler for inserted code. It tracks the operand stack, so that `max_stack` never
//! has to be guessed.

use super::{FieldRef, MethodRef, PoolExtension, SkipReason};
use crate::access::Access;
use crate::descriptor::{MethodDescriptor, Type};
use crate::java_str::JavaStr;
use crate::opcode::*;

/// Straight-line code: it may call, but not branch.
#[derive(Debug, Clone, Default)]
pub struct Snippet {
    pub(super) code: Vec<u8>,
    depth: u16,
    pub(super) max_depth: u16,
}

impl Snippet {
    /// Code entered with `depth` operands of its own already on the stack.
    pub fn with_depth(depth: u16) -> Self {
        Snippet {
            code: Vec::new(),
            depth,
            max_depth: depth,
        }
    }

    pub(super) fn clear(&mut self) {
        self.code.clear();
        self.depth = 0;
        self.max_depth = 0;
    }

    pub(super) fn rewind(&mut self, code: usize, max_depth: u16, depth: u16) {
        self.code.truncate(code);
        self.max_depth = max_depth;
        self.depth = depth;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    fn grow(&mut self, slots: u16) {
        self.depth = self.depth.saturating_add(slots);
        self.max_depth = self.max_depth.max(self.depth);
    }

    fn shrink(&mut self, slots: u16) {
        self.depth = self.depth.saturating_sub(slots);
    }

    fn with_index(&mut self, opcode: u8, index: u16) {
        let [high, low] = index.to_be_bytes();
        self.code.extend([opcode, high, low]);
    }

    pub fn push_null(&mut self) {
        self.code.push(ACONST_NULL);
        self.grow(1);
    }

    pub fn push_int(&mut self, value: i32, pool: &mut PoolExtension<'_>) -> Result<(), SkipReason> {
        match value {
            -1..=5 => self.code.push((i32::from(ICONST_0) + value) as u8),
            -128..=127 => self.code.extend([BIPUSH, value as u8]),
            -32768..=32767 => self.with_index(SIPUSH, value as u16),
            _ => {
                let index = pool.integer(value)?;
                self.with_index(LDC_W, index);
            }
        }
        self.grow(1);
        Ok(())
    }

    pub fn push_long(
        &mut self,
        value: i64,
        pool: &mut PoolExtension<'_>,
    ) -> Result<(), SkipReason> {
        match value {
            0 => self.code.push(LCONST_0),
            1 => self.code.push(LCONST_1),
            _ => {
                let index = pool.long(value)?;
                self.with_index(LDC2_W, index);
            }
        }
        self.grow(2);
        Ok(())
    }

    pub fn push_float(
        &mut self,
        value: f32,
        pool: &mut PoolExtension<'_>,
    ) -> Result<(), SkipReason> {
        // Compared as bits: -0.0 equals 0.0 but is another constant.
        if value.to_bits() == 0 {
            self.code.push(FCONST_0);
        } else {
            let index = pool.float(value)?;
            self.with_index(LDC_W, index);
        }
        self.grow(1);
        Ok(())
    }

    pub fn push_double(
        &mut self,
        value: f64,
        pool: &mut PoolExtension<'_>,
    ) -> Result<(), SkipReason> {
        if value.to_bits() == 0 {
            self.code.push(DCONST_0);
        } else {
            let index = pool.double(value)?;
            self.with_index(LDC2_W, index);
        }
        self.grow(2);
        Ok(())
    }

    pub fn push_string<'n>(
        &mut self,
        text: &'n str,
        pool: &mut PoolExtension<'n>,
    ) -> Result<(), SkipReason> {
        let index = pool.string(text)?;
        self.with_index(LDC_W, index);
        self.grow(1);
        Ok(())
    }

    /// Pushes the reference in a local variable.
    pub fn load_reference(&mut self, slot: u16) {
        match slot {
            0..=3 => self.code.push(ALOAD_0 + slot as u8),
            4..=255 => self.code.extend([ALOAD, slot as u8]),
            _ => {
                self.code.push(WIDE);
                self.with_index(ALOAD, slot);
            }
        }
        self.grow(1);
    }

    pub fn dup(&mut self) {
        self.code.push(DUP);
        self.grow(1);
    }

    /// Duplicates the topmost operand, which is of this type.
    pub fn dup_value(&mut self, of: Type<'_>) {
        let slots = of.slots();
        self.code.push(if slots == 2 { DUP2 } else { DUP });
        self.grow(slots);
    }

    /// Exchanges the two topmost single-slot operands.
    pub fn swap(&mut self) {
        self.code.push(SWAP);
    }

    pub fn get_static<'n>(
        &mut self,
        field: FieldRef<'n>,
        pool: &mut PoolExtension<'n>,
    ) -> Result<(), SkipReason> {
        let slots = Type::field(JavaStr::new(field.descriptor.as_bytes()))?.slots();
        let index = pool.field(field)?;
        self.with_index(GETSTATIC, index);
        self.grow(slots);
        Ok(())
    }

    /// Replaces an array of shorts and an index by the element there.
    pub fn load_short(&mut self) {
        self.code.push(SALOAD);
        self.shrink(1);
    }

    /// Pops an array of shorts, an index and an int, and stores the int there.
    pub fn store_short(&mut self) {
        self.code.push(SASTORE);
        self.shrink(3);
    }

    pub fn invoke_static<'n>(
        &mut self,
        method: MethodRef<'n>,
        pool: &mut PoolExtension<'n>,
    ) -> Result<(), SkipReason> {
        let descriptor = MethodDescriptor::read(JavaStr::new(method.descriptor.as_bytes()))?;
        let index = pool.method(method)?;
        self.invoke(INVOKESTATIC, index, &descriptor);
        Ok(())
    }

    /// Calls a static method of an interface, of which the pool keeps a list apart.
    pub fn invoke_interface_static<'n>(
        &mut self,
        method: MethodRef<'n>,
        pool: &mut PoolExtension<'n>,
    ) -> Result<(), SkipReason> {
        let descriptor = MethodDescriptor::read(JavaStr::new(method.descriptor.as_bytes()))?;
        let index = pool.interface_method(method)?;
        self.invoke(INVOKESTATIC, index, &descriptor);
        Ok(())
    }

    /// Calls a private method of the class in hand, given by its pool index.
    pub fn invoke_private(
        &mut self,
        method: u16,
        access: Access,
        descriptor: &MethodDescriptor<'_>,
    ) {
        if access.is_static() {
            self.invoke(INVOKESTATIC, method, descriptor);
        } else {
            self.invoke(INVOKESPECIAL, method, descriptor);
        }
    }

    fn invoke(&mut self, opcode: u8, method: u16, descriptor: &MethodDescriptor<'_>) {
        self.with_index(opcode, method);
        let receiver = u16::from(opcode != INVOKESTATIC);
        self.shrink(descriptor.parameter_slots().saturating_add(receiver));
        self.grow(descriptor.result.slots());
    }

    /// Drops an operand of one or two slots.
    pub fn pop(&mut self, slots: u16) {
        self.code.push(if slots == 2 { POP2 } else { POP });
        self.shrink(slots);
    }

    /// Adds to an int in a local variable.
    pub fn increment(&mut self, slot: u16, by: i16) {
        match (u8::try_from(slot), i8::try_from(by)) {
            (Ok(slot), Ok(by)) => self.code.extend([IINC, slot, by as u8]),
            _ => {
                self.code.push(WIDE);
                self.with_index(IINC, slot);
                self.code.extend(by.to_be_bytes());
            }
        }
    }

    /// Pushes a local variable of this type.
    pub fn load(&mut self, slot: u16, of: Type<'_>) {
        let opcode = match of.first() {
            b'J' => LLOAD,
            b'F' => FLOAD,
            b'D' => DLOAD,
            b'L' | b'[' => ALOAD,
            _ => ILOAD,
        };
        match u8::try_from(slot) {
            Ok(slot) => self.code.extend([opcode, slot]),
            Err(_) => {
                self.code.push(WIDE);
                self.with_index(opcode, slot);
            }
        }
        self.grow(of.slots());
    }

    /// Pushes a new object, made by the constructor without parameters.
    pub fn new_object<'n>(
        &mut self,
        class: &'n str,
        pool: &mut PoolExtension<'n>,
    ) -> Result<(), SkipReason> {
        let constructor = MethodRef {
            class,
            name: "<init>",
            descriptor: "()V",
        };
        let (class, constructor) = (pool.class(class)?, pool.method(constructor)?);
        self.with_index(NEW, class);
        self.grow(1);
        self.dup();
        self.with_index(INVOKESPECIAL, constructor);
        self.shrink(1);
        Ok(())
    }

    /// Pops a length and pushes an array of primitives; `element` is a `newarray` type code.
    pub fn new_primitive_array(&mut self, element: u8) {
        self.code.extend([NEWARRAY, element]);
    }

    /// Pops a length and pushes an array of references.
    pub fn new_array<'n>(
        &mut self,
        element: &'n str,
        pool: &mut PoolExtension<'n>,
    ) -> Result<(), SkipReason> {
        let index = pool.class(element)?;
        self.with_index(ANEWARRAY, index);
        Ok(())
    }

    /// Returns the value on top of the stack, if the type has one.
    pub fn return_value(&mut self, result: Type<'_>) {
        self.code.push(match result.first() {
            b'V' => RETURN,
            b'J' => LRETURN,
            b'F' => FRETURN,
            b'D' => DRETURN,
            b'L' | b'[' => ARETURN,
            _ => IRETURN,
        });
        self.shrink(result.slots());
    }
}

/// Code run on entry to a method, before anything else. Besides what a [`Snippet`] can do it
/// may branch forward, to places where the state is again that of the method's entry.
#[derive(Debug, Clone, Default)]
pub struct Prologue {
    pub(super) snippet: Snippet,
    /// Where branches land, as offsets into the snippet.
    pub(super) landings: Vec<u16>,
    /// Run before the prologue returns in the method's stead.
    pub(super) before_return: Option<Snippet>,
}

/// A branch whose target is still to come.
#[must_use]
#[derive(Debug)]
pub struct Label {
    branch: usize,
}

impl Prologue {
    pub(super) fn clear(&mut self) {
        self.snippet.clear();
        self.landings.clear();
        self.before_return = None;
    }

    /// The straight-line part to append to.
    pub fn code(&mut self) -> &mut Snippet {
        &mut self.snippet
    }

    /// Runs `snippet` whenever the prologue, from here on, returns in the method's stead. It finds
    /// the result on the stack and must leave it there.
    pub fn before_return(&mut self, snippet: Snippet) {
        self.before_return = Some(snippet);
    }

    /// Returns the value on top of the stack in the method's stead.
    pub fn return_value(&mut self, result: Type<'_>) {
        if let Some(first) = &self.before_return {
            let deepest = self.snippet.depth.saturating_add(first.max_depth);
            self.snippet.max_depth = self.snippet.max_depth.max(deepest);
            self.snippet.code.extend_from_slice(&first.code);
        }
        self.snippet.return_value(result);
    }

    /// Pops two ints and branches if they differ.
    pub fn branch_if_ints_differ(&mut self) -> Label {
        self.branch(IF_ICMPNE, 2)
    }

    /// Pops an int and branches if it is not zero.
    pub fn branch_if_not_zero(&mut self) -> Label {
        self.branch(IFNE, 1)
    }

    /// Pops two ints and branches if the first is less than the second.
    pub fn branch_if_less(&mut self) -> Label {
        self.branch(IF_ICMPLT, 2)
    }

    /// Pops two ints and branches if the first is greater than the second.
    pub fn branch_if_greater(&mut self) -> Label {
        self.branch(IF_ICMPGT, 2)
    }

    fn branch(&mut self, opcode: u8, popped: u16) -> Label {
        let branch = self.snippet.code.len();
        self.snippet.with_index(opcode, 0);
        self.snippet.shrink(popped);
        Label { branch }
    }

    /// The branch arrives here, with nothing on the stack.
    pub fn land(&mut self, label: Label) -> Result<(), SkipReason> {
        let here = self.snippet.code.len();
        let offset = i16::try_from(here - label.branch).map_err(|_| SkipReason::BranchTooFar)?;
        self.snippet.code[label.branch + 1..label.branch + 3]
            .copy_from_slice(&offset.to_be_bytes());
        self.snippet.depth = 0;
        let landing = u16::try_from(here).map_err(|_| SkipReason::CodeTooLong)?;
        if self.landings.last() != Some(&landing) {
            self.landings.push(landing);
        }
        Ok(())
    }
}

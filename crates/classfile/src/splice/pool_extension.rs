//! New constants appended behind a class's own pool, so that no existing index changes.

use super::SkipReason;
use crate::class::ClassFile;
use crate::java_str;
use crate::pool::tag;

/// A method that inserted code calls, in VM form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodRef<'n> {
    pub class: &'n str,
    pub name: &'n str,
    pub descriptor: &'n str,
}

/// A field that inserted code reads, in VM form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FieldRef<'n> {
    pub class: &'n str,
    pub name: &'n str,
    pub descriptor: &'n str,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Key<'n> {
    Utf8(&'n str),
    Class(&'n str),
    String(&'n str),
    Field(FieldRef<'n>),
    Method(MethodRef<'n>),
    InterfaceMethod(MethodRef<'n>),
}

/// Constants are shared among the insertions of one class. The few there are make a linear
/// search faster than hashing.
#[derive(Debug)]
pub struct PoolExtension<'n> {
    bytes: Vec<u8>,
    /// The `constant_pool_count` so far, which is also the next free index.
    count: u16,
    known: Vec<(Key<'n>, u16)>,
    this_class: u16,
    is_interface: bool,
}

impl<'n> PoolExtension<'n> {
    pub(super) fn new(class: &ClassFile<'_>) -> Self {
        PoolExtension {
            bytes: Vec::new(),
            count: class.pool.count(),
            known: Vec::new(),
            this_class: class.this_class,
            is_interface: class.access.is_interface(),
        }
    }

    pub fn utf8(&mut self, text: &'n str) -> Result<u16, SkipReason> {
        self.shared(Key::Utf8(text), |pool| pool.new_utf8(text))
    }

    /// A text that is asked for only once, such as the name of an added method.
    pub fn new_utf8(&mut self, text: &str) -> Result<u16, SkipReason> {
        let mark = self.bytes.len();
        self.bytes.extend([tag::UTF8, 0, 0]);
        java_str::encode(text, &mut self.bytes);
        let Ok(length) = u16::try_from(self.bytes.len() - mark - 3) else {
            self.bytes.truncate(mark);
            return Err(SkipReason::TextTooLong);
        };
        self.bytes[mark + 1..mark + 3].copy_from_slice(&length.to_be_bytes());
        self.claim(1).inspect_err(|_| self.bytes.truncate(mark))
    }

    pub fn class(&mut self, name: &'n str) -> Result<u16, SkipReason> {
        self.shared(Key::Class(name), |pool| {
            let name = pool.utf8(name)?;
            pool.add(tag::CLASS, &name.to_be_bytes())
        })
    }

    pub fn string(&mut self, text: &'n str) -> Result<u16, SkipReason> {
        self.shared(Key::String(text), |pool| {
            let text = pool.utf8(text)?;
            pool.add(tag::STRING, &text.to_be_bytes())
        })
    }

    pub fn field(&mut self, field: FieldRef<'n>) -> Result<u16, SkipReason> {
        self.shared(Key::Field(field), |pool| {
            pool.member(tag::FIELD_REF, field.class, field.name, field.descriptor)
        })
    }

    /// A method of a class.
    pub fn method(&mut self, method: MethodRef<'n>) -> Result<u16, SkipReason> {
        self.shared(Key::Method(method), |pool| {
            pool.member(
                tag::METHOD_REF,
                method.class,
                method.name,
                method.descriptor,
            )
        })
    }

    /// A method of an interface.
    pub fn interface_method(&mut self, method: MethodRef<'n>) -> Result<u16, SkipReason> {
        self.shared(Key::InterfaceMethod(method), |pool| {
            pool.member(
                tag::INTERFACE_METHOD_REF,
                method.class,
                method.name,
                method.descriptor,
            )
        })
    }

    /// A method of the class in hand, its name and descriptor given by their indices.
    pub fn own_method(&mut self, name: u16, descriptor: u16) -> Result<u16, SkipReason> {
        let tag = if self.is_interface {
            tag::INTERFACE_METHOD_REF
        } else {
            tag::METHOD_REF
        };
        let class = self.this_class;
        self.reference(tag, class, name, descriptor)
    }

    pub fn integer(&mut self, value: i32) -> Result<u16, SkipReason> {
        self.add(tag::INTEGER, &value.to_be_bytes())
    }

    pub fn float(&mut self, value: f32) -> Result<u16, SkipReason> {
        self.add(tag::FLOAT, &value.to_be_bytes())
    }

    pub fn long(&mut self, value: i64) -> Result<u16, SkipReason> {
        self.add(tag::LONG, &value.to_be_bytes())
    }

    pub fn double(&mut self, value: f64) -> Result<u16, SkipReason> {
        self.add(tag::DOUBLE, &value.to_be_bytes())
    }

    fn member(
        &mut self,
        tag: u8,
        class: &'n str,
        name: &'n str,
        descriptor: &'n str,
    ) -> Result<u16, SkipReason> {
        let class = self.class(class)?;
        let name = self.utf8(name)?;
        let descriptor = self.utf8(descriptor)?;
        self.reference(tag, class, name, descriptor)
    }

    fn reference(
        &mut self,
        tag: u8,
        class: u16,
        name: u16,
        descriptor: u16,
    ) -> Result<u16, SkipReason> {
        let pair = |first: u16, second: u16| [first.to_be_bytes(), second.to_be_bytes()].concat();
        let name_and_type = self.add(tag::NAME_AND_TYPE, &pair(name, descriptor))?;
        self.add(tag, &pair(class, name_and_type))
    }

    fn shared(
        &mut self,
        key: Key<'n>,
        make: impl FnOnce(&mut Self) -> Result<u16, SkipReason>,
    ) -> Result<u16, SkipReason> {
        if let Some((_, index)) = self.known.iter().rev().find(|(known, _)| *known == key) {
            return Ok(*index);
        }
        let index = make(self)?;
        self.known.push((key, index));
        Ok(index)
    }

    fn add(&mut self, tag: u8, contents: &[u8]) -> Result<u16, SkipReason> {
        let index = self.claim(if contents.len() == 8 { 2 } else { 1 })?;
        self.bytes.push(tag);
        self.bytes.extend_from_slice(contents);
        Ok(index)
    }

    fn claim(&mut self, entries: u16) -> Result<u16, SkipReason> {
        let index = self.count;
        self.count = index.checked_add(entries).ok_or(SkipReason::PoolFull)?;
        Ok(index)
    }

    /// Puts the new constants at `pool_end` of a finished class and corrects its count.
    pub(super) fn splice_into(self, class: &mut Vec<u8>, pool_end: usize) {
        let length = class.len();
        let added = self.bytes.len();
        class.resize(length + added, 0);
        class.copy_within(pool_end..length, pool_end + added);
        class[pool_end..pool_end + added].copy_from_slice(&self.bytes);
        class[8..10].copy_from_slice(&self.count.to_be_bytes());
    }
}

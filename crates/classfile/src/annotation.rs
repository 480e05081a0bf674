//! Annotations of every kind (JVMS §4.7.16–22), with their values decoded.

use crate::attribute::{Attribute, Attributes};
use crate::cursor::{Cursor, u2};
use crate::error::{Malformed, Result};
use crate::java_str::JavaStr;
use crate::pool::{Constant, ConstantPool};

#[derive(Debug, Clone, PartialEq)]
pub struct Annotation<'a> {
    /// A field descriptor: `Lorg/junit/jupiter/api/Test;`.
    pub descriptor: JavaStr<'a>,
    pub elements: Vec<(JavaStr<'a>, ElementValue<'a>)>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ElementValue<'a> {
    Byte(i32),
    Char(i32),
    Double(f64),
    Float(f32),
    Int(i32),
    Long(i64),
    Short(i32),
    Boolean(bool),
    String(JavaStr<'a>),
    Enum {
        descriptor: JavaStr<'a>,
        name: JavaStr<'a>,
    },
    /// A return descriptor: `Ljava/lang/String;`, `V`.
    Class(JavaStr<'a>),
    Annotation(Annotation<'a>),
    Array(Vec<ElementValue<'a>>),
}

/// An annotation on a use of a type.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeAnnotation<'a> {
    pub target: TypeTarget<'a>,
    /// Steps into a compound type, as (kind, type argument index).
    pub path: &'a [[u8; 2]],
    pub annotation: Annotation<'a>,
}

/// Which use of a type is annotated (JVMS table 4.7.20-A).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeTarget<'a> {
    TypeParameter {
        on_method: bool,
        index: u8,
    },
    /// The superclass is `u16::MAX`, interfaces count from 0.
    Supertype(u16),
    TypeParameterBound {
        on_method: bool,
        parameter: u8,
        bound: u8,
    },
    FieldOrRecordComponent,
    Return,
    Receiver,
    Parameter(u8),
    Throws(u16),
    LocalVariable(VariableStretches<'a>),
    ResourceVariable(VariableStretches<'a>),
    /// An index into the exception table.
    Catch(u16),
    InstanceOf {
        pc: u16,
    },
    New {
        pc: u16,
    },
    ConstructorReference {
        pc: u16,
    },
    MethodReference {
        pc: u16,
    },
    Cast {
        pc: u16,
        index: u8,
    },
    ConstructorCallArgument {
        pc: u16,
        index: u8,
    },
    MethodCallArgument {
        pc: u16,
        index: u8,
    },
    ConstructorReferenceArgument {
        pc: u16,
        index: u8,
    },
    MethodReferenceArgument {
        pc: u16,
        index: u8,
    },
}

/// Where an annotated variable lives, as (start pc, length, slot).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariableStretches<'a>(&'a [u8]);

impl<'a> VariableStretches<'a> {
    pub fn iter(&self) -> impl Iterator<Item = (u16, u16, u16)> + use<'a> {
        self.0
            .chunks_exact(6)
            .map(|row| (u2(row, 0), u2(row, 2), u2(row, 4)))
    }
}

pub(crate) const LOCAL_VARIABLE: u8 = 0x40;
pub(crate) const RESOURCE_VARIABLE: u8 = 0x41;
pub(crate) const CATCH: u8 = 0x42;
pub(crate) const INSTANCEOF: u8 = 0x43;
pub(crate) const CAST: u8 = 0x47;
pub(crate) const METHOD_REFERENCE_ARGUMENT: u8 = 0x4b;

/// No compiler nests annotations nearly so deep; hostile input would, to exhaust our stack.
const MAX_NESTING: u8 = 64;

/// What a declaration's attributes say by annotation, runtime-visible ones first. Absent
/// attributes give empty lists.
impl<'a> Attributes<'a> {
    pub fn annotations(&self, pool: &ConstantPool<'a>) -> Result<Vec<Annotation<'a>>> {
        let names = ["RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations"];
        Ok(self.each(pool, names, Attribute::annotations)?.concat())
    }

    /// Annotations of each parameter. Compilers may leave out synthetic parameters, so the list
    /// can be shorter than the descriptor's.
    pub fn parameter_annotations(
        &self,
        pool: &ConstantPool<'a>,
    ) -> Result<Vec<Vec<Annotation<'a>>>> {
        let names = [
            "RuntimeVisibleParameterAnnotations",
            "RuntimeInvisibleParameterAnnotations",
        ];
        let mut all: Vec<Vec<_>> = Vec::new();
        for parameters in self.each(pool, names, Attribute::parameter_annotations)? {
            all.resize(all.len().max(parameters.len()), Vec::new());
            for (all, own) in all.iter_mut().zip(parameters) {
                all.extend(own);
            }
        }
        Ok(all)
    }

    /// Annotations on uses of types.
    pub fn type_annotations(&self, pool: &ConstantPool<'a>) -> Result<Vec<TypeAnnotation<'a>>> {
        let names = [
            "RuntimeVisibleTypeAnnotations",
            "RuntimeInvisibleTypeAnnotations",
        ];
        Ok(self
            .each(pool, names, Attribute::type_annotations)?
            .concat())
    }

    /// The default value of an annotation interface's element.
    pub fn annotation_default(&self, pool: &ConstantPool<'a>) -> Result<Option<ElementValue<'a>>> {
        let cursor = self.cursor(pool, "AnnotationDefault");
        cursor
            .map(|mut cursor| ElementValue::read(&mut cursor, pool, 0))
            .transpose()
    }

    fn each<T>(
        &self,
        pool: &ConstantPool<'a>,
        names: [&str; 2],
        read: fn(&Attribute<'a>, &ConstantPool<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let found = names.iter().filter_map(|name| self.find(pool, name));
        found.map(|attribute| read(&attribute, pool)).collect()
    }
}

/// The contents of one attribute known to hold annotations.
impl<'a> Attribute<'a> {
    pub(crate) fn annotations(&self, pool: &ConstantPool<'a>) -> Result<Vec<Annotation<'a>>> {
        read_list(&mut self.cursor("annotations"), pool)
    }

    pub(crate) fn parameter_annotations(
        &self,
        pool: &ConstantPool<'a>,
    ) -> Result<Vec<Vec<Annotation<'a>>>> {
        let mut cursor = self.cursor("parameter annotations");
        (0..cursor.u1()?)
            .map(|_| read_list(&mut cursor, pool))
            .collect()
    }

    pub(crate) fn type_annotations(
        &self,
        pool: &ConstantPool<'a>,
    ) -> Result<Vec<TypeAnnotation<'a>>> {
        let mut cursor = self.cursor("type annotations");
        let count = cursor.u2()?;
        let read = |_| {
            Ok(TypeAnnotation {
                target: read_target(&mut cursor)?,
                path: skip_path(&mut cursor)?,
                annotation: Annotation::read(&mut cursor, pool, 0)?,
            })
        };
        (0..count).map(read).collect()
    }
}

fn read_list<'a>(cursor: &mut Cursor<'a>, pool: &ConstantPool<'a>) -> Result<Vec<Annotation<'a>>> {
    (0..cursor.u2()?)
        .map(|_| Annotation::read(cursor, pool, 0))
        .collect()
}

impl<'a> Annotation<'a> {
    fn read(cursor: &mut Cursor<'a>, pool: &ConstantPool<'a>, depth: u8) -> Result<Self> {
        let descriptor = pool.utf8(cursor.u2()?)?;
        let mut elements = Vec::new();
        for _ in 0..cursor.u2()? {
            let name = pool.utf8(cursor.u2()?)?;
            elements.push((name, ElementValue::read(cursor, pool, depth)?));
        }
        Ok(Annotation {
            descriptor,
            elements,
        })
    }

    pub fn element(&self, name: &str) -> Option<&ElementValue<'a>> {
        self.elements
            .iter()
            .find(|(own, _)| *own == name)
            .map(|(_, value)| value)
    }
}

impl<'a> ElementValue<'a> {
    fn read(cursor: &mut Cursor<'a>, pool: &ConstantPool<'a>, depth: u8) -> Result<Self> {
        let depth = nested(depth)?;
        let tag = cursor.u1()?;
        match tag {
            b'e' => {
                let descriptor = pool.utf8(cursor.u2()?)?;
                return Ok(Self::Enum {
                    descriptor,
                    name: pool.utf8(cursor.u2()?)?,
                });
            }
            b'c' => return Ok(Self::Class(pool.utf8(cursor.u2()?)?)),
            b'@' => return Ok(Self::Annotation(Annotation::read(cursor, pool, depth)?)),
            b'[' => {
                let count = cursor.u2()?;
                let values = (0..count).map(|_| ElementValue::read(cursor, pool, depth));
                return Ok(Self::Array(values.collect::<Result<_>>()?));
            }
            _ => {}
        }
        let index = cursor.u2()?;
        Ok(match (tag, pool.get(index)?) {
            (b'B', Constant::Integer(value)) => Self::Byte(value),
            (b'C', Constant::Integer(value)) => Self::Char(value),
            (b'D', Constant::Double(value)) => Self::Double(value),
            (b'F', Constant::Float(value)) => Self::Float(value),
            (b'I', Constant::Integer(value)) => Self::Int(value),
            (b'J', Constant::Long(value)) => Self::Long(value),
            (b'S', Constant::Integer(value)) => Self::Short(value),
            (b'Z', Constant::Integer(value)) => Self::Boolean(value != 0),
            (b's', Constant::Utf8(value)) => Self::String(value),
            (value, _) => {
                return Err(Malformed::Unknown {
                    what: "element value",
                    value,
                });
            }
        })
    }
}

fn nested(depth: u8) -> Result<u8> {
    if depth < MAX_NESTING {
        Ok(depth + 1)
    } else {
        Err(Malformed::Nesting)
    }
}

fn read_target<'a>(cursor: &mut Cursor<'a>) -> Result<TypeTarget<'a>> {
    use TypeTarget::*;
    let kind = cursor.u1()?;
    Ok(match kind {
        0x00 | 0x01 => TypeParameter {
            on_method: kind == 0x01,
            index: cursor.u1()?,
        },
        0x10 => Supertype(cursor.u2()?),
        0x11 | 0x12 => TypeParameterBound {
            on_method: kind == 0x12,
            parameter: cursor.u1()?,
            bound: cursor.u1()?,
        },
        0x13 => FieldOrRecordComponent,
        0x14 => Return,
        0x15 => Receiver,
        0x16 => Parameter(cursor.u1()?),
        0x17 => Throws(cursor.u2()?),
        LOCAL_VARIABLE => LocalVariable(VariableStretches(cursor.table(6)?)),
        RESOURCE_VARIABLE => ResourceVariable(VariableStretches(cursor.table(6)?)),
        CATCH => Catch(cursor.u2()?),
        INSTANCEOF => InstanceOf { pc: cursor.u2()? },
        0x44 => New { pc: cursor.u2()? },
        0x45 => ConstructorReference { pc: cursor.u2()? },
        0x46 => MethodReference { pc: cursor.u2()? },
        CAST => Cast {
            pc: cursor.u2()?,
            index: cursor.u1()?,
        },
        0x48 => ConstructorCallArgument {
            pc: cursor.u2()?,
            index: cursor.u1()?,
        },
        0x49 => MethodCallArgument {
            pc: cursor.u2()?,
            index: cursor.u1()?,
        },
        0x4a => ConstructorReferenceArgument {
            pc: cursor.u2()?,
            index: cursor.u1()?,
        },
        METHOD_REFERENCE_ARGUMENT => MethodReferenceArgument {
            pc: cursor.u2()?,
            index: cursor.u1()?,
        },
        value => {
            return Err(Malformed::Unknown {
                what: "type annotation target",
                value,
            });
        }
    })
}

/// Passes over one annotation without looking into the pool.
pub(crate) fn skip(cursor: &mut Cursor<'_>) -> Result<()> {
    skip_nested(cursor, 0)
}

fn skip_nested(cursor: &mut Cursor<'_>, depth: u8) -> Result<()> {
    cursor.u2()?;
    for _ in 0..cursor.u2()? {
        cursor.u2()?;
        skip_value(cursor, depth)?;
    }
    Ok(())
}

fn skip_value(cursor: &mut Cursor<'_>, depth: u8) -> Result<()> {
    let depth = nested(depth)?;
    match cursor.u1()? {
        b'e' => cursor.u4().map(drop),
        b'@' => skip_nested(cursor, depth),
        b'[' => {
            for _ in 0..cursor.u2()? {
                skip_value(cursor, depth)?;
            }
            Ok(())
        }
        _ => cursor.u2().map(drop),
    }
}

/// Passes over a type path and returns it.
pub(crate) fn skip_path<'a>(cursor: &mut Cursor<'a>) -> Result<&'a [[u8; 2]]> {
    let length = usize::from(cursor.u1()?);
    Ok(cursor.take(2 * length)?.as_chunks().0)
}

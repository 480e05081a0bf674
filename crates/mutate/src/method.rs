//! A class and one of its methods as operators and recognisers see them, read once.

use jury_classfile::{
    Access, Annotation, ClassFile, Code, Instruction, JavaStr, LineNumber, Malformed, Member,
    MethodDescriptor,
};

use crate::id::MethodId;

pub(crate) struct ClassInHand<'f, 'a> {
    pub file: &'f ClassFile<'a>,
    pub name: JavaStr<'a>,
    pub super_name: Option<JavaStr<'a>>,
    pub annotations: Vec<Annotation<'a>>,
}

pub(crate) struct MethodInHand<'f, 'a> {
    pub class: &'f ClassInHand<'f, 'a>,
    pub member: &'f Member<'a>,
    pub name: JavaStr<'a>,
    pub descriptor: MethodDescriptor<'a>,
    /// The descriptor as it stands in the class file.
    pub descriptor_text: JavaStr<'a>,
    pub annotations: Vec<Annotation<'a>>,
    /// None for abstract and native methods.
    pub code: Option<Code<'a>>,
    pub instructions: Vec<Instruction<'a>>,
    /// In order of pc.
    pub lines: Vec<LineNumber>,
}

impl<'f, 'a> ClassInHand<'f, 'a> {
    pub fn read(file: &'f ClassFile<'a>) -> Result<Self, Malformed> {
        Ok(ClassInHand {
            file,
            name: file.name()?,
            super_name: file.super_name()?,
            annotations: file.attributes.annotations(&file.pool)?,
        })
    }

    pub fn is_record(&self) -> bool {
        self.super_name
            .is_some_and(|name| name == "java/lang/Record")
    }

    pub fn is_enum(&self) -> bool {
        self.super_name.is_some_and(|name| name == "java/lang/Enum")
    }

    /// The type of the class's own instances, as a descriptor.
    pub fn own_descriptor(&self) -> String {
        format!("L{};", self.name)
    }
}

impl<'f, 'a> MethodInHand<'f, 'a> {
    pub fn read(class: &'f ClassInHand<'f, 'a>, member: &'f Member<'a>) -> Result<Self, Malformed> {
        let pool = &class.file.pool;
        let descriptor_text = member.descriptor(pool)?;
        let code = member.code(pool)?;
        let mut lines = match code {
            Some(code) => code.line_numbers(pool)?,
            None => Vec::new(),
        };
        lines.sort_by_key(|entry| entry.pc);
        Ok(MethodInHand {
            class,
            member,
            name: member.name(pool)?,
            descriptor: MethodDescriptor::read(descriptor_text)?,
            descriptor_text,
            annotations: member.attributes.annotations(pool)?,
            code,
            instructions: match code {
                Some(code) => code.instructions().collect::<Result<_, _>>()?,
                None => Vec::new(),
            },
            lines,
        })
    }

    pub fn id(&self) -> MethodId {
        MethodId {
            class: self.class.name.to_string(),
            name: self.name.to_string(),
            descriptor: self.descriptor_text.to_string(),
        }
    }

    pub fn access(&self) -> Access {
        self.member.access
    }

    pub fn is(&self, name: &str, descriptor: &str) -> bool {
        self.name == name && self.descriptor_text == descriptor
    }

    /// The class that the method returns; none for primitives and arrays.
    pub fn returned_class(&self) -> Option<JavaStr<'a>> {
        let result = self.descriptor.result;
        if result.is_array() {
            None
        } else {
            result.class_name()
        }
    }

    /// The local variable in which each parameter arrives.
    pub fn parameter_slots(&self) -> impl Iterator<Item = u16> + use<'a> {
        let mut next = u16::from(!self.access().is_static());
        self.descriptor.parameters().map(move |parameter| {
            let slot = next;
            next = next.saturating_add(parameter.slots());
            slot
        })
    }

    pub fn first_line(&self) -> Option<u16> {
        self.lines.iter().map(|entry| entry.line).min()
    }

    pub fn last_line(&self) -> Option<u16> {
        self.lines.iter().map(|entry| entry.line).max()
    }

    /// The line of the instruction at `pc`.
    pub fn line_at(&self, pc: u16) -> Option<u16> {
        let after = self.lines.partition_point(|entry| entry.pc <= pc);
        self.lines[..after].last().map(|entry| entry.line)
    }
}

/// Whether an annotation has this simple name, whatever its package: tools with a common purpose
/// agree on names, not on packages.
pub(crate) fn is_named(annotation: &Annotation<'_>, simple_name: &str) -> bool {
    let descriptor = annotation.descriptor.as_bytes();
    let name = descriptor.strip_suffix(b";").unwrap_or(descriptor);
    let own = name.rsplit(|byte| matches!(byte, b'/' | b'$')).next();
    own == Some(simple_name.as_bytes())
}

//! A class and one of its methods as operators and recognisers see them, read once.

use jury_classfile::{
    Access, Annotation, ClassFile, Code, Instruction, JavaStr, Malformed, Member, MethodDescriptor,
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
    /// Line table entries as (pc, line), in order of pc.
    pub lines: Vec<(u16, u16)>,
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

    /// The name of the source file as the compiler noted it, without a directory.
    pub fn source_file(&self) -> Option<JavaStr<'a>> {
        let attribute = self.file.attributes.find(&self.file.pool, "SourceFile")?;
        let index = attribute.bytes.first_chunk::<2>()?;
        self.file.pool.utf8(u16::from_be_bytes(*index)).ok()
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
        let mut lines = code
            .map(|code| read_lines(&code, class))
            .unwrap_or_default();
        lines.sort_unstable();
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
        self.lines.iter().map(|(_, line)| *line).min()
    }

    pub fn last_line(&self) -> Option<u16> {
        self.lines.iter().map(|(_, line)| *line).max()
    }
}

/// The LineNumberTable (JVMS §4.7.12); what is cut short is as good as absent, because line
/// numbers never decide whether a class can be loaded.
fn read_lines(code: &Code<'_>, class: &ClassInHand<'_, '_>) -> Vec<(u16, u16)> {
    let tables = code.attributes.iter();
    let tables = tables.filter(|attribute| attribute.is(&class.file.pool, "LineNumberTable"));
    let rows = tables.flat_map(|table| table.bytes.get(2..).unwrap_or_default().as_chunks::<4>().0);
    rows.map(|[a, b, c, d]| (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d])))
        .collect()
}

/// Whether an annotation has this simple name, whatever its package: tools with a common purpose
/// agree on names, not on packages.
pub(crate) fn is_named(annotation: &Annotation<'_>, simple_name: &str) -> bool {
    let descriptor = annotation.descriptor.as_bytes();
    let name = descriptor.strip_suffix(b";").unwrap_or(descriptor);
    let own = name.rsplit(|byte| matches!(byte, b'/' | b'$')).next();
    own == Some(simple_name.as_bytes())
}

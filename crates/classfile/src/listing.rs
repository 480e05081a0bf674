//! A class as text, for tests and for people. Constants are shown by value, never by pool
//! index, so two listings differ only where the classes do.

use std::fmt::Display;

use crate::access::Access;
use crate::annotation::{Annotation, ElementValue};
use crate::attribute::Attributes;
use crate::class::{ClassFile, Member};
use crate::code::Code;
use crate::error::Result;
use crate::instruction::{Instruction, Operand};
use crate::module::Opening;
use crate::opcode::MNEMONICS;
use crate::pool::{Constant, ConstantPool, MemberRef, NameAndType};
use crate::stack_map::{FrameChange, Frames, VerificationType, VerificationTypes};

/// Lists everything the reader understands.
pub fn listing(class: &ClassFile<'_>) -> Result<String> {
    let mut lister = Lister {
        class,
        pool: &class.pool,
        text: String::new(),
    };
    lister.class()?;
    Ok(lister.text)
}

const CLASS_FLAGS: &[(u16, &str)] = &[
    (Access::PUBLIC, "public"),
    (Access::FINAL, "final"),
    (Access::ABSTRACT, "abstract"),
    (Access::SYNTHETIC, "synthetic"),
    (Access::ANNOTATION, "annotation"),
    (Access::ENUM, "enum"),
    (Access::INTERFACE, "interface"),
    (Access::MODULE, "module"),
];

const FIELD_FLAGS: &[(u16, &str)] = &[
    (Access::PUBLIC, "public"),
    (Access::PRIVATE, "private"),
    (Access::PROTECTED, "protected"),
    (Access::STATIC, "static"),
    (Access::FINAL, "final"),
    (Access::VOLATILE, "volatile"),
    (Access::TRANSIENT, "transient"),
    (Access::SYNTHETIC, "synthetic"),
    (Access::ENUM, "enum"),
];

const METHOD_FLAGS: &[(u16, &str)] = &[
    (Access::PUBLIC, "public"),
    (Access::PRIVATE, "private"),
    (Access::PROTECTED, "protected"),
    (Access::STATIC, "static"),
    (Access::FINAL, "final"),
    (Access::SYNCHRONIZED, "synchronized"),
    (Access::BRIDGE, "bridge"),
    (Access::VARARGS, "varargs"),
    (Access::NATIVE, "native"),
    (Access::ABSTRACT, "abstract"),
    (Access::STRICT, "strictfp"),
    (Access::SYNTHETIC, "synthetic"),
];

fn flags(access: Access, names: &[(u16, &str)]) -> String {
    let set = names.iter().filter(|(flag, _)| access.has(*flag));
    set.map(|(_, name)| format!("{name} ")).collect()
}

fn joined<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items
        .into_iter()
        .map(|item| item.to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

struct Lister<'c, 'a> {
    class: &'c ClassFile<'a>,
    pool: &'c ConstantPool<'a>,
    text: String,
}

impl<'a> Lister<'_, 'a> {
    fn line(&mut self, depth: usize, text: impl Display) {
        self.text.push_str(&"  ".repeat(depth));
        self.text.push_str(&text.to_string());
        self.text.push('\n');
    }

    /// Lists something only if there is something to say.
    fn list<T: Display>(&mut self, depth: usize, title: &str, items: impl IntoIterator<Item = T>) {
        let items = joined(items);
        if !items.is_empty() {
            self.line(depth, format_args!("{title} {items}"));
        }
    }

    fn class(&mut self) -> Result<()> {
        let class = self.class;
        let mut header = format!(
            "{}class {}",
            flags(class.access, CLASS_FLAGS),
            class.name()?
        );
        if let Some(parent) = class.super_name()? {
            header.push_str(&format!(" extends {parent}"));
        }
        self.line(0, header);
        let interfaces: Vec<_> = class.interfaces().collect::<Result<_>>()?;
        self.list(1, "implements", interfaces);
        self.line(
            1,
            format_args!("version {}.{}", class.major_version, class.minor_version),
        );
        self.declaration(1, &class.attributes)?;
        self.kinship()?;
        self.module()?;
        for field in &class.fields {
            self.member("field", FIELD_FLAGS, field)?;
        }
        for method in &class.methods {
            self.member("method", METHOD_FLAGS, method)?;
        }
        Ok(())
    }

    /// What may stand on any declaration.
    fn declaration(&mut self, depth: usize, attributes: &Attributes<'a>) -> Result<()> {
        let pool = self.pool;
        self.list(depth, "source", attributes.source_file(pool)?);
        self.list(depth, "signature", attributes.signature(pool)?);
        if attributes.is_deprecated(pool) {
            self.line(depth, "deprecated");
        }
        if let Some(value) = attributes.constant_value(pool)? {
            self.line(depth, format_args!("value {}", constant(value)));
        }
        self.list(depth, "throws", attributes.exceptions(pool)?);
        let parameters = attributes.method_parameters(pool)?;
        let parameters = parameters
            .iter()
            .map(|each| each.name.map_or("_".into(), |name| name.to_string()));
        self.list(depth, "parameters", parameters);
        for annotated in attributes.annotations(pool)? {
            self.line(depth, annotation(&annotated));
        }
        for (index, list) in attributes.parameter_annotations(pool)?.iter().enumerate() {
            self.list(
                depth,
                &format!("parameter {index}"),
                list.iter().map(annotation),
            );
        }
        for annotated in attributes.type_annotations(pool)? {
            let target = annotated.target;
            self.line(
                depth,
                format_args!("{} on {target:?}", annotation(&annotated.annotation)),
            );
        }
        if let Some(value) = attributes.annotation_default(pool)? {
            self.line(depth, format_args!("default {}", element(&value)));
        }
        Ok(())
    }

    fn kinship(&mut self) -> Result<()> {
        let (pool, attributes) = (self.pool, &self.class.attributes);
        for inner in attributes.inner_classes(pool)? {
            let access = flags(inner.access, CLASS_FLAGS);
            self.line(1, format_args!("inner {access}{}", inner.name));
        }
        if let Some(enclosing) = attributes.enclosing_method(pool)? {
            let method = enclosing
                .method
                .map_or(String::new(), |method| format!(".{}", method.name));
            self.line(1, format_args!("declared in {}{method}", enclosing.class));
        }
        self.list(1, "nest host", attributes.nest_host(pool)?);
        self.list(1, "nest members", attributes.nest_members(pool)?);
        self.list(1, "permits", attributes.permitted_subclasses(pool)?);
        for component in attributes.record(pool)?.unwrap_or_default() {
            self.line(
                1,
                format_args!("component {} {}", component.name, component.descriptor),
            );
            self.declaration(2, &component.attributes)?;
        }
        Ok(())
    }

    fn module(&mut self) -> Result<()> {
        let (pool, attributes) = (self.pool, &self.class.attributes);
        let Some(module) = attributes.module(pool)? else {
            return Ok(());
        };
        self.line(1, format_args!("module {}", module.name));
        self.list(
            2,
            "requires",
            module.requires.iter().map(|required| required.module),
        );
        let opening = |opening: &Opening<'_>| match opening.to.as_slice() {
            [] => opening.package.to_string(),
            to => format!("{} to {}", opening.package, joined(to)),
        };
        for exported in &module.exports {
            self.line(2, format_args!("exports {}", opening(exported)));
        }
        for opened in &module.opens {
            self.line(2, format_args!("opens {}", opening(opened)));
        }
        self.list(2, "uses", &module.uses);
        for provided in &module.provides {
            self.line(
                2,
                format_args!(
                    "provides {} with {}",
                    provided.service,
                    joined(&provided.with)
                ),
            );
        }
        self.list(2, "packages", attributes.module_packages(pool)?);
        self.list(2, "main class", attributes.module_main_class(pool)?);
        Ok(())
    }

    fn member(&mut self, what: &str, names: &[(u16, &str)], member: &Member<'a>) -> Result<()> {
        let (name, descriptor) = (member.name(self.pool)?, member.descriptor(self.pool)?);
        let access = flags(member.access, names);
        self.line(1, format_args!("{what} {access}{name} {descriptor}"));
        self.declaration(2, &member.attributes)?;
        match member.code(self.pool)? {
            Some(code) => self.code(&code),
            None => Ok(()),
        }
    }

    fn code(&mut self, code: &Code<'a>) -> Result<()> {
        self.line(
            2,
            format_args!("stack {}, locals {}", code.max_stack, code.max_locals),
        );
        for instruction in code.instructions() {
            let instruction = instruction?;
            let mnemonic = MNEMONICS[usize::from(instruction.opcode)];
            let operand = self.operand(&instruction)?;
            let space = if operand.is_empty() { "" } else { " " };
            self.line(
                2,
                format_args!("{:>5}  {mnemonic}{space}{operand}", instruction.pc),
            );
        }
        for handler in code.handlers() {
            let caught = self.pool.optional_class_name(handler.catch_type)?;
            let caught = caught.map_or("anything".into(), |class| class.to_string());
            let (start, end, target) = (handler.start, handler.end, handler.target);
            self.line(
                2,
                format_args!("catch {caught} from {start} to {end} at {target}"),
            );
        }
        let lines = code.line_numbers(self.pool)?;
        self.list(
            2,
            "lines",
            lines
                .iter()
                .map(|each| format!("{} at {}", each.line, each.pc)),
        );
        let generic = code.local_variable_types(self.pool)?;
        for (what, variables) in [
            ("local", code.local_variables(self.pool)?),
            ("generic", generic),
        ] {
            for each in variables {
                let end = u32::from(each.start) + u32::from(each.length);
                let (slot, name, type_text, start) =
                    (each.slot, each.name, each.type_text, each.start);
                self.line(
                    2,
                    format_args!("{what} {slot} {name} {type_text} from {start} to {end}"),
                );
            }
        }
        if let Some(table) = code.attributes.find(self.pool, "StackMapTable") {
            for frame in Frames::read(table.bytes)? {
                let frame = frame?;
                let change = self.frame_change(frame.change)?;
                self.line(2, format_args!("frame {} {change}", frame.pc));
            }
        }
        self.declaration(2, &code.attributes)
    }

    fn operand(&self, instruction: &Instruction<'a>) -> Result<String> {
        Ok(match instruction.operand {
            Operand::None => String::new(),
            Operand::Immediate(value) => value.to_string(),
            Operand::PrimitiveArray(kind) => match kind {
                4 => "boolean".into(),
                5 => "char".into(),
                6 => "float".into(),
                7 => "double".into(),
                8 => "byte".into(),
                9 => "short".into(),
                10 => "int".into(),
                11 => "long".into(),
                other => format!("type {other}"),
            },
            Operand::Local(slot) => slot.to_string(),
            Operand::Increment { local, by } => format!("{local} by {by}"),
            Operand::Constant(index) => self.constant(index)?,
            Operand::MultiArray { class, dimensions } => {
                format!("{} dimensions {dimensions}", self.pool.class_name(class)?)
            }
            Operand::Branch(target) => target.to_string(),
            Operand::TableSwitch(table) => cases(table.cases(), table.default),
            Operand::LookupSwitch(lookup) => cases(lookup.cases(), lookup.default),
        })
    }

    fn constant(&self, index: u16) -> Result<String> {
        Ok(match self.pool.get(index)? {
            Constant::MethodHandle { reference, .. } => {
                format!("handle {}", member_ref(self.pool.member_ref(reference)?))
            }
            other => constant(other),
        })
    }

    fn frame_change(&self, change: FrameChange<'a>) -> Result<String> {
        Ok(match change {
            FrameChange::Same => "same".into(),
            FrameChange::SameWithStack(stack) => format!("same, stack {}", self.types(stack)?),
            FrameChange::Chop(count) => format!("chop {count}"),
            FrameChange::Append(added) => format!("append {}", self.types(added)?),
            FrameChange::Full { locals, stack } => {
                format!(
                    "full [{}], stack [{}]",
                    self.types(locals)?,
                    self.types(stack)?
                )
            }
        })
    }

    fn types(&self, types: VerificationTypes<'a>) -> Result<String> {
        let names = types.iter().map(|each| {
            Ok(match each {
                VerificationType::Top => "top".into(),
                VerificationType::Integer => "int".into(),
                VerificationType::Float => "float".into(),
                VerificationType::Double => "double".into(),
                VerificationType::Long => "long".into(),
                VerificationType::Null => "null".into(),
                VerificationType::UninitializedThis => "uninitialized this".into(),
                VerificationType::Object(class) => self.pool.class_name(class)?.to_string(),
                VerificationType::Uninitialized(pc) => format!("uninitialized from {pc}"),
            })
        });
        Ok(joined(names.collect::<Result<Vec<String>>>()?))
    }
}

fn constant(constant: Constant<'_>) -> String {
    match constant {
        Constant::Utf8(text) | Constant::String(text) => format!("{:?}", text.to_str()),
        Constant::Integer(value) => value.to_string(),
        Constant::Float(value) => format!("{value:?}f"),
        Constant::Long(value) => format!("{value}L"),
        Constant::Double(value) => format!("{value:?}d"),
        Constant::Class(name) | Constant::Module(name) | Constant::Package(name) => {
            name.to_string()
        }
        Constant::Field(member) | Constant::Method(member) | Constant::InterfaceMethod(member) => {
            member_ref(member)
        }
        Constant::NameAndType(both) => name_and_type(both),
        Constant::MethodHandle { .. } => "handle".into(),
        Constant::MethodType(descriptor) => format!("type {descriptor}"),
        Constant::Dynamic {
            bootstrap,
            name_and_type: both,
        }
        | Constant::InvokeDynamic {
            bootstrap,
            name_and_type: both,
        } => {
            format!("{} by bootstrap {bootstrap}", name_and_type(both))
        }
    }
}

fn member_ref(member: MemberRef<'_>) -> String {
    format!("{}.{} {}", member.owner, member.name, member.descriptor)
}

fn name_and_type(both: NameAndType<'_>) -> String {
    format!("{} {}", both.name, both.descriptor)
}

fn cases(cases: impl Iterator<Item = (i32, u16)>, default: u16) -> String {
    let cases: String = cases
        .map(|(key, target)| format!("{key}: {target}, "))
        .collect();
    format!("{cases}default: {default}")
}

fn annotation(annotation: &Annotation<'_>) -> String {
    let elements = annotation
        .elements
        .iter()
        .map(|(name, value)| format!("{name} = {}", element(value)));
    let elements = joined(elements);
    let elements = if elements.is_empty() {
        elements
    } else {
        format!("({elements})")
    };
    format!("@{}{elements}", annotation.descriptor)
}

fn element(value: &ElementValue<'_>) -> String {
    match value {
        ElementValue::Byte(value)
        | ElementValue::Char(value)
        | ElementValue::Int(value)
        | ElementValue::Short(value) => value.to_string(),
        ElementValue::Double(value) => format!("{value:?}d"),
        ElementValue::Float(value) => format!("{value:?}f"),
        ElementValue::Long(value) => format!("{value}L"),
        ElementValue::Boolean(value) => value.to_string(),
        ElementValue::String(text) => format!("{:?}", text.to_str()),
        ElementValue::Enum { descriptor, name } => format!("{descriptor}.{name}"),
        ElementValue::Class(descriptor) => format!("class {descriptor}"),
        ElementValue::Annotation(nested) => annotation(nested),
        ElementValue::Array(values) => format!("{{{}}}", joined(values.iter().map(element))),
    }
}

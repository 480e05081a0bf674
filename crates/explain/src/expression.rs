//! What an expression is, as far as compiled code tells: its line, its kind, its static type.

use jury_classfile::opcode::*;
use jury_classfile::{
    ClassFile, Code, Constant, Instruction, LineNumber, Malformed, MethodDescriptor, Operand,
};

use crate::property::{PropertyName, shown_value};

/// An expression that was observed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    pub method: String,
    pub descriptor: String,
    pub line: Option<u16>,
    pub kind: ExpressionKind,
    /// The static type as a descriptor; `I` stands for whatever the JVM computes as one, where
    /// nothing better is known.
    pub type_descriptor: String,
    /// Which of the expressions on its line that a source spells alike, from 0.
    pub nth: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpressionKind {
    Variable(String),
    /// With its owner, in VM form.
    Field {
        owner: String,
        name: String,
    },
    Call {
        owner: String,
        name: String,
        descriptor: String,
        is_static: bool,
    },
    /// A new object of this class, in VM form.
    New(String),
    /// An element of an array.
    Element,
    /// Arithmetic, text put together, a comparison of types.
    Operation,
    /// An exception that leaves the method.
    Escaped,
}

impl Expression {
    /// Reads what stands at a pc of a class; none if there is nothing that is watched.
    pub fn read(file: &ClassFile<'_>, method: u16, pc: u16) -> Result<Option<Self>, Malformed> {
        let Some(member) = file.methods.get(usize::from(method)) else {
            return Ok(None);
        };
        let Some(code) = member.code(&file.pool)? else {
            return Ok(None);
        };
        let mut lines = code.line_numbers(&file.pool)?;
        lines.sort_by_key(|entry| entry.pc);
        let mut expression = Expression {
            method: member.name(&file.pool)?.to_string(),
            descriptor: member.descriptor(&file.pool)?.to_string(),
            line: None,
            kind: ExpressionKind::Escaped,
            type_descriptor: "Ljava/lang/Throwable;".to_owned(),
            nth: 0,
        };
        if pc == crate::Place::ESCAPED {
            return Ok(Some(expression));
        }
        expression.line = line_at(&lines, pc);
        let instructions = code.instructions().collect::<Result<Vec<_>, _>>()?;
        let Some(at) = instructions.iter().position(|each| each.pc == pc) else {
            return Ok(None);
        };
        let Some((kind, type_descriptor)) = describe(file, &code, &instructions, at)? else {
            return Ok(None);
        };
        for (index, earlier) in instructions[..at].iter().enumerate() {
            if line_at(&lines, earlier.pc) == expression.line
                && describe(file, &code, &instructions, index)?
                    .is_some_and(|(other, _)| other.is_spelled_like(&kind))
            {
                expression.nth += 1;
            }
        }
        expression.kind = kind;
        expression.type_descriptor = type_descriptor;
        Ok(Some(expression))
    }

    /// What a reader calls it.
    pub fn name(&self) -> String {
        match &self.kind {
            ExpressionKind::Variable(name) | ExpressionKind::Field { name, .. } => name.clone(),
            ExpressionKind::Call { name, .. } => format!("{name}(…)"),
            ExpressionKind::New(class) => format!("new {}(…)", simple_name(class)),
            ExpressionKind::Element => "an element".to_owned(),
            ExpressionKind::Operation => "an operation".to_owned(),
            ExpressionKind::Escaped => "an escaping exception".to_owned(),
        }
    }

    /// The static type as Java spells it.
    pub fn type_name(&self) -> String {
        java_type(&self.type_descriptor)
    }

    /// A value that it had, as people read it. The JVM computes booleans and characters as ints; their type
    /// knows better.
    pub fn shown_value(&self, property: &PropertyName, value: &str) -> String {
        let is_own = property.field.is_none() && property.aspect == "value";
        let number = value.strip_prefix('I').filter(|_| is_own);
        let known_better = match (self.type_descriptor.as_str(), number) {
            ("Z", Some(number)) => Some(format!("Z{}", number != "0")),
            ("C", Some(number)) => (number.parse().ok())
                .and_then(char::from_u32)
                .map(|character| format!("C{character}")),
            _ => None,
        };
        shown_value(&property.aspect, known_better.as_deref().unwrap_or(value))
    }
}

impl ExpressionKind {
    /// Whether only their order tells both apart in a source, which has the names of things alone.
    fn is_spelled_like(&self, other: &Self) -> bool {
        use ExpressionKind::{Call, Field, New, Variable};
        match (self, other) {
            (call @ Call { name: one, .. }, Call { name: other, .. }) => {
                one == other && !call.may_box()
            }
            (Field { name: one, .. }, Field { name: other, .. })
            | (Variable(one), Variable(other)) => one == other,
            (New(one), New(other)) => own_name(one) == own_name(other),
            (one, other) => one == other,
        }
    }

    /// Whether it is what the compiler writes where a primitive is wanted as an object.
    fn may_box(&self) -> bool {
        let ExpressionKind::Call {
            owner,
            name,
            descriptor,
            ..
        } = self
        else {
            return false;
        };
        let wraps = owner.starts_with("java/lang/") && owner != "java/lang/String";
        // Only a primitive is one letter.
        name == "valueOf" && wraps && descriptor.get(2..) == Some(&format!(")L{owner};"))
    }
}

/// `Entry` of `java/util/Map$Entry`.
pub(crate) fn own_name(class: &str) -> &str {
    class.rsplit(['/', '$']).next().unwrap_or(class)
}

/// `Map.Entry` of `java/util/Map$Entry`.
pub(crate) fn simple_name(class: &str) -> String {
    let name = class.rsplit('/').next().unwrap_or(class);
    name.replace('$', ".")
}

/// `int[]` of `[I`, `java.util.List` of `Ljava/util/List;`.
pub(crate) fn java_type(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let dimensions = "[]".repeat(descriptor.len() - element.len());
    let name = match element {
        "Z" => "boolean".to_owned(),
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "S" => "short".to_owned(),
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "F" => "float".to_owned(),
        "D" => "double".to_owned(),
        "V" => "void".to_owned(),
        class => class
            .trim_start_matches('L')
            .trim_end_matches(';')
            .replace(['/', '$'], "."),
    };
    name + &dimensions
}

fn line_at(lines: &[LineNumber], pc: u16) -> Option<u16> {
    let after = lines.partition_point(|entry| entry.pc <= pc);
    lines[..after].last().map(|entry| entry.line)
}

/// The type of what an operation gives.
fn computed(opcode: u8) -> &'static str {
    let four = ["I", "J", "F", "D"];
    match opcode {
        // Each operation in four forms.
        IADD..=DNEG => four[usize::from(opcode - IADD) % 4],
        // From shifts on there are only ints and longs.
        ISHL..=LXOR => four[usize::from(opcode - ISHL) % 2],
        I2L..=I2S => {
            let to = [
                "J", "F", "D", "I", "F", "D", "I", "J", "D", "I", "J", "F", "B", "C", "S",
            ];
            to[usize::from(opcode - I2L)]
        }
        INSTANCEOF => "Z",
        _ => "I",
    }
}

/// Kind and type of the value that an instruction leaves.
fn describe(
    file: &ClassFile<'_>,
    code: &Code<'_>,
    instructions: &[Instruction<'_>],
    at: usize,
) -> Result<Option<(ExpressionKind, String)>, Malformed> {
    let instruction = &instructions[at];
    let pool = &file.pool;
    let described = match (instruction.opcode, instruction.operand) {
        (opcode @ (ILOAD..=ALOAD | ILOAD_0..=ALOAD_3), operand) => {
            let slot = match operand {
                Operand::Local(slot) => slot,
                _ => u16::from((opcode - ILOAD_0) % 4),
            };
            // A variable begins to exist behind the instruction that first stores it.
            let variable = code.local_variables(pool)?.into_iter().find(|variable| {
                let range = variable.start..=variable.start.saturating_add(variable.length);
                variable.slot == slot && range.contains(&instruction.pc)
            });
            let Some(variable) = variable else {
                return Ok(None);
            };
            let kind = ExpressionKind::Variable(variable.name.to_string());
            Some((kind, variable.type_text.to_string()))
        }
        (GETSTATIC | GETFIELD, Operand::Constant(index)) => {
            let field = pool.member_ref(index)?;
            let kind = ExpressionKind::Field {
                owner: field.owner.to_string(),
                name: field.name.to_string(),
            };
            Some((kind, field.descriptor.to_string()))
        }
        (opcode @ INVOKEVIRTUAL..=INVOKEINTERFACE, Operand::Constant(index)) => {
            let called = pool.member_ref(index)?;
            if called.name == "<init>" {
                let class = called.owner.to_string();
                let type_descriptor = format!("L{class};");
                return Ok(Some((ExpressionKind::New(class), type_descriptor)));
            }
            let result = MethodDescriptor::read(called.descriptor)?.result;
            let kind = ExpressionKind::Call {
                owner: called.owner.to_string(),
                name: called.name.to_string(),
                descriptor: called.descriptor.to_string(),
                is_static: opcode == INVOKESTATIC,
            };
            Some((kind, result.as_str().to_string()))
        }
        (INVOKEDYNAMIC, Operand::Constant(index)) => match pool.get(index)? {
            Constant::InvokeDynamic { name_and_type, .. } => {
                let result = MethodDescriptor::read(name_and_type.descriptor)?.result;
                Some((ExpressionKind::Operation, result.as_str().to_string()))
            }
            _ => None,
        },
        (opcode @ IALOAD..=SALOAD, _) => {
            let types = ["I", "J", "F", "D", "Ljava/lang/Object;", "I", "C", "S"];
            let of = types[usize::from(opcode - IALOAD)];
            Some((ExpressionKind::Element, of.to_owned()))
        }
        (opcode @ (IADD..=I2S | ARRAYLENGTH | INSTANCEOF), _) => {
            Some((ExpressionKind::Operation, computed(opcode).to_owned()))
        }
        _ => None,
    };
    // Where a type was erased, the cast that follows knows it.
    let cast = instructions
        .get(at + 1)
        .filter(|next| next.opcode == CHECKCAST);
    Ok(match (described, cast.map(|cast| cast.operand)) {
        (Some((kind, _)), Some(Operand::Constant(index))) => {
            let class = pool.class_name(index)?.to_string();
            let descriptor = if class.starts_with('[') {
                class
            } else {
                format!("L{class};")
            };
            Some((kind, descriptor))
        }
        (described, _) => described,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_as_their_type_has_them() {
        let shown = |of: &str, property: &str, value: &str| {
            let expression = Expression {
                method: "adds".into(),
                descriptor: "()V".into(),
                line: None,
                kind: ExpressionKind::Operation,
                type_descriptor: of.to_owned(),
                nth: 0,
            };
            expression.shown_value(&PropertyName::read(property), value)
        };
        assert_eq!(shown("Z", "#value", "I1"), "true");
        assert_eq!(shown("Z", "#value", "I0"), "false");
        assert_eq!(shown("C", "#value", "I97"), "'a'");
        assert_eq!(shown("I", "#value", "I1"), "1");
    }

    #[test]
    fn an_operation_has_the_type_that_it_computes() {
        for (opcode, of) in [
            (IADD, "I"),
            (IADD + 1, "J"),
            (IADD + 3, "D"),
            (DNEG, "D"),
            (ISHL, "I"),
            (LXOR, "J"),
            (I2L, "J"),
            (I2S - 1, "C"),
            (I2S, "S"),
            (INSTANCEOF, "Z"),
            (ARRAYLENGTH, "I"),
        ] {
            assert_eq!(computed(opcode), of, "{opcode}");
        }
    }
}

//! The extreme mutants of a class.

use jury_classfile::{Access, ClassFile, Malformed};

use crate::extreme::Operator;
use crate::id::{MethodId, MutantId};
use crate::method::{ClassInHand, MethodInHand};
use crate::replacement::Replacement;
use crate::settings::MutateSettings;
use crate::stop::{Forbidden, StopReason, StopRules};

/// A class and what can be done to its methods.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassMutants {
    /// In VM form.
    pub name: String,
    /// As the compiler noted it, without a directory.
    pub source_file: Option<String>,
    pub access: Access,
    pub methods: Vec<MethodFacts>,
}

impl ClassMutants {
    /// Takes note that nobody wrote the class, where its file does not say so.
    pub fn declare_generated(&mut self, rules: &StopRules) {
        if !rules.enforces(StopReason::Generated) {
            return;
        }
        for method in &mut self.methods {
            method.mutants.clear();
            method.stop.get_or_insert(StopReason::Generated);
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct MethodFacts {
    pub id: MethodId,
    pub access: Access,
    pub first_line: Option<u16>,
    pub last_line: Option<u16>,
    /// In bytes; 0 without code.
    pub code_length: usize,
    pub mutants: Vec<Mutant>,
    /// Why there are no mutants; none also when no operator fits the method.
    pub stop: Option<StopReason>,
}

/// One method with its body thrown away.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutant {
    pub id: MutantId,
    /// What the method does now, in words: "body removed", "returns `0`".
    pub description: String,
    pub replacement: Replacement,
    /// Where the method's code begins.
    pub line: Option<u16>,
}

/// Finds the mutants of every method, in the order of the class file and of the settings.
/// Methods that cannot or should not be mutated are listed, too, with the reason.
pub fn find_mutants(
    file: &ClassFile<'_>,
    settings: &MutateSettings,
) -> Result<ClassMutants, Malformed> {
    let class = ClassInHand::read(file)?;
    let methods = file.methods.iter().map(|member| {
        let method = MethodInHand::read(&class, member)?;
        let stop = settings.stop_rules.stop(&method);
        let mutants = if stop.is_none() {
            mutants_of(&method, settings)
        } else {
            Vec::new()
        };
        Ok(MethodFacts {
            id: method.id(),
            access: member.access,
            first_line: method.first_line(),
            last_line: method.last_line(),
            code_length: method.code.map_or(0, |code| code.bytes.len()),
            mutants,
            stop,
        })
    });
    Ok(ClassMutants {
        name: class.name.to_string(),
        source_file: file
            .attributes
            .source_file(&file.pool)?
            .map(|name| name.to_string()),
        access: file.access,
        methods: methods.collect::<Result<_, Malformed>>()?,
    })
}

fn mutants_of(method: &MethodInHand<'_, '_>, settings: &MutateSettings) -> Vec<Mutant> {
    let forbidden = Forbidden::under(&settings.stop_rules, method);
    let may_be_null = settings.null_policy.allows(method);
    let mutants = settings.operators.iter().filter_map(|operator| {
        let replacement = operator.replace(method)?;
        let name = operator.to_string();
        if forbidden.forbids(&name) || (replacement == Replacement::Null && !may_be_null) {
            return None;
        }
        Some(Mutant {
            description: describe(operator, &replacement),
            id: MutantId {
                method: method.id(),
                operator: name,
                ordinal: None,
            },
            replacement,
            line: method.first_line(),
        })
    });
    mutants.collect()
}

fn describe(operator: &Operator, replacement: &Replacement) -> String {
    match replacement {
        Replacement::Void => "body removed".to_owned(),
        Replacement::Null => "returns `null`".to_owned(),
        Replacement::EmptyArray { .. } => "returns an empty array".to_owned(),
        Replacement::New { class } => format!("returns `new {}()`", simple_name(class)),
        Replacement::StaticCall { owner, name, .. } => {
            format!("returns `{}.{name}()`", simple_name(owner))
        }
        Replacement::Argument { .. } => "returns its argument".to_owned(),
        Replacement::This => "returns `this`".to_owned(),
        _ => format!("returns `{operator}`"),
    }
}

fn simple_name(class: &str) -> &str {
    class.rsplit('/').next().unwrap_or(class)
}

//! Mutants in the form in which workers carry them.

use jury_jvm::{Body, Change};
use jury_mutate::{Literal, Mutation, Replacement};

pub(super) fn body(replacement: &Replacement) -> Body {
    match replacement {
        Replacement::Void => Body::Void,
        Replacement::Null => Body::Null,
        Replacement::Int(value) => Body::Int(*value),
        Replacement::Long(value) => Body::Long(*value),
        Replacement::Float(value) => Body::Float(value.to_bits()),
        Replacement::Double(value) => Body::Double(value.to_bits()),
        Replacement::Str(text) => Body::Text(text.clone()),
        Replacement::Boxed(literal) => boxed(literal),
        Replacement::EmptyArray { .. } => Body::EmptyArray,
        Replacement::New { class } => Body::New(class.clone()),
        Replacement::StaticCall {
            owner,
            name,
            descriptor,
            interface,
        } => Body::Call {
            class: owner.clone(),
            method: name.clone(),
            descriptor: descriptor.clone(),
            is_interface: *interface,
            arguments: Vec::new(),
        },
        Replacement::Argument { slot } => Body::Argument(*slot),
        Replacement::This => Body::Argument(0),
    }
}

/// The constant as the `valueOf` of its wrapper gives it; text has no wrapper.
fn boxed(literal: &Literal) -> Body {
    let constant = body(&literal.replacement());
    match literal.wrapper() {
        Some(wrapper) => Body::Call {
            class: wrapper.to_owned(),
            method: "valueOf".to_owned(),
            descriptor: format!("({})L{wrapper};", literal.descriptor()),
            is_interface: false,
            arguments: vec![constant],
        },
        None => constant,
    }
}

pub(super) fn change(mutation: &Mutation) -> Change {
    match mutation {
        Mutation::Opcode(opcode) => Change::Opcode(*opcode),
        Mutation::Increment(by) => Change::Increment(*by),
        Mutation::Omit { operands, instead } => Change::Omit {
            operands: operands.clone(),
            instead: instead.as_ref().map(body),
        },
        Mutation::AlwaysBranch { operands } => Change::AlwaysBranch {
            operands: operands.clone(),
        },
        Mutation::Return(value) => Change::Return(body(value)),
        Mutation::Switch { default, cases } => Change::Retarget {
            default: *default,
            targets: cases.iter().map(|(_, target)| *target).collect(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_in_wrappers_come_from_value_of() {
        let zero = Body::Call {
            class: "java/lang/Character".into(),
            method: "valueOf".into(),
            descriptor: "(C)Ljava/lang/Character;".into(),
            is_interface: false,
            arguments: vec![Body::Int(0)],
        };
        assert_eq!(body(&Replacement::Boxed(Literal::Char(0))), zero);
    }

    #[test]
    fn a_switch_keeps_its_keys() {
        let mutation = Mutation::Switch {
            default: 9,
            cases: vec![(-1, 4), (70, 9)],
        };
        let change = change(&mutation);
        assert!(matches!(change, Change::Retarget { default: 9, targets } if targets == [4, 9]));
    }
}

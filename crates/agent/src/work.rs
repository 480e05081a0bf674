//! What the code under test is made to report in a worker: probes, switched bodies and switched
//! instructions, as the session plans them.

use jury_instrument::{
    self as instrument, Body, CallWatch, Change, Plan, Point, PointSwitch, PointedMethod,
    Rewritten, Switch, ValueWatch, WorkProbe,
};
use jury_protocol as protocol;
use jury_protocol::Record;

/// The session's plan as the rewriter understands it.
pub fn plan(session: &protocol::Plan) -> Plan {
    let probes = session
        .probes
        .iter()
        .fold(WorkProbe::new(), |probes, probed| {
            probes.class(&probed.class, probed.methods, probed.first)
        });
    let switch = session
        .switches
        .iter()
        .fold(Switch::new(), |switch, switched| {
            switch.body(
                switched.number as i32,
                &switched.class,
                &switched.method,
                &switched.descriptor,
                body(&switched.body),
            )
        });
    let points = session
        .points
        .iter()
        .fold(PointSwitch::new(), |points, pointed| {
            let methods = pointed.methods.iter().map(pointed_method).collect();
            points.class(&pointed.class, pointed.digest, methods)
        });
    let calls = session.calls.iter().fold(CallWatch::new(), |calls, one| {
        calls.method(one.number as i32, &one.class, &one.method, &one.descriptor)
    });
    let values = session
        .values
        .iter()
        .fold(ValueWatch::new(), |values, one| {
            values.class(one.number, &one.class)
        });
    // Kinds write their prologues in this order: a switched body counts as a run of the method,
    // and lies within what is watched of its call.
    Plan::new()
        .with(calls)
        .with(values)
        .with(probes)
        .with(switch)
        .with(points)
}

fn pointed_method(planned: &protocol::PointedMethod) -> PointedMethod {
    let points = planned.points.iter().map(|point| Point {
        number: point.number as i32,
        pc: point.pc,
        change: change(&point.change),
    });
    PointedMethod {
        index: planned.index,
        blocks: planned.blocks.clone(),
        points: points.collect(),
    }
}

fn change(planned: &protocol::Change) -> Change {
    match planned {
        protocol::Change::Opcode(opcode) => Change::Opcode(*opcode),
        protocol::Change::Increment(by) => Change::Increment(*by),
        protocol::Change::Omit { operands, instead } => Change::Omit {
            operands: operands.clone(),
            instead: instead.as_ref().map(body),
        },
        protocol::Change::AlwaysBranch { operands } => Change::AlwaysBranch {
            operands: operands.clone(),
        },
        protocol::Change::Return(value) => Change::Return(body(value)),
        protocol::Change::Retarget { default, targets } => Change::Retarget {
            default: *default,
            targets: targets.clone(),
        },
    }
}

fn body(planned: &protocol::Body) -> Body {
    match planned {
        protocol::Body::Void => Body::Void,
        protocol::Body::Null => Body::Null,
        protocol::Body::Int(value) => Body::Int(*value),
        protocol::Body::Long(value) => Body::Long(*value),
        protocol::Body::Float(bits) => Body::Float(f32::from_bits(*bits)),
        protocol::Body::Double(bits) => Body::Double(f64::from_bits(*bits)),
        protocol::Body::Text(text) => Body::String(text.clone()),
        protocol::Body::EmptyArray => Body::EmptyArray,
        protocol::Body::New(class) => Body::New(class.clone()),
        protocol::Body::Call {
            class,
            method,
            descriptor,
            is_interface,
            arguments,
        } => Body::Call {
            class: class.clone(),
            method: method.clone(),
            descriptor: descriptor.clone(),
            is_interface: *is_interface,
            arguments: arguments.iter().map(body).collect(),
        },
        protocol::Body::Argument(slot) => Body::Argument(*slot),
    }
}

/// Rewrites a class of the code under test. What cannot be done is reported, and never a reason to
/// switch the agent off: one odd class must not cost the verdict on all others.
pub fn rewrite(
    name: &str,
    class_file: &[u8],
    plan: &Plan,
    sees_helpers: impl Fn() -> bool,
    report: impl Fn(Record),
) -> Option<Vec<u8>> {
    if is_rewritten(class_file) {
        return None;
    }
    let left_out = |method: String, reason: String| {
        report(Record::LeftOut {
            class: name.to_owned(),
            method,
            reason,
        });
    };
    if !sees_helpers() {
        left_out(
            String::new(),
            "its class loader hides the probes from it".to_owned(),
        );
        return None;
    }
    let rewritten = match instrument::rewrite(class_file, plan) {
        Ok(rewritten) => rewritten,
        Err(error) => {
            left_out(String::new(), error.to_string());
            return None;
        }
    };
    for skipped in rewritten.skipped() {
        left_out(
            format!("{}{}", skipped.name, skipped.descriptor),
            skipped.reason.to_string(),
        );
    }
    match rewritten {
        Rewritten::Unchanged { .. } => None,
        Rewritten::Changed { bytes, .. } => Some(bytes),
    }
}

/// True for bytes that another agent got after our rewriting and redefines the class with.
fn is_rewritten(class_file: &[u8]) -> bool {
    [
        b"jury/boot/Probes".as_slice(),
        b"jury/boot/Switches",
        b"jury/boot/Observations",
    ]
    .iter()
    .any(|helper| {
        class_file
            .windows(helper.len())
            .any(|window| window == *helper)
    })
}

//! Each kind of rewriting, with a plan that asks for as much of it as a class allows.

use std::collections::BTreeSet;

use jury_classfile::opcode::*;
use jury_classfile::splice::{MethodRef, Snippet, splice_methods};
use jury_classfile::{ClassFile, Code, Instruction, MethodDescriptor, Operand, Type};
use jury_instrument::{
    ArgumentHook, Body, Call, CallSite, CallWatch, Change, EntryProbe, ExitHook, Plan, Point,
    PointSwitch, PointedMethod, RewriteError, Rewritten, Scope, SkippedMethod, Switch, ValueWatch,
    WorkProbe, rewrite,
};

/// Rewrites the class in these bytes.
pub type Rewriter = fn(&[u8]) -> Result<Rewritten, RewriteError>;

pub const REWRITERS: &[(&str, Rewriter)] = &[
    ("argument hooks", |class| {
        rewrite(class, &argument_hooks(class, Plan::new()))
    }),
    ("entry probes", |class| {
        rewrite(class, &entry_probes(Plan::new()))
    }),
    ("exit hooks", |class| {
        rewrite(class, &exit_hooks(class, Plan::new()))
    }),
    ("call sites", |class| {
        rewrite(class, &call_sites(Plan::new()))
    }),
    ("switches", |class| {
        rewrite(class, &switches(class, Plan::new()))
    }),
    ("work probes", |class| {
        rewrite(class, &work_probes(class, Plan::new()))
    }),
    ("point switches", |class| {
        rewrite(class, &point_switches(class, Plan::new()))
    }),
    ("call watches", |class| {
        rewrite(class, &call_watches(class, Plan::new()))
    }),
    ("value watches", |class| {
        rewrite(class, &value_watches(class, Plan::new()))
    }),
    ("everything at once", |class| {
        let plan = value_watches(class, call_watches(class, Plan::new()));
        let plan = exit_hooks(class, call_sites(plan));
        let plan = point_switches(class, switches(class, plan));
        let plan = work_probes(class, entry_probes(plan));
        rewrite(class, &argument_hooks(class, plan))
    }),
    ("calls around every instruction", around_every_instruction),
];

fn argument_hooks(class: &[u8], plan: Plan) -> Plan {
    let (class, methods) = leaked_names(class);
    methods.into_iter().fold(plan, |plan, method| {
        plan.with(ArgumentHook {
            hook: 1000,
            class,
            method,
        })
    })
}

fn exit_hooks(class: &[u8], plan: Plan) -> Plan {
    let (class, methods) = leaked_names(class);
    methods.into_iter().fold(plan, |plan, method| {
        plan.with(ExitHook {
            hook: 7,
            class,
            method,
        })
    })
}

fn call_watches(class: &[u8], plan: Plan) -> Plan {
    let file = ClassFile::read(class).unwrap();
    let name = file.name().unwrap().to_string();
    let watch = (0..)
        .zip(&file.methods)
        .fold(CallWatch::new(), |watch, (number, method)| {
            let method_name = method.name(&file.pool).unwrap().to_string();
            let descriptor = method.descriptor(&file.pool).unwrap().to_string();
            watch.method(number, &name, &method_name, &descriptor)
        });
    plan.with(watch)
}

fn value_watches(class: &[u8], plan: Plan) -> Plan {
    let file = ClassFile::read(class).unwrap();
    let name = file.name().unwrap().to_string();
    plan.with(ValueWatch::new().class(1, &name))
}

fn entry_probes(plan: Plan) -> Plan {
    let probe = EntryProbe::new(Scope::all(), "jury/boot/Probes", "HITS", |_, _| {
        Some(100_000)
    });
    plan.with(
        probe
            .bracketing_initialisers("initialising", "initialised")
            .bracketing_stores("storing", "stored"),
    )
}

fn call_sites(plan: Plan) -> Plan {
    let call = |owner: &str, name: &str, descriptor: &str, is_static| Call {
        owner: owner.into(),
        name: name.into(),
        descriptor: descriptor.into(),
        is_static,
        helper_class: "jury/boot/Calls".into(),
        helper_method: name.into(),
    };
    let append = "(Ljava/lang/String;)Ljava/lang/StringBuilder;";
    let put = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
    let calls = [
        call("java/util/Iterator", "hasNext", "()Z", false),
        call("java/util/Iterator", "next", "()Ljava/lang/Object;", false),
        call("java/util/List", "size", "()I", false),
        call("java/util/Map", "put", put, false),
        call("java/lang/StringBuilder", "append", append, false),
        call("java/lang/Object", "equals", "(Ljava/lang/Object;)Z", false),
        call("java/lang/Math", "max", "(JJ)J", true),
    ];
    plan.with(CallSite::new(Scope::all(), calls))
}

fn work_probes(class: &[u8], plan: Plan) -> Plan {
    let file = ClassFile::read(class).unwrap();
    let (name, methods) = (file.name().unwrap().to_str(), file.methods.len() as u16);
    plan.with(WorkProbe::new().class(&name, methods, 50_000))
}

/// No kind inserts so much; it is here to try the splicer at every instruction there is.
fn around_every_instruction(class: &[u8]) -> Result<Rewritten, RewriteError> {
    const TICK: MethodRef<'static> = MethodRef {
        class: "jury/boot/Probes",
        name: "tick",
        descriptor: "()V",
    };
    let file = ClassFile::read(class)?;
    let spliced = splice_methods(&file, |_, method, edit, pool| {
        let code = method.code(&file.pool).unwrap().unwrap();
        let mut tick = Snippet::default();
        if tick.invoke_static(TICK, pool).is_err() {
            return;
        }
        for instruction in code.instructions() {
            let instruction = instruction.unwrap();
            edit.patch.insert_before(&instruction, tick.clone());
            // Behind these, code would be out of reach and in want of a frame.
            let ends = matches!(
                instruction.opcode,
                GOTO | GOTO_W | JSR | JSR_W | RET | TABLESWITCH | LOOKUPSWITCH | ATHROW
            );
            if !ends && !is_return(instruction.opcode) {
                edit.patch.insert_after(&instruction, tick.clone());
            }
        }
    });
    let skipped = spliced
        .skipped
        .into_iter()
        .map(|(index, reason)| SkippedMethod {
            name: index.to_string(),
            descriptor: String::new(),
            reason: reason.into(),
        });
    let skipped = skipped.collect();
    Ok(match spliced.bytes {
        Some(bytes) => Rewritten::Changed { bytes, skipped },
        None => Rewritten::Unchanged { skipped },
    })
}

/// Every body that the method's type allows, each under a number of its own.
fn switches(class: &[u8], plan: Plan) -> Plan {
    let file = ClassFile::read(class).unwrap();
    let class = file.name().unwrap().to_str();
    let mut switch = Switch::new();
    for method in &file.methods {
        let name = method.name(&file.pool).unwrap().to_str();
        let descriptor = method.descriptor(&file.pool).unwrap();
        let bodies = match MethodDescriptor::read(descriptor).unwrap().result.first() {
            b'V' => vec![Body::Void],
            b'J' => vec![Body::Long(0), Body::Long(1 << 40)],
            b'F' => vec![Body::Float(0.0), Body::Float(-0.0)],
            b'D' => vec![Body::Double(0.0), Body::Double(1.5)],
            b'[' => vec![Body::Null, Body::EmptyArray],
            b'L' => vec![Body::Null, Body::String("A".into())],
            _ => vec![Body::Int(0), Body::Int(1)],
        };
        for (id, body) in (1..).zip(bodies) {
            // A reference type that cannot hold a string has one body only.
            let holds = descriptor.to_str().ends_with(")Ljava/lang/String;");
            if holds || !matches!(body, Body::String(_)) {
                switch = switch.body(id, &class, &name, &descriptor.to_str(), body);
            }
        }
    }
    plan.with(switch)
}

/// As many points as this in a method, from all over it.
const MOST_POINTS: usize = 24;

fn point_switches(class: &[u8], plan: Plan) -> Plan {
    let file = ClassFile::read(class).unwrap();
    let name = file.name().unwrap().to_str();
    let mut methods = Vec::new();
    let mut numbers = 1..;
    for (index, method) in (0..).zip(&file.methods) {
        let is_initialiser = method
            .name(&file.pool)
            .unwrap()
            .as_bytes()
            .starts_with(b"<");
        let Some(code) = method.code(&file.pool).unwrap().filter(|_| !is_initialiser) else {
            continue;
        };
        let descriptor = MethodDescriptor::read(method.descriptor(&file.pool).unwrap()).unwrap();
        let changes: Vec<_> = instructions(&code)
            .flat_map(|instruction| {
                let changes = changes(&file, &instruction, descriptor.result);
                changes
                    .into_iter()
                    .map(move |change| (instruction.pc, change))
            })
            .collect();
        let every = changes.len().div_ceil(MOST_POINTS).max(1);
        let chosen = changes.into_iter().step_by(every);
        let points = numbers
            .by_ref()
            .zip(chosen)
            .map(|(number, (pc, change))| Point { number, pc, change });
        methods.push(PointedMethod {
            index,
            blocks: instructions(&code)
                .map(|instruction| (instruction.pc, 0))
                .step_by(5)
                .collect(),
            points: points.collect(),
        });
    }
    plan.with(PointSwitch::new().class(&name, file.digest(), methods))
}

fn instructions<'a>(code: &Code<'a>) -> impl Iterator<Item = Instruction<'a>> {
    code.instructions().map(Result::unwrap)
}

/// Every change that can be made to an instruction without knowing what surrounds it.
fn changes(file: &ClassFile<'_>, instruction: &Instruction<'_>, result: Type<'_>) -> Vec<Change> {
    let default = |of: Type<'_>| match of.first() {
        b'J' => Body::Long(1 << 40),
        b'F' => Body::Float(1.5),
        b'D' => Body::Double(1.5),
        b'L' | b'[' => Body::Null,
        _ => Body::Int(1),
    };
    let omit = |operands: Vec<u16>, instead| Change::Omit { operands, instead };
    match (instruction.opcode, instruction.operand) {
        // Arithmetic on int, long, float and double comes in runs of four.
        (opcode @ 96..=107, _) => vec![Change::Opcode(opcode + 4)],
        (116..=119, _) => vec![Change::Opcode(NOP)],
        (2..=8 | BIPUSH | SIPUSH, _) => vec![omit(vec![], Some(Body::Int(70_000)))],
        (9..=10, _) => vec![omit(vec![], Some(Body::Long(7)))],
        (11..=13, _) => vec![omit(vec![], Some(Body::Float(7.0)))],
        (14..=15, _) => vec![omit(vec![], Some(Body::Double(7.0)))],
        (_, Operand::Increment { by, .. }) => {
            vec![Change::Increment(by.wrapping_neg()), Change::Increment(300)]
        }
        (opcode @ (IFEQ..=IF_ACMPNE | IFNULL | IFNONNULL), _) => {
            let pair = (159..=IF_ACMPNE).contains(&opcode);
            let operands = vec![1; if pair { 2 } else { 1 }];
            let opposite = if opcode >= IFNULL {
                opcode ^ 1
            } else {
                ((opcode - IFEQ) ^ 1) + IFEQ
            };
            let always = Change::AlwaysBranch {
                operands: operands.clone(),
            };
            vec![Change::Opcode(opposite), always, omit(operands, None)]
        }
        (opcode @ INVOKEVIRTUAL..=INVOKEINTERFACE, Operand::Constant(index)) => {
            let called = file.pool.member_ref(index).unwrap();
            if called.name == "<init>" {
                return Vec::new();
            }
            let descriptor = MethodDescriptor::read(called.descriptor).unwrap();
            let mut operands: Vec<u16> = descriptor.parameters().map(|each| each.slots()).collect();
            operands.reverse();
            operands.extend((opcode != INVOKESTATIC).then_some(1));
            let gives = (!descriptor.result.is_void()).then(|| default(descriptor.result));
            vec![omit(operands, gives)]
        }
        (PUTFIELD, Operand::Constant(index)) => {
            let field = file.pool.member_ref(index).unwrap();
            vec![omit(
                vec![Type::field(field.descriptor).unwrap().slots(), 1],
                None,
            )]
        }
        (_, Operand::TableSwitch(switch)) => {
            let targets = switch.cases().map(|_| switch.default).collect();
            vec![Change::Retarget {
                default: switch.default,
                targets,
            }]
        }
        (_, Operand::LookupSwitch(switch)) => {
            let targets = switch.cases().map(|_| switch.default).collect();
            vec![Change::Retarget {
                default: switch.default,
                targets,
            }]
        }
        (opcode, _) if is_return(opcode) && !result.is_void() => {
            vec![Change::Return(default(result))]
        }
        _ => Vec::new(),
    }
}

/// Hooks name their methods for as long as the program runs, as the agent's do.
fn leaked_names(class: &[u8]) -> (&'static str, BTreeSet<&'static str>) {
    let file = ClassFile::read(class).unwrap();
    let leak = |text: std::borrow::Cow<'_, str>| -> &'static str { text.into_owned().leak() };
    let names: BTreeSet<_> = file
        .methods
        .iter()
        .map(|method| method.name(&file.pool).unwrap().to_str())
        .collect();
    (
        leak(file.name().unwrap().to_str()),
        names.into_iter().map(leak).collect(),
    )
}

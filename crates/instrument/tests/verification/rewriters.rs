//! Each kind of rewriting, with a plan that asks for as much of it as a class allows.

use std::collections::BTreeSet;

use jury_classfile::opcode::{
    ATHROW, GOTO, GOTO_W, JSR, JSR_W, LOOKUPSWITCH, RET, TABLESWITCH, is_return,
};
use jury_classfile::splice::{MethodRef, Snippet, splice_methods};
use jury_classfile::{ClassFile, MethodDescriptor};
use jury_instrument::{
    ArgumentHook, Body, Call, CallSite, EntryProbe, ExitHook, Plan, RewriteError, Rewritten, Scope,
    SkippedMethod, Switch, WorkProbe, rewrite,
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
    ("everything at once", |class| {
        let plan = exit_hooks(class, call_sites(Plan::new()));
        let plan = work_probes(class, entry_probes(switches(class, plan)));
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

fn entry_probes(plan: Plan) -> Plan {
    plan.with(EntryProbe::new(
        Scope::all(),
        "jury/boot/Probes",
        "hit",
        |_, _| Some(100_000),
    ))
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
            edit.insert_before(&instruction, tick.clone());
            // Behind these, code would be out of reach and in want of a frame.
            let ends = matches!(
                instruction.opcode,
                GOTO | GOTO_W | JSR | JSR_W | RET | TABLESWITCH | LOOKUPSWITCH | ATHROW
            );
            if !ends && !is_return(instruction.opcode) {
                edit.insert_after(&instruction, tick.clone());
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

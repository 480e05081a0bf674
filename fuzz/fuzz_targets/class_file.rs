//! Any bytes at all: reading, listing and rewriting them never panics, loops or runs out of
//! memory, and what comes out of a rewrite can be read again.
//!
//! `cargo +nightly fuzz run class_file`; class files make good seeds in `corpus/class_file`.

#![no_main]

use jury_classfile::{ClassFile, listing};
use jury_instrument::{Call, CallSite, EntryProbe, ExitHook, Plan, Rewritten, Scope, rewrite};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(class) = ClassFile::read(bytes) else {
        return;
    };
    let _ = listing(&class);
    let _ = class.referenced_classes();
    let Ok(name) = class.name() else { return };
    let Rewritten::Changed { bytes, .. } = rewrite(bytes, &plan(&class, &name.to_str())).unwrap()
    else {
        return;
    };
    ClassFile::read(&bytes).unwrap();
});

/// As much rewriting as the class allows.
fn plan(class: &ClassFile<'_>, name: &str) -> Plan {
    let probe = EntryProbe::new(Scope::all(), "jury/boot/Probes", "hit", |_, _| Some(0));
    let calls =
        class
            .member_references()
            .flatten()
            .take(8)
            .filter_map(|reference| match reference {
                jury_classfile::Reference::InterfaceMethod(method) => Some(Call {
                    owner: method.owner.to_string(),
                    name: method.name.to_string(),
                    descriptor: method.descriptor.to_string(),
                    is_static: false,
                    helper_class: "jury/boot/Calls".into(),
                    helper_method: "call".into(),
                }),
                _ => None,
            });
    let plan = Plan::new()
        .with(probe)
        .with(CallSite::new(Scope::all(), calls));
    // Hooks name methods for the life of the program, so only one fixed name can be used.
    if name == "sample/Everything" {
        plan.with(ExitHook {
            hook: 1,
            class: "sample/Everything",
            method: "guarded",
        })
    } else {
        plan
    }
}

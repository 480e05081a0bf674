//! Bytes that mean harm: reading and rewriting them may fail, and nothing else.

mod support;

use jury_classfile::splice::{MethodRef, Patch, Snippet, splice_methods};
use jury_classfile::{ClassFile, MethodDescriptor, listing, opcode};
use proptest::prelude::*;
use support::SAMPLES;

/// Reads everything there is to read, then rewrites in every way.
fn exercise(bytes: &[u8]) {
    let Ok(class) = ClassFile::read(bytes) else {
        return;
    };
    let _ = listing(&class);
    let _ = class.referenced_classes();
    let _ = class.attributes.bootstrap_methods(&class.pool);
    for method in &class.methods {
        if let Ok(descriptor) = method.descriptor(&class.pool) {
            let _ = MethodDescriptor::read(descriptor);
        }
    }
    let helper = MethodRef {
        class: "a/B",
        name: "c",
        descriptor: "()V",
    };
    splice_methods(&class, |_, method, edit, pool| {
        let Ok(Some(code)) = method.code(&class.pool) else {
            return;
        };
        let _ = edit.prologue.code().invoke_static(helper, pool);
        for instruction in code.instructions().map_while(Result::ok) {
            let mut snippet = Snippet::default();
            let _ = snippet.invoke_static(helper, pool);
            if opcode::is_return(instruction.opcode) {
                edit.patch.insert_before(&instruction, snippet);
            } else if instruction.opcode == opcode::INVOKEVIRTUAL {
                edit.patch.insert_after(&instruction, snippet);
            } else if instruction.opcode == opcode::INVOKEINTERFACE {
                edit.patch.replace_call(&instruction, 1);
            }
        }
        let _ = edit.on_throw().invoke_static(helper, pool);
        for instruction in code.instructions().map_while(Result::ok) {
            let mut patch = Patch::default();
            match instruction.opcode {
                opcode::TABLESWITCH | opcode::LOOKUPSWITCH => {
                    let _ = patch.retarget(&instruction, 0, &[0]);
                }
                opcode::GOTO => patch.replace_opcode(&instruction, opcode::IFEQ),
                opcode::INVOKESTATIC => patch.blank(&instruction),
                _ => continue,
            }
            edit.add_copy(1, patch);
        }
    });
}

fn any_sample() -> impl Strategy<Value = &'static [u8]> {
    let samples: Vec<&'static [u8]> = SAMPLES.values().map(Vec::as_slice).collect();
    prop::sample::select(samples)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn random_bytes_do_no_harm(tail in prop::collection::vec(any::<u8>(), 0..400)) {
        exercise(&tail);
        // With a valid beginning, more of the reader is reached.
        exercise(&[&[0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61], tail.as_slice()].concat());
    }

    #[test]
    fn flipped_bytes_do_no_harm(
        sample in any_sample(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let mut bytes = sample.to_vec();
        for (index, value) in flips {
            let at = index.index(bytes.len());
            bytes[at] = value;
        }
        exercise(&bytes);
    }

    #[test]
    fn truncated_classes_are_refused(sample in any_sample(), length in any::<prop::sample::Index>()) {
        let bytes = &sample[..length.index(sample.len())];
        prop_assert!(ClassFile::read(bytes).is_err());
    }
}

#[test]
fn a_small_file_cannot_claim_a_large_pool() {
    let bytes = [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 0xff, 0xff, 1, 0, 0];
    assert_eq!(
        ClassFile::read(&bytes).unwrap_err().to_string(),
        "truncated constant pool"
    );
}

#[test]
fn bytes_after_the_class_are_refused() {
    let bytes = [SAMPLES["Service"].as_slice(), &[0]].concat();
    assert!(ClassFile::read(&bytes).is_err());
}

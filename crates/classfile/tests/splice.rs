//! Edits carried out, and edits refused.

mod handmade;
mod support;

use std::collections::HashMap;

use handmade::Handmade;
use jury_classfile::opcode::*;
use jury_classfile::splice::{
    CodeEdit, MethodRef, Patch, PoolExtension, Prologue, SkipReason, Snippet, splice_methods,
};
use jury_classfile::stack_map::Frames;
use jury_classfile::{
    Access, ClassFile, Code, Constant, Instruction, JavaStr, MethodDescriptor, Operand, Type,
    listing,
};
use proptest::prelude::*;
use support::SAMPLES;

const HELPER: MethodRef<'static> = MethodRef {
    class: "h/H",
    name: "help",
    descriptor: "()V",
};

fn call(pool: &mut PoolExtension<'static>) -> Snippet {
    let mut snippet = Snippet::default();
    snippet.invoke_static(HELPER, pool).unwrap();
    snippet
}

fn void() -> Type<'static> {
    MethodDescriptor::read(JavaStr::new(b"()V")).unwrap().result
}

fn instructions<'a>(code: &Code<'a>) -> Vec<Instruction<'a>> {
    code.instructions().collect::<Result<_, _>>().unwrap()
}

/// The listing of the one method's code, or why it was skipped.
fn edited(
    class: &Handmade,
    edit: impl Fn(&[Instruction<'_>], &mut CodeEdit, &mut PoolExtension<'static>),
) -> Result<String, SkipReason> {
    let bytes = class.bytes();
    let class = ClassFile::read(&bytes).unwrap();
    let mut spliced = splice_methods(&class, |_, method, code_edit, pool| {
        let code = method.code(&class.pool).unwrap().unwrap();
        edit(&instructions(&code), code_edit, pool);
    });
    if let Some((0, reason)) = spliced.skipped.pop() {
        assert_eq!(
            spliced.bytes, None,
            "a class with nothing changed stays as it was"
        );
        return Err(reason);
    }
    let text = listing(&ClassFile::read(&spliced.bytes.unwrap()).unwrap()).unwrap();
    Ok(text
        .lines()
        .skip(3)
        .map(|line| format!("{}\n", line.trim()))
        .collect())
}

#[test]
fn code_after_an_instruction_is_not_run_by_branches_behind_it() {
    // 0: iconst_0, 1: ifeq 5, 4: nop, 5: return
    let class = Handmade::new([ICONST_0, IFEQ, 0, 4, NOP, RETURN]);
    let text = edited(&class, |code, edit, pool| {
        edit.patch.insert_after(&code[2], call(pool))
    })
    .unwrap();
    assert_eq!(
        text,
        "stack 2, locals 2\n0  iconst_0\n1  ifeq 8\n4  nop\n5  invokestatic h/H.help ()V\n8  return\n"
    );
}

#[test]
fn code_before_an_instruction_is_run_by_branches_to_it() {
    let class = Handmade::new([ICONST_0, IFEQ, 0, 4, NOP, RETURN]);
    let text = edited(&class, |code, edit, pool| {
        edit.patch.insert_before(&code[3], call(pool))
    })
    .unwrap();
    assert_eq!(
        text,
        "stack 2, locals 2\n0  iconst_0\n1  ifeq 5\n4  nop\n5  invokestatic h/H.help ()V\n8  return\n"
    );
}

fn branching_prologue(edit: &mut CodeEdit, pool: &mut PoolExtension<'static>) {
    edit.prologue.code().push_int(1, pool).unwrap();
    edit.prologue.code().push_int(2, pool).unwrap();
    let differ = edit.prologue.branch_if_ints_differ();
    edit.prologue.code().return_value(void());
    edit.prologue.land(differ).unwrap();
}

#[test]
fn a_branching_prologue_brings_a_stack_map_where_verifiers_want_one() {
    let mut class = Handmade::new([RETURN]);
    let text = edited(&class, |_, edit, pool| branching_prologue(edit, pool)).unwrap();
    assert!(text.ends_with("8  return\nframe 8 same\n"), "{text}");
    class.major_version = 49;
    let text = edited(&class, |_, edit, pool| branching_prologue(edit, pool)).unwrap();
    assert!(text.ends_with("8  return\n"), "{text}");
}

#[test]
fn a_body_can_be_replaced() {
    let class = Handmade::new([NOP, NOP, RETURN]);
    let text = edited(&class, |_, edit, pool| {
        let mut body = Prologue::default();
        *body.code() = call(pool);
        body.code().return_value(void());
        edit.replace_body(body);
    });
    assert_eq!(
        text.unwrap(),
        "stack 0, locals 2\n0  invokestatic h/H.help ()V\n3  return\n"
    );
}

#[test]
fn an_instruction_can_be_overwritten_where_it_stands() {
    // 0: iconst_0, 1: ifeq 5, 4: nop, 5: return
    let class = Handmade::new([ICONST_0, IFEQ, 0, 4, NOP, RETURN]);
    let text = edited(&class, |code, edit, pool| {
        edit.patch.insert_before(&code[2], call(pool));
        edit.patch.replace_opcode(&code[1], IFNULL);
        edit.patch.blank(&code[0]);
    });
    assert_eq!(
        text.unwrap(),
        "stack 2, locals 2\n0  nop\n1  ifnull 8\n4  invokestatic h/H.help ()V\n7  nop\n8  return\n"
    );
}

#[test]
fn a_switch_can_be_given_other_targets() {
    // 0: iconst_0, 1: tableswitch (default 20, 7 to 7: 21), 20: nop, 21: return
    let table = [0, 0, 0, 19, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 20];
    let table = [&[ICONST_0, TABLESWITCH, 0, 0][..], &table, &[NOP, RETURN]].concat();
    // 0: iconst_0, 1: lookupswitch (default 20, 7: 21), 20: nop, 21: return
    let lookup = [0, 0, 0, 19, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 20];
    let lookup = [&[ICONST_0, LOOKUPSWITCH, 0, 0][..], &lookup, &[NOP, RETURN]].concat();
    for code in [table, lookup] {
        let text = edited(&Handmade::new(code), |code, edit, pool| {
            edit.patch.insert_before(&code[1], call(pool));
            edit.patch
                .retarget(&code[1], code[3].pc, &[code[2].pc])
                .unwrap();
        });
        let text = text.unwrap();
        assert!(text.contains("switch 7: 24, default: 25"), "{text}");
    }
}

#[test]
fn a_switch_keeps_as_many_targets_as_it_had() {
    let class = Handmade::new([ICONST_0, POP, RETURN]);
    edited(&class, |code, edit, pool| {
        edit.patch.insert_before(&code[0], call(pool));
        assert!(edit.patch.retarget(&code[0], 0, &[]).is_err());
    })
    .unwrap();
}

#[test]
fn a_copy_has_the_common_patch_and_its_own_but_no_prologue() {
    let class = Handmade::new([ICONST_0, POP, RETURN]);
    let text = edited(&class, |code, edit, pool| {
        edit.prologue.code().invoke_static(HELPER, pool).unwrap();
        edit.patch.insert_before(&code[2], call(pool));
        let mut patch = Patch::default();
        patch.replace_opcode(&code[0], ACONST_NULL);
        let name = pool.new_utf8("copy").unwrap();
        edit.add_copy(name, patch);
    });
    let text = text.unwrap();
    let (_, copy) = text
        .split_once("method private static synthetic copy ()V\n")
        .unwrap();
    assert_eq!(
        copy,
        "stack 2, locals 2\n0  aconst_null\n1  pop\n2  invokestatic h/H.help ()V\n5  return\n"
    );
}

#[test]
fn a_method_can_be_added_and_called() {
    let class = Handmade::new([RETURN]);
    let text = edited(&class, |_, edit, pool| {
        let name = pool.new_utf8("added").unwrap();
        let own = pool.own_method(name, 4).unwrap();
        let descriptor = MethodDescriptor::read(JavaStr::new(b"()V")).unwrap();
        let access = Access(Access::STATIC);
        edit.prologue
            .code()
            .invoke_private(own, access, &descriptor);
        let mut body = CodeEdit::default();
        branching_prologue(&mut body, pool);
        body.prologue.code().return_value(void());
        edit.add_method(name, body.prologue);
    });
    assert_eq!(
        text.unwrap(),
        "stack 2, locals 2\n0  nop\n1  invokestatic A.added ()V\n4  return\n\
         method private static synthetic added ()V\n\
         stack 2, locals 2\n0  iconst_1\n1  iconst_2\n2  if_icmpne 6\n5  return\n6  return\n\
         frame 6 same\n"
    );
}

#[test]
fn a_method_whose_copy_does_not_fit_is_left_as_it_was() {
    let mut code = vec![NOP; 65_533];
    code.push(RETURN);
    let class = Handmade::new(code);
    let skipped = edited(&class, |code, edit, pool| {
        edit.patch.blank(&code[0]);
        let mut patch = Patch::default();
        patch.insert_before(&code[0], call(pool));
        edit.add_copy(1, Patch::default());
        edit.add_copy(1, patch);
    });
    assert_eq!(skipped, Err(SkipReason::CodeTooLong));
}

#[test]
fn more_methods_than_can_be_counted_are_refused() {
    let class = Handmade::new([RETURN]);
    let skipped = edited(&class, |_, edit, _| {
        for _ in 0..65_535 {
            edit.add_copy(1, Patch::default());
        }
    });
    assert_eq!(skipped, Err(SkipReason::TooManyMethods));
}

#[test]
fn rewinding_takes_back_every_part_of_an_edit() {
    let class = Handmade::new([NOP, RETURN]);
    let first =
        |code: &[Instruction<'_>], edit: &mut CodeEdit, pool: &mut PoolExtension<'static>| {
            edit.patch.insert_before(&code[1], call(pool));
        };
    let once = edited(&class, first).unwrap();
    let rewound = edited(&class, |code, edit, pool| {
        first(code, edit, pool);
        let mark = edit.mark();
        branching_prologue(edit, pool);
        edit.patch.insert_after(&code[0], call(pool));
        edit.on_throw().push_null();
        edit.patch.blank(&code[0]);
        edit.add_copy(1, Patch::default());
        edit.replace_body(Prologue::default());
        edit.rewind(&mark);
    });
    assert_eq!(rewound.unwrap(), once);
}

#[test]
fn a_branch_that_would_span_too_far_is_refused() {
    let mut code = vec![GOTO, 0x7f, 0xff];
    code.resize(0x7fff, NOP);
    code.push(RETURN);
    let class = Handmade::new(code);
    let skipped = edited(&class, |code, edit, pool| {
        edit.patch.insert_after(&code[5], call(pool))
    });
    assert_eq!(skipped, Err(SkipReason::BranchTooFar));
}

#[test]
fn code_that_would_grow_too_long_is_refused() {
    let mut code = vec![NOP; 65_533];
    code.push(RETURN);
    let class = Handmade::new(code);
    let prologue =
        |_: &[Instruction<'_>], edit: &mut CodeEdit, pool: &mut PoolExtension<'static>| {
            edit.prologue.code().invoke_static(HELPER, pool).unwrap();
        };
    assert_eq!(edited(&class, prologue), Err(SkipReason::CodeTooLong));
    let before = edited(&class, |code, edit, pool| {
        edit.patch.insert_before(&code[9], call(pool))
    });
    assert_eq!(before, Err(SkipReason::CodeTooLong));
}

#[test]
fn a_full_pool_takes_no_more() {
    let mut class = Handmade::new([RETURN]);
    class.spare_constants = 65_535 - 8;
    let bytes = class.bytes();
    let class = ClassFile::read(&bytes).unwrap();
    let mut asked = None;
    let spliced = splice_methods(&class, |_, _, _, pool| asked = Some(pool.method(HELPER)));
    assert_eq!(asked, Some(Err(SkipReason::PoolFull)));
    assert_eq!(spliced.bytes, None);
}

#[test]
fn texts_beyond_the_format_are_refused() {
    let bytes = Handmade::new([RETURN]).bytes();
    let class = ClassFile::read(&bytes).unwrap();
    let long = "x".repeat(65_536);
    splice_methods(&class, |_, _, _, pool| {
        assert_eq!(pool.string(&long), Err(SkipReason::TextTooLong));
        assert_eq!(
            pool.string(&long[1..]).and_then(|_| pool.string("")),
            Ok(11)
        );
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    /// Whatever is inserted where, the original instructions come in the same order, and every
    /// branch, switch, handler and frame leads to the same one.
    #[test]
    fn moved_code_is_the_same_program(
        insertions in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..12),
        prologue in any::<bool>(),
    ) {
        let bytes = &SAMPLES["Everything"];
        let class = ClassFile::read(bytes).unwrap();
        let mut captured: HashMap<(u16, usize), usize> = HashMap::new();
        let spliced = splice_methods(&class, |method, member, edit, pool| {
            if prologue {
                edit.prologue.code().invoke_static(HELPER, pool).unwrap();
            }
            let code = instructions(&member.code(&class.pool).unwrap().unwrap());
            for (index, before) in &insertions {
                // Nothing may follow the last instruction.
                let at = index.index(code.len() - 1);
                if *before {
                    *captured.entry((method, at)).or_default() += 1;
                    edit.patch.insert_before(&code[at], call(pool));
                } else {
                    edit.patch.insert_after(&code[at], call(pool));
                }
            }
        });
        prop_assert_eq!(&spliced.skipped, &[]);
        let Some(new_bytes) = spliced.bytes else { return Ok(()) };
        let new_class = ClassFile::read(&new_bytes).unwrap();
        for (index, (old, new)) in (0..).zip(class.methods.iter().zip(&new_class.methods)) {
            let Some(old) = old.code(&class.pool).unwrap() else { continue };
            let new = new.code(&new_class.pool).unwrap().unwrap();
            let (moves, all) = follow(&old, &new_class, &new, |at| {
                captured.get(&(index, at)).copied().unwrap_or(0)
            });
            check_same_program(&class, &old, &new_class, &new, &moves, &all);
        }
    }
}

/// Where each old pc must be looked for by branches, and the new instruction that it became.
fn follow<'a>(
    old: &Code<'_>,
    new_class: &ClassFile<'a>,
    new: &Code<'a>,
    captured: impl Fn(usize) -> usize,
) -> (HashMap<u16, u16>, Vec<Instruction<'a>>) {
    let inserted = |instruction: &Instruction<'_>| match instruction.operand {
        Operand::Constant(index) if instruction.opcode == INVOKESTATIC => {
            matches!(new_class.pool.get(index), Ok(Constant::Method(method)) if method.owner == "h/H")
        }
        _ => false,
    };
    let all = instructions(new);
    // Prologues are padded with `nop`, of which javac makes no use.
    let kept: Vec<usize> = (0..all.len())
        .filter(|at| !inserted(&all[*at]) && all[*at].opcode != NOP)
        .collect();
    let old = instructions(old);
    assert_eq!(old.len(), kept.len());
    let moves = old.iter().zip(&kept).enumerate();
    let moves = moves
        .map(|(at, (old, new))| (old.pc, all[new - captured(at)].pc))
        .collect();
    (moves, kept.iter().map(|at| all[*at]).collect())
}

fn check_same_program(
    old_class: &ClassFile<'_>,
    old: &Code<'_>,
    new_class: &ClassFile<'_>,
    new: &Code<'_>,
    moves: &HashMap<u16, u16>,
    kept: &[Instruction<'_>],
) {
    for (old, new) in instructions(old).iter().zip(kept) {
        assert_eq!(old.opcode, new.opcode);
        match (old.operand, new.operand) {
            (Operand::Branch(old), Operand::Branch(new)) => assert_eq!(moves[&old], new),
            (Operand::TableSwitch(old), Operand::TableSwitch(new)) => {
                assert_eq!(moves[&old.default], new.default);
                let moved: Vec<_> = old.cases().map(|(key, pc)| (key, moves[&pc])).collect();
                assert_eq!(moved, new.cases().collect::<Vec<_>>());
            }
            (Operand::LookupSwitch(old), Operand::LookupSwitch(new)) => {
                assert_eq!(moves[&old.default], new.default);
                let moved: Vec<_> = old.cases().map(|(key, pc)| (key, moves[&pc])).collect();
                assert_eq!(moved, new.cases().collect::<Vec<_>>());
            }
            (old, new) => assert_eq!(old, new),
        }
    }
    for (old, new) in old.handlers().zip(new.handlers()) {
        assert_eq!(
            (moves[&old.start], moves[&old.target]),
            (new.start, new.target)
        );
    }
    let frames = |class: &ClassFile<'_>, code: &Code<'_>| -> Vec<u16> {
        let table = code.attributes.find(&class.pool, "StackMapTable");
        let bytes = table.map_or(&[0, 0][..], |table| table.bytes);
        Frames::read(bytes)
            .unwrap()
            .map(|frame| frame.unwrap().pc)
            .collect()
    };
    let moved: Vec<_> = frames(old_class, old).iter().map(|pc| moves[pc]).collect();
    assert_eq!(moved, frames(new_class, new));
}

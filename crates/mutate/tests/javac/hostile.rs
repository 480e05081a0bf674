//! Damaged class files give an error or some answer, never a panic.

use std::sync::LazyLock;

use jury_classfile::ClassFile;
use jury_mutate::{
    ClassicOperator, Group, MutateSettings, Operator, StopRules, find_mutants, find_points,
};
use proptest::prelude::*;

use crate::support::Compiled;

static CLASS: LazyLock<Vec<u8>> =
    LazyLock::new(|| Compiled::fixtures(&["Classic.java"]).bytes("Classic"));

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn damaged_classes_break_nothing(
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = CLASS.clone();
        for (at, value) in damage {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let Ok(file) = ClassFile::read(&bytes) else { return Ok(()) };
        let settings = MutateSettings { operators: Operator::all(), ..MutateSettings::default() };
        let _ = find_mutants(&file, &settings);
        let _ = find_points(&file, &ClassicOperator::group(Group::All), &StopRules::none());
    }
}

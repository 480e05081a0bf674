//! What the user decides about mutants.

use crate::extreme::Operator;
use crate::method::MethodInHand;
use crate::null_promise::promises_not_null;
use crate::stop::StopRules;

/// Which methods get which extreme mutants.
#[derive(Debug, Clone, PartialEq)]
pub struct MutateSettings {
    pub operators: Vec<Operator>,
    pub stop_rules: StopRules,
    pub null_policy: NullPolicy,
}

/// Where the operator `null` may be used beyond plain objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NullPolicy {
    /// Arrays are references too, but `empty` is the finer test for them.
    pub for_arrays: bool,
    /// Methods annotated `@NotNull`, `@NonNull` or `@Nonnull` break their word by returning null;
    /// in Kotlin such code could not even have been written.
    pub despite_not_null: bool,
}

impl NullPolicy {
    pub(crate) fn allows(&self, method: &MethodInHand<'_, '_>) -> bool {
        let array = method.descriptor.result.is_array();
        (self.for_arrays || !array) && (self.despite_not_null || !promises_not_null(method))
    }
}

impl Default for MutateSettings {
    fn default() -> Self {
        MutateSettings {
            operators: Operator::default_set(),
            stop_rules: StopRules::default(),
            null_policy: NullPolicy {
                for_arrays: false,
                despite_not_null: false,
            },
        }
    }
}

impl MutateSettings {
    /// The values and filters of the published study.
    pub fn study() -> Self {
        MutateSettings {
            operators: Operator::study_set(),
            stop_rules: StopRules::study(),
            ..Self::default()
        }
    }
}

//! Stop methods: those that are not worth a mutant, and why.
//!
//! A method is stopped by the first category that recognises it and that the user has left
//! switched on. Categories read flags, names, annotations (`declaration`) or the shape of the
//! code as the compiler emits it (`body`). What a method means is never guessed at.

mod body;
mod declaration;
mod do_not_mutate;

use std::collections::BTreeSet;
use std::fmt;

pub(crate) use do_not_mutate::Forbidden;

use crate::method::MethodInHand;

/// Why a method gets no mutants. The order is the order of preference when several apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StopReason {
    /// Constructors: an object without its invariants proves nothing.
    Constructor,
    /// Static initialisers: they run once, before anything can be switched.
    Clinit,
    /// There is no body to throw away.
    AbstractOrNative,
    /// The code is so long that the rewritten method might exceed the JVM's limit.
    Huge,
    /// Bridges, which only forward to the method that the user wrote.
    Bridge,
    /// The body of a lambda expression or local function.
    Lambda,
    /// Anything else that the compiler made.
    Synthetic,
    /// `values` and `valueOf` of an enum.
    Enum,
    /// The method or its class carries an annotation called `Generated`.
    Generated,
    /// The method or its class carries an annotation called `DoNotMutate`.
    DoNotMutate,
    /// The method or its class is deprecated.
    Deprecated,
    /// What the compiler writes into a record: accessors, `equals`, `hashCode` and `toString`.
    RecordAccessor,
    ToString,
    /// Any constant satisfies the contract of `hashCode`.
    HashCode,
    /// A void method that does nothing.
    Empty,
    /// Only returns a field.
    Getter,
    /// Only stores its parameter in a field; may return `this`.
    Setter,
    /// A setter that Kotlin generated, null check included.
    KotlinSetter,
    /// Only returns a literal.
    Constant,
    /// Only returns a new array without elements.
    EmptyArray,
    /// Only returns `this`.
    ReturnThis,
    /// Only returns a parameter.
    ReturnParam,
    /// Only passes its parameters on to another method.
    Delegate,
    /// Has fewer lines than the user asked for.
    Short,
}

use StopReason::*;

impl StopReason {
    pub const ALL: [StopReason; 24] = [
        Constructor,
        Clinit,
        AbstractOrNative,
        Huge,
        Bridge,
        Lambda,
        Synthetic,
        Enum,
        Generated,
        DoNotMutate,
        Deprecated,
        RecordAccessor,
        ToString,
        HashCode,
        Empty,
        Getter,
        Setter,
        KotlinSetter,
        Constant,
        EmptyArray,
        ReturnThis,
        ReturnParam,
        Delegate,
        Short,
    ];

    /// The word used in settings and reports.
    pub fn word(self) -> &'static str {
        match self {
            Constructor => "constructor",
            Clinit => "clinit",
            AbstractOrNative => "abstract_or_native",
            Huge => "huge",
            Bridge => "bridge",
            Lambda => "lambda",
            Synthetic => "synthetic",
            Enum => "enum",
            Generated => "generated",
            DoNotMutate => "do_not_mutate",
            Deprecated => "deprecated",
            RecordAccessor => "record_accessor",
            ToString => "to_string",
            HashCode => "hash_code",
            Empty => "empty",
            Getter => "getter",
            Setter => "setter",
            KotlinSetter => "kotlin_setter",
            Constant => "constant",
            EmptyArray => "empty_array",
            ReturnThis => "return_this",
            ReturnParam => "return_param",
            Delegate => "delegate",
            Short => "short",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.word() == word)
    }

    /// Whether the category can be switched off. The others name methods that cannot be mutated.
    pub fn is_switchable(self) -> bool {
        !matches!(self, Constructor | Clinit | AbstractOrNative | Huge)
    }

    /// Whether the method counts among those that a project could test at all.
    pub fn counts_as_method(self) -> bool {
        !matches!(self, Constructor | Clinit | AbstractOrNative)
    }

    fn recognises(self, method: &MethodInHand<'_, '_>, rules: &StopRules) -> bool {
        match self {
            Constructor => method.name == "<init>",
            Clinit => method.name == "<clinit>",
            AbstractOrNative => method.code.is_none(),
            Huge => declaration::is_huge(method),
            Bridge => method.access().is_bridge(),
            Lambda => declaration::is_lambda(method),
            Synthetic => declaration::is_synthetic(method),
            Enum => declaration::is_enum_support(method),
            Generated => declaration::is_generated(method),
            DoNotMutate => matches!(Forbidden::read(method), Forbidden::Everything),
            Deprecated => declaration::is_deprecated(method),
            RecordAccessor => body::is_record_member(method),
            ToString => method.is("toString", "()Ljava/lang/String;"),
            HashCode => method.is("hashCode", "()I"),
            Empty => body::is_empty(method),
            Getter => body::is_getter(method),
            Setter => body::is_setter(method),
            KotlinSetter => body::is_kotlin_setter(method),
            Constant => body::is_constant(method),
            EmptyArray => body::is_empty_array(method),
            ReturnThis => body::is_return_this(method),
            ReturnParam => body::is_return_param(method),
            Delegate => body::is_delegate(method),
            Short => declaration::is_short(method, rules.short_under),
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Which categories are switched on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StopRules {
    enforced: BTreeSet<StopReason>,
    /// How many lines a method needs so as not to count as short.
    pub short_under: usize,
}

/// Everything trivial, generated or unwanted is left out. Lambda bodies are not: users wrote
/// them. Neither are short methods: length says little about weight.
impl Default for StopRules {
    fn default() -> Self {
        let mut rules = Self::of(StopReason::ALL);
        rules.readmit(Lambda);
        rules.readmit(Short);
        rules
    }
}

impl StopRules {
    /// Only what cannot be mutated at all.
    pub fn none() -> Self {
        Self::of([])
    }

    /// The narrower filter of the published study, which kept `toString` and delegates.
    pub fn study() -> Self {
        Self::of([
            Bridge,
            Lambda,
            Synthetic,
            Enum,
            Deprecated,
            RecordAccessor,
            HashCode,
            Empty,
            Getter,
            Setter,
            Constant,
        ])
    }

    /// For operators that change single instructions: how simple a body is does not matter to
    /// them, only who wrote it.
    pub fn unwritten_code() -> Self {
        Self::of([
            Bridge,
            Synthetic,
            Enum,
            Generated,
            DoNotMutate,
            RecordAccessor,
        ])
    }

    fn of(reasons: impl IntoIterator<Item = StopReason>) -> Self {
        let fixed = StopReason::ALL
            .into_iter()
            .filter(|reason| !reason.is_switchable());
        StopRules {
            enforced: fixed.chain(reasons).collect(),
            short_under: 5,
        }
    }

    /// Lets methods of this category be mutated, unless that is impossible.
    pub fn readmit(&mut self, reason: StopReason) {
        if reason.is_switchable() {
            self.enforced.remove(&reason);
        }
    }

    pub fn enforce(&mut self, reason: StopReason) {
        self.enforced.insert(reason);
    }

    pub fn enforces(&self, reason: StopReason) -> bool {
        self.enforced.contains(&reason)
    }

    pub(crate) fn stop(&self, method: &MethodInHand<'_, '_>) -> Option<StopReason> {
        self.enforced
            .iter()
            .copied()
            .find(|reason| reason.recognises(method, self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_found_again_by_its_word() {
        for reason in StopReason::ALL {
            assert_eq!(StopReason::from_word(reason.word()), Some(reason));
        }
        assert_eq!(StopReason::from_word("boring"), None);
    }

    #[test]
    fn what_cannot_be_mutated_is_never_readmitted() {
        let mut rules = StopRules::none();
        for reason in StopReason::ALL {
            rules.readmit(reason);
        }
        let left: Vec<_> = StopReason::ALL
            .into_iter()
            .filter(|r| rules.enforces(*r))
            .collect();
        assert_eq!(left, [Constructor, Clinit, AbstractOrNative, Huge]);
    }

    #[test]
    fn the_study_keeps_to_string_and_delegates() {
        let study = StopRules::study();
        assert!(!study.enforces(ToString) && !study.enforces(Delegate));
        assert!(study.enforces(HashCode) && study.enforces(Getter));
    }
}

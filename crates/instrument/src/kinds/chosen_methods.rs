//! Methods chosen by class, name and descriptor, with what a kind has to do to each.

use std::collections::HashMap;

use super::{Classes, MethodInHand};
use crate::rewrite::SkipReason;

/// All of a plan's choices for one kind. Names are in VM form.
#[derive(Debug, Clone)]
pub(super) struct ChosenMethods<T> {
    classes: HashMap<String, Vec<ChosenMethod<T>>>,
}

#[derive(Debug, Clone)]
pub(super) struct ChosenMethod<T> {
    name: String,
    pub descriptor: String,
    pub task: T,
}

// Derived, it would ask for a default task.
impl<T> Default for ChosenMethods<T> {
    fn default() -> Self {
        Self {
            classes: HashMap::new(),
        }
    }
}

impl<T: Default> ChosenMethods<T> {
    /// Chooses the method, or returns to it if it was chosen before.
    pub fn choose(&mut self, class: &str, name: &str, descriptor: &str) -> &mut T {
        let methods = self.classes.entry(class.to_owned()).or_default();
        let known = (methods.iter())
            .position(|method| method.name == name && method.descriptor == descriptor);
        let index = known.unwrap_or_else(|| {
            methods.push(ChosenMethod {
                name: name.to_owned(),
                descriptor: descriptor.to_owned(),
                task: T::default(),
            });
            methods.len() - 1
        });
        &mut methods[index].task
    }
}

impl<T> ChosenMethods<T> {
    pub fn classes(&self) -> Classes<'_> {
        Classes::Named(self.classes.keys().map(String::as_str).collect())
    }

    pub fn of_class(&self, class: &str) -> Option<&[ChosenMethod<T>]> {
        self.classes.get(class).map(Vec::as_slice)
    }
}

/// The choice that means the method in hand. Constructors are refused: what stands before the call
/// of the next constructor may neither return nor be covered by a handler (JVMS §4.10.1.9).
pub(super) fn choice_for<'p, T>(
    methods: &'p [ChosenMethod<T>],
    method: &MethodInHand<'_, '_>,
) -> Result<Option<&'p ChosenMethod<T>>, SkipReason> {
    let descriptor = method.member.descriptor(&method.file.pool)?;
    let chosen = methods
        .iter()
        .find(|chosen| method.name == *chosen.name && descriptor == *chosen.descriptor);
    match chosen {
        Some(_) if method.is_constructor() => Err(SkipReason::Constructor),
        chosen => Ok(chosen),
    }
}

//! Edits of a toy program, each of a kind that people make.

use proptest::prelude::*;
use proptest::sample::Index;

use super::{CLASSES, Class, FILES, METHODS, Op, Program, body, class, op, parent};

#[derive(Debug, Clone)]
pub enum Edit {
    /// Adds the method or replaces its body.
    WriteMethod(usize, u8, Vec<Op>),
    RemoveMethod(usize, Index),
    ReverseMethods(usize),
    WriteInitializer(usize, Vec<Op>),
    WriteConstant(usize, u8),
    ChangeParent(usize, Option<usize>),
    /// Adds the class or writes it anew.
    WriteClass(usize, Class),
    RemoveClass(usize),
    WriteTest(Index, Vec<Op>),
    WriteFile(u8, u8),
    RemoveFile(u8),
}

pub fn edit() -> impl Strategy<Value = Edit> {
    let number = 0..CLASSES;
    let method = number.clone().prop_flat_map(|number| {
        (0..METHODS, body(number + 1))
            .prop_map(move |(name, body)| Edit::WriteMethod(number, name, body))
    });
    let initializer = (number.clone()).prop_flat_map(|number| {
        body(number).prop_map(move |body| Edit::WriteInitializer(number, body))
    });
    let hierarchy = (number.clone()).prop_flat_map(|number| {
        parent(number).prop_map(move |parent| Edit::ChangeParent(number, parent))
    });
    let whole = (number.clone()).prop_flat_map(|number| {
        class(number).prop_map(move |class| Edit::WriteClass(number, class))
    });
    prop_oneof![
        6 => method,
        2 => (number.clone(), any::<Index>()).prop_map(|(number, place)| Edit::RemoveMethod(number, place)),
        1 => number.clone().prop_map(Edit::ReverseMethods),
        2 => initializer,
        2 => (number.clone(), any::<u8>()).prop_map(|(number, value)| Edit::WriteConstant(number, value)),
        2 => hierarchy,
        1 => whole,
        1 => number.prop_map(Edit::RemoveClass),
        1 => (any::<Index>(), prop::collection::vec(op(CLASSES), 1..4))
            .prop_map(|(place, body)| Edit::WriteTest(place, body)),
        2 => (0..FILES, any::<u8>()).prop_map(|(file, content)| Edit::WriteFile(file, content)),
        1 => (0..FILES).prop_map(Edit::RemoveFile),
    ]
}

impl Edit {
    /// An edit of a class that is not there does nothing.
    pub fn apply(&self, program: &mut Program) {
        let mut edit = |number: usize, edit: &dyn Fn(&mut Class)| {
            if let Some(class) = &mut program.classes[number] {
                edit(class);
            }
        };
        match self {
            Edit::WriteMethod(number, name, body) => edit(*number, &|class| {
                class.methods.retain(|(own, _)| own != name);
                class.methods.push((*name, body.clone()));
            }),
            Edit::RemoveMethod(number, place) => edit(*number, &|class| {
                if !class.methods.is_empty() {
                    class.methods.remove(place.index(class.methods.len()));
                }
            }),
            Edit::ReverseMethods(number) => edit(*number, &|class| class.methods.reverse()),
            Edit::WriteInitializer(number, body) => {
                edit(*number, &|class| class.initializer.clone_from(body));
            }
            Edit::WriteConstant(number, value) => edit(*number, &|class| class.constant = *value),
            Edit::ChangeParent(number, parent) => edit(*number, &|class| class.parent = *parent),
            Edit::WriteClass(number, class) => program.classes[*number] = Some(class.clone()),
            Edit::RemoveClass(number) => program.classes[*number] = None,
            Edit::WriteTest(place, body) => edit(CLASSES, &|class| {
                let place = place.index(class.methods.len());
                class.methods[place].1.clone_from(body);
            }),
            Edit::WriteFile(file, content) => {
                program.files.insert(*file, *content);
            }
            Edit::RemoveFile(file) => {
                program.files.remove(file);
            }
        }
    }
}

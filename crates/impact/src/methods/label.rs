//! Nodes as people name them.

use jury_classfile::readable_signature;

use super::Meaning;
use crate::names::{Name, Names};

impl Meaning {
    /// `shop.Tax.rate(int)` for a method and for calls of it, `shop.Tax` for a declaration,
    /// `static shop.Tax` for the state, `new shop.Tax` for an object, `shop.Tax.*` for the whole.
    pub fn label(self, names: &Names) -> String {
        let class = |name: Name| names.text(name).replace('/', ".");
        match self {
            Meaning::Declaration(name) => class(name),
            Meaning::State(name) => format!("static {}", class(name)),
            Meaning::Object(name) => format!("new {}", class(name)),
            Meaning::Whole(name) => format!("{}.*", class(name)),
            Meaning::Method(owner, signature) | Meaning::Call(owner, signature) => {
                format!(
                    "{}.{}",
                    class(owner),
                    readable_signature(names.text(signature))
                )
            }
        }
    }
}

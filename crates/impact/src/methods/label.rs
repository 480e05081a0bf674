//! Nodes as people name them.

use jury_classfile::{JavaStr, MethodDescriptor, Type};

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
                format!("{}.{}", class(owner), readable(names.text(signature)))
            }
        }
    }
}

/// `rate(int, String[])` of `rate(I[Ljava/lang/String;)V`.
fn readable(signature: &str) -> String {
    let place = signature.find('(').unwrap_or(signature.len());
    let (name, descriptor) = signature.split_at(place);
    match MethodDescriptor::read(JavaStr::new(descriptor.as_bytes())) {
        Ok(descriptor) => {
            let parameters: Vec<String> = descriptor.parameters().map(simple).collect();
            format!("{name}({})", parameters.join(", "))
        }
        Err(_) => signature.to_owned(),
    }
}

fn simple(of: Type<'_>) -> String {
    if let Some(element) = of.element() {
        return format!("{}[]", simple(element));
    }
    match (of.first(), of.class_name()) {
        (_, Some(name)) => {
            let name = name.to_str();
            name.rsplit(['/', '$']).next().unwrap_or(&name).to_owned()
        }
        (b'B', _) => "byte".to_owned(),
        (b'C', _) => "char".to_owned(),
        (b'D', _) => "double".to_owned(),
        (b'F', _) => "float".to_owned(),
        (b'I', _) => "int".to_owned(),
        (b'J', _) => "long".to_owned(),
        (b'S', _) => "short".to_owned(),
        (_, None) => "boolean".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_reads_as_in_a_source_file() {
        assert_eq!(
            readable("rate(I[[JLjava/util/Map$Entry;)V"),
            "rate(int, long[][], Entry)"
        );
        assert_eq!(readable("odd(("), "odd((");
    }
}

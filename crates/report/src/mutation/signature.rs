//! Descriptors as people read them.

/// The parameters of a method: `(int, String[])` of `(I[Ljava/lang/String;)V`. A descriptor that
/// makes no sense is shown as it is.
pub(super) fn parameters(descriptor: &str) -> String {
    let list = descriptor
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(')'))
        .and_then(|(types, _)| read_types(types));
    match list {
        Some(types) => format!("({})", types.join(", ")),
        None => descriptor.to_owned(),
    }
}

fn read_types(mut text: &str) -> Option<Vec<String>> {
    let mut types = Vec::new();
    while !text.is_empty() {
        let element = text.trim_start_matches('[');
        let dimensions = text.len() - element.len();
        let (name, rest) = match element.strip_prefix('L') {
            Some(class) => {
                let (class, rest) = class.split_once(';')?;
                (class.rsplit(['/', '$']).next()?, rest)
            }
            None => (primitive(element.chars().next()?)?, &element[1..]),
        };
        types.push(format!("{name}{}", "[]".repeat(dimensions)));
        text = rest;
    }
    Some(types)
}

fn primitive(letter: char) -> Option<&'static str> {
    Some(match letter {
        'Z' => "boolean",
        'B' => "byte",
        'C' => "char",
        'S' => "short",
        'I' => "int",
        'J' => "long",
        'F' => "float",
        'D' => "double",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::parameters;

    #[test]
    fn parameters_read_like_source() {
        for (descriptor, expected) in [
            ("()V", "()"),
            ("(IJ)V", "(int, long)"),
            ("([[Ljava/util/Map$Entry;Z)La/B;", "(Entry[][], boolean)"),
            ("(Q)V", "(Q)V"),
            ("(La/B)V", "(La/B)V"),
        ] {
            assert_eq!(parameters(descriptor), expected);
        }
    }
}

//! Generic signatures (JVMS §4.7.9.1), as far as the names of classes in them go.

use crate::java_str::JavaStr;

/// The classes named in a class, method or field signature.
///
/// `La/Outer<TT;>.Inner;` names `a/Outer` only: the binary name of `Inner` is spread over the
/// text, and a class that uses it names it in its InnerClasses attribute anyway.
pub fn class_names(signature: JavaStr<'_>) -> impl Iterator<Item = JavaStr<'_>> {
    let bytes = signature.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(byte) = bytes.get(at) {
            let begin = at + 1;
            at = begin;
            match byte {
                b'L' => {
                    at = end_of(bytes, begin, b"<;.");
                    return Some(JavaStr::new(&bytes[begin..at]));
                }
                // A type variable, or an inner class's simple name.
                b'T' | b'.' => at = end_of(bytes, begin, b"<;."),
                // Type parameters are declared at the very beginning: `<K:La/A;V::La/B;>`.
                b'<' if begin == 1 => at = end_of(bytes, begin, b":"),
                // The end of a bound, and with it the next parameter's name, or the end.
                b';' if declares_next(bytes, begin) => at = end_of(bytes, begin, b":"),
                _ => {}
            }
        }
        None
    })
}

fn end_of(bytes: &[u8], begin: usize, ends: &[u8]) -> usize {
    let length = bytes[begin..].iter().position(|byte| ends.contains(byte));
    length.map_or(bytes.len(), |length| begin + length)
}

/// Whether an identifier and a colon come next. Colons occur nowhere but behind the names of
/// declared type parameters.
fn declares_next(bytes: &[u8], begin: usize) -> bool {
    let end = end_of(bytes, begin, b":<>;./()");
    end > begin && bytes.get(end) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        class_names(JavaStr::new(text.as_bytes()))
            .map(|name| name.to_string())
            .collect()
    }

    #[test]
    fn names_are_found_among_arguments_bounds_and_wildcards() {
        assert_eq!(
            names("Ljava/util/Map<TK;+La/B;>;"),
            ["java/util/Map", "a/B"]
        );
        assert_eq!(
            names("<LT:Ljava/lang/Object;TL::La/I;:La/J;>La/S<TLT;>;"),
            ["java/lang/Object", "a/I", "a/J", "a/S"]
        );
        assert_eq!(
            names("<T:Ljava/lang/Object;>(TT;[ILa/P<*>;)V^La/E;"),
            ["java/lang/Object", "a/P", "a/E"]
        );
        assert_eq!(
            names("La/Outer<La/X;>.Lower<La/Y;>;"),
            ["a/Outer", "a/X", "a/Y"]
        );
    }

    #[test]
    fn broken_signatures_end() {
        for text in ["<", "L", "<T", "Ta", "La/B<", ";;;:", "<T:;"] {
            names(text);
        }
    }
}

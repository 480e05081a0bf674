//! Field and method descriptors (JVMS §4.3), read without allocating.

use crate::error::{Malformed, Result};
use crate::java_str::JavaStr;

/// A type as a descriptor spells it: `I`, `Ljava/lang/String;`, `[[J`, or `V` for no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type<'a>(JavaStr<'a>);

impl<'a> Type<'a> {
    /// Reads one field descriptor or `V` and returns the rest.
    fn split(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let dimensions = bytes.iter().take_while(|byte| **byte == b'[').count();
        let base = match bytes.get(dimensions)? {
            b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => 1,
            b'V' if dimensions == 0 => 1,
            b'L' => bytes[dimensions..].iter().position(|byte| *byte == b';')? + 1,
            _ => return None,
        };
        let (own, rest) = bytes.split_at(dimensions + base);
        Some((Type(JavaStr::new(own)), rest))
    }

    pub fn field(descriptor: JavaStr<'a>) -> Result<Self> {
        match Self::split(descriptor.as_bytes()) {
            Some((own, [])) if !own.is_void() => Ok(own),
            _ => Err(Malformed::Descriptor(descriptor.to_str().into_owned())),
        }
    }

    pub fn as_str(self) -> JavaStr<'a> {
        self.0
    }

    pub fn is_void(self) -> bool {
        self.0 == "V"
    }

    pub fn is_reference(self) -> bool {
        matches!(self.first(), b'L' | b'[')
    }

    pub fn is_array(self) -> bool {
        self.first() == b'['
    }

    /// The descriptor's first character, which tells the kind of type.
    pub fn first(self) -> u8 {
        self.0.as_bytes()[0]
    }

    /// How many local variables or stack slots a value takes.
    pub fn slots(self) -> u16 {
        match self.first() {
            b'V' => 0,
            b'J' | b'D' => 2,
            _ => 1,
        }
    }

    /// What an array holds, one dimension down.
    pub fn element(self) -> Option<Type<'a>> {
        self.0
            .as_bytes()
            .strip_prefix(b"[")
            .map(|rest| Type(JavaStr::new(rest)))
    }

    /// The class named here, array dimensions stripped; none for primitives.
    pub fn class_name(self) -> Option<JavaStr<'a>> {
        let bytes = self.0.as_bytes();
        let dimensions = bytes.iter().take_while(|byte| **byte == b'[').count();
        let name = bytes[dimensions..].strip_prefix(b"L")?.strip_suffix(b";")?;
        Some(JavaStr::new(name))
    }
}

/// A method descriptor, checked from end to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MethodDescriptor<'a> {
    parameters: &'a [u8],
    pub result: Type<'a>,
}

impl<'a> MethodDescriptor<'a> {
    pub fn read(descriptor: JavaStr<'a>) -> Result<Self> {
        Self::parse(descriptor.as_bytes())
            .ok_or_else(|| Malformed::Descriptor(descriptor.to_str().into_owned()))
    }

    fn parse(bytes: &'a [u8]) -> Option<Self> {
        let parameters = bytes.strip_prefix(b"(")?;
        let mut rest = parameters;
        while *rest.first()? != b')' {
            let (parameter, next) = Type::split(rest)?;
            if parameter.is_void() {
                return None;
            }
            rest = next;
        }
        let parameters = &parameters[..parameters.len() - rest.len()];
        match Type::split(&rest[1..])? {
            (result, []) => Some(MethodDescriptor { parameters, result }),
            _ => None,
        }
    }

    pub fn parameters(&self) -> impl Iterator<Item = Type<'a>> + use<'a> {
        let mut rest = self.parameters;
        std::iter::from_fn(move || {
            let (parameter, next) = Type::split(rest)?;
            rest = next;
            Some(parameter)
        })
    }

    /// The slots all parameters take, the receiver not counted.
    pub fn parameter_slots(&self) -> u16 {
        self.parameters()
            .map(Type::slots)
            .fold(0, u16::saturating_add)
    }
}

/// The classes named in a field or method descriptor. A malformed one names what it can.
pub fn class_names_in(descriptor: JavaStr<'_>) -> impl Iterator<Item = JavaStr<'_>> {
    let mut rest = descriptor.as_bytes();
    std::iter::from_fn(move || {
        let begin = rest.iter().position(|byte| *byte == b'L')? + 1;
        let length = rest[begin..].iter().position(|byte| *byte == b';')?;
        let name = &rest[begin..begin + length];
        rest = &rest[begin + length..];
        Some(JavaStr::new(name))
    })
}

/// A method as a source file writes it: `rate(int, String[])` of `rate(I[Ljava/lang/String;)V`.
/// What is no signature stays as it is.
pub fn readable_signature(signature: &str) -> String {
    let place = signature.find('(').unwrap_or(signature.len());
    let (name, descriptor) = signature.split_at(place);
    match MethodDescriptor::read(JavaStr::new(descriptor.as_bytes())) {
        Ok(descriptor) => {
            let parameters: Vec<String> = descriptor.parameters().map(simple_name).collect();
            format!("{name}({})", parameters.join(", "))
        }
        Err(_) => signature.to_owned(),
    }
}

fn simple_name(of: Type<'_>) -> String {
    if let Some(element) = of.element() {
        return format!("{}[]", simple_name(element));
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

    fn method(text: &str) -> Result<Vec<String>> {
        let descriptor = MethodDescriptor::read(JavaStr::new(text.as_bytes()))?;
        let types = descriptor.parameters().chain([descriptor.result]);
        Ok(types.map(|each| each.as_str().to_string()).collect())
    }

    #[test]
    fn method_descriptors_split_into_types() {
        assert_eq!(method("()V").unwrap(), ["V"]);
        assert_eq!(
            method("(IJ[[D)[La/B;").unwrap(),
            ["I", "J", "[[D", "[La/B;"]
        );
    }

    #[test]
    fn broken_descriptors_are_refused() {
        for text in [
            "", "(", "()", "(V)V", "()[V", "(La/B)V", "()VI", "I", "(Q)V",
        ] {
            assert!(method(text).is_err(), "{text}");
        }
    }

    #[test]
    fn types_know_their_slots_and_classes() {
        let of = |text| Type::field(JavaStr::new(text)).unwrap();
        assert_eq!(
            [of(b"J").slots(), of(b"[J").slots(), of(b"I").slots()],
            [2, 1, 1]
        );
        assert_eq!(of(b"[[La/B;").class_name().unwrap(), "a/B");
        assert_eq!(of(b"[I").class_name(), None);
        assert_eq!(of(b"[[I").element(), Some(of(b"[I")));
    }

    #[test]
    fn a_signature_reads_as_in_a_source_file() {
        assert_eq!(
            readable_signature("rate(I[[JLjava/util/Map$Entry;)V"),
            "rate(int, long[][], Entry)"
        );
        assert_eq!(readable_signature("odd(("), "odd((");
    }
}

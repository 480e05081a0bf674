//! Categories that a method's declaration gives away: flags, names, sizes, annotations.

use crate::method::{MethodInHand, is_named};

/// Code is limited to 65535 bytes (JVMS §4.7.3). A switch in front of it takes about 15 bytes per
/// mutant, so this leaves room for some hundred mutants.
const LONGEST_CODE: usize = 64_000;

pub(super) fn is_huge(method: &MethodInHand<'_, '_>) -> bool {
    method
        .code
        .is_some_and(|code| code.bytes.len() > LONGEST_CODE)
}

/// The marks that javac, Kotlin and Scala put into the names of lambda bodies.
pub(super) fn is_lambda(method: &MethodInHand<'_, '_>) -> bool {
    let name = method.name.to_str();
    name.starts_with("lambda$") || name.contains("$lambda$") || name.contains("$anonfun$")
}

/// Flagged by the compiler, or named as only compilers name things: with a `$` after a letter
/// (`access$000`, `apply$mcII$sp`), not with a leading one, which some libraries like.
pub(super) fn is_synthetic(method: &MethodInHand<'_, '_>) -> bool {
    let name = method.name.as_bytes();
    let marked = name
        .windows(2)
        .any(|pair| pair[0].is_ascii_alphanumeric() && pair[1] == b'$');
    let claimed_elsewhere = method.access().is_bridge() || is_lambda(method);
    (method.access().is_synthetic() || marked) && !claimed_elsewhere
}

pub(super) fn is_enum_support(method: &MethodInHand<'_, '_>) -> bool {
    if !method.class.is_enum() || !method.access().is_static() {
        return false;
    }
    let own = method.class.own_descriptor();
    method.is("valueOf", &format!("(Ljava/lang/String;){own}"))
        || method.is("values", &format!("()[{own}"))
        || method.is("$values", &format!("()[{own}"))
}

pub(super) fn is_generated(method: &MethodInHand<'_, '_>) -> bool {
    let mut annotations = method.annotations.iter().chain(&method.class.annotations);
    annotations.any(|annotation| is_named(annotation, "Generated"))
}

/// The attribute comes from the Javadoc tag as well as from the annotation; other compilers than
/// javac may write the annotation alone.
pub(super) fn is_deprecated(method: &MethodInHand<'_, '_>) -> bool {
    let pool = &method.class.file.pool;
    let mut annotations = method.annotations.iter().chain(&method.class.annotations);
    method.member.attributes.is_deprecated(pool)
        || method.class.file.attributes.is_deprecated(pool)
        || annotations.any(|annotation| annotation.descriptor == "Ljava/lang/Deprecated;")
}

/// Counts lines with code. Without line numbers nothing is known to be short.
pub(super) fn is_short(method: &MethodInHand<'_, '_>, lines_needed: usize) -> bool {
    let mut lines: Vec<u16> = method.lines.iter().map(|entry| entry.line).collect();
    lines.sort_unstable();
    lines.dedup();
    !lines.is_empty() && lines.len() < lines_needed
}

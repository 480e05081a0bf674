//! Promises not to return null, as annotations make them.

use jury_classfile::TypeTarget;

use crate::method::{MethodInHand, is_named};

const NAMES: [&str; 3] = ["NotNull", "NonNull", "Nonnull"];

/// Looks at the declaration's annotations and at those on the returned type itself, where newer
/// libraries put them; a step into a type argument or array element would be another type.
pub(crate) fn promises_not_null(method: &MethodInHand<'_, '_>) -> bool {
    let on_types = method
        .member
        .attributes
        .type_annotations(&method.class.file.pool);
    // The JVM passes over annotations it cannot read, and so do we.
    let on_types = on_types.unwrap_or_default();
    let on_result = on_types.iter().filter(|annotation| {
        let steps_into_nested_classes_only = annotation.path.iter().all(|[kind, _]| *kind == 1);
        annotation.target == TypeTarget::Return && steps_into_nested_classes_only
    });
    let on_result = on_result.map(|annotation| &annotation.annotation);
    let mut all = method.annotations.iter().chain(on_result);
    all.any(|annotation| NAMES.iter().any(|name| is_named(annotation, name)))
}

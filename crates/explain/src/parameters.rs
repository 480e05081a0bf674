//! What the source calls the parameters of a method.

use jury_classfile::{ClassFile, Malformed, MethodDescriptor};

/// The names in order, as far as the class file tells them; empty without debug information.
pub fn parameter_names(
    file: &ClassFile<'_>,
    name: &str,
    descriptor: &str,
) -> Result<Vec<String>, Malformed> {
    let pool = &file.pool;
    for method in &file.methods {
        if method.name(pool)? != *name || method.descriptor(pool)? != *descriptor {
            continue;
        }
        let Some(code) = method.code(pool)? else {
            break;
        };
        let variables = code.local_variables(pool)?;
        let mut slot = u16::from(!method.access.is_static());
        let mut names = Vec::new();
        let Ok(descriptor) = MethodDescriptor::read(method.descriptor(pool)?) else {
            break;
        };
        for of in descriptor.parameters() {
            let own = variables
                .iter()
                .find(|one| one.slot == slot && one.start == 0);
            let Some(own) = own else {
                return Ok(Vec::new());
            };
            names.push(own.name.to_string());
            let is_wide = matches!(of.as_str().to_string().as_str(), "J" | "D");
            slot += if is_wide { 2 } else { 1 };
        }
        return Ok(names);
    }
    Ok(Vec::new())
}

//! Test classes that need one another while they run.
//!
//! With TestNG a class may depend on groups and methods of others, prepare the ground for a whole
//! suite, or listen to it. If some of those classes are left out, the rest fails, or ends in another
//! way than it would. Such an ensemble runs as a whole or not at all.

use jury_classfile::{Annotation, ClassFile, ElementValue, Malformed};

const TESTNG: &[u8] = b"Lorg/testng/annotations/";

/// What reaches beyond the class that carries it.
const FAR_REACHING: [&str; 7] = [
    "BeforeSuite",
    "AfterSuite",
    "BeforeTest",
    "AfterTest",
    "BeforeGroups",
    "AfterGroups",
    "Listeners",
];

/// True if the class, by its annotations, makes all test classes beside it an ensemble.
pub fn makes_ensemble(class_file: &[u8]) -> Result<bool, Malformed> {
    let class = ClassFile::read(class_file)?;
    let pool = &class.pool;
    let mut annotations = class.attributes.annotations(pool)?;
    for method in &class.methods {
        annotations.extend(method.attributes.annotations(pool)?);
    }
    Ok(annotations.iter().any(reaches_far))
}

fn reaches_far(annotation: &Annotation<'_>) -> bool {
    let descriptor = annotation.descriptor.as_bytes();
    let Some(name) = descriptor.strip_prefix(TESTNG) else {
        return false;
    };
    let is_named = |far: &&str| name.strip_suffix(b";") == Some(far.as_bytes());
    FAR_REACHING.iter().any(is_named) || depends_on_others(annotation)
}

fn depends_on_others(annotation: &Annotation<'_>) -> bool {
    annotation.elements.iter().any(|(name, value)| {
        let ElementValue::Array(named) = value else {
            return false;
        };
        if *name == "dependsOnGroups" {
            return !named.is_empty();
        }
        // A method of the same class is named by its mere name.
        let is_elsewhere = |one: &ElementValue<'_>| match one {
            ElementValue::String(text) => text.as_bytes().contains(&b'.'),
            _ => false,
        };
        *name == "dependsOnMethods" && named.iter().any(is_elsewhere)
    })
}

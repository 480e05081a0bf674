//! Declarations: everything a class file says apart from code.

use jury_classfile::{Attributes, ClassFile, Member};

use super::annotation::{
    add_annotations, add_default, add_parameter_annotations, add_type_annotations,
};
use super::constant::Constants;
use super::reader::Reader;
use super::{Opaque, Result};
use crate::hash::{Digest, Hash128};

/// What any reference to the class can see. The order of members is left to [`listing`].
pub(super) fn structure(
    class: &ClassFile<'_>,
    version_counts: bool,
    methods: Vec<Hash128>,
    constants: &mut Constants<'_, '_>,
) -> Result<Hash128> {
    let mut digest = Digest::new("structure");
    if version_counts {
        digest.number(class.major_version.into());
        digest.number(class.minor_version.into());
    }
    digest.number(class.access.0.into());
    digest.bytes(constants.class_name.as_bytes());
    if let Some(name) = class.super_name()? {
        digest.bytes(name.as_bytes());
    }
    // In order: it decides which of two defaults reflection and diagnostics name first.
    for interface in class.interfaces() {
        digest.hash(Hash128::of(interface?.as_bytes()));
    }
    let fields = class
        .fields
        .iter()
        .map(|field| declaration("field", field, constants));
    digest.unordered(fields.collect::<Result<_>>()?);
    digest.unordered(methods);
    add_attributes(&class.attributes, constants, &mut digest)?;
    Ok(digest.finish())
}

/// A field or method without its code.
pub(super) fn declaration(
    what: &str,
    member: &Member<'_>,
    constants: &mut Constants<'_, '_>,
) -> Result<Hash128> {
    let mut digest = Digest::new(what);
    digest.number(member.access.0.into());
    constants.add(member.name_index, &mut digest)?;
    constants.add(member.descriptor_index, &mut digest)?;
    add_attributes(&member.attributes, constants, &mut digest)?;
    Ok(digest.finish())
}

/// What only code that lists the class's contents can see: the order of members, which
/// reflection tends to keep, the true names of lambda bodies, and nest members.
///
/// Nest members may stay out of the structure because a member names its host too, and both
/// sides are written by one compilation: a member that joins or leaves the nest changes itself.
pub(super) fn listing(class: &ClassFile<'_>, constants: &mut Constants<'_, '_>) -> Result<Hash128> {
    let mut digest = Digest::new("listing");
    for members in [&class.fields, &class.methods] {
        digest.number(members.len() as u64);
        for member in members {
            digest.number(member.access.0.into());
            constants.add(member.name_index, &mut digest)?;
            constants.add(member.descriptor_index, &mut digest)?;
        }
    }
    if let Some(attribute) = class.attributes.find(&class.pool, "NestMembers") {
        let mut reader = Reader::new(attribute.bytes);
        for _ in 0..reader.u2()? {
            constants.add(reader.u2()?, &mut digest)?;
        }
    }
    Ok(digest.finish())
}

/// Attributes of a class, field, method or record component, in any order.
fn add_attributes(
    attributes: &Attributes<'_>,
    constants: &mut Constants<'_, '_>,
    digest: &mut Digest,
) -> Result<()> {
    let mut hashes = Vec::new();
    for attribute in attributes.iter() {
        hashes.extend(hash(attribute.name_index, attribute.bytes, constants)?);
    }
    digest.unordered(hashes);
    Ok(())
}

/// None for an attribute that says nothing a program can see.
fn hash(
    name_index: u16,
    bytes: &[u8],
    constants: &mut Constants<'_, '_>,
) -> Result<Option<Hash128>> {
    let name = constants.pool.utf8(name_index)?.to_str();
    let mut digest = Digest::new(&name);
    let mut reader = Reader::new(bytes);
    match &*name {
        // Debug information, and annotations that the JVM does not keep.
        "SourceFile"
        | "SourceDebugExtension"
        | "Deprecated"
        | "RuntimeInvisibleAnnotations"
        | "RuntimeInvisibleParameterAnnotations"
        | "RuntimeInvisibleTypeAnnotations" => return Ok(None),
        // Hashed elsewhere: with the body, where it is used, and in the listing.
        "Code" | "BootstrapMethods" | "NestMembers" => return Ok(None),
        "Synthetic" => {}
        "ConstantValue" | "Signature" | "NestHost" => constants.add(reader.u2()?, &mut digest)?,
        "Exceptions" | "PermittedSubclasses" => {
            for _ in 0..reader.u2()? {
                constants.add(reader.u2()?, &mut digest)?;
            }
        }
        "EnclosingMethod" => {
            constants.add(reader.u2()?, &mut digest)?;
            constants.add_optional(reader.u2()?, &mut digest)?;
        }
        "InnerClasses" => {
            if !add_inner_classes(&mut reader, constants, &mut digest)? {
                return Ok(None);
            }
        }
        // Parameter names are there for reflection: frameworks inject and convert by them.
        "MethodParameters" => {
            for _ in 0..reader.u1()? {
                constants.add_optional(reader.u2()?, &mut digest)?;
                digest.number(reader.u2()?.into());
            }
        }
        "Record" => add_record_components(&mut reader, constants, &mut digest)?,
        "AnnotationDefault" => add_default(&mut reader, constants, &mut digest)?,
        "RuntimeVisibleAnnotations" => add_annotations(&mut reader, constants, &mut digest)?,
        "RuntimeVisibleParameterAnnotations" => {
            add_parameter_annotations(&mut reader, constants, &mut digest)?;
        }
        "RuntimeVisibleTypeAnnotations" => {
            add_type_annotations(&mut reader, constants, &mut digest)?;
        }
        // Modules and attributes from outside the JVM specification. Their bytes may refer to
        // any constant, so nothing short of the whole file is a safe hash.
        _ => return Err(Opaque),
    }
    reader.end()?;
    Ok(Some(digest.finish()))
}

/// Rows about the class itself and about classes declared in it; reflection asks no others
/// (JVMS §4.7.6). Compilers add a row for every nested class that code mentions, and code is
/// not structure. False if no row is left.
fn add_inner_classes(
    reader: &mut Reader<'_>,
    constants: &mut Constants<'_, '_>,
    digest: &mut Digest,
) -> Result<bool> {
    let mut any = false;
    for _ in 0..reader.u2()? {
        let (inner, outer, name, access) = (reader.u2()?, reader.u2()?, reader.u2()?, reader.u2()?);
        let declared_here =
            constants.pool.optional_class_name(outer)? == Some(constants.class_name);
        if declared_here || constants.pool.class_name(inner)? == constants.class_name {
            any = true;
            constants.add(inner, digest)?;
            constants.add_optional(outer, digest)?;
            constants.add_optional(name, digest)?;
            digest.number(access.into());
        }
    }
    Ok(any)
}

/// Components in order: it is the order of the canonical constructor's parameters.
fn add_record_components(
    reader: &mut Reader<'_>,
    constants: &mut Constants<'_, '_>,
    digest: &mut Digest,
) -> Result<()> {
    for _ in 0..reader.u2()? {
        constants.add(reader.u2()?, digest)?;
        constants.add(reader.u2()?, digest)?;
        let mut hashes = Vec::new();
        for _ in 0..reader.u2()? {
            let name_index = reader.u2()?;
            let length = reader.u4()? as usize;
            let bytes = reader.take(length)?;
            // Records within records occur only in hostile input, to exhaust our stack.
            if constants.pool.utf8(name_index)? == "Record" {
                return Err(Opaque);
            }
            hashes.extend(hash(name_index, bytes, constants)?);
        }
        digest.unordered(hashes);
    }
    Ok(())
}

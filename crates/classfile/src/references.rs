//! What a class speaks of: other classes, fields and methods.
//!
//! The answer is read from the pool, descriptors, signatures and annotations without looking at
//! instructions, so it may hold a name that no code uses. It never leaves one out.

use crate::annotation::{Annotation, ElementValue};
use crate::attribute::Attributes;
use crate::class::ClassFile;
use crate::descriptor::class_names_in;
use crate::error::Result;
use crate::java_str::JavaStr;
use crate::pool::{Constant, ConstantPool, MemberRef, tag};
use crate::signature;

/// A field or method that code or a method handle may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference<'a> {
    Field(MemberRef<'a>),
    Method(MemberRef<'a>),
    InterfaceMethod(MemberRef<'a>),
}

impl<'a> ClassFile<'a> {
    pub fn member_references(&self) -> impl Iterator<Item = Result<Reference<'a>>> + '_ {
        self.pool
            .indices()
            .filter_map(|index| match self.pool.get(index) {
                Ok(Constant::Field(field)) => Some(Ok(Reference::Field(field))),
                Ok(Constant::Method(method)) => Some(Ok(Reference::Method(method))),
                Ok(Constant::InterfaceMethod(method)) => {
                    Some(Ok(Reference::InterfaceMethod(method)))
                }
                Ok(_) => None,
                Err(malformed) => Some(Err(malformed)),
            })
    }

    /// Every class named anywhere, in VM form and order, arrays by their element class, this
    /// class included.
    pub fn referenced_classes(&self) -> Result<Vec<JavaStr<'a>>> {
        let mut found = Vec::new();
        self.each_referenced_class(|name| found.push(name))?;
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The same without order, and some of them several times.
    pub fn each_referenced_class(&self, visit: impl FnMut(JavaStr<'a>)) -> Result<()> {
        let mut names = Names {
            pool: &self.pool,
            visit,
        };
        // Many members share a descriptor.
        let mut seen = vec![false; usize::from(self.pool.count())];
        let mut is_new = |index: u16| match seen.get_mut(usize::from(index)) {
            Some(seen) => !std::mem::replace(seen, true),
            None => true,
        };
        // Members are made of classes and descriptors, which stand in the pool themselves.
        for index in self.pool.indices() {
            match self.pool.tag(index) {
                tag::CLASS => {
                    let name = self.pool.class_name(index)?;
                    if name.as_bytes().starts_with(b"[") {
                        names.descriptor(name);
                    } else {
                        (names.visit)(name);
                    }
                }
                tag::NAME_AND_TYPE => {
                    let descriptor = self.pool.descriptor_index(index)?;
                    if is_new(descriptor) {
                        names.descriptor(self.pool.utf8(descriptor)?);
                    }
                }
                tag::METHOD_TYPE => {
                    if let Constant::MethodType(descriptor) = self.pool.get(index)? {
                        names.descriptor(descriptor);
                    }
                }
                _ => {}
            }
        }
        names.attributes(&self.attributes)?;
        for component in self.attributes.record(&self.pool)?.unwrap_or_default() {
            names.descriptor(component.descriptor);
            names.attributes(&component.attributes)?;
        }
        for member in self.fields.iter().chain(&self.methods) {
            if is_new(member.descriptor_index) {
                names.descriptor(member.descriptor(&self.pool)?);
            }
            names.attributes(&member.attributes)?;
            if let Some(code) = member.code(&self.pool)? {
                names.attributes(&code.attributes)?;
            }
        }
        Ok(())
    }
}

struct Names<'c, 'a, V> {
    pool: &'c ConstantPool<'a>,
    visit: V,
}

impl<'a, V: FnMut(JavaStr<'a>)> Names<'_, 'a, V> {
    fn descriptor(&mut self, descriptor: JavaStr<'a>) {
        class_names_in(descriptor).for_each(&mut self.visit);
    }

    fn attributes(&mut self, attributes: &Attributes<'a>) -> Result<()> {
        let pool = self.pool;
        for attribute in attributes.iter() {
            match attribute.name(pool)?.as_bytes() {
                b"Signature" => {
                    let text = pool.utf8(attribute.cursor("Signature").u2()?)?;
                    signature::class_names(text).for_each(&mut self.visit);
                }
                b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations" => {
                    let annotations = attribute.annotations(pool)?;
                    annotations.iter().for_each(|each| self.annotation(each));
                }
                b"RuntimeVisibleParameterAnnotations" | b"RuntimeInvisibleParameterAnnotations" => {
                    let parameters = attribute.parameter_annotations(pool)?;
                    parameters
                        .iter()
                        .flatten()
                        .for_each(|each| self.annotation(each));
                }
                b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                    let uses = attribute.type_annotations(pool)?;
                    uses.iter()
                        .for_each(|each| self.annotation(&each.annotation));
                }
                b"AnnotationDefault" => {
                    let default = attributes.annotation_default(pool)?;
                    default.iter().for_each(|value| self.element_value(value));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn annotation(&mut self, annotation: &Annotation<'a>) {
        self.descriptor(annotation.descriptor);
        for (_, value) in &annotation.elements {
            self.element_value(value);
        }
    }

    fn element_value(&mut self, value: &ElementValue<'a>) {
        match value {
            ElementValue::Enum { descriptor, .. } | ElementValue::Class(descriptor) => {
                self.descriptor(*descriptor);
            }
            ElementValue::Annotation(annotation) => self.annotation(annotation),
            ElementValue::Array(values) => {
                values.iter().for_each(|value| self.element_value(value));
            }
            _ => {}
        }
    }
}

//! Which classes a class file speaks of, method by method.
//!
//! Code that ran may have seen any class that it mentions without entering one of its methods: by
//! a cast, a catch clause, a field. Names only; what they mean is found out by whoever asks.

use std::sync::Arc;

use jury_classfile::{
    Annotation, Attributes, BootstrapMethod, ClassFile, Constant, ElementValue, JavaStr, Malformed,
    Member, MemberRef, Operand, Stores, class_names_in_signature, opcode,
};

/// One class file.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    pub supertypes: Vec<Arc<str>>,
    /// Names of static fields that it declares and that something can be left in.
    pub static_fields: Vec<Arc<str>>,
    /// In annotations of the class, its fields and its methods.
    pub declared: Mentioned,
    /// In the order of the class file.
    pub methods: Vec<MethodMentions>,
}

#[derive(Debug)]
pub(crate) struct MethodMentions {
    pub name: String,
    pub descriptor: String,
    pub is_static: bool,
    pub mentioned: Mentioned,
    /// Static fields that it may leave something in.
    pub stores: Vec<StaticField>,
    /// Classes in whose objects it fills a field that it finds empty.
    pub memos: Vec<Arc<str>>,
}

/// A static field by the class that code names and its own name.
pub(crate) type StaticField = (Arc<str>, Arc<str>);

/// Names of classes in VM form.
#[derive(Debug, Default)]
pub(crate) struct Mentioned {
    /// What a static initialiser left behind may be seen without a method of the class being
    /// entered: through a field, or through the class itself.
    pub through_state: Vec<Arc<str>>,
    /// All others.
    pub by_name: Vec<Arc<str>>,
}

/// Dynamic constants may refer to each other; honest ones hardly do.
const MAX_NESTING: usize = 16;

impl Mentions {
    /// None if the bytes cannot be understood: then only the whole class is safe to rely on.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        read(bytes).ok()
    }
}

fn read(bytes: &[u8]) -> Result<Mentions, Malformed> {
    let class = ClassFile::read(bytes)?;
    let mut supertypes: Vec<Arc<str>> = Vec::new();
    supertypes.extend(class.super_name()?.map(owned));
    for interface in class.interfaces() {
        supertypes.push(owned(interface?));
    }
    let mut declared = Reading::new(&class)?;
    declared.annotations(&class.attributes)?;
    for member in class.fields.iter().chain(&class.methods) {
        declared.annotations(&member.attributes)?;
    }
    let stores = class.stores()?;
    let methods = class.methods.iter().zip(&stores).map(|(method, stores)| {
        Ok(MethodMentions {
            name: method.name(&class.pool)?.to_str().into_owned(),
            descriptor: method.descriptor(&class.pool)?.to_str().into_owned(),
            is_static: method.access.is_static(),
            mentioned: code_mentions(&class, method)?,
            stores: fields_stored(stores),
            memos: stores
                .memos
                .iter()
                .map(|field| owned(field.owner))
                .collect(),
        })
    });
    let hollow = class.hollow_fields()?;
    let mut static_fields = Vec::new();
    for field in class.fields.iter().filter(|field| field.access.is_static()) {
        let name = field.name(&class.pool)?;
        static_fields.extend((!hollow.contains(&name)).then(|| owned(name)));
    }
    Ok(Mentions {
        supertypes,
        static_fields,
        methods: methods.collect::<Result<_, Malformed>>()?,
        declared: declared.finish(),
    })
}

fn fields_stored(stores: &Stores<'_>) -> Vec<StaticField> {
    let stores = stores.statics.iter();
    stores
        .map(|field| (owned(field.owner), owned(field.name)))
        .collect()
}

fn code_mentions(class: &ClassFile<'_>, method: &Member<'_>) -> Result<Mentioned, Malformed> {
    let mut reading = Reading::new(class)?;
    reading.descriptor(method.descriptor(&class.pool)?);
    if let Some(code) = method.code(&class.pool)? {
        for instruction in code.instructions() {
            let instruction = instruction?;
            match instruction.operand {
                Operand::Constant(index) => reading.operand(instruction.opcode, index)?,
                Operand::MultiArray { class, .. } => reading.constant(class, 0)?,
                _ => {}
            }
        }
        for handler in code.handlers().filter(|handler| handler.catch_type != 0) {
            reading.constant(handler.catch_type, 0)?;
        }
    }
    Ok(reading.finish())
}

struct Reading<'c, 'a> {
    class: &'c ClassFile<'a>,
    bootstraps: Vec<BootstrapMethod<'a>>,
    through_state: Vec<JavaStr<'a>>,
    by_name: Vec<JavaStr<'a>>,
}

impl<'c, 'a> Reading<'c, 'a> {
    fn new(class: &'c ClassFile<'a>) -> Result<Self, Malformed> {
        Ok(Reading {
            class,
            bootstraps: class.attributes.bootstrap_methods(&class.pool)?,
            through_state: Vec::new(),
            by_name: Vec::new(),
        })
    }

    fn operand(&mut self, opcode: u8, index: u16) -> Result<(), Malformed> {
        let is_literal = matches!(opcode, opcode::LDC | opcode::LDC_W);
        match self.class.pool.get(index)? {
            // The JDK may read constants of an enum that it is handed as a literal.
            Constant::Class(name) if is_literal => {
                self.class_named(name, true);
                Ok(())
            }
            _ => self.constant(index, 0),
        }
    }

    fn constant(&mut self, index: u16, nesting: usize) -> Result<(), Malformed> {
        let pool = &self.class.pool;
        match pool.get(index)? {
            // Among the arguments of a dynamic constant it is as good as a literal.
            Constant::Class(name) => self.class_named(name, nesting > 0),
            Constant::Field(field) => self.member(field, true),
            Constant::Method(method) | Constant::InterfaceMethod(method) => {
                self.member(method, false);
            }
            Constant::MethodHandle { reference, .. } => self.constant(reference, nesting)?,
            Constant::MethodType(descriptor) => self.descriptor(descriptor),
            Constant::Dynamic {
                bootstrap,
                name_and_type,
            }
            | Constant::InvokeDynamic {
                bootstrap,
                name_and_type,
            } => {
                self.descriptor(name_and_type.descriptor);
                let bootstrap = self.bootstraps.get(usize::from(bootstrap)).copied();
                if let Some(bootstrap) = bootstrap.filter(|_| nesting < MAX_NESTING) {
                    self.constant(bootstrap.method, nesting + 1)?;
                    for argument in bootstrap.arguments() {
                        self.constant(argument, nesting + 1)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn member(&mut self, member: MemberRef<'a>, is_field: bool) {
        self.class_named(member.owner, is_field);
        self.descriptor(member.descriptor);
    }

    /// Arrays stand for their element's class.
    fn class_named(&mut self, name: JavaStr<'a>, through_state: bool) {
        if name.as_bytes().starts_with(b"[") {
            self.descriptor(name);
        } else if through_state {
            self.through_state.push(name);
        } else {
            self.by_name.push(name);
        }
    }

    fn descriptor(&mut self, descriptor: JavaStr<'a>) {
        self.by_name.extend(class_names_in_signature(descriptor));
    }

    fn annotations(&mut self, attributes: &Attributes<'a>) -> Result<(), Malformed> {
        let pool = &self.class.pool;
        for annotation in attributes.annotations(pool)? {
            self.annotation(&annotation);
        }
        for annotation in attributes.parameter_annotations(pool)?.iter().flatten() {
            self.annotation(annotation);
        }
        if let Some(default) = attributes.annotation_default(pool)? {
            self.element(&default);
        }
        Ok(())
    }

    fn annotation(&mut self, annotation: &Annotation<'a>) {
        self.descriptor(annotation.descriptor);
        for (_, value) in &annotation.elements {
            self.element(value);
        }
    }

    fn element(&mut self, value: &ElementValue<'a>) {
        match value {
            ElementValue::Enum { descriptor, .. } | ElementValue::Class(descriptor) => {
                self.through_state
                    .extend(class_names_in_signature(*descriptor));
            }
            ElementValue::Annotation(annotation) => self.annotation(annotation),
            ElementValue::Array(values) => values.iter().for_each(|value| self.element(value)),
            _ => {}
        }
    }

    fn finish(self) -> Mentioned {
        let distinct = |mut names: Vec<JavaStr<'a>>| {
            // No project may define classes there.
            names.retain(|name| !name.as_bytes().starts_with(b"java/"));
            names.sort_unstable();
            names.dedup();
            names.into_iter().map(owned).collect()
        };
        Mentioned {
            through_state: distinct(self.through_state),
            by_name: distinct(self.by_name),
        }
    }
}

fn owned(name: JavaStr<'_>) -> Arc<str> {
    name.to_str().into()
}

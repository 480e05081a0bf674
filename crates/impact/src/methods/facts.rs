//! What one class file says of its methods, as far as their graph needs it.

use jury_classfile::{
    Access, Annotation, Attributes, BootstrapMethod, ClassFile, Constant, ElementValue, JavaStr,
    Malformed, Member, MemberRef, Operand, class_names_in, opcode,
};
use serde::{Deserialize, Serialize};

use super::outside::looks_at_members;
use crate::class_facts::is_of_jdk;
use crate::names::{Name, Names};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberFacts {
    /// None if it is the JDK's.
    pub superclass: Option<Name>,
    /// Supertypes within the JDK, which may call methods that nobody else calls.
    pub jdk_supertypes: Vec<Name>,
    /// Classes in annotations of the class and its members.
    pub annotations: Vec<Name>,
    pub methods: Vec<MethodFacts>,
}

/// Lists are without classes of the JDK; each name is there once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodFacts {
    /// Name and descriptor: `run(I)V`.
    pub signature: Name,
    pub role: Role,
    pub calls: Vec<Call>,
    /// Whose fields it uses.
    pub states: Vec<Name>,
    /// Classes that it has as values, to do with them whatever reflection can.
    pub literals: Vec<Name>,
    /// Interfaces of which `invokedynamic` makes objects.
    pub made: Vec<Name>,
    /// All other classes in its descriptor and code.
    pub mentions: Vec<Name>,
    /// It asks for members of classes that only the run can tell.
    pub looks_at_members: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    StaticInitialiser,
    Constructor,
    /// Static and private methods: nothing overrides them.
    Fixed,
    Virtual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Call {
    pub owner: Name,
    pub signature: Name,
    /// Whether a method of a subtype may run instead.
    pub is_virtual: bool,
}

/// Dynamic constants may refer to each other; honest ones hardly do.
const MAX_NESTING: usize = 16;

/// Kinds of method handles that dispatch by the object (JVMS table 5.4.3.5-A).
const VIRTUAL_HANDLES: [u8; 2] = [5, 9];

impl MemberFacts {
    /// Names are added to `names`. A class whose code cannot be understood is refused.
    pub fn read(bytes: &[u8], names: &mut Names) -> Result<Self, Malformed> {
        let class = ClassFile::read(bytes)?;
        let bootstraps = class.attributes.bootstrap_methods(&class.pool)?;
        let superclass = class.super_name()?.filter(|name| !is_of_jdk(*name));
        let mut supertypes: Vec<JavaStr<'_>> = class.super_name()?.into_iter().collect();
        for interface in class.interfaces() {
            supertypes.push(interface?);
        }
        supertypes.retain(|name| is_of_jdk(*name));
        let mut annotated = Vec::new();
        let members = class.fields.iter().chain(&class.methods);
        let attributes = members.map(|member| &member.attributes);
        for attributes in attributes.chain([&class.attributes]) {
            add_annotations(attributes, &class, &mut annotated)?;
        }
        let methods = class.methods.iter().map(|method| {
            let mut reading = Reading {
                class: &class,
                bootstraps: &bootstraps,
                names,
                facts: MethodFacts::of(method, &class)?,
            };
            reading.method(method)?;
            Ok(reading.finish())
        });
        let methods = methods.collect::<Result<_, Malformed>>()?;
        Ok(MemberFacts {
            superclass: superclass.map(|name| names.intern(&name.to_str())),
            jdk_supertypes: supertypes
                .iter()
                .map(|name| names.intern(&name.to_str()))
                .collect(),
            annotations: distinct(
                (annotated.into_iter())
                    .filter(|name| !is_of_jdk(*name))
                    .map(|name| names.intern(&name.to_str()))
                    .collect(),
            ),
            methods,
        })
    }

    /// The same in another collection of names; `moved` has the name there of each one here.
    pub fn moved(&mut self, moved: &[Name]) {
        let move_all = |list: &mut Vec<Name>| {
            list.iter_mut().for_each(|name| *name = moved[name.place()]);
        };
        self.superclass = self.superclass.map(|name| moved[name.place()]);
        move_all(&mut self.jdk_supertypes);
        move_all(&mut self.annotations);
        for method in &mut self.methods {
            method.signature = moved[method.signature.place()];
            for call in &mut method.calls {
                call.owner = moved[call.owner.place()];
                call.signature = moved[call.signature.place()];
            }
            move_all(&mut method.states);
            move_all(&mut method.literals);
            move_all(&mut method.made);
            move_all(&mut method.mentions);
        }
    }
}

impl MethodFacts {
    fn of(method: &Member<'_>, class: &ClassFile<'_>) -> Result<Self, Malformed> {
        let name = method.name(&class.pool)?;
        let is_fixed = method.access.is_static() || method.access.has(Access::PRIVATE);
        Ok(MethodFacts {
            signature: Name::at(0),
            role: match name.as_bytes() {
                b"<clinit>" => Role::StaticInitialiser,
                b"<init>" => Role::Constructor,
                _ if is_fixed => Role::Fixed,
                _ => Role::Virtual,
            },
            calls: Vec::new(),
            states: Vec::new(),
            literals: Vec::new(),
            made: Vec::new(),
            mentions: Vec::new(),
            looks_at_members: false,
        })
    }
}

struct Reading<'c, 'a> {
    class: &'c ClassFile<'a>,
    bootstraps: &'c [BootstrapMethod<'a>],
    names: &'c mut Names,
    facts: MethodFacts,
}

impl<'a> Reading<'_, 'a> {
    fn method(&mut self, method: &Member<'a>) -> Result<(), Malformed> {
        let pool = &self.class.pool;
        let (name, descriptor) = (method.name(pool)?, method.descriptor(pool)?);
        self.facts.signature = self.signature(name, descriptor);
        self.descriptor(descriptor);
        for exception in method.attributes.exceptions(pool)? {
            self.mention(exception);
        }
        let Some(code) = method.code(pool)? else {
            return Ok(());
        };
        let mut literal_before = false;
        for instruction in code.instructions() {
            let instruction = instruction?;
            match instruction.operand {
                Operand::Constant(index) => {
                    self.operand(instruction.opcode, index, literal_before)?;
                    let is_load = matches!(instruction.opcode, opcode::LDC | opcode::LDC_W);
                    literal_before = is_load && matches!(pool.get(index)?, Constant::Class(_));
                }
                Operand::MultiArray { class, .. } => {
                    self.mention(pool.class_name(class)?);
                    literal_before = false;
                }
                _ => literal_before = false,
            }
        }
        for handler in code.handlers().filter(|handler| handler.catch_type != 0) {
            self.mention(pool.class_name(handler.catch_type)?);
        }
        Ok(())
    }

    /// `literal_before`: the instruction before this one loaded a class.
    fn operand(&mut self, code: u8, index: u16, literal_before: bool) -> Result<(), Malformed> {
        match self.class.pool.get(index)? {
            Constant::Class(name) if !matches!(code, opcode::LDC | opcode::LDC_W) => {
                self.mention(name);
            }
            Constant::Method(method) | Constant::InterfaceMethod(method) => {
                let is_virtual = matches!(code, opcode::INVOKEVIRTUAL | opcode::INVOKEINTERFACE);
                self.call(method, is_virtual);
                // Members of a class that is written right there are known to be meant.
                self.facts.looks_at_members |= looks_at_members(method) && !literal_before;
            }
            _ => self.constant(index, 0)?,
        }
        Ok(())
    }

    /// A constant as a value.
    fn constant(&mut self, index: u16, nesting: usize) -> Result<(), Malformed> {
        let pool = &self.class.pool;
        match pool.get(index)? {
            Constant::Class(name) => self.literal(name),
            Constant::Field(field) => {
                self.descriptor(field.descriptor);
                let owner = self.foreign(field.owner);
                self.facts.states.extend(owner);
            }
            Constant::MethodHandle { kind, reference } => match pool.get(reference)? {
                Constant::Method(method) | Constant::InterfaceMethod(method) => {
                    self.call(method, VIRTUAL_HANDLES.contains(&kind));
                    self.facts.looks_at_members |= looks_at_members(method);
                }
                _ => self.constant(reference, nesting)?,
            },
            Constant::MethodType(descriptor) => self.descriptor(descriptor),
            Constant::Dynamic {
                bootstrap,
                name_and_type,
            }
            | Constant::InvokeDynamic {
                bootstrap,
                name_and_type,
            } => {
                let descriptor = name_and_type.descriptor;
                self.descriptor(descriptor);
                let result = descriptor.as_bytes().rsplit(|byte| *byte == b')').next();
                let made = class_names_in(JavaStr::new(result.unwrap_or_default()));
                for name in made {
                    let made = self.foreign(name);
                    self.facts.made.extend(made);
                }
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

    fn call(&mut self, method: MemberRef<'a>, is_virtual: bool) {
        self.descriptor(method.descriptor);
        if method.owner.as_bytes().starts_with(b"[") {
            self.mention(method.owner);
        } else if !is_of_jdk(method.owner) {
            let owner = self.names.intern(&method.owner.to_str());
            let signature = self.signature(method.name, method.descriptor);
            self.facts.calls.push(Call {
                owner,
                signature,
                is_virtual,
            });
        }
    }

    fn literal(&mut self, name: JavaStr<'a>) {
        for name in elements(name) {
            let literal = self.foreign(name);
            self.facts.literals.extend(literal);
        }
    }

    fn mention(&mut self, name: JavaStr<'a>) {
        for name in elements(name) {
            let mentioned = self.foreign(name);
            self.facts.mentions.extend(mentioned);
        }
    }

    fn descriptor(&mut self, descriptor: JavaStr<'a>) {
        for name in class_names_in(descriptor) {
            let mentioned = self.foreign(name);
            self.facts.mentions.extend(mentioned);
        }
    }

    fn foreign(&mut self, name: JavaStr<'a>) -> Option<Name> {
        (!is_of_jdk(name)).then(|| self.names.intern(&name.to_str()))
    }

    fn signature(&mut self, name: JavaStr<'a>, descriptor: JavaStr<'a>) -> Name {
        let signature = [name.to_str(), descriptor.to_str()].concat();
        self.names.intern(&signature)
    }

    fn finish(self) -> MethodFacts {
        let mut facts = self.facts;
        facts.calls.sort_unstable();
        facts.calls.dedup();
        for list in [
            &mut facts.states,
            &mut facts.literals,
            &mut facts.made,
            &mut facts.mentions,
        ] {
            *list = distinct(std::mem::take(list));
        }
        facts
    }
}

/// The class itself; of an array, that of its elements.
fn elements(name: JavaStr<'_>) -> impl Iterator<Item = JavaStr<'_>> {
    let is_array = name.as_bytes().starts_with(b"[");
    let elements = is_array.then(|| class_names_in(name));
    let own = (!is_array).then_some(name);
    elements.into_iter().flatten().chain(own)
}

fn distinct(mut names: Vec<Name>) -> Vec<Name> {
    names.sort_unstable();
    names.dedup();
    names
}

/// Annotations with all that their values name.
fn add_annotations<'a>(
    attributes: &Attributes<'a>,
    class: &ClassFile<'a>,
    found: &mut Vec<JavaStr<'a>>,
) -> Result<(), Malformed> {
    let pool = &class.pool;
    for annotation in attributes.annotations(pool)? {
        add_annotation(&annotation, found);
    }
    for annotation in attributes.parameter_annotations(pool)?.iter().flatten() {
        add_annotation(annotation, found);
    }
    if let Some(default) = attributes.annotation_default(pool)? {
        add_value(&default, found);
    }
    Ok(())
}

fn add_annotation<'a>(annotation: &Annotation<'a>, found: &mut Vec<JavaStr<'a>>) {
    found.extend(class_names_in(annotation.descriptor));
    for (_, value) in &annotation.elements {
        add_value(value, found);
    }
}

fn add_value<'a>(value: &ElementValue<'a>, found: &mut Vec<JavaStr<'a>>) {
    match value {
        ElementValue::Enum { descriptor, .. } | ElementValue::Class(descriptor) => {
            found.extend(class_names_in(*descriptor));
        }
        ElementValue::Annotation(annotation) => add_annotation(annotation, found),
        ElementValue::Array(values) => values.iter().for_each(|value| add_value(value, found)),
        _ => {}
    }
}

//! Who calls a method and who reads a field, and which of them a test can get at.
//!
//! Calls are taken by name and related type: a call of an interface's method leads to every
//! implementation in the project. Reflection is not seen.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use jury_classfile::opcode::{
    GETFIELD, GETSTATIC, INVOKEINTERFACE, INVOKEVIRTUAL, PUTFIELD, PUTSTATIC,
};
use jury_classfile::{Access, ClassFile, Constant, Malformed, MemberRef, Operand};

use crate::expression::java_type;

/// A method, named in VM form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member {
    pub class: String,
    pub name: String,
    pub descriptor: String,
}

impl Member {
    fn of(reference: &MemberRef<'_>) -> Self {
        Member {
            class: reference.owner.to_string(),
            name: reference.name.to_string(),
            descriptor: reference.descriptor.to_string(),
        }
    }

    pub fn package(&self) -> &str {
        package(&self.class)
    }
}

fn package(class: &str) -> &str {
    class.rsplit_once('/').map_or("", |(package, _)| package)
}

/// `a.b.C.run(int, String)`.
impl std::fmt::Display for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let class = self.class.replace(['/', '$'], ".");
        let parameters = parameters(&self.descriptor).join(", ");
        write!(f, "{class}.{}({parameters})", self.name)
    }
}

impl Member {
    /// The class, in VM form, of what plays a part in a call of the method: `receiver`, `result` or
    /// `argument 1`; none if that is no object.
    pub fn class_of(&self, role: &str) -> Option<String> {
        let descriptor = jury_classfile::JavaStr::new(self.descriptor.as_bytes());
        let descriptor = jury_classfile::MethodDescriptor::read(descriptor).ok()?;
        let of = match role.split_once(' ') {
            None if role == "receiver" => return Some(self.class.clone()),
            None if role == "result" => descriptor.result,
            Some(("argument", number)) => {
                let number: usize = number.parse().ok()?;
                descriptor.parameters().nth(number.checked_sub(1)?)?
            }
            _ => return None,
        };
        let class = of.as_str().to_string();
        let class = class.strip_prefix('L')?.strip_suffix(';')?;
        Some(class.to_owned())
    }
}

/// Whether a method of the JDK's containers with this name changes what is in them.
fn alters(name: &str) -> bool {
    let begins = [
        "add", "clear", "offer", "poll", "pop", "push", "put", "remove", "retain", "set", "sort",
    ];
    begins.iter().any(|begin| name.starts_with(begin))
}

/// The simple names of a method's parameter types.
fn parameters(descriptor: &str) -> Vec<String> {
    let descriptor = jury_classfile::JavaStr::new(descriptor.as_bytes());
    let Ok(descriptor) = jury_classfile::MethodDescriptor::read(descriptor) else {
        return Vec::new();
    };
    let simple = |name: String| match name.rsplit_once('.') {
        Some((_, simple)) => simple.to_owned(),
        None => name,
    };
    let types = descriptor.parameters();
    types
        .map(|each| simple(java_type(&each.as_str().to_string())))
        .collect()
}

/// Calls and field reads among the classes of a project.
#[derive(Debug, Default)]
pub struct CallGraph {
    methods: BTreeMap<Member, Access>,
    classes: HashMap<String, Class>,
    /// By name and descriptor: who calls such a method, and of which type.
    calls: HashMap<(String, String), BTreeSet<(Member, String)>>,
    /// By class and field.
    reads: HashMap<(String, String), BTreeSet<Member>>,
    /// Methods that set a field themselves, or alter a container.
    writers: HashSet<Member>,
}

#[derive(Debug)]
struct Class {
    access: Access,
    parents: Vec<String>,
}

impl CallGraph {
    pub fn add(&mut self, file: &ClassFile<'_>) -> Result<(), Malformed> {
        let class = file.name()?.to_string();
        let parents = file.super_name()?.into_iter().map(Ok);
        let parents = parents.chain(file.interfaces());
        let parents = parents.map(|parent| Ok(parent?.to_string()));
        let parents = parents.collect::<Result<_, Malformed>>()?;
        let access = file.access;
        self.classes
            .insert(class.clone(), Class { access, parents });
        for method in &file.methods {
            let caller = Member {
                class: class.clone(),
                name: method.name(&file.pool)?.to_string(),
                descriptor: method.descriptor(&file.pool)?.to_string(),
            };
            self.methods.insert(caller.clone(), method.access);
            if let Some(code) = method.code(&file.pool)? {
                for instruction in code.instructions() {
                    let instruction = instruction?;
                    if let Operand::Constant(index) = instruction.operand {
                        self.add_use(file, &caller, instruction.opcode, index)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn add_use(
        &mut self,
        file: &ClassFile<'_>,
        caller: &Member,
        opcode: u8,
        index: u16,
    ) -> Result<(), Malformed> {
        match (opcode, file.pool.get(index)?) {
            (GETFIELD | GETSTATIC, Constant::Field(field)) => {
                let key = (field.owner.to_string(), field.name.to_string());
                self.reads.entry(key).or_default().insert(caller.clone());
            }
            (PUTFIELD | PUTSTATIC, _) => {
                self.writers.insert(caller.clone());
            }
            (
                INVOKEVIRTUAL..=INVOKEINTERFACE,
                Constant::Method(called) | Constant::InterfaceMethod(called),
            ) => self.add_call(caller, Member::of(&called)),
            (_, Constant::InvokeDynamic { bootstrap, .. }) => {
                let bootstraps = file.attributes.bootstrap_methods(&file.pool)?;
                let arguments = bootstraps.get(usize::from(bootstrap));
                for argument in arguments.into_iter().flat_map(|each| each.arguments()) {
                    if let Constant::MethodHandle { reference, .. } = file.pool.get(argument)?
                        && let Ok(called) = file.pool.member_ref(reference)
                    {
                        self.add_call(caller, Member::of(&called));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add_call(&mut self, caller: &Member, called: Member) {
        if called.class.starts_with("java/util/") && alters(&called.name) {
            self.writers.insert(caller.clone());
        }
        let key = (called.name, called.descriptor);
        let entry = (caller.clone(), called.class);
        self.calls.entry(key).or_default().insert(entry);
    }

    /// The methods that call this one, or may.
    pub fn callers(&self, method: &Member) -> BTreeSet<&Member> {
        let key = (method.name.clone(), method.descriptor.clone());
        let calls = self.calls.get(&key).into_iter().flatten();
        calls
            .filter(|(caller, owner)| caller != method && self.related(owner, &method.class))
            .map(|(caller, _)| caller)
            .collect()
    }

    fn related(&self, one: &str, other: &str) -> bool {
        one == other || self.descends(one, other) || self.descends(other, one)
    }

    fn descends(&self, class: &str, ancestor: &str) -> bool {
        let mut pending = vec![class];
        let mut seen = HashSet::new();
        while let Some(name) = pending.pop() {
            if name == ancestor {
                return true;
            }
            if seen.insert(name)
                && let Some(class) = self.classes.get(name)
            {
                pending.extend(class.parents.iter().map(String::as_str));
            }
        }
        false
    }

    /// Whether code in this package can call the method.
    pub fn is_accessible(&self, method: &Member, from: &str) -> bool {
        let Some(access) = self.methods.get(method) else {
            return false;
        };
        let Some(class) = self.classes.get(&method.class) else {
            return false;
        };
        let neighbour = method.package() == from;
        let open = |access: Access| access.has(Access::PUBLIC) || neighbour;
        let written = !access.is_synthetic() && !method.name.starts_with('<');
        written && !access.has(Access::PRIVATE) && open(class.access) && open(*access)
    }

    /// Whether a class is of the project.
    pub fn knows(&self, class: &str) -> bool {
        self.classes.contains_key(class)
    }

    /// Whether the method sets a field or alters a container with its own hands; what it calls may do so,
    /// too.
    pub fn writes(&self, method: &Member) -> bool {
        self.writers.contains(method)
    }

    /// Whether the method is named after a field of its class and reads it.
    pub fn is_accessor(&self, method: &Member) -> bool {
        let field = (method.class.clone(), method.name.clone());
        let readers = self.reads.get(&field);
        readers.is_some_and(|readers| readers.contains(method))
    }

    pub fn is_static(&self, method: &Member) -> bool {
        let access = self.methods.get(method);
        access.is_some_and(|access| access.is_static())
    }

    /// The nearest methods that code in this package can call and that lead to the given one;
    /// itself if it can be called.
    pub fn entry_points(&self, method: &Member, from: &str) -> Vec<&Member> {
        let known = self.methods.get_key_value(method);
        self.nearest_accessible(known.map(|(method, _)| method), from)
    }

    /// The nearest methods that code in this package can call and whose result or effect may
    /// depend on a field, which is declared by the class or by one it extends.
    pub fn readers(&self, class: &str, field: &str, from: &str) -> Vec<&Member> {
        let fields = self.reads.iter();
        let own = fields.filter(|((owner, name), _)| name == field && self.related(owner, class));
        self.nearest_accessible(own.flat_map(|(_, readers)| readers), from)
    }

    /// Whether the method reads a field, which is declared by the class or by one it extends, itself or
    /// through so many calls. Of an object whose class is not known, any field of that name will do.
    pub fn leads_to_reader(
        &self,
        method: &Member,
        (class, field): (Option<&str>, &str),
        steps: usize,
    ) -> bool {
        let known = class.filter(|class| self.knows(class));
        let is_own = |owner: &str| known.is_none_or(|class| self.related(owner, class));
        let fields = self.reads.iter();
        let own = fields.filter(|((owner, name), _)| name == field && is_own(owner));
        let mut level: BTreeSet<&Member> = own.flat_map(|(_, readers)| readers).collect();
        let mut seen: HashSet<&Member> = HashSet::new();
        for _ in 0..=steps {
            if level.contains(method) {
                return true;
            }
            let new: Vec<&Member> = level.into_iter().filter(|each| seen.insert(each)).collect();
            level = new.iter().flat_map(|each| self.callers(each)).collect();
        }
        false
    }

    /// The project's methods of a class and of those it extends that take nothing, return something
    /// and can be called from this package.
    pub fn observers(&self, class: &str, from: &str) -> Vec<&Member> {
        let own = self.methods.keys().filter(|method| {
            method.descriptor.starts_with("()")
                && !method.descriptor.ends_with(")V")
                && self.descends(class, &method.class)
        });
        own.filter(|method| self.is_accessible(method, from) && !self.is_static(method))
            .collect()
    }

    /// Goes from callee to caller, level by level, and stops where it can get in.
    fn nearest_accessible<'a>(
        &'a self,
        start: impl IntoIterator<Item = &'a Member>,
        from: &str,
    ) -> Vec<&'a Member> {
        let mut level: BTreeSet<&Member> = start.into_iter().collect();
        let mut seen: HashSet<&Member> = HashSet::new();
        let mut found = Vec::new();
        while !level.is_empty() {
            let mut next = BTreeSet::new();
            for method in level {
                if !seen.insert(method) {
                    continue;
                }
                if self.is_accessible(method, from) {
                    found.push(method);
                } else {
                    next.extend(self.callers(method));
                }
            }
            level = next;
        }
        found
    }
}

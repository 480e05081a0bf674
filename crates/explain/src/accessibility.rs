//! Who calls a method and who reads a field, and which of them a test can get at.
//!
//! Calls are taken by name and related type: a call of an interface's method leads to every
//! implementation in the project. Reflection is not seen. What a method does beside what is looked at after
//! its calls is told in kinds, not in detail.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::OnceLock;

use jury_classfile::opcode::{
    GETFIELD, GETSTATIC, IFNONNULL, IFNULL, INVOKEINTERFACE, INVOKEVIRTUAL, NEW, PUTFIELD,
    PUTSTATIC,
};
use jury_classfile::{Access, ClassFile, Code, Constant, Malformed, MemberRef, Operand};

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

impl Member {
    /// Whether what plays a part in a call of the method can be null.
    pub fn takes_object(&self, role: &str) -> bool {
        let descriptor = jury_classfile::JavaStr::new(self.descriptor.as_bytes());
        let Ok(descriptor) = jury_classfile::MethodDescriptor::read(descriptor) else {
            return false;
        };
        let of = match crate::property::argument(role) {
            Some(number) => descriptor.parameters().nth(number.wrapping_sub(1)),
            None => (role == "result").then_some(descriptor.result),
        };
        of.is_some_and(|of| matches!(of.first(), b'L' | b'['))
    }
}

/// What a method does that no call of it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    StaticFields,
    Files,
    Output,
}

impl Effect {
    /// What is written or read.
    pub fn word(self) -> &'static str {
        match self {
            Effect::StaticFields => "static fields",
            Effect::Files => "files or streams",
            Effect::Output => "standard output",
        }
    }

    fn of_call(owner: &str) -> Option<Self> {
        // What is kept in memory shows in the object itself, and what is printed is told by the field.
        let in_memory = ["ByteArray", "CharArray", "String", "PrintStream"];
        let class = owner.strip_prefix("java/io/");
        let streams = class.is_some_and(|class| {
            !in_memory.iter().any(|kind| class.starts_with(kind))
                && !["Exception", "Error"]
                    .iter()
                    .any(|end| class.ends_with(end))
        });
        let files = ["java/nio/file/Files", "java/nio/channels/"];
        let files = files.iter().any(|begin| owner.starts_with(begin));
        (streams || files).then_some(Effect::Files)
    }
}

/// Whether a method of the JDK's containers with this name changes what is in them.
fn alters(name: &str) -> bool {
    let begins = [
        "add", "clear", "offer", "poll", "pop", "push", "put", "remove", "retain", "set", "sort",
    ];
    begins.iter().any(|begin| name.starts_with(begin))
}

/// Whether code begins with an `UnsupportedOperationException`, which javac makes only to throw it.
fn refuses(file: &ClassFile<'_>, code: &Code<'_>) -> Result<bool, Malformed> {
    let first = code.instructions().next().transpose()?;
    Ok(match first.map(|first| (first.opcode, first.operand)) {
        Some((NEW, Operand::Constant(class))) => {
            file.pool.class_name(class)? == "java/lang/UnsupportedOperationException"
        }
        _ => false,
    })
}

/// Whether access flags let other classes in, those of the same package or any.
fn is_open(access: Access, neighbour: bool) -> bool {
    access.has(Access::PUBLIC) || (neighbour && !access.has(Access::PRIVATE))
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

/// Calls between a method and one that does what is not looked at.
const STEPS_TO_AN_EFFECT: usize = 3;

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
    /// What each calls, in the project or not.
    callees: HashMap<Member, BTreeSet<Member>>,
    placeholders: HashSet<Member>,
    effects: BTreeMap<Effect, BTreeSet<Member>>,
    /// The same, with all methods that lead there. It takes a walk through the whole graph.
    leading_to_effects: OnceLock<BTreeMap<Effect, HashSet<Member>>>,
    /// Methods that ask whether something is null.
    askers: HashSet<Member>,
}

#[derive(Debug)]
struct Class {
    /// As the source has it, for a nested class, too.
    access: Access,
    /// The class around it, for a member class; in VM form.
    outer: Option<String>,
    /// Whether the source gives it a name that others can use.
    is_named: bool,
    /// Whether there are no objects of this very class.
    is_abstract: bool,
    parents: Vec<String>,
    /// Of an enum.
    constants: Vec<String>,
}

impl Class {
    fn read(file: &ClassFile<'_>) -> Result<Self, Malformed> {
        let parents = file.super_name()?.into_iter().map(Ok);
        let parents = parents.chain(file.interfaces());
        let parents = parents.map(|parent| Ok(parent?.to_string()));
        let name = file.name()?;
        let inner = file.attributes.inner_classes(&file.pool)?;
        let own = inner.into_iter().find(|inner| inner.name == name);
        let constants = file.fields.iter();
        let constants = constants.filter(|field| field.access.has(Access::ENUM));
        let constants = constants.map(|field| Ok(field.name(&file.pool)?.to_string()));
        Ok(Class {
            // The flags of a nested class itself know neither private nor protected (JVMS §4.7.6).
            access: own.map_or(file.access, |own| own.access),
            outer: own.and_then(|own| own.outer).map(|outer| outer.to_string()),
            // Local and anonymous classes have no class around them that would lead there.
            is_named: !file.access.is_synthetic()
                && own.is_none_or(|own| own.outer.is_some() && own.simple_name.is_some()),
            is_abstract: file.access.is_abstract(),
            parents: parents.collect::<Result<_, Malformed>>()?,
            constants: constants.collect::<Result<_, Malformed>>()?,
        })
    }
}

impl CallGraph {
    pub fn add(&mut self, file: &ClassFile<'_>) -> Result<(), Malformed> {
        let class = file.name()?.to_string();
        self.classes.insert(class.clone(), Class::read(file)?);
        for method in &file.methods {
            let caller = Member {
                class: class.clone(),
                name: method.name(&file.pool)?.to_string(),
                descriptor: method.descriptor(&file.pool)?.to_string(),
            };
            self.methods.insert(caller.clone(), method.access);
            if let Some(code) = method.code(&file.pool)? {
                if refuses(file, &code)? {
                    self.placeholders.insert(caller.clone());
                }
                for instruction in code.instructions() {
                    let instruction = instruction?;
                    if matches!(instruction.opcode, IFNULL | IFNONNULL) {
                        self.askers.insert(caller.clone());
                    }
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
                let is_output = field.name == "out" || field.name == "err";
                if opcode == GETSTATIC && field.owner == "java/lang/System" && is_output {
                    self.add_effect(Effect::Output, caller);
                }
                let key = (field.owner.to_string(), field.name.to_string());
                self.reads.entry(key).or_default().insert(caller.clone());
            }
            (PUTFIELD | PUTSTATIC, _) => {
                if opcode == PUTSTATIC && caller.name != "<clinit>" {
                    self.add_effect(Effect::StaticFields, caller);
                }
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

    fn add_effect(&mut self, effect: Effect, of: &Member) {
        self.effects.entry(effect).or_default().insert(of.clone());
    }

    fn add_call(&mut self, caller: &Member, called: Member) {
        if let Some(effect) = Effect::of_call(&called.class) {
            self.add_effect(effect, caller);
        }
        let callees = self.callees.entry(caller.clone()).or_default();
        callees.insert(called.clone());
        if called.class.starts_with("java/util/") && alters(&called.name) {
            self.writers.insert(caller.clone());
        }
        let key = (called.name, called.descriptor);
        let entry = (caller.clone(), called.class);
        self.calls.entry(key).or_default().insert(entry);
    }

    /// How many other methods of the project this one calls.
    pub fn callees(&self, method: &Member) -> usize {
        let callees = self.callees.get(method).into_iter().flatten();
        let own = callees.filter(|called| *called != method && self.knows(&called.class));
        own.count()
    }

    /// Whether the method does nothing but refuse.
    pub fn is_placeholder(&self, method: &Member) -> bool {
        self.placeholders.contains(method)
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
        let neighbour = method.package() == from;
        let written = !access.is_synthetic() && !method.name.starts_with('<');
        written && is_open(*access, neighbour) && self.can_be_named(&method.class, neighbour)
    }

    /// Whether a class has a name, and that and all classes around it are open to this package.
    fn can_be_named(&self, class: &str, neighbour: bool) -> bool {
        let mut next = Some(class);
        let mut seen = HashSet::new();
        while let Some(name) = next {
            let Some(class) = self.classes.get(name).filter(|_| seen.insert(name)) else {
                return false;
            };
            if !class.is_named || !is_open(class.access, neighbour) {
                return false;
            }
            next = class.outer.as_deref();
        }
        true
    }

    /// What the method does, itself or through a few calls, that no call of it shows. All classes must have
    /// been added.
    pub fn effects(&self, method: &Member) -> Vec<Effect> {
        let leading = self.leading_to_effects.get_or_init(|| {
            let all = self.effects.iter();
            all.map(|(effect, having)| (*effect, self.leading_to(having)))
                .collect()
        });
        let own = leading.iter().filter(|(_, all)| all.contains(method));
        own.map(|(effect, _)| *effect).collect()
    }

    /// These and all methods that lead to one of them through a few calls.
    fn leading_to(&self, these: &BTreeSet<Member>) -> HashSet<Member> {
        let mut level: Vec<&Member> = these.iter().collect();
        let mut all: HashSet<&Member> = level.iter().copied().collect();
        for _ in 0..STEPS_TO_AN_EFFECT {
            let callers = level.into_iter().flat_map(|each| self.callers(each));
            level = callers.filter(|each| all.insert(each)).collect();
        }
        all.into_iter().cloned().collect()
    }

    /// Whether the method itself asks if something is null.
    pub fn asks_for_null(&self, method: &Member) -> bool {
        self.askers.contains(method)
    }

    /// Another constant than this one of an enum of the project, which is named as Java does it at run time.
    pub fn other_constant(&self, constant: &str) -> Option<String> {
        let (class, name) = constant.rsplit_once('.')?;
        let constants = &self.classes.get(&class.replace('.', "/"))?.constants;
        let other = constants.iter().find(|other| *other != name)?;
        Some(format!("{}.{other}", class.replace('$', ".")))
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

    /// The nearest methods that code in this package can call and that lead to the given one; itself if it can
    /// be called. What an abstract class or an interface declares is called on those that inherit it.
    pub fn entry_points(&self, method: &Member, from: &str) -> Vec<Member> {
        let known = self.methods.get_key_value(method);
        let nearest = self.nearest_accessible(known.map(|(method, _)| method), from);
        let mut points: Vec<Member> = Vec::new();
        for point in nearest
            .into_iter()
            .flat_map(|each| self.callable(each, from))
        {
            if !points.contains(&point) {
                points.push(point);
            }
        }
        points
    }

    /// The method as a test can call it: on classes of which there are objects, as far as they can be named.
    fn callable(&self, method: &Member, from: &str) -> Vec<Member> {
        let itself = || vec![method.clone()];
        let class = self.classes.get(&method.class);
        if self.is_static(method) || !class.is_some_and(|class| class.is_abstract) {
            return itself();
        }
        let heirs: BTreeSet<&str> = self
            .classes
            .iter()
            .filter(|(name, heir)| {
                !heir.is_abstract
                    && self.descends(name, &method.class)
                    && self.can_be_named(name, package(name) == from)
                    && self.resolve(name, method) == Some(method.class.as_str())
            })
            .map(|(name, _)| name.as_str())
            .collect();
        if heirs.is_empty() {
            return itself();
        }
        let of = |class: &str| Member {
            class: class.to_owned(),
            ..method.clone()
        };
        heirs.into_iter().map(of).collect()
    }

    /// The class whose method runs where that of a class is called.
    fn resolve<'g>(&'g self, class: &'g str, method: &Member) -> Option<&'g str> {
        let mut pending = VecDeque::from([class]);
        let mut seen = HashSet::new();
        while let Some(name) = pending.pop_front() {
            let own = Member {
                class: name.to_owned(),
                ..method.clone()
            };
            if self
                .methods
                .get(&own)
                .is_some_and(|access| !access.is_abstract())
            {
                return Some(name);
            }
            if seen.insert(name)
                && let Some(class) = self.classes.get(name)
            {
                pending.extend(class.parents.iter().map(String::as_str));
            }
        }
        None
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
        let readers = own.flat_map(|(_, readers)| readers);
        self.leads_to(method, readers.collect(), steps)
    }

    /// Whether the method is one of these, or leads to one through so many calls.
    fn leads_to<'g>(
        &'g self,
        method: &Member,
        mut level: BTreeSet<&'g Member>,
        steps: usize,
    ) -> bool {
        let mut seen: HashSet<&Member> = HashSet::new();
        for _ in 0..=steps {
            if level.contains(method) {
                return true;
            }
            let callers = level.into_iter().flat_map(|each| self.callers(each));
            level = callers.filter(|each| seen.insert(each)).collect();
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

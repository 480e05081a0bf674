//! What a class file says of state that outlives a test: static fields and the code that reads and
//! writes them, and what annotations ask of the test framework.

use jury_classfile::{
    Access, Annotation, ClassFile, Constant, ElementValue, JavaStr, Malformed, Member, MemberRef,
    Operand, opcode,
};

/// One class file. Names of classes are in VM form.
pub(super) struct Lasting {
    pub is_final: bool,
    pub static_fields: Vec<Field>,
    pub object_fields: Vec<Field>,
    pub annotations: Vec<Annotated>,
    /// In the order of the class file.
    pub methods: Vec<LastingEffects>,
}

pub(super) struct Field {
    pub name: String,
    pub descriptor: String,
    pub is_final: bool,
}

/// An annotation of the class, with the classes that it names.
pub(super) struct Annotated {
    pub class: String,
    pub named: Vec<String>,
}

/// What one method's code may find, or leave behind.
#[derive(Default)]
pub(super) struct LastingEffects {
    pub is_class_initialiser: bool,
    pub is_constructor: bool,
    /// Static fields by owner and name.
    pub reads: Vec<(String, String)>,
    pub writes: Vec<(String, String)>,
    /// It assigns to a field of an object.
    pub writes_objects: bool,
    /// A method of the JDK that changes something for the whole JVM.
    pub setter: Option<String>,
}

/// Static methods of the JDK whose effect every later test can see.
const SETTERS: &[(&str, &str)] = &[
    ("java/lang/System", "setProperty"),
    ("java/lang/System", "setProperties"),
    ("java/lang/System", "clearProperty"),
    ("java/lang/System", "setIn"),
    ("java/lang/System", "setOut"),
    ("java/lang/System", "setErr"),
    ("java/lang/System", "setSecurityManager"),
    ("java/lang/Thread", "setDefaultUncaughtExceptionHandler"),
    ("java/util/Locale", "setDefault"),
    ("java/util/TimeZone", "setDefault"),
    ("java/security/Security", "setProperty"),
    ("java/security/Security", "addProvider"),
    ("java/security/Security", "insertProviderAt"),
    ("java/security/Security", "removeProvider"),
    ("java/net/URL", "setURLStreamHandlerFactory"),
];

impl Lasting {
    /// None if the bytes cannot be understood.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        read(bytes).ok()
    }
}

fn read(bytes: &[u8]) -> Result<Lasting, Malformed> {
    let class = ClassFile::read(bytes)?;
    let (mut static_fields, mut object_fields) = (Vec::new(), Vec::new());
    for field in &class.fields {
        // What a compiler or an agent adds is no state of the program.
        if field.access.is_synthetic() || field.access.has(Access::ENUM) {
            continue;
        }
        let kept = match field.access.is_static() {
            true => &mut static_fields,
            false => &mut object_fields,
        };
        kept.push(Field {
            name: field.name(&class.pool)?.to_string(),
            descriptor: field.descriptor(&class.pool)?.to_string(),
            is_final: field.access.has(Access::FINAL),
        });
    }
    let annotations = class.attributes.annotations(&class.pool)?;
    let methods = class.methods.iter().map(|method| effects(&class, method));
    Ok(Lasting {
        is_final: class.access.has(Access::FINAL),
        static_fields,
        object_fields,
        annotations: annotations.iter().map(annotated).collect(),
        methods: methods.collect::<Result<_, _>>()?,
    })
}

fn annotated(annotation: &Annotation<'_>) -> Annotated {
    let mut named = Vec::new();
    for (_, value) in &annotation.elements {
        add_named(value, &mut named);
    }
    Annotated {
        class: class_of(annotation.descriptor),
        named,
    }
}

fn add_named(value: &ElementValue<'_>, named: &mut Vec<String>) {
    match value {
        ElementValue::Class(descriptor) => named.push(class_of(*descriptor)),
        ElementValue::Array(values) => values.iter().for_each(|value| add_named(value, named)),
        _ => {}
    }
}

/// `a/B` of `La/B;`.
fn class_of(descriptor: JavaStr<'_>) -> String {
    let text = descriptor.to_str();
    let inner = text
        .strip_prefix('L')
        .and_then(|rest| rest.strip_suffix(';'));
    inner.unwrap_or(&text).to_owned()
}

fn effects(class: &ClassFile<'_>, method: &Member<'_>) -> Result<LastingEffects, Malformed> {
    let name = method.name(&class.pool)?;
    let mut effects = LastingEffects {
        is_class_initialiser: name == "<clinit>",
        is_constructor: name == "<init>",
        ..LastingEffects::default()
    };
    let Some(code) = method.code(&class.pool)? else {
        return Ok(effects);
    };
    for instruction in code.instructions() {
        let instruction = instruction?;
        let Operand::Constant(index) = instruction.operand else {
            continue;
        };
        match (instruction.opcode, class.pool.get(index)?) {
            (opcode::GETSTATIC, Constant::Field(field)) => effects.reads.push(named(field)),
            (opcode::PUTSTATIC, Constant::Field(field)) => effects.writes.push(named(field)),
            (opcode::PUTFIELD, _) => effects.writes_objects = true,
            (opcode::INVOKESTATIC, Constant::Method(called)) if is_setter(called) => {
                let (owner, name) = named(called);
                effects.setter = Some(format!("{}.{name}", owner.replace('/', ".")));
            }
            _ => {}
        }
    }
    Ok(effects)
}

fn is_setter(called: MemberRef<'_>) -> bool {
    let mut setters = SETTERS.iter();
    setters.any(|(owner, name)| called.owner == *owner && called.name == *name)
}

fn named(member: MemberRef<'_>) -> (String, String) {
    (member.owner.to_string(), member.name.to_string())
}

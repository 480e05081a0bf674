//! What the reader finds in classes compiled from `tests/java`.

mod support;

use jury_classfile::stack_map::{FrameType, Frames, VerificationType, absolute, entry_locals};
use jury_classfile::{
    Access, ClassFile, Code, Constant, ElementValue, Member, MethodDescriptor, Operand, Reference,
    TypeTarget,
};
use support::SAMPLES;

fn read(name: &str) -> ClassFile<'static> {
    ClassFile::read(&SAMPLES[name]).unwrap()
}

fn method<'a>(class: &ClassFile<'a>, name: &str) -> Member<'a> {
    *class
        .methods
        .iter()
        .find(|method| method.name(&class.pool).unwrap() == name)
        .unwrap()
}

fn code<'a>(class: &ClassFile<'a>, name: &str) -> Code<'a> {
    method(class, name).code(&class.pool).unwrap().unwrap()
}

fn texts<T: ToString>(items: impl IntoIterator<Item = T>) -> Vec<String> {
    items.into_iter().map(|item| item.to_string()).collect()
}

#[test]
fn header_names_class_parent_and_interfaces() {
    let class = read("Everything");
    assert_eq!(class.major_version, 61);
    assert_eq!(class.name().unwrap(), "sample/Everything");
    assert_eq!(class.super_name().unwrap().unwrap(), "java/lang/Object");
    assert_eq!(
        texts(class.interfaces().map(Result::unwrap)),
        ["java/util/function/Supplier"]
    );
    assert!(class.access.is_abstract());
    assert_eq!(
        class.attributes.source_file(&class.pool).unwrap().unwrap(),
        "Everything.java"
    );
    let signature = class.attributes.signature(&class.pool).unwrap().unwrap();
    assert!(
        signature
            .to_str()
            .starts_with("<T::Ljava/lang/Comparable<TT;>;>")
    );
}

#[test]
fn one_changed_byte_gives_another_digest() {
    let mut bytes = SAMPLES["Everything"].clone();
    let digest = |bytes: &[u8]| ClassFile::read(bytes).unwrap().digest();
    let before = digest(&bytes);
    // The minor version, which nothing here depends on.
    bytes[5] ^= 1;
    assert_ne!(digest(&bytes), before);
    bytes[5] ^= 1;
    assert_eq!(digest(&bytes), before);
}

#[test]
fn constants_keep_their_values() {
    let class = read("Everything");
    let values: Vec<_> = class
        .fields
        .iter()
        .filter_map(|field| field.attributes.constant_value(&class.pool).unwrap())
        .collect();
    let [Constant::Long(big), Constant::String(greeting)] = values[..] else {
        panic!("{values:?}")
    };
    assert_eq!(big, 1 << 40);
    assert_eq!(greeting.to_str(), "größe");
}

#[test]
fn annotations_are_decoded_with_nested_values() {
    let class = read("Everything");
    let annotations = class.attributes.annotations(&class.pool).unwrap();
    let [marked] = &annotations[..] else {
        panic!("{annotations:?}")
    };
    assert_eq!(marked.descriptor, "Lsample/Everything$Marked;");
    let numbers = ElementValue::Array(vec![ElementValue::Int(1), ElementValue::Int(2)]);
    assert_eq!(marked.element("numbers"), Some(&numbers));
    let Some(ElementValue::Enum { name, .. }) = marked.element("kind") else {
        panic!()
    };
    assert_eq!(*name, "ONE");
    let Some(ElementValue::Class(string)) = marked.element("type") else {
        panic!()
    };
    assert_eq!(*string, "Ljava/lang/String;");
    assert!(matches!(
        marked.element("inner"),
        Some(ElementValue::Annotation(_))
    ));

    let marked = read("Everything$Marked");
    let default = method(&marked, "numbers")
        .attributes
        .annotation_default(&marked.pool)
        .unwrap();
    assert_eq!(default, Some(ElementValue::Array(Vec::new())));
}

#[test]
fn parameters_and_uses_of_types_carry_their_annotations() {
    let class = read("Everything");
    let lookup = method(&class, "lookup").attributes;
    let parameters = lookup.parameter_annotations(&class.pool).unwrap();
    assert_eq!(
        parameters.iter().map(Vec::len).collect::<Vec<_>>(),
        [0, 0, 1]
    );
    let on_types = lookup.type_annotations(&class.pool).unwrap();
    assert_eq!(on_types[0].target, TypeTarget::Parameter(2));
    let inside = code(&class, "guarded")
        .attributes
        .type_annotations(&class.pool)
        .unwrap();
    let TypeTarget::LocalVariable(stretches) = inside[0].target else {
        panic!("{inside:?}")
    };
    assert!(
        stretches
            .iter()
            .all(|(_, length, slot)| length > 0 && slot == 2)
    );
}

#[test]
fn declarations_tell_exceptions_parameter_names_and_deprecation() {
    let class = read("Everything");
    let lookup = method(&class, "lookup").attributes;
    assert_eq!(
        texts(lookup.exceptions(&class.pool).unwrap()),
        ["java/io/IOException"]
    );
    let parameters = lookup.method_parameters(&class.pool).unwrap();
    let names = parameters.iter().map(|parameter| parameter.name.unwrap());
    assert_eq!(texts(names), ["key", "wide", "checked"]);
    assert!(
        method(&class, "table")
            .attributes
            .is_deprecated(&class.pool)
    );
    assert!(!lookup.is_deprecated(&class.pool));
    assert!(
        method(&class, "outside")
            .code(&class.pool)
            .unwrap()
            .is_none()
    );
}

#[test]
fn kin_are_found_by_nesting_sealing_and_records() {
    let class = read("Everything");
    let members = texts(class.attributes.nest_members(&class.pool).unwrap());
    assert!(
        members.contains(&"sample/Everything$Point".to_owned()),
        "{members:?}"
    );
    let inner = class.attributes.inner_classes(&class.pool).unwrap();
    let anonymous = inner
        .iter()
        .find(|inner| inner.name == "sample/Everything$1")
        .unwrap();
    assert_eq!((anonymous.outer, anonymous.simple_name), (None, None));

    let anonymous = read("Everything$1");
    assert_eq!(
        anonymous
            .attributes
            .nest_host(&anonymous.pool)
            .unwrap()
            .unwrap(),
        "sample/Everything"
    );
    let enclosing = anonymous
        .attributes
        .enclosing_method(&anonymous.pool)
        .unwrap()
        .unwrap();
    assert_eq!(enclosing.method.unwrap().name, "guarded");

    let shape = read("Everything$Shape");
    let permitted = texts(shape.attributes.permitted_subclasses(&shape.pool).unwrap());
    assert_eq!(
        permitted,
        ["sample/Everything$Circle", "sample/Everything$Square"]
    );

    let point = read("Everything$Point");
    let components = point.attributes.record(&point.pool).unwrap().unwrap();
    assert_eq!(
        texts(components.iter().map(|each| each.name)),
        ["x", "names"]
    );
    let signature = components[1]
        .attributes
        .signature(&point.pool)
        .unwrap()
        .unwrap();
    assert_eq!(signature, "Ljava/util/List<Ljava/lang/String;>;");
    assert!(class.attributes.record(&class.pool).unwrap().is_none());
}

#[test]
fn lambdas_lead_through_bootstrap_methods_to_their_code() {
    let class = read("Everything");
    let bootstraps = class.attributes.bootstrap_methods(&class.pool).unwrap();
    let lambda = bootstraps
        .iter()
        .flat_map(|bootstrap| bootstrap.arguments())
        .find_map(|index| match class.pool.get(index).unwrap() {
            Constant::MethodHandle { reference, .. } => class.pool.member_ref(reference).ok(),
            _ => None,
        });
    assert_eq!(lambda.unwrap().name, "lambda$guarded$0");
}

#[test]
fn modules_list_what_they_need_and_give() {
    let class = read("module-info");
    assert!(class.access.has(Access::MODULE));
    assert_eq!(class.super_name().unwrap(), None);
    let module = class.attributes.module(&class.pool).unwrap().unwrap();
    assert_eq!(module.name, "sample.module");
    let required = module.requires.iter().map(|required| required.module);
    assert_eq!(texts(required), ["java.base", "java.logging", "java.sql"]);
    assert_eq!(module.exports[0].package, "sample");
    assert_eq!(texts(&module.opens[0].to), ["java.logging"]);
    assert_eq!(texts(&module.uses), ["java/util/function/Supplier"]);
    assert_eq!(texts(&module.provides[0].with), ["sample/Service"]);
}

#[test]
fn instructions_have_absolute_targets() {
    let class = read("Everything");
    let table = code(&class, "table");
    let Operand::TableSwitch(switch) = table.instructions().nth(1).unwrap().unwrap().operand else {
        panic!("no tableswitch")
    };
    let keys: Vec<_> = switch.cases().map(|(key, _)| key).collect();
    assert_eq!(keys, [1, 2, 3]);
    let targets = switch
        .cases()
        .map(|(_, target)| target)
        .chain([switch.default]);
    let frames = table.attributes.find(&class.pool, "StackMapTable").unwrap();
    let framed: Vec<_> = Frames::read(frames.bytes)
        .unwrap()
        .map(|each| each.unwrap().pc)
        .collect();
    assert!(targets.into_iter().all(|target| framed.contains(&target)));

    let lookup = code(&class, "lookup");
    let operands: Vec<_> = lookup
        .instructions()
        .map(|each| each.unwrap().operand)
        .collect();
    assert!(
        operands.contains(&Operand::Increment { local: 4, by: 150 }),
        "wide iinc: {operands:?}"
    );
    let switch = operands.iter().find_map(|operand| match operand {
        Operand::LookupSwitch(switch) => {
            Some(switch.cases().map(|(key, _)| key).collect::<Vec<_>>())
        }
        _ => None,
    });
    assert_eq!(switch.unwrap(), [-5, 1000]);
}

#[test]
fn debug_tables_name_lines_and_variables() {
    let class = read("Everything");
    let lookup = code(&class, "lookup");
    let lines = lookup.line_numbers(&class.pool).unwrap();
    assert_eq!(lines[0].pc, 0);
    let source = include_str!("java/Everything.java");
    let first = source.lines().nth(usize::from(lines[0].line) - 1).unwrap();
    assert!(first.contains("for (int i = 0"), "{first}");
    let variables = lookup.local_variables(&class.pool).unwrap();
    let wide = variables
        .iter()
        .find(|variable| variable.name == "wide")
        .unwrap();
    assert_eq!((wide.slot, wide.start), (1, 0));
    assert_eq!(wide.type_text, "J");
    let generic = code(&class, "guarded")
        .local_variable_types(&class.pool)
        .unwrap();
    assert!(
        generic
            .iter()
            .any(|variable| variable.type_text == "Ljava/util/List<-TT;>;")
    );
}

#[test]
fn frames_unfold_from_the_entry_state() {
    let class = read("Everything");
    let method = method(&class, "lookup");
    let descriptor = MethodDescriptor::read(method.descriptor(&class.pool).unwrap()).unwrap();
    let name = method.name(&class.pool).unwrap();
    let entry = entry_locals(class.name().unwrap(), method.access, name, descriptor);
    assert_eq!(entry[1], FrameType::Stored(VerificationType::Long));
    let code = code(&class, "lookup");
    let frames = Frames::read(
        code.attributes
            .find(&class.pool, "StackMapTable")
            .unwrap()
            .bytes,
    );
    let frames: Vec<_> = absolute(entry.clone(), frames.unwrap(), code.max_locals)
        .collect::<Result<_, _>>()
        .unwrap();
    let in_loop = &frames[0];
    assert_eq!(in_loop.locals[..3], entry);
    assert_eq!(
        in_loop.locals[3],
        FrameType::Stored(VerificationType::Integer)
    );
    let last = frames.last().unwrap();
    assert_eq!(last.stack, [FrameType::Stored(VerificationType::Integer)]);
}

#[test]
fn references_include_names_that_occur_only_in_types() {
    let class = read("Everything");
    let classes = texts(class.referenced_classes().unwrap());
    for name in [
        "java/lang/Comparable",        // a bound in a signature
        "sample/Everything$Kind",      // an annotation's enum value
        "sample/Everything$Checked",   // a type annotation
        "java/io/IOException",         // a declared exception
        "java/util/function/Supplier", // a lambda's type
    ] {
        assert!(
            classes.contains(&name.to_owned()),
            "{name} not in {classes:?}"
        );
    }
    assert!(
        classes.iter().all(|name| !name.contains(['[', ';', '<'])),
        "{classes:?}"
    );
    let called = class.member_references().map(Result::unwrap).any(
        |reference| matches!(reference, Reference::InterfaceMethod(method) if method.name == "get"),
    );
    assert!(called);
}

//! Instructions changed in a running program: every kind of change, in every kind of method.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use jury_classfile::opcode::*;
use jury_classfile::{ClassFile, Operand};
use jury_instrument::{
    Body, Change, Plan, Point, PointSwitch, PointedMethod, Rewritten, WorkProbe, rewrite,
};

const IADD: u8 = 96;
const ISUB: u8 = 100;
const IMUL: u8 = 104;
const IF_ICMPGE: u8 = 162;
const IF_ICMPLE: u8 = 164;

/// A change to the first instruction with this opcode in a method, and what a call then gives.
struct Case {
    class: &'static str,
    method: &'static str,
    opcode: u8,
    change: Change,
    call: &'static str,
    given: &'static str,
}

fn case(method: &'static str, opcode: u8, change: Change, given: &'static str) -> Case {
    Case {
        class: "Subject",
        method,
        opcode,
        change,
        call: method,
        given,
    }
}

fn omit(operands: &[u16], instead: Option<Body>) -> Change {
    Change::Omit {
        operands: operands.to_vec(),
        instead,
    }
}

fn cases() -> Vec<Case> {
    let always = Change::AlwaysBranch {
        operands: vec![1, 1],
    };
    let boxed = Body::Call {
        class: "java/lang/Integer".into(),
        method: "valueOf".into(),
        descriptor: "(I)Ljava/lang/Integer;".into(),
        is_interface: false,
        arguments: vec![Body::Int(0)],
    };
    let no_stream = Body::Call {
        class: "java/util/stream/Stream".into(),
        method: "empty".into(),
        descriptor: "()Ljava/util/stream/Stream;".into(),
        is_interface: true,
        arguments: Vec::new(),
    };
    vec![
        case("add", IADD, Change::Opcode(ISUB), "-1"),
        case("add", IRETURN, Change::Return(Body::Int(70_000)), "70000"),
        case("less", IF_ICMPGE, Change::Opcode(IF_ICMPLT), "not less"),
        case("less", IF_ICMPGE, Change::Opcode(IF_ICMPLE), "not less"),
        case("less", IF_ICMPGE, always, "not less"),
        case("less", IF_ICMPGE, omit(&[1, 1], None), "less"),
        case("count", IINC, Change::Increment(-5), "-3"),
        case("count", IINC, Change::Increment(300), "302"),
        case("call", INVOKESTATIC, omit(&[2, 2, 1], None), ""),
        case(
            "made",
            INVOKESPECIAL,
            omit(&[1, 1, 1], Some(Body::Null)),
            "null",
        ),
        case("choose", LOOKUPSWITCH, all_to_default(), "other"),
        case("pick", TABLESWITCH, all_to_default(), "other"),
        case("constant", BIPUSH, omit(&[], Some(Body::Int(8))), "8"),
        case("boxed", ARETURN, Change::Return(boxed), "0"),
        case(
            "text",
            ARETURN,
            Change::Return(Body::String(String::new())),
            "",
        ),
        Case {
            call: "streamed",
            ..case("stream", ARETURN, Change::Return(no_stream), "0")
        },
        Case {
            call: "assigned",
            ..case("set", PUTFIELD, omit(&[1, 1], None), "0")
        },
        Case {
            call: "forwarded",
            ..case("mixed", ISUB, Change::Opcode(IADD), "1 2 3.0 4.0 five 7")
        },
        Case {
            class: "Shape",
            call: "corners",
            ..case("more", IADD, Change::Opcode(ISUB), "-1")
        },
        Case {
            call: "faculty",
            ..case("faculty(I)I", IMUL, Change::Opcode(IADD), "16")
        },
    ]
}

/// Stands for the change that leads every key to the default, which is known from the code only.
fn all_to_default() -> Change {
    Change::Retarget {
        default: 0,
        targets: Vec::new(),
    }
}

#[test]
fn a_changed_instruction_works_while_its_number_is_on() {
    let directory = tempfile::tempdir().unwrap();
    compile(directory.path());
    let cases = cases();
    for class in ["Subject", "Shape"] {
        let file = directory.path().join(format!("{class}.class"));
        let bytes = std::fs::read(&file).unwrap();
        let Rewritten::Changed { bytes, skipped } = rewrite(&bytes, &plan(&bytes, &cases)).unwrap()
        else {
            panic!("`{class}` is unchanged");
        };
        assert_eq!(skipped, []);
        std::fs::write(&file, bytes).unwrap();
    }

    let originals: BTreeMap<&str, &str> = [
        ("add", "5"),
        ("less", "less"),
        ("count", "7"),
        ("call", "marked"),
        ("made", "made"),
        ("choose", "two"),
        ("pick", "two"),
        ("constant", "7"),
        ("boxed", "2"),
        ("text", "text"),
        ("streamed", "2"),
        ("assigned", "5"),
        ("forwarded", "1 2 3.0 4.0 five 5"),
        ("corners", "5"),
        ("faculty", "120"),
    ]
    .into();
    let off = originals.iter().map(|(call, given)| (-1, *call, *given));
    let on = (0..)
        .zip(&cases)
        .map(|(number, case)| (number, case.call, case.given));
    let expected: Vec<_> = off.clone().chain(on).chain(off).collect();
    let calls = expected.iter().map(|(number, call, _)| (*number, *call));
    let given = call(directory.path(), calls);
    let given: Vec<_> = expected
        .iter()
        .zip(given.split('\n'))
        .map(|((number, call, _), given)| (*number, *call, given))
        .collect();
    assert_eq!(given, expected);
}

/// All cases of a class, numbered by their places in the list.
fn plan(class: &[u8], cases: &[Case]) -> Plan {
    let file = ClassFile::read(class).unwrap();
    let name = file.name().unwrap().to_str();
    let mut methods: BTreeMap<u16, PointedMethod> = BTreeMap::new();
    for (number, case) in (0..).zip(cases).filter(|(_, case)| case.class == name) {
        let (index, method) = (0..)
            .zip(&file.methods)
            .find(|(_, method)| {
                let name = method.name(&file.pool).unwrap().to_str();
                let full = format!("{name}{}", method.descriptor(&file.pool).unwrap());
                case.method == name || case.method == full
            })
            .unwrap();
        let code = method.code(&file.pool).unwrap().unwrap();
        let instruction = code
            .instructions()
            .map(Result::unwrap)
            .find(|instruction| instruction.opcode == case.opcode)
            .unwrap_or_else(|| panic!("no such instruction in `{}`", case.method));
        let targets = |default: u16, cases: usize| Change::Retarget {
            default,
            targets: vec![default; cases],
        };
        let change = match instruction.operand {
            Operand::TableSwitch(switch) => targets(switch.default, switch.cases().count()),
            Operand::LookupSwitch(switch) => targets(switch.default, switch.cases().count()),
            _ => case.change.clone(),
        };
        let pointed = methods.entry(index).or_insert_with(|| PointedMethod {
            index,
            blocks: vec![(0, 0)],
            points: Vec::new(),
        });
        pointed.points.push(Point {
            number,
            pc: instruction.pc,
            change,
        });
    }
    let probes = WorkProbe::new().class(&name, file.methods.len() as u16, 0);
    let methods = methods.into_values().collect();
    Plan::new()
        .with(probes)
        .with(PointSwitch::new().class(&name, file.digest(), methods))
}

fn tool(name: &str) -> Command {
    Command::new(std::env::var_os("JAVA_HOME").map_or(name.into(), |home| {
        PathBuf::from(home).join("bin").join(name)
    }))
}

fn compile(directory: &Path) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut javac = tool("javac");
    javac.arg("-d").arg(directory);
    for source in [
        "switching/Subject",
        "switching/Run",
        "java/jury/boot/Probes",
    ] {
        javac.arg(tests.join(format!("{source}.java")));
    }
    javac.arg(tests.join("java/jury/boot/Switches.java"));
    assert!(javac.status().unwrap().success());
}

/// What the methods print, one after the other.
fn call<'c>(directory: &Path, calls: impl Iterator<Item = (i32, &'c str)>) -> String {
    let mut java = tool("java");
    java.arg("-Xverify:all")
        .arg("-cp")
        .arg(directory)
        .arg("Run");
    for (number, method) in calls {
        java.arg(number.to_string()).arg(method);
    }
    let output = java.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

//! Which expression of a source is meant by an instruction, in classes as the JDK's own compiler makes them.

use std::path::PathBuf;
use std::process::Command;

use jury_classfile::ClassFile;
use jury_explain::{Expression, ExpressionKind, JavaSource};

/// How the source spells each call of a name in a line of a test, in the order of evaluation.
fn check(line: &str, name: &str) -> Vec<String> {
    let text = format!(
        "import java.util.*;
class T {{
    List<String> list; Map<String, String> map; Set<Long> longs; int n;
    void t() {{
        {line}
    }}
    static boolean use(Object... all) {{ return true; }}
    enum Size {{ S }}
}}
"
    );
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("T.java");
    std::fs::write(&file, &text).unwrap();
    let javac = std::env::var_os("JAVA_HOME")
        .map_or("javac".into(), |home| PathBuf::from(home).join("bin/javac"));
    let output = Command::new(javac)
        .args(["--release", "17", "-g", "-nowarn", "-d"])
        .arg(directory.path())
        .arg(&file)
        .output()
        .unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaints}");
    let bytes = std::fs::read(directory.path().join("T.class")).unwrap();
    let class = ClassFile::read(&bytes).unwrap();
    let source = JavaSource::parse(text).unwrap();
    let (number, method) = (0..)
        .zip(&class.methods)
        .find(|(_, method)| method.name(&class.pool).unwrap() == *"t")
        .unwrap();
    let code = method.code(&class.pool).unwrap().unwrap();
    let pcs = code.instructions().map(|each| each.unwrap().pc);
    let expressions = pcs.filter_map(|pc| Expression::read(&class, number, pc).unwrap());
    let calls = expressions.filter(|each| match &each.kind {
        ExpressionKind::Call {
            name: own,
            descriptor,
            ..
        } => own == name && descriptor != "(I)Ljava/lang/Integer;",
        _ => false,
    });
    calls
        .map(|call| source.locate(&call).unwrap().text)
        .collect()
}

#[test]
fn calls_of_one_name_on_one_line_are_told_apart_whatever_they_are_made_on() {
    let line = "use(list.get(0).equals(map.get(\"k\")));";
    assert_eq!(check(line, "get"), ["list.get(0)", "map.get(\"k\")"]);
}

#[test]
fn what_the_compiler_boxes_is_no_call_of_the_source() {
    let line = "use(n, Size.valueOf(\"S\"));";
    assert_eq!(check(line, "valueOf"), ["Size.valueOf(\"S\")"]);
}

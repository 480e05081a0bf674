//! What tests can get at, in classes as the JDK's own compiler makes them.

use std::path::{Path, PathBuf};
use std::process::Command;

use jury_classfile::ClassFile;
use jury_explain::{CallGraph, Member};

/// The graph of one source file of the package `shop`.
fn graph(source: &str) -> CallGraph {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("Shop.java");
    std::fs::write(&file, format!("package shop;\n{source}")).unwrap();
    let javac = std::env::var_os("JAVA_HOME")
        .map_or("javac".into(), |home| PathBuf::from(home).join("bin/javac"));
    let output = Command::new(javac)
        .args(["--release", "17", "-nowarn", "-d"])
        .arg(directory.path())
        .arg(&file)
        .output()
        .unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaints}");
    let mut graph = CallGraph::default();
    for bytes in classes(&directory.path().join("shop")) {
        graph.add(&ClassFile::read(&bytes).unwrap()).unwrap();
    }
    graph
}

fn classes(directory: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(directory).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.map(|path| std::fs::read(path).unwrap()).collect()
}

fn method(class: &str, name: &str, descriptor: &str) -> Member {
    Member {
        class: format!("shop/{class}"),
        name: name.into(),
        descriptor: descriptor.into(),
    }
}

/// What a test in a package calls to get to a method without parameters and result.
fn entry_points(graph: &CallGraph, class: &str, name: &str, from: &str) -> Vec<String> {
    let points = graph.entry_points(&method(class, name, "()V"), from);
    points.iter().map(ToString::to_string).collect()
}

fn readers(graph: &CallGraph, class: &str, field: &str, from: &str) -> Vec<String> {
    let readers = graph.readers(&format!("shop/{class}"), field, from);
    readers.iter().map(ToString::to_string).collect()
}

const SHOP: &str = "
public class Shop {
    private int sold;
    private int secret;
    private int hidden;
    public void open() { unlock(); }
    public void openLate() { later(); }
    private void later() { unlock(); }
    private void unlock() { secret++; }
    protected void guarded() {}
    void near() {}
    public int sold() { return sold; }
    public boolean isEmpty() { return amount() == 0; }
    private int amount() { return sold; }
    private int whisper() { return hidden; }
}
";

#[test]
fn a_private_method_is_reached_through_its_nearest_callers() {
    let graph = graph(SHOP);
    assert_eq!(
        entry_points(&graph, "Shop", "open", "test"),
        ["shop.Shop.open()"]
    );
    // The other way is one call longer.
    assert_eq!(
        entry_points(&graph, "Shop", "unlock", "test"),
        ["shop.Shop.open()", "shop.Shop.openLate()"]
    );
    assert_eq!(
        entry_points(&graph, "Shop", "later", "test"),
        ["shop.Shop.openLate()"]
    );
}

#[test]
fn package_private_and_protected_methods_are_for_tests_beside_them() {
    let graph = graph(SHOP);
    for name in ["guarded", "near"] {
        let itself = format!("shop.Shop.{name}()");
        assert_eq!(entry_points(&graph, "Shop", name, "shop"), [itself]);
        assert!(entry_points(&graph, "Shop", name, "test").is_empty());
    }
}

#[test]
fn a_field_is_read_directly_through_private_readers_or_by_nobody() {
    let graph = graph(SHOP);
    assert_eq!(
        readers(&graph, "Shop", "sold", "test"),
        ["shop.Shop.sold()", "shop.Shop.isEmpty()"]
    );
    // What increments it reads it, too, and gives nothing back: that is for others to leave out.
    assert_eq!(
        readers(&graph, "Shop", "secret", "test"),
        ["shop.Shop.open()", "shop.Shop.openLate()"]
    );
    assert!(readers(&graph, "Shop", "hidden", "test").is_empty());
}

#[test]
fn nobody_gets_into_private_local_and_anonymous_classes() {
    let graph = graph(
        "
        public class Shop {
            public static class Open { public void run() { act(); } }
            static class Near { public void run() {} public static class Inner { public void run() {} } }
            private static class Closed {
                public void run() {}
                public static class Inner { public void run() {} }
            }
            protected static class Guarded { public void run() {} }
            static void act() {}
            public void anonymous() { new Runnable() { public void run() {} }.run(); }
            public void local() { class Local { public void run() {} } new Local().run(); }
            public void closed() { new Closed().run(); }
            public void deep() { new Closed.Inner().run(); }
        }
        ",
    );
    let points = |class: &str, from: &str| entry_points(&graph, class, "run", from);
    assert_eq!(points("Shop$Open", "test"), ["shop.Shop.Open.run()"]);
    assert_eq!(points("Shop$1", "shop"), ["shop.Shop.anonymous()"]);
    assert_eq!(points("Shop$1Local", "shop"), ["shop.Shop.local()"]);
    assert_eq!(points("Shop$Closed", "shop"), ["shop.Shop.closed()"]);
    assert_eq!(points("Shop$Closed$Inner", "shop"), ["shop.Shop.deep()"]);
    for nested in ["Near", "Near$Inner", "Guarded"] {
        let class = format!("Shop${nested}");
        let itself = format!("shop.Shop.{}.run()", nested.replace('$', "."));
        assert_eq!(points(&class, "shop"), [itself]);
        assert!(points(&class, "test").is_empty(), "{nested}");
    }
}

#[test]
fn what_is_declared_where_there_are_no_objects_is_called_on_those_that_inherit_it() {
    let graph = graph(
        "
        public abstract class Shop implements Door {
            private void work() {}
            public void open() { work(); }
            public static void found() {}
            public abstract static class Chain extends Shop {}
            public static class Bakery extends Chain {}
            public static class Butcher extends Shop { public void open() {} }
            private static class Den extends Shop {}
            public static class Alone { public void run() {} }
        }
        interface Door { default void knock() { ring(); } private void ring() {} }
        abstract class Nowhere { public void run() {} }
        ",
    );
    let points = |class: &str, name: &str| entry_points(&graph, class, name, "shop");
    let bakery = ["shop.Shop.Bakery.open()"];
    assert_eq!(points("Shop", "open"), bakery);
    assert_eq!(points("Shop", "work"), bakery, "through its caller");
    assert_eq!(
        points("Door", "ring"),
        ["shop.Shop.Bakery.knock()", "shop.Shop.Butcher.knock()"]
    );
    assert_eq!(points("Shop", "found"), ["shop.Shop.found()"]);
    assert_eq!(points("Nowhere", "run"), ["shop.Nowhere.run()"]);
}

#[test]
fn what_no_call_shows_is_told_in_kinds() {
    let graph = graph(
        "
        public class Shop {
            static int opened;
            static final int START = Integer.getInteger(\"start\");
            int own;
            void quiet() { own++; new java.io.ByteArrayOutputStream().size(); }
            void count() { opened++; }
            void shout() { System.out.println(); }
            void keep() throws java.io.IOException { new java.io.FileWriter(\"x\").close(); }
            void all() throws java.io.IOException { count(); shout(); keep(); }
            void failing() throws java.io.IOException { throw new java.io.IOException(); }
        }
        ",
    );
    let effects = |name: &str| {
        let effects = graph.effects(&method("Shop", name, "()V"));
        let words = effects.iter().map(|effect| effect.word());
        words.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(effects("quiet"), "");
    assert_eq!(effects("failing"), "");
    assert_eq!(effects("count"), "static fields");
    assert_eq!(effects("shout"), "standard output");
    assert_eq!(effects("keep"), "files or streams");
    assert_eq!(
        effects("all"),
        "static fields, files or streams, standard output"
    );
}

#[test]
fn another_constant_of_an_enum_is_known() {
    let graph = graph("public class Shop { enum Size { SMALL, LARGE } enum One { ONLY } }");
    let other = |constant: &str| graph.other_constant(constant);
    assert_eq!(
        other("shop.Shop$Size.SMALL").unwrap(),
        "shop.Shop.Size.LARGE"
    );
    assert_eq!(
        other("shop.Shop$Size.LARGE").unwrap(),
        "shop.Shop.Size.SMALL"
    );
    assert_eq!(other("shop.Shop$One.ONLY"), None);
    assert_eq!(other("java.time.DayOfWeek.MONDAY"), None);
}

#[test]
fn a_placeholder_only_refuses() {
    let graph = graph(
        "
        public class Shop {
            void close() { throw new UnsupportedOperationException(\"not yet\"); }
            void open() { close(); open(); System.gc(); }
        }
        ",
    );
    let of = |name: &str| {
        let method = method("Shop", name, "()V");
        (graph.is_placeholder(&method), graph.callees(&method))
    };
    // The exception's constructor is not of the project, and no method depends on itself.
    assert_eq!([of("close"), of("open")], [(true, 0), (false, 1)]);
}

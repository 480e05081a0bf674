//! The graph of a small program, compiled by the JDK's own compiler.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use jury_impact::{ClassFacts, Firewall, Graph, Link, Name, Names, Suite};

/// Each as package and name, and source. The annotations are stand-ins for those of frameworks,
/// which are known by their names.
const SOURCES: &[(&str, &str)] = &[
    (
        "org/junit/jupiter/api/Test",
        "package org.junit.jupiter.api; public @interface Test {}",
    ),
    (
        "javax/inject/Inject",
        "package javax.inject; public @interface Inject {}",
    ),
    (
        "shop/Quick",
        "package shop; @org.junit.jupiter.api.Test public @interface Quick {}",
    ),
    // The library, its heir and what the heir uses, as three tests see them.
    (
        "shop/Library",
        "package shop; public class Library { public void run() {} }",
    ),
    (
        "shop/Heir",
        "package shop; public class Heir extends Library {
            @Override public void run() { new Changed(); }
            public void rest() {} }",
    ),
    ("shop/Changed", "package shop; public class Changed {}"),
    (
        "shop/OnlyLibraryTests",
        "package shop; class OnlyLibraryTests {
            @org.junit.jupiter.api.Test void runs() { new Library().run(); } }",
    ),
    (
        "shop/HeirTests",
        "package shop; class HeirTests {
            @Quick void runs() { Library library = new Heir(); library.run(); } }",
    ),
    (
        "shop/NestedTests",
        "package shop; class NestedTests {
            class Inside { @org.junit.jupiter.api.Test void rests() { new Heir().rest(); } } }",
    ),
    (
        "shop/AbstractTests",
        "package shop; abstract class AbstractTests {
            @org.junit.jupiter.api.Test void runs() { new Changed(); } }",
    ),
    (
        "shop/InheritedTests",
        "package shop; class InheritedTests extends AbstractTests {}",
    ),
    // Ways to a class that no reference shows.
    (
        "shop/ByName",
        "package shop; class ByName {
            Object make() throws Exception {
                return Class.forName(\"shop.Hidden\").getDeclaredConstructor().newInstance(); } }",
    ),
    ("shop/Hidden", "package shop; class Hidden {}"),
    ("shop/Service", "package shop; public interface Service {}"),
    (
        "shop/Provider",
        "package shop; public class Provider implements Service {}",
    ),
    (
        "shop/Client",
        "package shop; class Client { @javax.inject.Inject Service service; }",
    ),
    (
        "shop/Signs",
        "package shop; import java.util.*;
        class Signs {
            List<Element> elements;
            boolean is(Object o) { return o instanceof Cast[]; }
            void guard() { try { is(null); } catch (Trouble trouble) { throw trouble; } }
            Class<?> literal() { return Literal.class; }
            Runnable lambda() { return Lambda::go; } }",
    ),
    ("shop/Element", "package shop; class Element {}"),
    ("shop/Cast", "package shop; class Cast {}"),
    (
        "shop/Trouble",
        "package shop; class Trouble extends RuntimeException {}",
    ),
    ("shop/Literal", "package shop; class Literal {}"),
    (
        "shop/Lambda",
        "package shop; class Lambda { static void go() {} }",
    ),
];

struct Program {
    names: Names,
    classes: Vec<ClassFacts>,
}

static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap();
    let mut javac = Command::new(javac());
    javac
        .arg("-nowarn")
        .arg("-d")
        .arg(directory.path().join("out"));
    for (name, source) in SOURCES {
        let path = directory.path().join(format!("{name}.java"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, source).unwrap();
        javac.arg(path);
    }
    assert!(javac.status().unwrap().success());
    let mut names = Names::default();
    let mut classes = Vec::new();
    read(&directory.path().join("out"), &mut names, &mut classes);
    Program { names, classes }
});

fn javac() -> PathBuf {
    std::env::var_os("JAVA_HOME")
        .map_or("javac".into(), |home| PathBuf::from(home).join("bin/javac"))
}

fn read(directory: &Path, names: &mut Names, classes: &mut Vec<ClassFacts>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, names, classes);
        } else {
            classes.push(ClassFacts::read(&fs::read(path).unwrap(), names).unwrap());
        }
    }
}

fn name(text: &str) -> Name {
    PROGRAM
        .names
        .find(text)
        .unwrap_or_else(|| panic!("no class `{text}`"))
}

fn graph(services: &[(Name, Name)]) -> Graph {
    let classes: Vec<&ClassFacts> = PROGRAM.classes.iter().collect();
    Graph::new(&PROGRAM.names, &classes, services, &[])
}

/// Everything around a changed class, itself apart.
fn around(changed: &str) -> Vec<String> {
    let firewall = Firewall::around([name(changed)], graph(&[]).web());
    let mut names: Vec<String> = firewall
        .names()
        .filter(|reached| *reached != name(changed))
        .map(|reached| PROGRAM.names.text(reached).to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn dependents_are_reached_and_supertypes_are_not() {
    assert_eq!(
        around("shop/Changed"),
        [
            "shop/AbstractTests",
            "shop/Heir",
            "shop/HeirTests",
            "shop/InheritedTests",
            "shop/NestedTests",
            "shop/NestedTests$Inside",
        ]
    );
}

#[test]
fn every_kind_of_reference_is_an_edge() {
    for mentioned in ["Element", "Cast", "Trouble", "Literal", "Lambda"] {
        assert_eq!(around(&format!("shop/{mentioned}")), ["shop/Signs"]);
    }
}

#[test]
fn a_text_that_is_a_name_is_an_edge_and_its_user_is_pointed_out() {
    assert_eq!(around("shop/Hidden"), ["shop/ByName"]);
    let loading = PROGRAM.classes.iter().filter(|class| class.loads_by_name);
    let loading: Vec<&str> = loading
        .map(|class| PROGRAM.names.text(class.name))
        .collect();
    assert_eq!(loading, ["shop/ByName"]);
}

#[test]
fn whoever_has_a_type_injected_may_get_any_subtype() {
    let graph = graph(&[]);
    let way = Firewall::around([name("shop/Provider")], graph.web()).way(name("shop/Client"));
    let links: Vec<Link> = way.unwrap().iter().map(|edge| edge.link).collect();
    assert_eq!(links, [Link::Injects]);
}

#[test]
fn whoever_knows_a_service_knows_its_providers() {
    let reaches = |services: &[(Name, Name)]| {
        let firewall = Firewall::around([name("shop/Provider")], graph(services).web());
        firewall.contains(name("shop/Service"))
    };
    assert!(reaches(&[(name("shop/Service"), name("shop/Provider"))]));
    assert!(!reaches(&[]));
}

#[test]
fn a_vanished_class_is_still_led_to() {
    let classes: Vec<&ClassFacts> = PROGRAM
        .classes
        .iter()
        .filter(|class| class.name != name("shop/Changed"))
        .collect();
    let reached = |vanished: &[Name]| {
        let graph = Graph::new(&PROGRAM.names, &classes, &[], vanished);
        Firewall::around(vanished.iter().copied(), graph.web()).contains(name("shop/HeirTests"))
    };
    assert!(reached(&[name("shop/Changed")]));
    assert!(!reached(&[]));
}

#[test]
fn tests_are_known_by_annotations_of_annotations_and_by_inheritance() {
    let classes: Vec<&ClassFacts> = PROGRAM.classes.iter().collect();
    let suite = Suite::of(&PROGRAM.names, &classes);
    let tests: Vec<&str> = suite
        .tests()
        .map(|(test, _)| PROGRAM.names.text(test))
        .collect();
    assert_eq!(
        tests,
        [
            "shop/HeirTests",
            "shop/InheritedTests",
            "shop/NestedTests",
            "shop/OnlyLibraryTests",
        ]
    );
}

#[test]
fn a_way_leads_step_by_step_to_the_change() {
    let firewall = Firewall::around([name("shop/Changed")], graph(&[]).web());
    let way = firewall.way(name("shop/HeirTests")).unwrap();
    let steps: Vec<&str> = way.iter().map(|edge| PROGRAM.names.text(edge.to)).collect();
    assert_eq!(steps, ["shop/Heir", "shop/Changed"]);
    assert_eq!(firewall.way(name("shop/Changed")), Some(Vec::new()));
    assert_eq!(firewall.way(name("shop/Library")), None);
}

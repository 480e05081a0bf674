use std::fmt;
use std::sync::Arc;

/// Which framework ran a test.
///
/// Tests seen through the JUnit Platform keep the name of their platform engine (`junit-jupiter`,
/// `junit-vintage`, `testng`, …). JUnit 3 and 4 run without the platform share the engine `junit`,
/// TestNG run without it has the engine `testng-direct`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Engine(String);

impl Engine {
    pub const JUNIT: &'static str = "junit";
    pub const TESTNG: &'static str = "testng-direct";

    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True if tests of this engine are addressed by JUnit Platform unique ids.
    pub fn is_platform(&self) -> bool {
        self.0 != Self::JUNIT && self.0 != Self::TESTNG
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The identity of a test within its module, stable between runs and machines.
///
/// It is the address the engine itself understands: a JUnit Platform unique id
/// (`[engine:junit-jupiter]/[class:a.BTest]/[method:adds()]`) or, for engines without one,
/// `junit:a.BTest#adds` and `testng-direct:a.BTest#adds(int)[2]`. Shared, because the tests that
/// cover each of thousands of mutants are listed by id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TestId(Arc<str>);

impl TestId {
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into().into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A test as its framework described it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCase {
    pub id: TestId,
    pub engine: Engine,
    /// Binary name of the class that declares the test, such as `a.BTest$Inner`.
    pub class: String,
    /// Method name; empty where a test has none (some dynamic tests and custom runners).
    pub method: String,
    /// What tells invocations of one method apart: parameter types and the invocation's number,
    /// such as `(int, String)[2]`. Empty for a plain test.
    pub variant: String,
    /// What the framework shows to people.
    pub display_name: String,
}

impl TestCase {
    /// The short form that people read and type: `a.BTest#adds(int)[2]`.
    pub fn label(&self) -> String {
        if self.method.is_empty() {
            format!("{}[{}]", self.class, self.display_name)
        } else {
            format!("{}#{}{}", self.class, self.method, self.variant)
        }
    }

    /// The method with all its invocations: the unit where methods are selected.
    pub fn method_unit(&self) -> String {
        format!("{}#{}", self.class, self.method)
    }

    /// The top-level class, which is the unit that a worker runs as a whole.
    pub fn top_level_class(&self) -> &str {
        self.class.split('$').next().unwrap_or(&self.class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(class: &str, method: &str, variant: &str) -> TestCase {
        TestCase {
            id: TestId::new("id"),
            engine: Engine::new("junit-jupiter"),
            class: class.into(),
            method: method.into(),
            variant: variant.into(),
            display_name: "shown".into(),
        }
    }

    #[test]
    fn label_names_class_method_and_invocation() {
        assert_eq!(
            case("a.B$C", "adds", "(int)[2]").label(),
            "a.B$C#adds(int)[2]"
        );
        assert_eq!(case("a.B", "", "").label(), "a.B[shown]");
    }

    #[test]
    fn nested_classes_belong_to_their_top_level_class() {
        assert_eq!(case("a.B$C$D", "adds", "").top_level_class(), "a.B");
    }
}

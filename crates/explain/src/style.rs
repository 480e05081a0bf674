//! How a test asserts: its framework, its style, and the words these have for a claim.

use crate::claim::{Claim, Expected};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    AssertJ,
    Hamcrest,
    JUnit5,
    JUnit4,
    JUnit3,
    TestNg,
}

const MATCHERS: [&str; 3] = [
    "org.hamcrest.MatcherAssert",
    "org.hamcrest.Matchers",
    "org.hamcrest.CoreMatchers",
];

impl Style {
    /// By what a source imports; none if it asserts in no way we know.
    pub fn of(source: &str) -> Option<Self> {
        let imports = |package: &str| {
            source.lines().any(|line| {
                let line = line.trim();
                line.starts_with("import ") && line.contains(package)
            })
        };
        if imports("org.assertj.core.api.Assertions") {
            Some(Style::AssertJ)
        } else if MATCHERS.iter().any(|class| imports(class)) {
            Some(Style::Hamcrest)
        } else if imports("org.junit.jupiter.api.") {
            Some(Style::JUnit5)
        } else if imports("org.testng.") {
            Some(Style::TestNg)
        } else if imports("org.junit.") {
            Some(Style::JUnit4)
        } else if imports("junit.framework.") || source.contains("extends TestCase") {
            Some(Style::JUnit3)
        } else {
            None
        }
    }

    /// The statement that makes the claim.
    pub(crate) fn statement(self, source: &str, claim: &Claim) -> String {
        match self {
            Style::AssertJ => assertj(source, claim),
            Style::Hamcrest => hamcrest(source, claim),
            _ => self.plain(source, claim),
        }
    }

    fn class(self) -> &'static str {
        match self {
            Style::AssertJ => "org.assertj.core.api.Assertions",
            Style::Hamcrest => "org.hamcrest.MatcherAssert",
            Style::JUnit5 => "org.junit.jupiter.api.Assertions",
            Style::JUnit4 => "org.junit.Assert",
            Style::JUnit3 => "junit.framework.Assert",
            Style::TestNg => "org.testng.Assert",
        }
    }

    /// Frameworks whose assertions are methods of one class, one for each kind of claim.
    fn plain(self, source: &str, claim: &Claim) -> String {
        let actual = &claim.actual;
        let truth = |wanted: &str, value: &str| claim.is_boolean() && value == wanted;
        let name = match &claim.expected {
            Expected::Null(true) => "assertNull",
            Expected::Null(false) => "assertNotNull",
            Expected::Value(value) if truth("true", value) => "assertTrue",
            Expected::Value(value) if truth("false", value) => "assertFalse",
            Expected::Value(_) => "assertEquals",
        };
        let inherited = self == Style::JUnit3 && source.contains("extends TestCase");
        let method = if inherited {
            name.to_owned()
        } else {
            called(source, &[self.class()], name)
        };
        let Some(expected) = claim.value().filter(|_| name == "assertEquals") else {
            return format!("{method}({actual});");
        };
        let expected = in_wrapper(expected, &claim.of);
        // Older frameworks want to know how far floating-point numbers may be apart.
        let tolerance = match (claim.of.as_str(), self) {
            ("F", Style::JUnit3 | Style::JUnit4 | Style::TestNg) => ", 0f",
            ("D", Style::JUnit3 | Style::JUnit4 | Style::TestNg) => ", 0",
            _ => "",
        };
        if self == Style::TestNg {
            format!("{method}({actual}, {expected}{tolerance});")
        } else {
            format!("{method}({expected}, {actual}{tolerance});")
        }
    }
}

fn assertj(source: &str, claim: &Claim) -> String {
    let check = match &claim.expected {
        Expected::Null(true) => "isNull()".to_owned(),
        Expected::Null(false) => "isNotNull()".to_owned(),
        Expected::Value(value) if value == "true" && claim.is_boolean() => "isTrue()".to_owned(),
        Expected::Value(value) if value == "false" && claim.is_boolean() => "isFalse()".to_owned(),
        Expected::Value(value) => format!("isEqualTo({value})"),
    };
    let method = called(source, &[Style::AssertJ.class()], "assertThat");
    format!("{method}({}).{check};", claim.actual)
}

fn hamcrest(source: &str, claim: &Claim) -> String {
    let [_, matchers @ ..] = MATCHERS;
    let matcher = |name: &str| {
        // Only classes that the source knows are sure to be there.
        let known = matchers.iter().find(|class| source.contains(**class));
        called(source, &matchers, name).replace(matchers[0], known.unwrap_or(&matchers[1]))
    };
    let check = match &claim.expected {
        Expected::Null(true) => format!("{}()", matcher("nullValue")),
        Expected::Null(false) => format!("{}()", matcher("notNullValue")),
        Expected::Value(value) => format!("{}({value})", matcher("is")),
    };
    // JUnit 4 has an `assertThat` of its own, which sources import as well.
    let method = called(
        source,
        &[Style::Hamcrest.class(), "org.junit.Assert"],
        "assertThat",
    );
    format!("{method}({}, {check});", claim.actual)
}

/// A method of one of these classes as the source can name it without another import.
fn called(source: &str, classes: &[&str], name: &str) -> String {
    let has = |import: String| source.lines().any(|line| line.trim() == import);
    for class in classes {
        if has(format!("import static {class}.{name};")) || has(format!("import static {class}.*;"))
        {
            return name.to_owned();
        }
    }
    for class in classes {
        if has(format!("import {class};")) {
            let simple = class.rsplit('.').next().unwrap_or(class);
            return format!("{simple}.{name}");
        }
    }
    let first = classes.first().copied().unwrap_or_default();
    format!("{first}.{name}")
}

/// A literal beside an object of a wrapper type leaves the compiler two methods to choose from.
fn in_wrapper(expected: &str, of: &str) -> String {
    let wrapper = of
        .strip_prefix("Ljava/lang/")
        .and_then(|of| of.strip_suffix(';'));
    match wrapper {
        Some(
            wrapper @ ("Integer" | "Long" | "Short" | "Byte" | "Character" | "Double" | "Float"),
        ) => {
            format!("{wrapper}.valueOf({expected})")
        }
        _ => expected.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(imports: &str, of: &str, aspect: &str, original: &str) -> String {
        let style = Style::of(imports).unwrap();
        let claim = Claim::all("x", of, aspect, original).remove(0);
        style.statement(imports, &claim)
    }

    const JUNIT3: &str = "class T extends TestCase";
    const JUNIT4: &str = "import static org.junit.Assert.*;";
    const JUNIT5: &str = "import org.junit.jupiter.api.Assertions;";
    const ASSERTJ: &str = "import static org.assertj.core.api.Assertions.assertThat;";
    const HAMCREST: &str = "\
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;";
    const TESTNG: &str = "import org.testng.annotations.Test;";

    #[test]
    fn a_number_is_claimed_in_the_words_of_each_framework() {
        for (imports, expected) in [
            (JUNIT3, "assertEquals(3, x);"),
            (JUNIT4, "assertEquals(3, x);"),
            (JUNIT5, "Assertions.assertEquals(3, x);"),
            (TESTNG, "org.testng.Assert.assertEquals(x, 3);"),
            (ASSERTJ, "assertThat(x).isEqualTo(3);"),
            (HAMCREST, "assertThat(x, is(3));"),
        ] {
            assert_eq!(check(imports, "I", "value", "I3"), expected);
        }
    }

    #[test]
    fn truth_and_null_have_assertions_of_their_own() {
        assert_eq!(check(JUNIT4, "Z", "value", "I0"), "assertFalse(x);");
        assert_eq!(
            check(ASSERTJ, "Z", "value", "I1"),
            "assertThat(x).isTrue();"
        );
        assert_eq!(
            check(HAMCREST, "Z", "value", "I1"),
            "assertThat(x, is(true));"
        );
        assert_eq!(check(JUNIT4, "La/B;", "null", "false"), "assertNotNull(x);");
        assert_eq!(
            check(HAMCREST, "La/B;", "null", "true"),
            "assertThat(x, org.hamcrest.Matchers.nullValue());"
        );
    }

    #[test]
    fn only_matchers_that_the_source_knows_are_called() {
        let imports = "\
import static org.hamcrest.CoreMatchers.equalTo;
import static org.junit.Assert.assertThat;";
        assert_eq!(
            check(imports, "I", "value", "I3"),
            "assertThat(x, org.hamcrest.CoreMatchers.is(3));"
        );
    }

    #[test]
    fn floating_point_numbers_have_a_tolerance_where_one_is_wanted() {
        assert_eq!(
            check(JUNIT4, "D", "value", "D0.5"),
            "assertEquals(0.5, x, 0);"
        );
        assert_eq!(
            check(TESTNG, "F", "value", "F0.5"),
            "org.testng.Assert.assertEquals(x, 0.5f, 0f);"
        );
        assert_eq!(
            check(JUNIT5, "D", "value", "D0.5"),
            "Assertions.assertEquals(0.5, x);"
        );
    }

    #[test]
    fn a_wrapper_is_compared_with_a_wrapper() {
        assert_eq!(
            check(JUNIT4, "Ljava/lang/Integer;", "value", "I3"),
            "assertEquals(Integer.valueOf(3), x);"
        );
    }

    #[test]
    fn who_imports_nothing_we_know_asserts_in_no_way_we_know() {
        assert_eq!(Style::of("import java.util.List;"), None);
    }
}

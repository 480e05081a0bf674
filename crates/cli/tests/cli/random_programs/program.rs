//! Small Java programs in which classes inherit, initialise, share objects and look at each other.
//! Classes refer only to those before them, so every program ends.

use std::fmt::Write;

/// A random number generator whose sequence is the same everywhere.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

const CLASSES: usize = 5;
const METHODS: usize = 3;
const TESTS: usize = 4;

pub struct Program {
    number: usize,
    classes: Vec<Class>,
    /// What each test class looks at.
    tests: Vec<String>,
}

struct Class {
    parent: Option<usize>,
    /// What its static field is set to.
    initializer: String,
    /// What its instance field is set to.
    field: String,
    static_method: String,
    /// Bodies of the methods that it declares; the first class declares all.
    methods: [Option<String>; METHODS],
}

impl Program {
    pub fn random(number: usize, dice: &mut Dice) -> Self {
        let classes = (0..CLASSES)
            .map(|place| Class::random(place, dice))
            .collect();
        let tests = (0..TESTS).map(|_| expression(CLASSES, "7", dice)).collect();
        Program {
            number,
            classes,
            tests,
        }
    }

    pub fn edit(&mut self, dice: &mut Dice) {
        let place = dice.below(CLASSES);
        let class = &mut self.classes[place];
        match dice.below(6) {
            0 => class.initializer = expression(place, "1", dice),
            1 => class.field = expression(place, "2", dice),
            2 => class.static_method = expression(place, "x", dice),
            3 if place > 0 => class.parent = Some(dice.below(place)),
            _ => class.methods[dice.below(METHODS)] = Some(body(place, dice)),
        }
    }

    pub fn sources(&self) -> Vec<(String, String)> {
        let classes = self.classes.iter().enumerate();
        classes
            .map(|(place, class)| {
                let name = format!("p{}/C{place}.java", self.number);
                (name, class.source(self.number, place))
            })
            .collect()
    }

    /// The expressions that tests look at, for use outside the program's package.
    pub fn observed(&self) -> impl Iterator<Item = String> + '_ {
        let package = format!("p{}.C", self.number);
        self.tests
            .iter()
            .map(move |test| test.replace('C', &package))
    }

    /// Test classes that expect the next of the values.
    pub fn tests<'v>(&self, values: &mut impl Iterator<Item = &'v str>) -> Vec<(String, String)> {
        let package = self.number;
        let test = |(place, expression): (usize, &String)| {
            let value = values.next().expect("a value for each test");
            let text = format!(
                "package p{package};\nclass T{place}Test {{\n  @org.junit.jupiter.api.Test void \
                 holds() {{\n    org.junit.jupiter.api.Assertions.assertEquals({value}, \
                 {expression});\n  }}\n}}\n"
            );
            (format!("p{package}/T{place}Test.java"), text)
        };
        self.tests.iter().enumerate().map(test).collect()
    }

    /// The same tests as methods of one class.
    pub fn test_methods<'v>(
        &self,
        values: &mut impl Iterator<Item = &'v str>,
    ) -> Vec<(String, String)> {
        let package = self.number;
        let mut text = format!("package p{package};\nclass AllTest {{\n");
        for (place, expression) in self.tests.iter().enumerate() {
            let value = values.next().expect("a value for each test");
            let _ = writeln!(
                text,
                "  @org.junit.jupiter.api.Test void holds{place}() {{ \
                 org.junit.jupiter.api.Assertions.assertEquals({value}, {expression}); }}"
            );
        }
        text.push_str("}\n");
        vec![(format!("p{package}/AllTest.java"), text)]
    }
}

impl Class {
    fn random(place: usize, dice: &mut Dice) -> Self {
        let mut methods = [const { None }; METHODS];
        for method in &mut methods {
            if place == 0 || dice.chance(40) {
                *method = Some(body(place, dice));
            }
        }
        Class {
            parent: (place > 0).then(|| dice.below(place)),
            initializer: expression(place, "1", dice),
            field: expression(place, "2", dice),
            static_method: expression(place, "x", dice),
            methods,
        }
    }

    fn source(&self, package: usize, place: usize) -> String {
        let mut text = format!("package p{package};\npublic class C{place}");
        if let Some(parent) = self.parent {
            let _ = write!(text, " extends C{parent}");
        }
        let _ = writeln!(
            text,
            " {{\n  public static int s = {};\n  public int f = {};\n  \
             private static C{place} shared;\n  \
             public static C{place} shared{place}() {{ if (shared == null) shared = new C{place}(); \
             return shared; }}\n  public static int t{place}(int x) {{ return {}; }}",
            self.initializer, self.field, self.static_method
        );
        for (method, body) in self.methods.iter().enumerate() {
            if let Some(body) = body {
                let _ = writeln!(text, "  public int m{method}(int x) {{ return {body}; }}");
            }
        }
        text.push_str("}\n");
        text
    }
}

/// The body of an instance method.
fn body(place: usize, dice: &mut Dice) -> String {
    let inner = expression(place, "x", dice);
    if dice.chance(50) {
        format!("f + {inner}")
    } else {
        inner
    }
}

/// Something that the classes before `below` can tell, and `x`.
fn expression(below: usize, x: &str, dice: &mut Dice) -> String {
    let constant = dice.below(50);
    if below == 0 {
        return format!("({x} * 3 + {constant})");
    }
    let class = dice.below(below);
    let other = dice.below(below);
    let method = dice.below(METHODS);
    let seen = match dice.below(8) {
        0 => format!("C{class}.s"),
        1 => format!("C{class}.t{class}({x})"),
        2 | 3 => format!("new C{class}().m{method}({x})"),
        4 => format!("C{class}.shared{class}().m{method}({x})"),
        5 => format!("(((Object) new C{class}()) instanceof C{other} ? 1 : 2)"),
        6 => format!("C{class}.class.getDeclaredMethods().length"),
        _ => return format!("({x} + {constant})"),
    };
    format!("({seen} + {constant})")
}

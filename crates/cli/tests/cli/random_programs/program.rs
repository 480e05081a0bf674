//! Small Java programs in which classes inherit, initialise, share objects, keep what they have
//! computed, look at each other and at files. Classes refer only to those before them, so every program
//! ends, and nothing that a test does can be told from what it would do alone.

use std::fmt::Write;

use super::dice::Dice;

const CLASSES: usize = 5;
const METHODS: usize = 3;
const TESTS: usize = 5;
/// Resources and files, as many of each.
const FILES: usize = 2;
const CONSTANTS: [&str; 3] = ["LOW", "MIDDLE", "HIGH"];

/// What every program has: how it looks at what lies outside its code.
const OUTSIDE: &str = "import java.io.*;
import java.nio.file.*;
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
@interface Weight { int value(); }
class Outside {
  static int resource(String name) {
    try (InputStream in = Outside.class.getResourceAsStream(name)) {
      return in == null ? -1 : in.read();
    } catch (IOException e) { throw new UncheckedIOException(e); }
  }
  static int file(String name) {
    Path path = Path.of(\"data\", Outside.class.getPackageName(), name);
    try { return Files.exists(path) ? Files.readAllBytes(path)[0] : -1; }
    catch (IOException e) { throw new UncheckedIOException(e); }
  }
  static int known(String name) {
    try { Class.forName(Outside.class.getPackageName() + '.' + name); return 1; }
    catch (ClassNotFoundException e) { return 0; }
  }
}
";

#[derive(Clone, PartialEq, Eq)]
pub struct Program {
    number: usize,
    classes: Vec<Class>,
    /// The body of the default method of the interface `Side`.
    side: String,
    /// The constants of the enum `Kind` by place, each with its weight.
    kinds: Vec<(usize, usize)>,
    /// What is in the resources, and in the files, that are there.
    resources: [Option<u8>; FILES],
    files: [Option<u8>; FILES],
    /// Whether there is a class that nobody but reflection mentions.
    has_extra: bool,
    /// What each test looks at; the last one may be missing.
    tests: Vec<String>,
    lacks_last_test: bool,
}

#[derive(Clone, PartialEq, Eq)]
struct Class {
    parent: Option<usize>,
    weight: usize,
    /// A constant that compilers copy into those who use it.
    constant: usize,
    /// What its static field is set to.
    initializer: String,
    /// What its instance field is set to.
    field: String,
    static_method: String,
    /// What a static cache is filled with for each key.
    cached: String,
    /// What a function in a static field does.
    function: String,
    /// Whether it implements `Side`, and what it then does instead of the default method.
    is_sided: bool,
    side: Option<String>,
    /// Bodies of the methods that it declares; the first class declares all.
    methods: [Option<String>; METHODS],
}

impl Program {
    pub fn random(number: usize, dice: &mut Dice) -> Self {
        let classes = (0..CLASSES)
            .map(|place| Class::random(place, dice))
            .collect();
        Program {
            number,
            classes,
            side: expression(0, "x", dice),
            kinds: (0..CONSTANTS.len())
                .map(|kind| (kind, dice.below(50)))
                .collect(),
            resources: [(); FILES].map(|()| content(dice)),
            files: [(); FILES].map(|()| content(dice)),
            has_extra: dice.chance(50),
            tests: (0..TESTS).map(|_| expression(CLASSES, "7", dice)).collect(),
            lacks_last_test: dice.chance(50),
        }
    }

    pub fn edit(&mut self, dice: &mut Dice) {
        let place = dice.below(CLASSES);
        let class = &mut self.classes[place];
        match dice.below(20) {
            0 => class.initializer = expression(place, "1", dice),
            1 => class.field = expression(place, "2", dice),
            2 => class.static_method = expression(place, "x", dice),
            3 => class.cached = expression(place, "k", dice),
            4 => class.function = expression(place, "y", dice),
            5 => class.weight = dice.below(50),
            6 => class.constant = dice.below(50),
            7 if place > 0 => class.parent = Some(dice.below(place)),
            8 => class.is_sided = !class.is_sided,
            9 => class.side = dice.chance(70).then(|| body(place, dice)),
            10 => self.side = expression(0, "x", dice),
            11 => self.kinds.swap(0, 1 + place % 2),
            12 => self.kinds[place % CONSTANTS.len()].1 = dice.below(50),
            13 => self.resources[place % FILES] = content(dice),
            14 => self.files[place % FILES] = content(dice),
            15 => self.has_extra = !self.has_extra,
            16 => self.lacks_last_test = !self.lacks_last_test,
            17 if place > 0 => class.methods[dice.below(METHODS)] = None,
            _ => class.methods[dice.below(METHODS)] = Some(body(place, dice)),
        }
    }

    pub fn package(&self) -> String {
        format!("p{}", self.number)
    }

    pub fn sources(&self) -> Vec<(String, String)> {
        let mut sources = vec![
            self.source("Outside", OUTSIDE),
            self.source(
                "Side",
                &format!(
                    "interface Side {{ default int side(int x) {{ return {}; }} }}\n",
                    self.side
                ),
            ),
            self.source("Kind", &self.kind()),
        ];
        if self.has_extra {
            sources.push(self.source("Extra", "class Extra {}\n"));
        }
        for (place, class) in self.classes.iter().enumerate() {
            sources.push(self.source(&format!("C{place}"), &class.source(place)));
        }
        sources
    }

    fn source(&self, class: &str, text: &str) -> (String, String) {
        let package = self.package();
        let name = format!("{package}/{class}.java");
        (name, format!("package {package};\n{text}"))
    }

    fn kind(&self) -> String {
        let constants: Vec<String> = (self.kinds.iter())
            .map(|(kind, weight)| format!("{}({weight})", CONSTANTS[*kind]))
            .collect();
        format!(
            "enum Kind {{\n  {};\n  final int weight;\n  Kind(int weight) {{ this.weight = weight; \
             }}\n}}\n",
            constants.join(", ")
        )
    }

    /// What lies on the class path beside the classes: none if it is not there.
    pub fn resources(&self) -> impl Iterator<Item = (String, Option<u8>)> + '_ {
        named(self.package(), "txt", &self.resources)
    }

    /// What lies in the directory `data`.
    pub fn files(&self) -> impl Iterator<Item = (String, Option<u8>)> + '_ {
        named(self.package(), "dat", &self.files)
    }

    pub fn count_tests(&self) -> usize {
        TESTS - usize::from(self.lacks_last_test)
    }

    /// Whether one of its test classes has no test in it.
    pub fn has_empty_class(&self) -> bool {
        self.lacks_last_test
    }

    /// A program that prints what each test sees.
    pub fn oracle(&self) -> (String, String) {
        let mut text = String::from("public class Oracle {\n  public static void print() {\n");
        for test in &self.tests {
            let _ = writeln!(text, "    System.out.println({test});");
        }
        text.push_str("  }\n}\n");
        self.source("Oracle", &text)
    }

    /// Test classes that expect the next of the values. The last one may have no test in it.
    pub fn tests<'v>(&self, values: &mut impl Iterator<Item = &'v str>) -> Vec<(String, String)> {
        let holding = self.holding(values);
        let test = |(place, holds): (usize, &String)| {
            let class = format!("T{place}Test");
            self.source(&class, &format!("class {class} {{\n{holds}}}\n"))
        };
        holding.iter().enumerate().map(test).collect()
    }

    /// The same tests as methods of one class.
    pub fn test_methods<'v>(
        &self,
        values: &mut impl Iterator<Item = &'v str>,
    ) -> Vec<(String, String)> {
        let holding = self.holding(values).concat();
        vec![self.source("AllTest", &format!("class AllTest {{\n{holding}}}\n"))]
    }

    /// The text of each test, empty if it is missing.
    fn holding<'v>(&self, values: &mut impl Iterator<Item = &'v str>) -> Vec<String> {
        let mut holding = Vec::new();
        for (place, expression) in self.tests.iter().enumerate() {
            let value = values.next().expect("a value for each test");
            holding.push(format!(
                "  @org.junit.jupiter.api.Test void holds{place}() {{ \
                 org.junit.jupiter.api.Assertions.assertEquals({value}, {expression}); }}\n"
            ));
        }
        if self.lacks_last_test {
            holding[TESTS - 1].clear();
        }
        holding
    }
}

fn named(
    package: String,
    ending: &str,
    contents: &[Option<u8>],
) -> impl Iterator<Item = (String, Option<u8>)> {
    let contents = contents.iter().enumerate();
    contents.map(move |(place, content)| (format!("{package}/f{place}.{ending}"), *content))
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
            weight: dice.below(50),
            constant: dice.below(50),
            initializer: expression(place, "1", dice),
            field: expression(place, "2", dice),
            static_method: expression(place, "x", dice),
            cached: expression(place, "k", dice),
            function: expression(place, "y", dice),
            is_sided: dice.chance(40),
            side: dice.chance(40).then(|| body(place, dice)),
            methods,
        }
    }

    fn source(&self, place: usize) -> String {
        let mut text = format!("@Weight({})\npublic class C{place}", self.weight);
        if let Some(parent) = self.parent {
            let _ = write!(text, " extends C{parent}");
        }
        if self.is_sided {
            text.push_str(" implements Side");
        }
        let _ = writeln!(
            text,
            " {{
  static final int K{place} = {constant};
  static int s{place} = {initializer};
  int f = {field};
  private static C{place} shared;
  static C{place} shared{place}() {{ if (shared == null) shared = new C{place}(); return shared; }}
  static int t{place}(int x) {{ return {static_method}; }}
  private static final java.util.Map<Integer, Integer> CACHE = new java.util.HashMap<>();
  static int cached{place}(int x) {{ return CACHE.computeIfAbsent(x, k -> {cached}); }}
  static final java.util.function.IntUnaryOperator FUNCTION{place} = y -> {function};",
            constant = self.constant,
            initializer = self.initializer,
            field = self.field,
            static_method = self.static_method,
            cached = self.cached,
            function = self.function,
        );
        if let Some(side) = &self.side {
            let _ = writeln!(text, "  public int side(int x) {{ return {side}; }}");
        }
        for (method, body) in self.methods.iter().enumerate() {
            if let Some(body) = body {
                let _ = writeln!(text, "  int m{method}(int x) {{ return {body}; }}");
            }
        }
        text.push_str("}\n");
        text
    }
}

fn content(dice: &mut Dice) -> Option<u8> {
    dice.chance(75).then(|| b'a' + dice.below(26) as u8)
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
    let kind = CONSTANTS[dice.below(CONSTANTS.len())];
    let file = dice.below(FILES);
    let seen = match dice.below(20) {
        0 => format!("C{class}.s{class}"),
        1 => format!("C{class}.t{class}({x})"),
        2..=4 => format!("new C{class}().m{method}({x})"),
        5 => format!("C{class}.shared{class}().m{method}({x})"),
        6 => format!("(((Object) new C{class}()) instanceof C{other} ? 1 : 2)"),
        7 => format!("C{class}.class.getDeclaredMethods().length"),
        8 => format!("C{class}.cached{class}({x})"),
        9 => format!("C{class}.FUNCTION{class}.applyAsInt({x})"),
        10 => format!("C{class}.K{class}"),
        11 => format!("C{class}.class.getAnnotation(Weight.class).value()"),
        12 | 13 => {
            format!("(((Object) new C{class}()) instanceof Side one ? one.side({x}) : 3)")
        }
        14 => format!("Kind.{kind}.weight"),
        15 => format!(
            "(switch (Kind.{kind}) {{ case LOW -> {x}; case MIDDLE -> 4; default -> \
             Kind.{kind}.ordinal(); }})"
        ),
        16 => format!("Outside.resource(\"f{file}.txt\")"),
        17 => format!("Outside.file(\"f{file}.dat\")"),
        18 => "Outside.known(\"Extra\")".to_owned(),
        _ => return format!("({x} + {constant})"),
    };
    format!("({seen} + {constant})")
}

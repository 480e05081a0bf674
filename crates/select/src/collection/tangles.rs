//! Whether the test methods of a class can be told apart, so that one may run without the others.
//!
//! They cannot where one may leave something for the next: in a static field, in an object that
//! they share, in the JVM. Each rule here finds one way to do so, by what ran and by what the class
//! files say. What cannot be understood counts as a tangle.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::rc::Rc;

use super::class_book::ClassBook;
use super::lasting::Lasting;
use super::{Numbers, Observed, Scene};

/// Why a test class is selected as a whole although its methods were asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tangle {
    /// Its tests ran at the same time as others.
    Overlapping,
    /// A test came upon a file that another test of the class had written.
    SharedFiles,
    /// Tests that are no methods of the class.
    Dynamic,
    Suite,
    /// A test engine of which nothing is known.
    Engine(String),
    /// All its tests were skipped.
    NothingRan,
    FailedOutsideTests,
    /// An annotation that sets the order of its tests.
    Ordered(String),
    /// A runner that may do more than run methods.
    Runner(String),
    SharedInstance,
    /// A static field of the test class that can hold anything.
    StaticField(String),
    /// A static field that one test writes and another reads.
    CarriedField(String),
    /// A method of the JDK that changes something for the whole JVM.
    Setter(String),
    /// An extension that remembers something between tests.
    Extension(String),
    /// A class file that cannot be understood.
    Unclear(String),
}

impl fmt::Display for Tangle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tangle::Overlapping => f.write_str("its tests ran at the same time as others"),
            Tangle::SharedFiles => f.write_str("a test came upon a file that another one wrote"),
            Tangle::Dynamic => f.write_str("some of its tests are no methods"),
            Tangle::Suite => f.write_str("it ran within a suite"),
            Tangle::Engine(engine) => write!(f, "engine `{engine}` may tie its tests together"),
            Tangle::NothingRan => f.write_str("all its tests were skipped"),
            Tangle::FailedOutsideTests => f.write_str("it failed outside its tests"),
            Tangle::Ordered(by) => write!(f, "`@{by}` puts its tests in order"),
            Tangle::Runner(runner) => write!(f, "its runner is `{runner}`"),
            Tangle::SharedInstance => f.write_str("its tests share an instance of the class"),
            Tangle::StaticField(field) => {
                write!(f, "static field `{field}` may carry state between tests")
            }
            Tangle::CarriedField(field) => {
                write!(
                    f,
                    "one test writes static field `{field}`, another reads it"
                )
            }
            Tangle::Setter(setter) => write!(f, "a test calls `{setter}`, which others can notice"),
            Tangle::Extension(class) => {
                write!(f, "extension `{class}` may carry state between tests")
            }
            Tangle::Unclear(class) => write!(f, "class `{class}` cannot be understood"),
        }
    }
}

/// Annotations that set an order.
const ORDERING: &[&str] = &[
    "org/junit/jupiter/api/TestMethodOrder",
    "org/junit/jupiter/api/TestClassOrder",
    "org/junit/FixMethodOrder",
];

const RUN_WITH: &str = "org/junit/runner/RunWith";

/// Runners that give each test method an instance of its own and do no more.
const PLAIN_RUNNERS: &[&str] = &[
    "org/junit/runners/JUnit4",
    "org/junit/runners/BlockJUnit4ClassRunner",
    "org/junit/runners/Parameterized",
];

/// Its runners make an instance for each test, all of them before the first one begins.
const JUNIT_3_TEST: &str = "junit/framework/TestCase";

const EXTENSIONS: &str = "org/junit/jupiter/api/extension/";

/// Types that cannot change once they are made, or in which no test leaves anything.
const IMMUTABLE: &[&str] = &[
    "java/io/File",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/String",
    "java/math/BigDecimal",
    "java/math/BigInteger",
    "java/net/URI",
    "java/net/URL",
    "java/nio/charset/Charset",
    "java/nio/file/Path",
    "java/time/Duration",
    "java/time/Instant",
    "java/time/LocalDate",
    "java/time/LocalDateTime",
    "java/time/ZoneId",
    "java/util/Locale",
    "java/util/UUID",
    "java/util/logging/Logger",
    "java/util/regex/Pattern",
    "org/apache/commons/logging/Log",
    "org/apache/logging/log4j/Logger",
    "org/slf4j/Logger",
];

/// Test classes (Java names of outermost ones) whose methods cannot be told apart, among those that
/// were observed by method.
pub(super) fn find<S: Scene>(
    observed: &Observed,
    numbers: &Numbers<'_>,
    book: &mut ClassBook<'_, S>,
) -> BTreeMap<String, Tangle> {
    let mut methods: BTreeMap<&str, Executed<'_>> = BTreeMap::new();
    for (unit, traces) in &observed.used {
        if unit.contains('#') {
            let executed = numbers.resolve(&traces.methods, book);
            let class = methods.entry(outermost(unit)).or_default();
            class.entry(unit).or_default().extend(executed);
        }
    }
    let mut search = Search {
        loaded: observed
            .classes
            .iter()
            .map(|class| class.name.as_str())
            .collect(),
        book,
        lasting: HashMap::new(),
    };
    let mut tangles: BTreeMap<String, Tangle> = BTreeMap::new();
    for (class, tangle) in &observed.tangled {
        tangles
            .entry(class.clone())
            .or_insert_with(|| tangle.clone());
    }
    for (class, methods) in methods {
        if !tangles.contains_key(class)
            && let Some(tangle) = search.tangle(class, &methods)
        {
            tangles.insert(class.to_owned(), tangle);
        }
    }
    tangles
}

/// The class by which a unit is selected if its methods cannot be told apart.
pub(super) fn outermost(unit: &str) -> &str {
    let end = unit.find(['#', '$']).unwrap_or(unit.len());
    &unit[..end]
}

struct Search<'b, 's, S> {
    loaded: BTreeSet<&'b str>,
    book: &'b mut ClassBook<'s, S>,
    lasting: HashMap<usize, Option<Rc<Lasting>>>,
}

/// What each test method of a class ran, by class and place in the class file.
type Executed<'u> = BTreeMap<&'u str, BTreeSet<(usize, usize)>>;

impl<S: Scene> Search<'_, '_, S> {
    fn tangle(&mut self, class: &str, methods: &Executed<'_>) -> Option<Tangle> {
        let family = self.family(class);
        family
            .iter()
            .find_map(|member| self.declared_tangle(*member))
            .or_else(|| {
                methods
                    .iter()
                    .find_map(|(unit, ran)| self.shared_instance(unit, ran))
            })
            .or_else(|| self.carried_state(methods))
    }

    /// The class, those nested in it that were loaded, and all their supertypes in the project.
    fn family(&mut self, class: &str) -> Vec<usize> {
        let name = class.replace('.', "/");
        let nested = format!("{name}$");
        let mut family: Vec<usize> = Vec::new();
        for loaded in &self.loaded {
            if *loaded == name || loaded.starts_with(&nested) {
                family.push(self.book.number(loaded));
            }
        }
        let mut next = 0;
        while let Some(member) = family.get(next).copied() {
            next += 1;
            for above in self.supertypes(member) {
                if self.book.page(above).is_some() && !family.contains(&above) {
                    family.push(above);
                }
            }
        }
        family
    }

    fn declared_tangle(&mut self, class: usize) -> Option<Tangle> {
        let Some(lasting) = self.lasting(class) else {
            return Some(Tangle::Unclear(self.java_name(class)));
        };
        let mut annotations: Vec<(String, Vec<String>)> = (lasting.annotations.iter())
            .map(|annotated| (annotated.class.clone(), annotated.named.clone()))
            .collect();
        // An annotation of the project may stand for others.
        for (annotation, _) in annotations.clone() {
            let number = self.book.number(&annotation);
            if let Some(meta) = self.lasting(number) {
                annotations.extend(
                    (meta.annotations.iter())
                        .map(|annotated| (annotated.class.clone(), annotated.named.clone())),
                );
            }
        }
        for (annotation, named) in annotations {
            if ORDERING.contains(&annotation.as_str()) {
                let simple = annotation.rsplit('/').next().unwrap_or_default();
                return Some(Tangle::Ordered(simple.to_owned()));
            }
            let runner = named
                .iter()
                .find(|name| !PLAIN_RUNNERS.contains(&name.as_str()));
            if let Some(runner) = runner.filter(|_| annotation == RUN_WITH) {
                return Some(Tangle::Runner(runner.replace('/', ".")));
            }
        }
        let open = (lasting.static_fields.iter())
            .find(|field| !self.is_immutable(&field.descriptor, &mut BTreeSet::new()))?;
        Some(Tangle::StaticField(self.field_name(class, &open.name)))
    }

    /// A test method runs on an instance that was made for it.
    fn shared_instance(&mut self, unit: &str, ran: &BTreeSet<(usize, usize)>) -> Option<Tangle> {
        let class = unit.split('#').next().unwrap_or(unit).replace('.', "/");
        let class = self.book.number(&class);
        // One that was skipped needed no instance.
        if ran.is_empty() || self.descends_from(class, |name| name == JUNIT_3_TEST) {
            return None;
        }
        let made = |lasting: &Lasting| {
            let mut of_class = ran.iter().filter(|(owner, _)| *owner == class);
            of_class.any(|(_, place)| {
                let method = lasting.methods.get(*place);
                method.is_some_and(|method| method.is_constructor)
            })
        };
        match self.lasting(class) {
            Some(lasting) if made(&lasting) => None,
            Some(_) => Some(Tangle::SharedInstance),
            None => Some(Tangle::Unclear(self.java_name(class))),
        }
    }

    /// Something that one test leaves behind and another may find.
    fn carried_state(&mut self, methods: &Executed<'_>) -> Option<Tangle> {
        let mut writers: BTreeMap<(usize, String), BTreeSet<&str>> = BTreeMap::new();
        let mut readers: BTreeMap<(usize, String), BTreeSet<&str>> = BTreeMap::new();
        for (unit, ran) in methods {
            for (class, place) in ran {
                let Some(lasting) = self.lasting(*class) else {
                    return Some(Tangle::Unclear(self.java_name(*class)));
                };
                // Other agents may have added methods, which are not the project's.
                let Some(effects) = lasting.methods.get(*place) else {
                    continue;
                };
                for (owner, field) in &effects.reads {
                    let field = self.resolved(owner, field);
                    readers.entry(field).or_default().insert(unit);
                }
                if effects.is_class_initialiser {
                    continue;
                }
                for (owner, field) in &effects.writes {
                    let field = self.resolved(owner, field);
                    writers.entry(field).or_default().insert(unit);
                }
                if let Some(setter) = &effects.setter {
                    return Some(Tangle::Setter(setter.clone()));
                }
                if effects.writes_objects
                    && !effects.is_constructor
                    && self.descends_from(*class, |name| name.starts_with(EXTENSIONS))
                {
                    return Some(Tangle::Extension(self.java_name(*class)));
                }
            }
        }
        let carried = writers.iter().find(|(field, writers)| {
            let readers = readers.get(*field);
            readers.is_some_and(|readers| {
                writers.len() > 1 || readers.iter().any(|unit| !writers.contains(unit))
            })
        });
        carried.map(|((class, field), _)| Tangle::CarriedField(self.field_name(*class, field)))
    }

    /// The class that declares a static field, with its name: code may name a class that inherits it.
    fn resolved(&mut self, owner: &str, field: &str) -> (usize, String) {
        let owner = self.book.number(owner);
        let mut candidates = vec![owner];
        let mut next = 0;
        while let Some(class) = candidates.get(next).copied() {
            next += 1;
            let declares =
                |lasting: &Rc<Lasting>| lasting.static_fields.iter().any(|own| own.name == field);
            if self.lasting(class).as_ref().is_some_and(declares) {
                return (class, field.to_owned());
            }
            for above in self.supertypes(class) {
                if !candidates.contains(&above) {
                    candidates.push(above);
                }
            }
        }
        (owner, field.to_owned())
    }

    /// True if an object of this type is as it was made for good, and so is all that it holds.
    fn is_immutable(&mut self, descriptor: &str, seen: &mut BTreeSet<usize>) -> bool {
        let Some(name) = descriptor
            .strip_prefix('L')
            .and_then(|rest| rest.strip_suffix(';'))
        else {
            return !descriptor.starts_with('[');
        };
        if IMMUTABLE.contains(&name) {
            return true;
        }
        let class = self.book.number(name);
        if !seen.insert(class) {
            return true;
        }
        let supertypes = self.supertypes(class);
        let plain = |name: &str| {
            matches!(
                name,
                "java/lang/Object" | "java/lang/Enum" | "java/lang/Record"
            )
        };
        let is_plain = supertypes
            .first()
            .is_some_and(|above| plain(self.book.name(*above)));
        match self.lasting(class) {
            // A class that may be extended may be anything.
            Some(lasting) if lasting.is_final && is_plain => (lasting.object_fields.iter())
                .all(|field| field.is_final && self.is_immutable(&field.descriptor, seen)),
            _ => false,
        }
    }

    fn descends_from(&mut self, class: usize, wanted: impl Fn(&str) -> bool) -> bool {
        let mut ancestors = vec![class];
        let mut next = 0;
        while let Some(current) = ancestors.get(next).copied() {
            next += 1;
            if wanted(self.book.name(current)) {
                return true;
            }
            for above in self.supertypes(current) {
                if !ancestors.contains(&above) {
                    ancestors.push(above);
                }
            }
        }
        false
    }

    /// The superclass first. Empty for a class that is not the project's.
    fn supertypes(&mut self, class: usize) -> Vec<usize> {
        let page = self.book.page(class);
        let links = page.as_ref().and_then(|page| page.links.as_ref());
        links
            .map(|links| links.supertypes.clone())
            .unwrap_or_default()
    }

    fn lasting(&mut self, class: usize) -> Option<Rc<Lasting>> {
        if let Some(known) = self.lasting.get(&class) {
            return known.clone();
        }
        let lasting = self
            .book
            .class_file(class)
            .and_then(|bytes| Lasting::of(&bytes));
        let lasting = lasting.map(Rc::new);
        self.lasting.insert(class, lasting.clone());
        lasting
    }

    fn java_name(&self, class: usize) -> String {
        self.book.name(class).replace('/', ".")
    }

    fn field_name(&self, class: usize, field: &str) -> String {
        format!("{}.{field}", self.java_name(class))
    }
}

//! From what probes and hooks saw in a test JVM to rows.
//!
//! Probes see methods being entered. A test depends on more than that, and each rule here adds one
//! kind of it: classes that executed code mentions, supertypes, what static initialisers did for
//! whoever came first, and objects that another test made. Nothing is read from disk; the scene
//! that the tests left behind is asked ([`Scene`]).

mod class_book;
mod closure;
mod lasting;
mod tangles;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::catalogue::{Catalogue, FactId};
use crate::fact::{Fact, State, Subject};
use crate::fingerprint::Hashing;
use crate::hash::Hash128;
use crate::mark::{Mark, Marks};
use crate::row::Row;
use crate::world::World;
use class_book::ClassBook;
use closure::{Closure, Through};
pub use tangles::Tangle;
use tangles::outermost;

/// The world as the tests left it.
pub trait Scene: World {
    /// The class file that a name (`a/B`) means on the class path, and where it lies.
    fn class_file(&self, name: &str) -> Option<ClassFileFound>;
}

#[derive(Debug, Clone)]
pub struct ClassFileFound {
    pub origin: Arc<str>,
    pub bytes: Vec<u8>,
}

/// What one JVM showed.
#[derive(Debug, Clone, Default)]
pub struct Observed {
    pub classes: Vec<ProbedClass>,
    /// What ran inside static initialisers, and inside methods that may leave something in static
    /// fields, by the method's number.
    pub initialised: Vec<(u32, Traces)>,
    /// What units used, in order of time. A unit may occur several times.
    pub used: Vec<(String, Traces)>,
    /// What test classes used outside their methods, where these are the units: it is all theirs.
    pub shared: Vec<(String, Traces)>,
    /// Test classes of which it is known that their methods cannot be told apart.
    pub tangled: Vec<(String, Tangle)>,
    /// Classes in VM form that could not be probed, in whole or in part.
    pub left_out: Vec<String>,
}

/// A class whose methods have the numbers from `first` on, in the order of the class file.
#[derive(Debug, Clone)]
pub struct ProbedClass {
    pub first: u32,
    pub methods: u32,
    /// In VM form.
    pub name: String,
    pub origin: String,
    /// Of the bytes that the JVM was given.
    pub digest: Hash128,
}

/// What was seen during a stretch of time.
#[derive(Debug, Clone, Default)]
pub struct Traces {
    /// Numbers of the methods that were entered.
    pub methods: Vec<u32>,
    pub touches: Vec<Touch>,
    pub marks: Marks,
}

/// Something besides methods that a test came upon.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Touch {
    /// Its state is taken from the scene.
    Subject(Subject),
    /// It was looked for and not there, whatever the scene says now.
    Absent(Subject),
    /// A class that was looked up by name (VM form), found or not.
    ClassByName(String),
    /// A class (VM form) that was loaded, found or not, and perhaps no more than that.
    ClassLoaded(String),
    /// A class (VM form) whose members were listed.
    Members(String),
}

/// What became of what a JVM showed.
#[derive(Debug, Default)]
pub struct Rows {
    /// By unit.
    pub rows: BTreeMap<String, Row>,
    /// Test classes that were observed by method and have one row all the same, with why.
    pub tangled: BTreeMap<String, Tangle>,
}

/// The row of every unit that the JVM ran. A unit's name is the Java name of its outermost test
/// class, or that of a test class with a method behind a `#`.
pub fn rows(
    observed: &Observed,
    scene: &impl Scene,
    hashing: Hashing,
    catalogue: &mut Catalogue,
) -> Rows {
    let mut book = ClassBook::new(scene, hashing);
    let numbers = Numbers::of(&observed.classes);
    let initialisers = initialisers(observed, &numbers, &mut book);
    let mut suspects = HashSet::new();
    for class in &observed.classes {
        if !book.is_as_loaded(class) {
            suspects.insert(book.number(&class.name));
        }
    }
    let left_out: Vec<usize> = (observed.left_out.iter())
        .map(|name| book.number(name))
        .collect();

    let tangled = tangles::find(observed, &numbers, &mut book);

    let mut names: Vec<&str> = Vec::new();
    let mut closures: Vec<Closure> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (unit, traces) in &observed.used {
        let unit = match tangled.contains_key(outermost(unit)) {
            true => outermost(unit),
            false => unit,
        };
        let place = *places.entry(unit).or_insert_with(|| {
            names.push(unit);
            let mut closure = Closure::default();
            match unit.split_once('#') {
                // Frameworks look for tests by listing.
                None => closure.list_members(book.number(&vm_name(unit))),
                // Tests that come or go are none of this one's business.
                Some((class, _)) => {
                    closure.refer_to(book.number(&vm_name(class)));
                    closure.refer_to(book.number(&vm_name(outermost(unit))));
                }
            }
            left_out.iter().for_each(|class| closure.use_whole(*class));
            closures.push(closure);
            closures.len() - 1
        });
        let closure = &mut closures[place];
        let executed = numbers.resolve(&traces.methods, &mut book);
        for (class, method) in &executed {
            closure.execute(*class, *method);
        }
        closure.touch(&traces.touches, &mut book);
        closure.marks.absorb(traces.marks);
        if executed.len() < traces.methods.len() {
            // A number that no class has: records were lost.
            closure.marks.insert(Mark::Incomplete);
        }
    }
    join_shared(observed, &names, &mut closures, &numbers, &mut book);
    for closure in &mut closures {
        closure.settle(&mut book, &initialisers);
        if closure.classes().any(|class| suspects.contains(&class)) {
            closure.marks.insert(Mark::Incomplete);
        }
    }
    let makers = makers_of_foreign_objects(&closures, &mut book);
    let mut facts = Facts::new();
    let own: Vec<Row> = (closures.iter())
        .map(|closure| row(closure, &mut book, scene, catalogue, &mut facts))
        .collect();
    let rows = names.iter().zip(makers).map(|(name, makers)| {
        let mut row = Row::new();
        for maker in makers {
            match names[maker] == *name {
                true => row.absorb(&own[maker]),
                false => row.absorb_lent(&own[maker]),
            }
        }
        ((*name).to_owned(), row)
    });
    Rows {
        rows: rows.collect(),
        tangled,
    }
}

fn vm_name(class: &str) -> String {
    class.replace('.', "/")
}

/// Gives each test method what its class used outside of its methods, and what any of them touched
/// outside the classes: libraries keep what they have read, so the next method need not touch it.
fn join_shared<S: Scene>(
    observed: &Observed,
    names: &[&str],
    closures: &mut [Closure],
    numbers: &Numbers<'_>,
    book: &mut ClassBook<'_, S>,
) {
    let mut units: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, name) in names.iter().enumerate() {
        units.entry(outermost(name)).or_default().push(place);
    }
    let mut touches: BTreeMap<&str, (Vec<Touch>, Marks)> = BTreeMap::new();
    let mut known: HashSet<(&str, &Touch)> = HashSet::new();
    for (unit, traces) in &observed.shared {
        let executed = numbers.resolve(&traces.methods, book);
        let lost = executed.len() < traces.methods.len();
        for place in units.get(unit.as_str()).into_iter().flatten() {
            let closure = &mut closures[*place];
            for (class, method) in &executed {
                closure.execute(*class, *method);
            }
            if lost {
                closure.marks.insert(Mark::Incomplete);
            }
        }
        touches.entry(unit).or_default();
    }
    for (unit, traces) in observed.used.iter().chain(&observed.shared) {
        if let Some((joined, marks)) = touches.get_mut(outermost(unit)) {
            let class = outermost(unit);
            let fresh = (traces.touches.iter()).filter(|touch| known.insert((class, touch)));
            joined.extend(fresh.cloned());
            marks.absorb(traces.marks);
        }
    }
    for (class, (joined, marks)) in touches {
        for place in units.get(class).into_iter().flatten() {
            closures[*place].touch(&joined, book);
            closures[*place].marks.absorb(marks);
        }
    }
}

/// What a class's static initialiser used, and what others used to leave something in its static
/// fields, or in objects that live on in some static field, by class.
type Initialisers = HashMap<usize, Stretch>;

/// Methods by class and place in the class file, and what else was touched.
#[derive(Debug, Default)]
struct Stretch {
    executed: Vec<(usize, usize)>,
    /// Constructors of objects that it was handed and called methods of.
    makers: Vec<(usize, usize)>,
    touches: Vec<Touch>,
    marks: Marks,
}

impl Stretch {
    fn absorb(&mut self, other: &Stretch) {
        self.executed.extend(other.executed.iter().copied());
        self.makers.extend(other.makers.iter().copied());
        self.touches.extend(other.touches.iter().cloned());
        self.marks.absorb(other.marks);
    }
}

/// A stretch during which something was left behind, and where that may be.
struct Filling {
    stretch: Stretch,
    /// Classes whose static fields may keep it.
    keepers: Vec<usize>,
    /// Classes whose objects may keep it.
    memo_keepers: Vec<usize>,
}

fn initialisers<S: Scene>(
    observed: &Observed,
    numbers: &Numbers<'_>,
    book: &mut ClassBook<'_, S>,
) -> Initialisers {
    let constructors = constructors(observed, numbers, book);
    let mut fillings = Vec::new();
    for (number, traces) in &observed.initialised {
        for (class, place) in numbers.resolve(&[*number], book) {
            let executed = numbers.resolve(&traces.methods, book);
            let mut marks = traces.marks;
            if executed.len() < traces.methods.len() {
                marks.insert(Mark::Incomplete);
            }
            fillings.push(Filling {
                keepers: book.keepers(class, place),
                memo_keepers: book.memo_keepers(class, place),
                stretch: Stretch {
                    makers: makers(&executed, &constructors, book),
                    executed,
                    touches: traces.touches.clone(),
                    marks,
                },
            });
        }
    }
    let lasting = lasting_classes(&fillings, book);
    let mut initialisers = Initialisers::new();
    for filling in &fillings {
        let lasts = |class: &&usize| lasting.contains(class);
        let memo_keepers = filling.memo_keepers.iter().filter(lasts);
        let keepers: BTreeSet<usize> = filling
            .keepers
            .iter()
            .chain(memo_keepers)
            .copied()
            .collect();
        for keeper in keepers {
            // Several class loaders, or methods, may have had a hand in it.
            let stretch = initialisers.entry(keeper).or_default();
            stretch.absorb(&filling.stretch);
        }
    }
    initialisers
}

/// Constructors that ran in the JVM, whoever ran them, by class.
type Constructors = HashMap<usize, BTreeSet<usize>>;

fn constructors<S: Scene>(
    observed: &Observed,
    numbers: &Numbers<'_>,
    book: &mut ClassBook<'_, S>,
) -> Constructors {
    let units = observed.used.iter().chain(&observed.shared);
    let all = (units.map(|(_, traces)| traces))
        .chain(observed.initialised.iter().map(|(_, traces)| traces));
    let entered: BTreeSet<u32> = all
        .flat_map(|traces| traces.methods.iter().copied())
        .collect();
    let entered: Vec<u32> = entered.into_iter().collect();
    let mut constructors = Constructors::new();
    for (class, place) in numbers.resolve(&entered, book) {
        if book.is_constructor(class, place) {
            constructors.entry(class).or_default().insert(place);
        }
    }
    constructors
}

/// What made the objects that a stretch called methods of and did not make. Units that find what it
/// left depend on that, but not on all else that was done before the objects were handed over.
fn makers<S: Scene>(
    executed: &[(usize, usize)],
    constructors: &Constructors,
    book: &mut ClassBook<'_, S>,
) -> Vec<(usize, usize)> {
    let mut made = HashSet::new();
    let mut called = BTreeSet::new();
    for (class, place) in executed {
        if book.is_constructor(*class, *place) {
            made.insert(*class);
        } else if book.is_called_on_object(*class, *place) {
            called.insert(*class);
        }
    }
    let foreign = called.into_iter().filter(|class| !made.contains(class));
    let makers = foreign.flat_map(|class| {
        let places = constructors.get(&class).into_iter().flatten();
        places.map(move |place| (class, *place))
    });
    makers.collect()
}

/// Classes of which some object may live on in a static field: it was made while such a field was
/// filled, or while another object that lives on was.
fn lasting_classes<S: Scene>(fillings: &[Filling], book: &mut ClassBook<'_, S>) -> HashSet<usize> {
    let mut lasting = HashSet::new();
    let mut open: Vec<&Filling> = fillings.iter().collect();
    loop {
        let (found, others): (Vec<&Filling>, Vec<&Filling>) = open.into_iter().partition(|one| {
            let lasts = |class: &usize| lasting.contains(class);
            !one.keepers.is_empty() || one.memo_keepers.iter().any(lasts)
        });
        if found.is_empty() {
            return lasting;
        }
        for (class, place) in found.iter().flat_map(|one| &one.stretch.executed) {
            if book.is_constructor(*class, *place) {
                lasting.insert(*class);
            }
        }
        open = others;
    }
}

/// Which class has a number.
struct Numbers<'o>(Vec<&'o ProbedClass>);

impl<'o> Numbers<'o> {
    fn of(classes: &'o [ProbedClass]) -> Self {
        let mut classes: Vec<&ProbedClass> = classes.iter().collect();
        classes.sort_by_key(|class| class.first);
        Numbers(classes)
    }

    /// Classes by their places in the book; a number that nobody has is left out.
    fn resolve<S: Scene>(
        &self,
        numbers: &[u32],
        book: &mut ClassBook<'_, S>,
    ) -> Vec<(usize, usize)> {
        let find = |number: &u32| {
            let after = self.0.partition_point(|class| class.first <= *number);
            let class = self.0.get(after.checked_sub(1)?)?;
            let place = number - class.first;
            (place < class.methods).then(|| (book.number(&class.name), place as usize))
        };
        numbers.iter().filter_map(find).collect()
    }
}

/// For each unit the units whose rows it needs, itself among them: a unit that itself called a method
/// of an object, and made no such object, got it from one that did.
fn makers_of_foreign_objects<S: Scene>(
    closures: &[Closure],
    book: &mut ClassBook<'_, S>,
) -> Vec<Vec<usize>> {
    let mut constructed_by: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut foreign: Vec<Vec<usize>> = Vec::new();
    for (unit, closure) in closures.iter().enumerate() {
        let mut called = Vec::new();
        for (class, executed) in closure.executed() {
            let ran = |least: Through| {
                let ran = executed
                    .iter()
                    .filter(move |(_, through)| **through >= least);
                ran.map(|(place, _)| *place)
            };
            if ran(Through::Stead).any(|place| book.is_constructor(class, place)) {
                constructed_by.entry(class).or_default().push(unit);
            } else if ran(Through::Itself).any(|place| book.is_called_on_object(class, place)) {
                called.push(class);
            }
        }
        foreign.push(called);
    }
    let mut all = Vec::with_capacity(closures.len());
    for unit in 0..closures.len() {
        let mut needed = vec![unit];
        let mut seen = HashSet::from([unit]);
        let mut next = 0;
        while let Some(current) = needed.get(next).copied() {
            next += 1;
            let makers = (foreign[current].iter())
                .filter_map(|class| constructed_by.get(class))
                .flatten()
                // Only what ran earlier can have made it.
                .filter(|maker| **maker < current);
            for maker in makers {
                if seen.insert(*maker) {
                    needed.push(*maker);
                }
            }
        }
        all.push(needed);
    }
    all
}

/// Subjects that were looked at: thousands of units may share one, and each is a file to read.
type Facts = HashMap<(Subject, bool), FactId>;

fn row<S: Scene>(
    closure: &Closure,
    book: &mut ClassBook<'_, S>,
    scene: &S,
    catalogue: &mut Catalogue,
    facts: &mut Facts,
) -> Row {
    let mut row = Row::new();
    for (class, usage, is_lent) in closure.uses(book) {
        if let Some(id) = book.enter(class, catalogue) {
            match is_lent {
                true => row.lend(id, usage),
                false => row.add_use(id, usage),
            }
        }
    }
    for (subject, absent) in closure.subjects(book) {
        let fact = facts
            .entry((subject, absent))
            .or_insert_with_key(|(subject, absent)| {
                let state = match absent {
                    true => State::Absent,
                    false => scene.state(subject),
                };
                catalogue.fact(Fact {
                    subject: subject.clone(),
                    state,
                })
            });
        row.add_fact(*fact);
    }
    closure.marks.iter().for_each(|mark| row.add_mark(mark));
    row
}

//! All that a unit depends on, grown from what it executed and touched.

use std::collections::{BTreeMap, BTreeSet};

use super::class_book::ClassBook;
use super::{Initialisers, Scene, Touch};
use crate::fact::Subject;
use crate::mark::Marks;
use crate::member_set::MemberSet;
use crate::row::Use;

#[derive(Debug, Default)]
pub(super) struct Closure {
    uses: BTreeMap<usize, ClassUse>,
    /// With whether the subject was found absent.
    subjects: BTreeSet<(Subject, bool)>,
    pub marks: Marks,
    /// Leads of what the unit did itself. They are followed first, so that what is reached in both
    /// ways counts as its own.
    own: Vec<Step>,
    /// Leads of what was done in its stead.
    stead: Vec<Step>,
}

#[derive(Debug)]
struct ClassUse {
    /// How the unit came upon the class.
    through: Through,
    /// By place in the class file.
    executed: BTreeMap<usize, Through>,
    listed: bool,
    whole: bool,
    /// What its static initialiser did counts.
    initialised: bool,
    /// It was looked up by name.
    looked_up: bool,
}

impl ClassUse {
    fn new(through: Through) -> Self {
        ClassUse {
            through,
            executed: BTreeMap::new(),
            listed: false,
            whole: false,
            initialised: false,
            looked_up: false,
        }
    }

    /// Whether others used it, and not the unit itself.
    fn is_lent(&self) -> bool {
        let greatest = self.executed.values().max();
        *greatest.unwrap_or(&self.through) < Through::Itself
    }
}

/// How a method counts for a unit. The greatest one holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Through {
    /// Some unit made an object with it that was worked on in another's stead.
    Makers,
    /// It ran in another's stead: in a static initialiser, or to fill what lives on.
    Stead,
    Itself,
}

/// A lead that has not been followed yet.
#[derive(Debug, Clone, Copy)]
enum Step {
    Mentioned(usize),
    Initialised(usize),
    Executed(usize, usize),
}

impl Closure {
    pub fn execute(&mut self, class: usize, method: usize) {
        self.count(class, method, Through::Itself);
    }

    fn count(&mut self, class: usize, method: usize, through: Through) {
        self.see_state(class, through);
        let executed = &mut self.mention(class, through).executed;
        match executed.get_mut(&method) {
            Some(known) => *known = through.max(*known),
            None => {
                executed.insert(method, through);
                self.lead(Step::Executed(class, method), through);
            }
        }
    }

    pub fn list_members(&mut self, class: usize) {
        self.mention(class, Through::Itself).listed = true;
    }

    pub fn refer_to(&mut self, class: usize) {
        self.mention(class, Through::Itself);
    }

    pub fn use_whole(&mut self, class: usize) {
        self.mention(class, Through::Itself).whole = true;
        self.see_state(class, Through::Itself);
    }

    pub fn touch<S: Scene>(&mut self, touches: &[Touch], book: &mut ClassBook<'_, S>) {
        self.come_upon(touches, book, Through::Itself);
    }

    fn come_upon<S: Scene>(
        &mut self,
        touches: &[Touch],
        book: &mut ClassBook<'_, S>,
        through: Through,
    ) {
        for touch in touches {
            match touch {
                Touch::Subject(subject) => _ = self.subjects.insert((subject.clone(), false)),
                Touch::Absent(subject) => _ = self.subjects.insert((subject.clone(), true)),
                Touch::ClassByName(name) => {
                    let class = book.number(name);
                    self.mention(class, through).looked_up = true;
                    self.see_state(class, through);
                }
                Touch::ClassLoaded(name) => {
                    self.mention(book.number(name), through).looked_up = true;
                }
                Touch::Members(name) => self.mention(book.number(name), through).listed = true,
            }
        }
    }

    /// Follows every lead to its end.
    pub fn settle<S: Scene>(&mut self, book: &mut ClassBook<'_, S>, initialisers: &Initialisers) {
        let next = |closure: &mut Self| {
            let own = closure.own.pop().map(|step| (step, Through::Itself));
            own.or_else(|| closure.stead.pop().map(|step| (step, Through::Stead)))
        };
        while let Some((step, through)) = next(self) {
            match step {
                Step::Mentioned(class) => self.follow_declaration(class, book, through),
                Step::Initialised(class) => self.follow_initialiser(class, book, initialisers),
                Step::Executed(class, method) => self.follow_code(class, method, book, through),
            }
        }
    }

    pub fn classes(&self) -> impl Iterator<Item = usize> + '_ {
        self.uses.keys().copied()
    }

    /// Classes with the places of their methods that ran.
    pub fn executed(&self) -> impl Iterator<Item = (usize, &BTreeMap<usize, Through>)> {
        (self.uses.iter()).map(|(class, usage)| (*class, &usage.executed))
    }

    /// How classes of the project were used, and whether others alone did.
    pub fn uses<S: Scene>(&self, book: &mut ClassBook<'_, S>) -> Vec<(usize, Use, bool)> {
        let mut uses = Vec::with_capacity(self.uses.len());
        for (class, usage) in &self.uses {
            let Some(page) = book.page(*class) else {
                continue;
            };
            // A method that the fingerprint does not tell apart makes it the whole class. Methods
            // that another agent added are not the project's.
            let positions: Option<MemberSet> = page.links.as_ref().and_then(|links| {
                let methods = usage.executed.keys();
                methods
                    .filter_map(|place| links.methods.get(*place))
                    .filter(|method| !method.is_initialiser)
                    .map(|method| method.position)
                    .collect()
            });
            let parts = match positions {
                Some(executed) if !usage.whole => Use::Parts {
                    executed,
                    listed: usage.listed,
                },
                _ => Use::Whole,
            };
            uses.push((*class, parts, usage.is_lent()));
        }
        uses
    }

    /// Everything besides classes, with whether it was found absent.
    pub fn subjects<S: Scene>(&self, book: &mut ClassBook<'_, S>) -> Vec<(Subject, bool)> {
        let mut subjects: Vec<_> = self.subjects.iter().cloned().collect();
        for (class, usage) in &self.uses {
            if usage.looked_up && book.page(*class).is_none() {
                subjects.push((
                    Subject::MissingClass(book.name(*class).replace('/', ".")),
                    true,
                ));
            }
        }
        subjects
    }

    fn lead(&mut self, step: Step, through: Through) {
        match through {
            Through::Itself => self.own.push(step),
            Through::Stead | Through::Makers => self.stead.push(step),
        }
    }

    fn mention(&mut self, class: usize, through: Through) -> &mut ClassUse {
        if !self.uses.contains_key(&class) {
            self.lead(Step::Mentioned(class), through);
        }
        let usage = self.uses.entry(class);
        let usage = usage.or_insert_with(|| ClassUse::new(through));
        usage.through = usage.through.max(through);
        usage
    }

    /// What a class's static fields hold was put there by others, even if the unit came first.
    fn see_state(&mut self, class: usize, through: Through) {
        let usage = self.mention(class, through);
        if !usage.initialised {
            usage.initialised = true;
            self.lead(Step::Initialised(class), Through::Stead);
        }
    }

    /// An override or a default method that is added shows in a supertype; an annotation's meaning
    /// lies in its class.
    fn follow_declaration<S: Scene>(
        &mut self,
        class: usize,
        book: &mut ClassBook<'_, S>,
        through: Through,
    ) {
        let Some(page) = book.page(class) else { return };
        let Some(links) = &page.links else {
            self.mention(class, through).whole = true;
            return;
        };
        for mentioned in links.supertypes.iter().chain(&links.declared.by_name) {
            self.mention(*mentioned, through);
        }
        for seen in &links.declared.through_state {
            self.see_state(*seen, through);
        }
    }

    /// A static initialiser runs for whoever comes first; what it did is there for all who follow.
    fn follow_initialiser<S: Scene>(
        &mut self,
        class: usize,
        book: &mut ClassBook<'_, S>,
        initialisers: &Initialisers,
    ) {
        if let Some(links) = book
            .page(class)
            .as_ref()
            .and_then(|page| page.links.as_ref())
        {
            links
                .supertypes
                .iter()
                .for_each(|class| self.see_state(*class, Through::Stead));
        }
        if let Some(stretch) = initialisers.get(&class) {
            for (class, method) in &stretch.executed {
                self.count(*class, *method, Through::Stead);
            }
            for (class, method) in &stretch.makers {
                self.count(*class, *method, Through::Makers);
            }
            self.come_upon(&stretch.touches, book, Through::Stead);
            self.marks.absorb(stretch.marks);
        }
    }

    fn follow_code<S: Scene>(
        &mut self,
        class: usize,
        method: usize,
        book: &mut ClassBook<'_, S>,
        through: Through,
    ) {
        let page = book.page(class);
        let links = page.as_ref().and_then(|page| page.links.as_ref());
        if let Some(method) = links.and_then(|links| links.methods.get(method)) {
            for mentioned in &method.linked.by_name {
                self.mention(*mentioned, through);
            }
            for seen in &method.linked.through_state {
                self.see_state(*seen, through);
            }
        }
    }
}

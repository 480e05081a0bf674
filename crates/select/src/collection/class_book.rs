//! Every class that collection has come across, read at most once.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::{ProbedClass, Scene};
use crate::catalogue::{Catalogue, ClassId, ClassKey, ClassVersion};
use crate::fingerprint::{ClassFingerprint, Hashing};
use crate::hash::Hash128;
use crate::mentions::{Mentioned, Mentions};

pub(super) struct ClassBook<'s, S> {
    scene: &'s S,
    hashing: Hashing,
    numbers: HashMap<Arc<str>, usize>,
    names: Vec<Arc<str>>,
    pages: HashMap<usize, Option<Rc<Page>>>,
    entered: HashMap<usize, ClassId>,
}

/// A class of the project. Other classes stand in it by their numbers in the book.
pub(super) struct Page {
    origin: Arc<str>,
    digest: Hash128,
    pub fingerprint: ClassFingerprint,
    /// None if the class file cannot be understood.
    pub links: Option<Links>,
}

pub(super) struct Links {
    pub supertypes: Vec<usize>,
    static_fields: Vec<Arc<str>>,
    pub declared: Linked,
    /// In the order of the class file.
    pub methods: Vec<Method>,
}

pub(super) struct Method {
    /// Where it stands in the fingerprint; none for the static initialiser.
    pub position: Option<usize>,
    pub is_initialiser: bool,
    pub is_constructor: bool,
    pub is_called_on_object: bool,
    pub linked: Linked,
    /// Static fields that it may leave something in, by the class that code names and the field.
    stores: Vec<(usize, Arc<str>)>,
    /// Classes in whose objects it fills a field that it finds empty.
    memos: Vec<usize>,
}

/// See [`Mentioned`].
pub(super) struct Linked {
    pub through_state: Vec<usize>,
    pub by_name: Vec<usize>,
}

impl<'s, S: Scene> ClassBook<'s, S> {
    pub fn new(scene: &'s S, hashing: Hashing) -> Self {
        ClassBook {
            scene,
            hashing,
            numbers: HashMap::new(),
            names: Vec::new(),
            pages: HashMap::new(),
            entered: HashMap::new(),
        }
    }

    /// The number of a name in VM form, whether or not there is such a class.
    pub fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let name: Arc<str> = name.into();
        self.numbers.insert(name.clone(), self.names.len());
        self.names.push(name);
        self.names.len() - 1
    }

    pub fn name(&self, class: usize) -> &str {
        &self.names[class]
    }

    pub fn class_file(&self, class: usize) -> Option<Vec<u8>> {
        Some(self.scene.class_file(&self.names[class])?.bytes)
    }

    /// None if the project has no such class.
    pub fn page(&mut self, class: usize) -> Option<Rc<Page>> {
        if let Some(page) = self.pages.get(&class) {
            return page.clone();
        }
        let page = self.scene.class_file(&self.names[class]).map(|found| {
            let fingerprint = ClassFingerprint::of(&found.bytes, self.hashing);
            let links = Mentions::of(&found.bytes);
            Rc::new(Page {
                origin: found.origin,
                digest: Hash128::of(&found.bytes),
                links: links.map(|mentions| self.links(&mentions, &fingerprint)),
                fingerprint,
            })
        });
        self.pages.insert(class, page.clone());
        page
    }

    /// Classes of the project that keep what a method leaves behind: its own if it is a static
    /// initialiser, and those whose static fields it may leave something in.
    pub fn keepers(&mut self, class: usize, place: usize) -> Vec<usize> {
        let page = self.page(class);
        let links = page.as_ref().and_then(|page| page.links.as_ref());
        let Some(method) = links.and_then(|links| links.methods.get(place)) else {
            return vec![class];
        };
        let mut keepers: Vec<usize> = method.is_initialiser.then_some(class).into_iter().collect();
        for (named, field) in &method.stores {
            keepers.extend(self.declaring(*named, field));
        }
        keepers.sort_unstable();
        keepers.dedup();
        keepers
    }

    /// Classes of the project whose objects keep what a method fills them with, once for all who call it.
    pub fn memo_keepers(&mut self, class: usize, place: usize) -> Vec<usize> {
        let page = self.page(class);
        let links = page.as_ref().and_then(|page| page.links.as_ref());
        let method = links.and_then(|links| links.methods.get(place));
        method.map_or(Vec::new(), |method| method.memos.clone())
    }

    pub fn is_constructor(&mut self, class: usize, place: usize) -> bool {
        self.is_method(class, place, |method| method.is_constructor)
    }

    pub fn is_called_on_object(&mut self, class: usize, place: usize) -> bool {
        self.is_method(class, place, |method| method.is_called_on_object)
    }

    fn is_method(&mut self, class: usize, place: usize, is: impl Fn(&Method) -> bool) -> bool {
        let page = self.page(class);
        let links = page.as_ref().and_then(|page| page.links.as_ref());
        links
            .and_then(|links| links.methods.get(place))
            .is_some_and(is)
    }

    /// The class that declares a static field, which may be above the one that code names.
    fn declaring(&mut self, named: usize, field: &str) -> Option<usize> {
        let mut candidates = vec![named];
        let mut next = 0;
        while let Some(class) = candidates.get(next).copied() {
            next += 1;
            let page = self.page(class);
            let Some(links) = page.as_ref().and_then(|page| page.links.as_ref()) else {
                continue;
            };
            if links.static_fields.iter().any(|own| **own == *field) {
                return Some(class);
            }
            let above = links.supertypes.iter();
            let fresh: Vec<usize> = above
                .filter(|it| !candidates.contains(it))
                .copied()
                .collect();
            candidates.extend(fresh);
        }
        None
    }

    /// Whether the JVM was given the class that lies there now. If not, the numbers of its methods
    /// mean nothing.
    pub fn is_as_loaded(&mut self, loaded: &ProbedClass) -> bool {
        let number = self.number(&loaded.name);
        self.page(number).is_some_and(|page| {
            // Another agent may have added methods, which come last.
            let fits = |links: &Links| links.methods.len() <= loaded.methods as usize;
            page.digest == loaded.digest
                && *page.origin == *loaded.origin
                && page.links.as_ref().is_some_and(fits)
        })
    }

    /// The class's number in the catalogue; none if the project has no such class.
    pub fn enter(&mut self, class: usize, catalogue: &mut Catalogue) -> Option<ClassId> {
        let page = self.page(class)?;
        let name = &self.names[class];
        let id = self.entered.entry(class).or_insert_with(|| {
            catalogue.class(ClassVersion {
                key: ClassKey {
                    origin: page.origin.clone(),
                    name: name.clone(),
                },
                fingerprint: page.fingerprint.clone(),
            })
        });
        Some(*id)
    }

    fn links(&mut self, mentions: &Mentions, fingerprint: &ClassFingerprint) -> Links {
        let parts = fingerprint.parts.as_ref();
        let mut methods = Vec::with_capacity(mentions.methods.len());
        for method in &mentions.methods {
            let is_constructor = method.name == "<init>";
            methods.push(Method {
                position: parts.and_then(|parts| parts.position(&method.name, &method.descriptor)),
                is_initialiser: method.name == "<clinit>",
                is_constructor,
                is_called_on_object: !method.is_static && !is_constructor,
                linked: self.linked(&method.mentioned),
                stores: (method.stores.iter())
                    .map(|(class, field)| (self.number(class), field.clone()))
                    .collect(),
                memos: self.numbers(&method.memos),
            });
        }
        Links {
            supertypes: self.numbers(&mentions.supertypes),
            static_fields: mentions.static_fields.clone(),
            declared: self.linked(&mentions.declared),
            methods,
        }
    }

    fn linked(&mut self, mentioned: &Mentioned) -> Linked {
        Linked {
            through_state: self.numbers(&mentioned.through_state),
            by_name: self.numbers(&mentioned.by_name),
        }
    }

    fn numbers(&mut self, names: &[Arc<str>]) -> Vec<usize> {
        names.iter().map(|name| self.number(name)).collect()
    }
}

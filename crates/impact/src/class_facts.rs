//! What one class file says about its class, as far as the graph needs it.

use jury_classfile::{
    Access, Attributes, ClassFile, JavaStr, Malformed, Reference, class_names_in,
};
use serde::{Deserialize, Serialize};

use crate::names::{Name, Names};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassFacts {
    pub name: Name,
    /// The superclass first, then interfaces; without those of the JDK.
    pub supertypes: Vec<Name>,
    /// All classes it refers to, each once, without itself and those of the JDK.
    pub mentions: Vec<Name>,
    /// Names in its texts, as `Class.forName` takes them.
    pub texts: Vec<Name>,
    /// Annotations of the class, its fields and its methods.
    pub annotations: Vec<Name>,
    /// Types of whatever a container is asked to inject.
    pub injected: Vec<Name>,
    /// Services and their providers, as a module descriptor lists them.
    pub provides: Vec<(Name, Name)>,
    /// Package and source file, `a/b/C.java`, as far as the compiler noted it.
    pub source: Option<String>,
    /// It asks for classes by names that may have been put together at run time.
    pub loads_by_name: bool,
    /// Compilers copy constants of it into other classes, which then do not mention it.
    pub has_constants: bool,
    /// No object of it can be made.
    pub is_abstract: bool,
}

/// Methods that turn a text into a class.
const BY_NAME: [(&str, &str); 5] = [
    ("java/lang/Class", "forName"),
    ("java/lang/ClassLoader", "loadClass"),
    ("java/lang/ClassLoader", "findClass"),
    ("java/lang/invoke/MethodHandles$Lookup", "findClass"),
    ("java/net/URLClassLoader", "loadClass"),
];

/// How Spring, CDI, Guice and Jakarta EE are asked for something.
const INJECTION: [&str; 8] = [
    "org/springframework/beans/factory/annotation/Autowired",
    "javax/inject/Inject",
    "jakarta/inject/Inject",
    "com/google/inject/Inject",
    "javax/annotation/Resource",
    "jakarta/annotation/Resource",
    "javax/ejb/EJB",
    "jakarta/ejb/EJB",
];

impl ClassFacts {
    /// A class of which nothing is known but its name.
    pub fn opaque(name: Name) -> Self {
        ClassFacts {
            name,
            supertypes: Vec::new(),
            mentions: Vec::new(),
            texts: Vec::new(),
            annotations: Vec::new(),
            injected: Vec::new(),
            provides: Vec::new(),
            source: None,
            loads_by_name: false,
            has_constants: false,
            is_abstract: false,
        }
    }

    /// Names are added to `names`. Bytes that are no class are refused.
    pub fn read(bytes: &[u8], names: &mut Names) -> Result<Self, Malformed> {
        let file = ClassFile::read(bytes)?;
        let pool = &file.pool;
        let own = file.name()?;
        let mut annotations = annotation_names(&file.attributes, &file)?;
        let mut injected = Vec::new();
        let has_constants = file.fields.iter().any(|field| {
            !field.access.has(Access::PRIVATE) && field.attributes.has(pool, "ConstantValue")
        });
        for member in file.fields.iter().chain(&file.methods) {
            let here = annotation_names(&member.attributes, &file)?;
            if here.iter().any(|name| is_one_of(*name, &INJECTION)) {
                injected.extend(class_names_in(member.descriptor(pool)?));
            }
            annotations.extend(here);
        }
        let supertypes = file.super_name()?.into_iter().map(Ok);
        let supertypes = supertypes.chain(file.interfaces());
        let supertypes = supertypes.collect::<Result<Vec<_>, _>>()?;
        let mut mentions = Vec::new();
        // Few classes name any of the owners, and members take long to look through.
        let mut names_owner = false;
        file.each_referenced_class(|name| {
            if is_of_jdk(name) {
                names_owner |= BY_NAME.iter().any(|(owner, _)| name == *owner);
            } else if name != own {
                mentions.push(names.intern(&name.to_str()));
            }
        })?;
        mentions.sort_unstable();
        mentions.dedup();
        let loads_by_name = names_owner
            && file.member_references().any(|reference| {
                let Ok(Reference::Method(method)) = reference else {
                    return false;
                };
                BY_NAME
                    .iter()
                    .any(|(class, name)| method.owner == *class && method.name == *name)
            });
        let texts = pool.strings().flatten();
        let texts: Vec<String> = texts
            .filter_map(|text| class_name_in(&text.to_str()))
            .collect();
        let source = file.attributes.source_file(pool)?.map(|file_name| {
            match own.to_str().rsplit_once('/') {
                Some((package, _)) => format!("{package}/{file_name}"),
                None => file_name.to_string(),
            }
        });

        let mut interned = |found: &[JavaStr<'_>]| {
            let foreign = |name: &&JavaStr<'_>| **name != own && !is_of_jdk(**name);
            let found = found.iter().filter(foreign);
            let mut found: Vec<Name> = found.map(|name| names.intern(&name.to_str())).collect();
            found.sort_unstable();
            found.dedup();
            found
        };
        let annotations = interned(&annotations);
        let injected = interned(&injected);
        let mut in_order = Vec::new();
        for supertype in supertypes {
            in_order.extend(interned(&[supertype]));
        }
        let module = file.attributes.module(pool)?;
        let provides = module.iter().flat_map(|module| &module.provides);
        let provides = provides.flat_map(|provided| {
            let service = provided.service;
            provided
                .with
                .iter()
                .map(move |provider| (service, *provider))
        });
        let provides = provides
            .map(|(service, provider)| {
                let mut intern = |name: JavaStr<'_>| names.intern(&name.to_str());
                (intern(service), intern(provider))
            })
            .collect();
        let mut texts: Vec<Name> = texts.iter().map(|text| names.intern(text)).collect();
        texts.sort_unstable();
        texts.dedup();
        Ok(ClassFacts {
            name: names.intern(&own.to_str()),
            supertypes: in_order,
            mentions,
            texts,
            annotations,
            injected,
            provides,
            source,
            loads_by_name,
            has_constants,
            is_abstract: file.access.is_abstract(),
        })
    }
}

impl ClassFacts {
    /// The same in another collection of names; `moved` has the name there of each one here.
    pub fn moved(&mut self, moved: &[Name]) {
        let names = [&mut self.name].into_iter();
        let names = names.chain(&mut self.supertypes).chain(&mut self.mentions);
        let names = names.chain(&mut self.texts).chain(&mut self.annotations);
        let pairs = self
            .provides
            .iter_mut()
            .flat_map(|(service, provider)| [service, provider]);
        for name in names.chain(&mut self.injected).chain(pairs) {
            *name = moved[name.place()];
        }
    }
}

fn annotation_names<'a>(
    attributes: &Attributes<'a>,
    file: &ClassFile<'a>,
) -> Result<Vec<JavaStr<'a>>, Malformed> {
    let annotations = attributes.annotations(&file.pool)?;
    Ok(annotations
        .iter()
        .flat_map(|annotation| class_names_in(annotation.descriptor))
        .collect())
}

fn is_one_of(name: JavaStr<'_>, known: &[&str]) -> bool {
    known.iter().any(|one| name == **one)
}

/// Classes that no project can contain.
pub(crate) fn is_of_jdk(name: JavaStr<'_>) -> bool {
    name.as_bytes().starts_with(b"java/")
}

/// A text that could be a qualified name, in VM form.
fn class_name_in(text: &str) -> Option<String> {
    let is_part = |part: &str| {
        let mut letters = part.chars();
        letters
            .next()
            .is_some_and(|first| first.is_alphabetic() || first == '_' || first == '$')
            && letters.all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '$')
    };
    let qualified = text.contains(['.', '/']);
    (qualified && text.split(['.', '/']).all(is_part)).then(|| text.replace('.', "/"))
}

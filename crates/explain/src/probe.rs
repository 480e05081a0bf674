//! Calls that may show a difference which has no name of its own: a private field, the inside of a
//! nested object, the text that something stands for.
//!
//! Names only what looks as if it changed nothing; what a call really does, a trial has to show.

use jury_classfile::{ClassFile, Malformed};

use crate::accessibility::{CallGraph, Member};

/// Calls tried on one holder.
const MOST_PROBES: usize = 24;
/// Objects whose own observers are tried, for one holder.
const MOST_INNER: usize = 6;

/// Something in the code of a test that a call can be made on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    pub text: String,
    /// Its static type, as a descriptor.
    pub of: String,
    /// The field of it that differs, if it is known.
    pub field: Option<String>,
}

/// A call whose result may differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// As Java text.
    pub actual: String,
    /// The method that is called last.
    pub method: String,
    /// What methods are called on, from left to right.
    pub asked: Vec<String>,
}

impl Probe {
    fn new(asked: &[&str], method: &str) -> Self {
        Probe {
            actual: format!("{}.{method}()", asked.last().copied().unwrap_or_default()),
            method: method.to_owned(),
            asked: asked.iter().map(|each| (*each).to_owned()).collect(),
        }
    }

    /// A statement that makes the call, whatever comes of it.
    pub fn statement(&self) -> String {
        format!("try {{ {}; }} catch (Throwable unseen) {{ }}", self.actual)
    }
}

/// Calls on a holder that code in this package can make, the likeliest first.
pub fn probes(graph: &CallGraph, holder: &Holder, package: &str) -> Vec<Probe> {
    let text = &holder.text;
    let Some(class) = class_of(&holder.of) else {
        return of_an_array(holder).into_iter().collect();
    };
    let field = holder.field.as_deref().map(str::to_lowercase);
    let readers = match &holder.field {
        Some(field) => graph.readers(class, field, package),
        None => Vec::new(),
    };
    // The one that reads may override the one that the holder's type knows.
    let reads = |method: &Member| {
        readers
            .iter()
            .any(|reader| reader.name == method.name && reader.descriptor == method.descriptor)
    };
    let own = observers(graph, class, package, reads);
    let mut found: Vec<(bool, bool, usize, Probe)> = Vec::new();
    let mut inner = 0;
    for method in own {
        let actual = format!("{text}.{}()", method.name);
        let named = field
            .as_ref()
            .is_some_and(|field| method.name.to_lowercase().ends_with(field.as_str()));
        let probe = Probe::new(&[text], &method.name);
        found.push((!reads(method), !named, 1, probe));
        let result = method.descriptor.trim_start_matches("()");
        let Some(of) = class_of(result).filter(|of| graph.knows(of) && *of != class) else {
            continue;
        };
        if inner < MOST_INNER {
            inner += 1;
            let deeper = observers(graph, of, package, |_| false);
            found.extend(deeper.into_iter().map(|deep| {
                let probe = Probe::new(&[text, &actual], &deep.name);
                (!reads(method), !named, 2, probe)
            }));
        }
    }
    // Every object has a text, and that of containers and writers tells a lot.
    if !found
        .iter()
        .any(|(.., probe)| probe.actual == format!("{text}.toString()"))
    {
        let probe = Probe::new(&[text], "toString");
        found.push((true, true, 3, probe));
    }
    found.sort_by(|one, other| {
        let key = |each: &(bool, bool, usize, Probe)| (each.0, each.1, each.2);
        key(one).cmp(&key(other))
    });
    let probes = found.into_iter().map(|(.., probe)| probe);
    probes.take(MOST_PROBES).collect()
}

/// What stays in scope until the method on a line ends: its variables, and the fields of its class.
pub fn names_in_scope(file: &ClassFile<'_>, line: u16) -> Result<Vec<Holder>, Malformed> {
    let pool = &file.pool;
    let mut names = Vec::new();
    let mut add = |text: String, of: String| {
        if of.starts_with(['L', '[']) && of != "Ljava/lang/String;" {
            names.push(Holder {
                text,
                of,
                field: None,
            });
        }
    };
    for method in file
        .methods
        .iter()
        .filter(|each| !each.access.is_synthetic())
    {
        let Some(code) = method.code(pool)? else {
            continue;
        };
        let lines = code.line_numbers(pool)?.into_iter().map(|each| each.line);
        let (Some(first), Some(last)) = (lines.clone().min(), lines.max()) else {
            continue;
        };
        if !(first..=last).contains(&line) {
            continue;
        }
        for variable in code.local_variables(pool)? {
            let end = usize::from(variable.start) + usize::from(variable.length);
            if end == code.bytes.len() && variable.name != "this" {
                add(variable.name.to_string(), variable.type_text.to_string());
            }
        }
    }
    for field in file
        .fields
        .iter()
        .filter(|each| !each.access.is_synthetic())
    {
        let name = field.name(pool)?.to_string();
        add(name, field.descriptor(pool)?.to_string());
    }
    Ok(names)
}

fn class_of(descriptor: &str) -> Option<&str> {
    descriptor.strip_prefix('L')?.strip_suffix(';')
}

fn of_an_array(holder: &Holder) -> Option<Probe> {
    let method = match holder.of.strip_prefix('[')? {
        element if element.starts_with('[') => "deepToString",
        _ => "toString",
    };
    Some(Probe {
        actual: format!("java.util.Arrays.{method}({})", holder.text),
        method: method.to_owned(),
        asked: vec![holder.text.clone()],
    })
}

/// Methods without parameters that seem to change nothing.
fn observers<'g>(
    graph: &'g CallGraph,
    class: &str,
    package: &str,
    reads: impl Fn(&Member) -> bool,
) -> Vec<&'g Member> {
    let mut observers = graph.observers(class, package);
    observers.retain(|method| {
        asks(&method.name) || graph.is_accessor(method) || (reads(method) && !graph.writes(method))
    });
    // What a class declares again for its parent is the same call.
    let mut seen = std::collections::BTreeSet::new();
    observers.retain(|method| seen.insert(method.name.as_str()));
    observers
}

/// Whether a method's name asks for something.
fn asks(name: &str) -> bool {
    let begins = |word: &str| {
        name.strip_prefix(word)
            .is_some_and(|rest| rest.chars().next().is_none_or(char::is_uppercase))
    };
    [
        "get", "is", "has", "to", "as", "can", "size", "length", "count", "name",
    ]
    .into_iter()
    .any(begins)
        && !matches!(
            name,
            "getClass" | "getAndIncrement" | "getAndSet" | "hashCode"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_asks_or_acts() {
        for name in ["getVersion", "isEmpty", "size", "toString", "has", "length"] {
            assert!(asks(name), "{name}");
        }
        for name in ["next", "remove", "issue", "together", "getClass", "close"] {
            assert!(!asks(name), "{name}");
        }
    }

    #[test]
    fn arrays_and_strangers_are_known_by_their_text() {
        let graph = CallGraph::default();
        let check = |of: &str| {
            let holder = Holder {
                text: "x".into(),
                of: of.into(),
                field: None,
            };
            let found = probes(&graph, &holder, "a").into_iter();
            found.map(|probe| probe.actual).collect::<Vec<_>>()
        };
        assert_eq!(check("[I"), ["java.util.Arrays.toString(x)"]);
        assert_eq!(check("[[I"), ["java.util.Arrays.deepToString(x)"]);
        assert_eq!(check("Ljava/util/List;"), ["x.toString()"]);
        assert!(check("I").is_empty());
    }

    #[test]
    fn a_probe_makes_its_call_whatever_comes_of_it() {
        let probe = Probe::new(&["x", "x.get()"], "size");
        assert_eq!(
            probe.statement(),
            "try { x.get().size(); } catch (Throwable unseen) { }"
        );
    }
}

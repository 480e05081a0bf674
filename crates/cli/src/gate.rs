//! What a run of `jury mutate` has to pass: the section `[mutate]` of `jury.toml`, flags over it,
//! and the ratchet that writes tighter limits back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use jury_mutate::{Accepted, Limits, Metrics, Thresholds};
use jury_workflows::read_baseline;
use serde::{Deserialize, Deserializer};
use toml_edit::{DocumentMut, Item, Table, TableLike, value};

use crate::args::MutateArgs;
use crate::failure::Failure;
use crate::settings::{FILE_NAME, Place};

/// `[mutate]` in `jury.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct MutateFile {
    /// Ask all tests about every mutant.
    pub matrix: bool,
    #[serde(deserialize_with = "percent")]
    min_score: Option<f64>,
    #[serde(deserialize_with = "percent")]
    min_classic_score: Option<f64>,
    max_pseudo_tested: Option<u64>,
    /// The file of accepted findings, relative to the project.
    baseline: Option<PathBuf>,
    /// Limits of single modules, by path.
    modules: BTreeMap<String, ModuleFile>,
}

/// `[mutate.modules.NAME]` in `jury.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct ModuleFile {
    #[serde(deserialize_with = "percent")]
    min_score: Option<f64>,
    #[serde(deserialize_with = "percent")]
    min_classic_score: Option<f64>,
    max_pseudo_tested: Option<u64>,
}

impl MutateFile {
    pub fn limits(&self) -> Limits {
        let modules = self.modules.iter().map(|(name, module)| {
            let own = Thresholds {
                extreme_score: module.min_score,
                classic_score: module.min_classic_score,
                pseudo_tested: module.max_pseudo_tested,
            };
            (name.clone(), own)
        });
        Limits {
            general: Thresholds {
                extreme_score: self.min_score,
                classic_score: self.min_classic_score,
                pseudo_tested: self.max_pseudo_tested,
            },
            modules: modules.collect(),
        }
    }
}

/// A score as people write it.
pub fn parse_percent(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    check_percent(number)
}

fn check_percent(number: f64) -> Result<f64, String> {
    if (0.0..=100.0).contains(&number) {
        Ok(number)
    } else {
        Err(format!("`{number}` is not between 0 and 100"))
    }
}

fn percent<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    let number = f64::deserialize(from)?;
    check_percent(number)
        .map(Some)
        .map_err(serde::de::Error::custom)
}

/// What was asked for, settled before any work begins.
#[derive(Debug)]
pub struct GateSettings {
    pub limits: Limits,
    pub baseline: Option<(PathBuf, Accepted)>,
}

impl GateSettings {
    pub fn settle(args: &MutateArgs, place: &Place) -> anyhow::Result<Self> {
        let file = &place.file.mutate;
        let mut limits = file.limits();
        if args.ratchet && !limits.are_set() {
            let failure = Failure::usage("`--ratchet` finds no limits to raise");
            let hint = format!("set `min-score = 0` under `[mutate]` in {FILE_NAME} to begin with");
            return Err(failure.hint(hint).into());
        }
        if args.ratchet && !args.classes.is_empty() {
            let failure = Failure::usage("`--ratchet` needs a run over all classes");
            return Err(failure.hint("leave the class names out").into());
        }
        override_limits(&mut limits, args);
        let path = args.baseline.clone().or_else(|| {
            let inside = file.baseline.as_ref()?;
            Some(place.directory.join(inside))
        });
        Ok(GateSettings {
            limits,
            baseline: baseline(path, args.accept)?,
        })
    }
}

/// A flag holds for every module, whatever `jury.toml` says.
fn override_limits(limits: &mut Limits, args: &MutateArgs) {
    let all = std::iter::once(&mut limits.general).chain(limits.modules.values_mut());
    for thresholds in all {
        thresholds.extreme_score = args.min_score.or(thresholds.extreme_score);
        thresholds.pseudo_tested = args.max_pseudo_tested.or(thresholds.pseudo_tested);
    }
}

fn baseline(path: Option<PathBuf>, accept: bool) -> anyhow::Result<Option<(PathBuf, Accepted)>> {
    let Some(path) = path else {
        if accept {
            let failure = Failure::usage("`--accept` does not know which file to write");
            return Err(failure.hint("name it with --baseline").into());
        }
        return Ok(None);
    };
    match read_baseline(&path)? {
        Some(accepted) => Ok(Some((path, accepted))),
        None if accept => Ok(Some((path, Accepted::default()))),
        None => {
            let message = format!("there is no baseline `{}`", path.display());
            Err(Failure::usage(message).hint("--accept writes one").into())
        }
    }
}

/// Raises the limits in `jury.toml` to what was reached and says which. Comments and order stay.
pub fn ratchet(place: &Place, modules: &BTreeMap<String, Metrics>) -> anyhow::Result<Vec<String>> {
    let limits = place.file.mutate.limits();
    let tightened = limits.ratcheted(modules);
    if tightened == limits {
        return Ok(Vec::new());
    }
    let path = place.directory.join(FILE_NAME);
    let text = fs_err::read_to_string(&path)?;
    let mut document: DocumentMut = text
        .parse()
        .with_context(|| format!("failed to read `{}`", path.display()))?;
    let raised = rewrite(&mut document, &limits, &tightened)?;
    replace(&path, &document.to_string())?;
    Ok(raised)
}

fn rewrite(
    document: &mut DocumentMut,
    limits: &Limits,
    tightened: &Limits,
) -> anyhow::Result<Vec<String>> {
    let mut raised = Vec::new();
    let mutate = table(document.as_table_mut(), "mutate")?;
    write_limits(mutate, "", &limits.general, &tightened.general, &mut raised);
    for (module, own) in &tightened.modules {
        let before = limits.modules.get(module).copied().unwrap_or_default();
        if before != *own {
            let module_table = table(table(mutate, "modules")?, module)?;
            let prefix = format!("{module}: ");
            write_limits(module_table, &prefix, &before, own, &mut raised);
        }
    }
    Ok(raised)
}

fn write_limits(
    table: &mut dyn TableLike,
    prefix: &str,
    before: &Thresholds,
    now: &Thresholds,
    raised: &mut Vec<String>,
) {
    for (key, before, now) in [
        ("min-score", before.extreme_score, now.extreme_score),
        ("min-classic-score", before.classic_score, now.classic_score),
    ] {
        if let Some(score) = now.filter(|_| now != before) {
            put(table, key, value(score));
            raised.push(format!("{prefix}{key} = {score}"));
        }
    }
    let (key, count) = ("max-pseudo-tested", now.pseudo_tested);
    if let Some(count) = count.filter(|_| now.pseudo_tested != before.pseudo_tested) {
        put(table, key, value(i64::try_from(count).unwrap_or(i64::MAX)));
        raised.push(format!("{prefix}{key} = {count}"));
    }
}

/// Sets a value and keeps what stands around it, such as a comment on the same line.
fn put(table: &mut dyn TableLike, key: &str, mut item: Item) {
    let old = table.get(key).and_then(|old| old.as_value());
    if let (Some(old), Some(new)) = (old, item.as_value_mut()) {
        *new.decor_mut() = old.decor().clone();
    }
    table.insert(key, item);
}

/// The table of this name, made if there is none.
fn table<'t>(parent: &'t mut dyn TableLike, name: &str) -> anyhow::Result<&'t mut dyn TableLike> {
    let mut made = Table::new();
    // Without a header of its own unless it gets values.
    made.set_implicit(true);
    let item = parent.entry(name).or_insert(Item::Table(made));
    item.as_table_like_mut()
        .with_context(|| format!("`{name}` in {FILE_NAME} is no table"))
}

/// Replaces a file at once, so that an interruption leaves the old one.
fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let draft = path.with_extension("toml.new");
    fs_err::write(&draft, text)?;
    fs_err::rename(&draft, path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;

    fn file(text: &str) -> Result<MutateFile, toml::de::Error> {
        toml::from_str(text)
    }

    fn rewritten(text: &str, tighten: impl FnOnce(&mut Limits)) -> (String, Vec<String>) {
        let mut document: DocumentMut = text.parse().unwrap();
        let file: toml::Table = toml::from_str(text).unwrap();
        let limits = MutateFile::deserialize(file["mutate"].clone())
            .unwrap()
            .limits();
        let mut tightened = limits.clone();
        tighten(&mut tightened);
        let raised = rewrite(&mut document, &limits, &tightened).unwrap();
        (document.to_string(), raised)
    }

    #[test]
    fn a_score_above_a_hundred_is_refused() {
        let error = file("min-score = 101").unwrap_err().to_string();
        assert!(error.contains("`101` is not between 0 and 100"), "{error}");
        assert_eq!(file("min-score = 80").unwrap().min_score, Some(80.0));
        assert!(parse_percent("NaN").is_err());
    }

    #[test]
    fn a_flag_beats_the_limits_of_every_module() {
        let mut limits = file("min-score = 50\n[modules.core]\nmin-score = 90\n")
            .unwrap()
            .limits();
        let cli = Cli::try_parse_from(["jury", "mutate", "--min-score", "70"]).unwrap();
        let Command::Mutate(args) = cli.command else {
            panic!("another command");
        };
        override_limits(&mut limits, &args);
        assert_eq!(limits.of("core").extreme_score, Some(70.0));
        assert_eq!(limits.of("app").extreme_score, Some(70.0));
    }

    #[test]
    fn the_ratchet_keeps_comments_and_other_settings() {
        let text = "jobs = 2 # small machine\n\n[mutate]\nmin-score = 50 # for now\n";
        let (text, raised) = rewritten(text, |limits| limits.general.extreme_score = Some(66.6));
        assert_eq!(
            text,
            "jobs = 2 # small machine\n\n[mutate]\nmin-score = 66.6 # for now\n"
        );
        assert_eq!(raised, ["min-score = 66.6"]);
    }

    #[test]
    fn the_ratchet_gives_a_module_limits_of_its_own() {
        let (text, raised) = rewritten("[mutate]\nmax-pseudo-tested = 9\n", |limits| {
            let own = Thresholds {
                pseudo_tested: Some(3),
                ..Thresholds::default()
            };
            limits.modules.insert("a/core".into(), own);
        });
        assert_eq!(
            text,
            "[mutate]\nmax-pseudo-tested = 9\n\n[mutate.modules.\"a/core\"]\nmax-pseudo-tested = 3\n"
        );
        assert_eq!(raised, ["a/core: max-pseudo-tested = 3"]);
    }
}

//! What can be typed. What it means is settled in `settings`.

use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use jury_explain::Symptom;
use jury_mutate::Shard;

use crate::gate::parse_percent;

const EXIT_CODES: &str = "\
Exit codes:
    0  clean
    1  findings, or tests failed
    2  wrong usage
    3  the baseline is not green, so there is no verdict
    4  the build or the environment is broken
   70  a defect in Jury
  130  interrupted; what was learnt is kept";

/// Puts a JVM project's tests on trial.
///
/// Jury watches your own build once, without an edit to any build file, and remembers every test
/// and how its JVM was launched. From then on it runs tests by itself, warm.
#[derive(Debug, Parser)]
#[command(name = "jury", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub struct Cli {
    #[command(flatten)]
    pub global: GlobalArgs,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Args)]
pub struct GlobalArgs {
    /// Work on the project in this directory.
    #[arg(short = 'C', long = "directory", global = true, value_name = "DIR")]
    pub directory: Option<PathBuf>,
    /// How to answer: every command can do so for people and in JSON, those with larger reports in
    /// other formats, too.
    #[arg(
        long,
        global = true,
        value_enum,
        env = "JURY_FORMAT",
        default_value = "human"
    )]
    pub format: Format,
    /// Also write the answer, in the chosen format, to this file; the terminal keeps the human text.
    #[arg(long, global = true, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// When to use colours; `auto` follows the terminal and NO_COLOR.
    #[arg(
        long,
        global = true,
        value_enum,
        env = "JURY_COLOR",
        default_value = "auto"
    )]
    pub color: Color,
    /// Keep evidence here instead of in `.jury` in the project.
    #[arg(long, global = true, value_name = "DIR", env = "JURY_STATE_DIR")]
    pub state_dir: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    Json,
    Html,
    Markdown,
    Sarif,
    PitXml,
    MethodsJson,
    ElementsJson,
    Csv,
    IssueJson,
    Dot,
}

impl Format {
    /// The word on the command line.
    pub fn word(self) -> String {
        // ok: no format is hidden.
        let value = self.to_possible_value();
        value.map_or(String::new(), |value| value.get_name().to_owned())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Test(TestArgs),
    Why(WhyArgs),
    Audit(AuditArgs),
    Replay(ReplayArgs),
    Flaky(FlakyArgs),
    Tests(TestsArgs),
    Mutate(MutateArgs),
    Impact(ImpactArgs),
    History(HistoryArgs),
    Explain(ExplainArgs),
    Hook(HookArgs),
    Report(ReportArgs),
    /// Say what is missing or odd in the set-up, and how to mend it.
    ///
    /// Starts each JDK it finds with the agent. Nothing is built, and no test runs.
    Doctor,
    Clean(CleanArgs),
    Demo(DemoArgs),
    Completions(CompletionsArgs),
}

impl TestArgs {
    /// Two options that contradict each other, if any do. Some may come from the environment, where
    /// clap would take `0` for a contradiction, too.
    pub fn contradiction(&self) -> Option<(&'static str, &'static str)> {
        let all = ("--all", self.all);
        let failing = ("--failing", self.failing);
        let dry_run = ("--dry-run", self.dry_run);
        let bypass = ("--bypass", self.bypass);
        let collect_only = ("--collect-only", self.collect_only);
        let statically = ("--static", self.statically);
        let pairs = [
            (failing, all),
            (bypass, dry_run),
            (bypass, collect_only),
            (collect_only, all),
            (collect_only, failing),
            (statically, all),
            (statically, dry_run),
            (statically, failing),
        ];
        let asked = pairs
            .into_iter()
            .find(|((_, one), (_, other))| *one && *other);
        asked.map(|((one, _), (other, _))| (one, other))
    }
}

impl Command {
    /// Whether the command has an answer in this format.
    pub fn answers_in(&self, format: Format) -> bool {
        match (self, format) {
            (_, Format::Human | Format::Json) => true,
            (Command::Impact(args), Format::Dot) => args.part == Some(ImpactPart::Graph),
            (Command::Report(_), Format::Html | Format::Markdown) => true,
            (Command::Mutate(_), format) => format != Format::Dot,
            (Command::Explain(args), Format::Html | Format::Markdown | Format::Sarif) => {
                args.verify.is_none()
            }
            _ => false,
        }
    }
}

/// Run the tests that a change can affect, through your own build.
///
/// Runs the project's test command (Maven, Gradle or Ant are recognised; anything else goes after
/// `--`) with Jury's agent injected from outside. Test classes that used nothing that has changed
/// are left out. The build's output is passed on as it is; if nothing at all has changed, no build is
/// started.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  jury test                          # mvn test, ./mvnw test, ./gradlew test or ant test
  jury test --explain                # and why each test class ran
  jury test --dry-run                # only what would run, and for how long
  jury test --all                    # everything
  jury test --since main             # and all that this branch can affect, green or not
  jury test --static --since main    # by class files alone, where nothing is known yet
  jury test --failing                # only what failed last
  jury test --exclude Slow --exclude 'com.shop.it.*'
  jury test --collect later          # the answer first, the bookkeeping after it
  jury test --module core            # only one module, and what it needs
  jury test -- mvn -q verify         # any command that runs tests
  jury test -- java -jar junit-platform-console-standalone.jar execute --scan-class-path -cp out
  jury test --format json --output run.json")]
pub struct TestArgs {
    /// Only this module (its path within the project).
    #[arg(long, value_name = "MODULE", env = "JURY_MODULE")]
    pub module: Option<String>,
    /// Run every test, whatever has changed.
    #[arg(long, env = "JURY_ALL", value_parser = FalseyValueParser::new())]
    pub all: bool,
    /// Also run test classes that use anything that changed since this git revision, in commits or
    /// in the working tree, although they were green since. With `--static`, take all tests to have
    /// passed at that revision, and leave out those that no change since can reach.
    #[arg(long, value_name = "REV")]
    pub since: Option<String>,
    /// Run only the test classes that failed when they last ran.
    #[arg(long, env = "JURY_FAILING", value_parser = FalseyValueParser::new())]
    pub failing: bool,
    /// Test classes not to run, whatever has changed: a part of their names, with `*` for anything;
    /// may be repeated.
    #[arg(
        long,
        value_name = "CLASS",
        env = "JURY_EXCLUDE",
        value_delimiter = ','
    )]
    pub exclude: Vec<String>,
    /// Say of each test class why it ran.
    #[arg(long, env = "JURY_EXPLAIN", value_parser = FalseyValueParser::new())]
    pub explain: bool,
    /// Stop the build at the first red test.
    #[arg(long, env = "JURY_FAIL_FAST", value_parser = FalseyValueParser::new())]
    pub fail_fast: bool,
    /// Only say which test classes would run, and why; nothing is built or run.
    #[arg(long, env = "JURY_DRY_RUN", value_parser = FalseyValueParser::new())]
    pub dry_run: bool,
    /// Run the test command as it is, without Jury: nothing is watched, learnt or left out.
    #[arg(long, env = "JURY_BYPASS", value_parser = FalseyValueParser::new())]
    pub bypass: bool,
    /// Run the test classes of which it is not known what they use now, only to find that out: red
    /// tests are no finding.
    #[arg(long, env = "JURY_COLLECT_ONLY", value_parser = FalseyValueParser::new())]
    pub collect_only: bool,
    /// When to find out what tests use: in every run, in every n-th (`sparse`), in a second run after
    /// the answer (`later`), or never. What is not collected is never taken as unchanged.
    #[arg(long, value_enum, env = "JURY_COLLECT")]
    pub collect: Option<Collect>,
    /// With `--collect sparse`, collect in every N-th run [default: 10].
    #[arg(long, value_name = "N", env = "JURY_COLLECT_EVERY",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub collect_every: Option<u32>,
    /// Judge by class files alone instead of by what tests were seen to use: leave out test classes
    /// that passed before with the very same classes within their reach.
    #[arg(long = "static")]
    pub statically: bool,
    /// With `--static`, files that no test reads: a part of their paths, with `*` for anything; may
    /// be repeated.
    #[arg(long, value_name = "PATH", requires = "statically")]
    pub unread: Vec<String>,
    /// Run red tests again, through the build, up to N times; one that then passes is flaky, and is no
    /// finding.
    #[arg(long, value_name = "N", env = "JURY_RETRIES")]
    pub retries: Option<u32>,
    #[command(flatten)]
    pub selection: SelectionArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// The test command, if it is not the usual one.
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
}

#[derive(Debug, Args)]
pub struct SelectionArgs {
    /// Test classes to run whatever has changed: a part of their names, with `*` for anything; may
    /// be repeated.
    #[arg(
        long,
        value_name = "CLASS",
        env = "JURY_ALWAYS_RUN",
        value_delimiter = ','
    )]
    pub always_run: Vec<String>,
    /// Leave out unaffected tests although they do this, which Jury cannot see through; may be
    /// repeated.
    #[arg(
        long,
        value_name = "WHAT",
        value_enum,
        env = "JURY_TRUST",
        value_delimiter = ','
    )]
    pub trust: Vec<Trust>,
    /// Compare class files byte by byte, debug information included.
    #[arg(long, env = "JURY_PLAIN_CHECKSUM", value_parser = FalseyValueParser::new())]
    pub plain_checksum: bool,
    /// Select whole test classes, or single test methods where these do not depend on each other.
    #[arg(long, value_name = "UNIT", value_enum, env = "JURY_GRANULARITY")]
    pub granularity: Option<Granularity>,
    /// Leave tests that the build runs inside Maven's own JVM (`forkCount` 0) where they are,
    /// unwatched, instead of having a JVM forked for them.
    #[arg(long, env = "JURY_KEEP_IN_PROCESS", value_parser = FalseyValueParser::new())]
    pub keep_in_process: bool,
    /// Make every N-th run an audit, as `jury audit` does.
    #[arg(long, value_name = "N", env = "JURY_AUDIT_EVERY",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub audit_every: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Granularity {
    #[default]
    Class,
    Method,
    /// Methods where they save a tenth of the time or more.
    Auto,
}

/// Where evidence is shared with other machines.
#[derive(Debug, Args)]
pub struct CacheArgs {
    /// Share evidence with other machines through `file:///DIR`, `redis://HOST:PORT` or
    /// `s3://BUCKET/PREFIX`; an empty address means none.
    #[arg(long, value_name = "URL", env = "JURY_CACHE")]
    pub cache: Option<String>,
    /// Only read from the shared cache, as in builds of strangers' changes.
    #[arg(long, env = "JURY_CACHE_READ_ONLY", value_parser = FalseyValueParser::new())]
    pub cache_read_only: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Collect {
    Always,
    Sparse,
    Later,
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trust {
    ChildProcess,
    Network,
    NativeLibrary,
}

/// Say why test classes would run, or be left out, if the tests were run now.
///
/// Compares what each test class used with the classes and files as they are. Compile first if you
/// changed sources.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  jury why                           # every known test class
  jury why BasketTest                # those whose name contains this
  jury why --format json | jq -r '.units[] | select(.would_run) | .class'")]
pub struct WhyArgs {
    /// Parts of names of test classes, with `*` for anything.
    #[arg(value_name = "TEST")]
    pub patterns: Vec<String>,
    #[command(flatten)]
    pub selection: SelectionArgs,
    /// The test command, if it is not that of the latest run.
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
}

/// Run everything, and prove that nothing would have been missed.
///
/// Every test class runs. Those that `jury test` would have left out must end as they were known to;
/// one that does not is named, and Jury ends with exit code 1.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// Only this module (its path within the project).
    #[arg(long, value_name = "MODULE")]
    pub module: Option<String>,
    #[command(flatten)]
    pub selection: SelectionArgs,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// The test command, if it is not the usual one.
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
}

/// Run known tests again, warm and without the build tool, and compare with the build.
///
/// Worker JVMs are started from the recipes that `jury test` recorded: same JDK, class path, flags,
/// properties, environment and working directory. Recompile first if you changed sources.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  jury replay                        # everything, in parallel
  jury replay BasketTest             # tests whose class or method matches
  jury replay 'com.shop.*#total*' -j 1
  jury replay BasketTest --repeat 20 # twenty rounds in warm JVMs
  jury replay --in-order com.shop.TaxTest com.shop.BasketTest
  jury replay --env TZ=Asia/Tokyo    # does any outcome hang on the time zone?")]
pub struct ReplayArgs {
    /// Tests to run: part of a label such as `BasketTest#adds`, with `*` for anything.
    #[arg(value_name = "TEST")]
    pub patterns: Vec<String>,
    /// Only tests of this module.
    #[arg(long, value_name = "MODULE")]
    pub module: Option<String>,
    /// How many worker JVMs to use [default: one for each processor].
    #[arg(short = 'j', long, value_name = "N", env = "JURY_JOBS")]
    pub jobs: Option<usize>,
    /// Run the classes that are named in the order given, in one JVM if they share one; a name is then
    /// that of a class, in full.
    #[arg(long, requires = "patterns")]
    pub in_order: bool,
    /// Run everything this many times in the same JVMs.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub repeat: usize,
    /// Seconds a test may take [default: 20 times its recorded time, at least 60].
    #[arg(long, value_name = "SECONDS", env = "JURY_TEST_TIMEOUT")]
    pub test_timeout: Option<u64>,
    /// Set a variable in the environment of the tests, over what the build had; may be repeated.
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = variable)]
    pub environment: Vec<(String, String)>,
}

/// Find tests that do not always end in the same way, and say whom they depend on.
///
/// Runs known tests again and again in fresh JVMs: in the order of the build, reversed, shuffled, and
/// suspects alone. A test that ends in more than one way in the same order is unsteady; one that is red only
/// after certain others, or only without them, depends on the order, and those others are found by halving.
/// What is flaky is remembered: `jury test` never relies on it, and `jury mutate` keeps it out of verdicts.
/// Nothing is built; recompile first if you changed sources.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  jury flaky                         # every test, in five rounds of each kind
  jury flaky --rounds 20 --seed 7    # longer, and in other orders
  jury flaky BasketTest              # only these are judged; others run before them
  jury flaky --isolate               # every class alone, too
  jury flaky --format json --output flaky.json")]
pub struct FlakyArgs {
    /// Tests to judge: part of a label such as `BasketTest#adds`, with `*` for anything.
    #[arg(value_name = "TEST")]
    pub patterns: Vec<String>,
    /// Only tests of this module.
    #[arg(long, value_name = "MODULE")]
    pub module: Option<String>,
    /// How often the order of the build is run, and how many shuffled orders are.
    #[arg(long, value_name = "N", env = "JURY_ROUNDS", default_value_t = 5,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// What orders are shuffled by; equal seeds give equal orders.
    #[arg(long, value_name = "N", env = "JURY_SEED", default_value_t = 1)]
    pub seed: u64,
    /// Run every class in a JVM of its own, too, not only those of suspects.
    #[arg(long)]
    pub isolate: bool,
    /// How many worker JVMs to use at once. Tests of several JVMs may get in each other's way; what is red
    /// only then does not count.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    pub jobs: usize,
    /// Seconds a test may take [default: 20 times its recorded time, at least 60].
    #[arg(long, value_name = "SECONDS", env = "JURY_TEST_TIMEOUT")]
    pub test_timeout: Option<u64>,
}

/// List the tests that Jury knows, with their latest outcome.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  jury tests                         # all of them
  jury tests 'core*#*Empty*'
  jury tests --format json | jq '.tests[] | select(.outcome != \"passed\") | .label'")]
pub struct TestsArgs {
    /// Part of a label such as `BasketTest#adds`, with `*` for anything.
    #[arg(value_name = "TEST")]
    pub patterns: Vec<String>,
    /// Only tests of this module.
    #[arg(long, value_name = "MODULE")]
    pub module: Option<String>,
}

/// Find code that tests execute but do not check.
///
/// Throws method bodies away, one at a time, and runs the tests that execute them. A method whose
/// body nobody misses is pseudo-tested. The classic engine changes single instructions instead: `<`
/// becomes `<=`, a call is left out, another value is returned. Needs the evidence of a green `jury test`; compile first
/// if you changed sources since.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  jury mutate                        # all classes of the project
  jury mutate Basket com.shop.tax    # classes whose name contains one of these
  jury mutate --operators 'void,null,true,false,0,1,\"\"'
  jury mutate --include to_string,hash_code
  jury mutate --engine classic --mutators math,void_calls
  jury mutate --format html --output mutants.html
  jury mutate --min-score 80 --max-pseudo-tested 3
  jury mutate --baseline accepted.txt --accept   # what is known now is accepted,
  jury mutate --baseline accepted.txt            # and only what is new fails")]
pub struct MutateArgs {
    /// Parts of class names, or all of one with `*` for any text; every class if there are none.
    #[arg(value_name = "CLASS")]
    pub classes: Vec<String>,
    /// How many worker JVMs to use [default: one for each processor].
    #[arg(short = 'j', long, value_name = "N", env = "JURY_JOBS")]
    pub jobs: Option<usize>,
    /// Only methods that changed since this git revision, in commits or in the working tree, and
    /// those whose tests did.
    #[arg(long, value_name = "REV")]
    pub diff: Option<String>,
    /// Only one part of the mutants, such as `2/4`, for several machines to share the work.
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// First take over what other runs have learnt, such as the shards: their `.jury` directories.
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["shard", "fresh"])]
    pub merge: Vec<PathBuf>,
    /// Try everything again instead of relying on what earlier runs have learnt.
    #[arg(long)]
    pub fresh: bool,
    /// Try every mutant that nobody noticed once more, alone in a fresh JVM, not only where a warm
    /// one may have hidden it.
    #[arg(long)]
    pub confirm: bool,
    /// Ask every test that runs a mutated method about every mutant of it, not only until one
    /// notices it, and say which tests are redundant. Takes several times as long.
    #[arg(long, env = "JURY_MATRIX", value_parser = FalseyValueParser::new())]
    pub matrix: bool,
    #[command(flatten)]
    pub mutants: MutantArgs,
    /// Fail if a module's mutation score is below this.
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub min_score: Option<f64>,
    /// Fail if a module has more pseudo-tested methods than this.
    #[arg(long, value_name = "N")]
    pub max_pseudo_tested: Option<u64>,
    /// Fail on unnoticed mutants only if this file does not list them.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write everything unnoticed to the baseline; reasons given there are kept.
    #[arg(long)]
    pub accept: bool,
    /// After a run that passes, raise the limits in `jury.toml` to what was reached.
    #[arg(long)]
    pub ratchet: bool,
}

/// Which mutants there are.
#[derive(Debug, Args)]
pub struct MutantArgs {
    /// What is changed: whole method bodies, single instructions, or both in turn.
    #[arg(long, value_enum, env = "JURY_ENGINE", default_value = "extreme")]
    pub engine: Engine,
    /// What the classic engine does: groups (`defaults`, `stronger`, `all`) or operators such as
    /// `math`, `negate_conditionals` or `void_calls`.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "defaults"
    )]
    pub mutators: Vec<String>,
    /// What bodies are replaced by: presets (`default`, `study`, `all`) or a list such as
    /// `void,null,empty,true,0,(short)1,2L,3.0f,'a',\"text\"`.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "default"
    )]
    pub operators: Vec<String>,
    /// Kinds of methods to put on trial although they are left out by default, such as `to_string`
    /// or `getter`; `all` for every kind, `study` for those of the published study, `not_null` to
    /// return null despite `@NotNull`.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub include: Vec<String>,
    /// Kinds of methods to leave out although they are put on trial by default: `short` (fewer than
    /// five lines) and `lambda`.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub skip: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    Extreme,
    Classic,
    Both,
}

/// Show what a change can reach, from class files alone; nothing is run.
///
/// Every class that leads to a changed one, however indirectly, is impacted: by references,
/// inheritance, names in texts, services and injection. Classes must have been compiled.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  jury impact                            # since the last `jury test`
  jury impact tests --since main         # test classes that lead to what changed since main
  jury impact graph --format dot         # for Graphviz
  jury impact --since old.jar --classes new.jar
  jury impact tests --methods --since old-classes --classes target/classes target/test-classes")]
pub struct ImpactArgs {
    /// Only this: what changed, all that is impacted, impacted test classes, or the whole graph.
    #[arg(value_enum)]
    pub part: Option<ImpactPart>,
    /// Compare with this: a git revision, `last` for the last `jury test`, or directories or jars
    /// of class files.
    #[arg(long, value_name = "REV|last|PATH", num_args = 1..)]
    pub since: Vec<String>,
    /// Look at these directories or jars instead of the project's classes.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub classes: Vec<PathBuf>,
    /// Put the classes of libraries into the graph too.
    #[arg(long)]
    pub libraries: bool,
    /// Look at methods too, which leads to fewer tests and takes longer; both are said.
    #[arg(long)]
    pub methods: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ImpactPart {
    Changed,
    Impacted,
    Tests,
    Graph,
}

/// Show how a repository's commits came about, and what to run at its merges.
///
/// Counts merges, rebases, cherry-picks and reverts, and tells merges that were edited. At revisions
/// whose classes were noted, says what the published options would select (S1, Sk, S0) and what
/// evidence would.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  jury history                       # everything that leads to HEAD
  jury history v1.0..main
  jury history --note                # remember the classes as they are now as those of HEAD")]
pub struct HistoryArgs {
    /// A revision, or a range of them.
    #[arg(value_name = "REV|RANGE", default_value = "HEAD")]
    pub range: String,
    /// Remember what each test class leads to in the classes as they are now, for the commit that is
    /// checked out.
    #[arg(long, conflicts_with = "range")]
    pub note: bool,
    /// How many new tests of a hundred are many, which the published heuristic takes Sk for.
    #[arg(long, value_name = "PERCENT", default_value_t = 10)]
    pub many_new_tests: usize,
    /// How many commits make a short branch, which the published heuristic takes S1 for.
    #[arg(long, value_name = "COMMITS", default_value_t = 2)]
    pub short_branch: usize,
}

/// Explain why mutants went unnoticed, and what to do about each.
///
/// For each mutant that `jury mutate` leaves alive, tells where the chain from the change to a
/// failing assertion broke: no test reaches the code (not-reached), nothing differs after any call
/// (no-infection), the difference is lost on its way to the test (no-propagation), or the test
/// could see it and does not look (weak-oracle).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  jury explain                       # every unnoticed mutant of the project
  jury explain Basket                # those in classes whose name contains this
  jury explain --only weak-oracle    # where an assertion is missing
  jury explain --mutant 'Basket#total()'
  jury explain --apply               # write the assertions that were proven
  jury explain --depth 3             # look into nested objects and collections
  jury explain --format html --output explained.html
  jury explain --format json --output explained.json
  jury explain --verify explained.json   # after new tests: what is solved?")]
pub struct ExplainArgs {
    /// Parts of class names, or all of one with `*` for any text; every class if there are none.
    #[arg(value_name = "CLASS")]
    pub classes: Vec<String>,
    /// Only mutants whose id contains this; may be repeated.
    #[arg(long = "mutant", value_name = "ID")]
    pub ids: Vec<String>,
    /// Only these symptoms: `weak-oracle`, `no-propagation`, `no-infection`, `not-reached`; with
    /// `--stage infection` also `infected`.
    #[arg(long, value_name = "SYMPTOMS", value_delimiter = ',')]
    pub only: Vec<Symptom>,
    /// Say which mutants of an earlier JSON answer a test notices now.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["classes", "ids", "only", "apply", "runs", "depth", "stage", "every_place"])]
    pub verify: Option<PathBuf>,
    /// Write the proven assertions into the tests.
    #[arg(long)]
    pub apply: bool,
    /// How often each version is run at most, to tell what varies by itself; three times are enough
    /// where nothing does.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub runs: usize,
    /// How many fields deep objects are looked at; from 2 on, elements of arrays and collections
    /// count, too.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=6))]
    pub depth: u32,
    /// The last stage to run: does something differ after a call (`infection`), could a test see it
    /// (`propagation`), what could be asserted (`hints`).
    #[arg(long, value_name = "STAGE", value_enum, default_value = "hints")]
    pub stage: Stage,
    /// Name every expression that differs in every test, instead of the fittest in each of a few tests.
    #[arg(long)]
    pub every_place: bool,
    /// How many worker JVMs to use [default: one for each processor].
    #[arg(short = 'j', long, value_name = "N", env = "JURY_JOBS")]
    pub jobs: Option<usize>,
    #[command(flatten)]
    pub mutants: MutantArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    Infection,
    Propagation,
    Hints,
}

/// Run affected tests before each `git push`.
///
/// Installs a pre-push hook that runs `jury test --since` what the remote has. A hook that is not
/// Jury's is left alone.
#[derive(Debug, Args)]
pub struct HookArgs {
    #[arg(value_enum)]
    pub action: HookAction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HookAction {
    Install,
    Remove,
}

/// Show what the last runs of `jury test` ran and left out, and why.
///
/// Every test class of the newest run with the reason why it ran or was left out, and the time that
/// each of the last runs saved.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  jury report
  jury report --format html --output report.html
  jury report --format markdown      # for a pull request")]
pub struct ReportArgs {
    /// How many runs to look back over.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub runs: usize,
}

/// Remove what Jury has learnt about this project.
#[derive(Debug, Args)]
pub struct CleanArgs {
    /// Also remove unpacked agents from the user's cache, unless a running Jury uses them.
    #[arg(long)]
    pub cache: bool,
}

/// A tour of Jury on a small bundled Maven project.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Put the sample project here and keep it.
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
}

/// Print a completion script for your shell.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  jury completions bash > ~/.local/share/bash-completion/completions/jury
  jury completions zsh  > ~/.zfunc/_jury
  jury completions fish > ~/.config/fish/completions/jury.fish")]
pub struct CompletionsArgs {
    #[arg(value_enum)]
    pub shell: Shell,
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected a name, `=` and a value".to_owned()),
    }
}

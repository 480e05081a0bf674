//! Builds what the binary carries: the agent with a nested `cargo build` (stable Cargo has no other
//! way to embed a `cdylib` of the same workspace) and the harness with the JDK's `javac`.

use std::env;
use std::error::Error;
use std::fs;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The crates whose change must rebuild the agent.
const AGENT_CRATES: [&str; 6] = [
    "agent",
    "classfile",
    "instrument",
    "jvmti",
    "model",
    "protocol",
];

fn main() -> Result<()> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let crates = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("..");
    let agent = build_agent(&crates, &out)?;
    let harness = crates.join("../harness");
    let jar = build_boot_jar(&harness, &out)?;
    pack_demo(&crates.join("../samples/demo"), &out)?;

    let mut digest = blake3::Hasher::new();
    digest
        .update(&fs::read(out.join(&agent))?)
        .update(&fs::read(jar)?)
        .update(&fs::read(harness.join("gradle/jury.init.gradle"))?);
    println!("cargo::rustc-env=JURY_AGENT_FILE={agent}");
    println!(
        "cargo::rustc-env=JURY_BUNDLE_DIGEST={}",
        &digest.finalize().to_hex()[..16]
    );
    Ok(())
}

/// Returns the file name of the library, which lies in `out`.
fn build_agent(crates: &Path, out: &Path) -> Result<String> {
    for name in AGENT_CRATES {
        println!(
            "cargo::rerun-if-changed={}",
            crates.join(name).join("src").display()
        );
        println!(
            "cargo::rerun-if-changed={}",
            crates.join(name).join("Cargo.toml").display()
        );
    }
    let target = shared_target(out).join("agent");
    let status = Command::new(env::var("CARGO")?)
        .args(["build", "--release", "--lib", "--manifest-path"])
        .arg(crates.join("agent/Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        // The outer build's wrappers and flags (clippy, coverage) must not reach the agent.
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("RUSTC_WRAPPER")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET")
        .env("CARGO_PROFILE_RELEASE_STRIP", "true")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .status()?;
    if !status.success() {
        return Err("the agent does not compile; see the output above".into());
    }
    let file = format!(
        "{}jury_agent{}",
        env::consts::DLL_PREFIX,
        env::consts::DLL_SUFFIX
    );
    fs::copy(target.join("release").join(&file), out.join(&file))?;
    Ok(file)
}

/// The outer build's target directory, marked as such by Cargo: clippy, tests and the release, each of
/// which runs this program, compile the agent once. Else the directory that is ours alone.
fn shared_target(out: &Path) -> &Path {
    let marked = |directory: &&Path| directory.join("CACHEDIR.TAG").is_file();
    out.ancestors().find(marked).unwrap_or(out)
}

fn build_boot_jar(harness: &Path, out: &Path) -> Result<PathBuf> {
    println!("cargo::rerun-if-changed={}", harness.display());
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    let (boot, stubs, adapters) = (out.join("boot"), out.join("stubs"), out.join("adapters"));
    compile_java(&harness.join("boot"), &[], &boot)?;
    compile_java(&harness.join("stubs"), &[], &stubs)?;
    compile_java(&harness.join("adapters"), &[&boot, &stubs], &adapters)?;

    let path = out.join("jury-boot.jar");
    let mut jar = zip::ZipWriter::new(fs::File::create(&path)?);
    // The adapters are resources of the jar, not classes of the boot loader, which cannot see the
    // test frameworks they extend.
    add_tree(&mut jar, &boot, "")?;
    add_tree(&mut jar, &adapters, "adapters/")?;
    jar.finish()?;
    Ok(path)
}

fn pack_demo(sample: &Path, out: &Path) -> Result<()> {
    println!("cargo::rerun-if-changed={}", sample.display());
    let mut archive = zip::ZipWriter::new(fs::File::create(out.join("demo.zip"))?);
    add_tree(&mut archive, sample, "")?;
    archive.finish()?;
    Ok(())
}

fn compile_java(sources: &Path, class_path: &[&Path], classes: &Path) -> Result<()> {
    if classes.exists() {
        fs::remove_dir_all(classes)?;
    }
    fs::create_dir_all(classes)?;
    let javac = match env::var_os("JAVA_HOME") {
        Some(home) => Path::new(&home).join("bin/javac"),
        None => PathBuf::from("javac"),
    };
    let files = files_below(sources)?;
    // JDKs drop support for the oldest release one by one; the lowest that works is the best.
    let mut complaint = String::new();
    for release in ["8", "11", "17"] {
        let mut command = Command::new(&javac);
        command.args([
            "--release",
            release,
            "-encoding",
            "UTF-8",
            "-nowarn",
            "-Xlint:-options",
        ]);
        command.args(["-g", "-d"]).arg(classes);
        if !class_path.is_empty() {
            command.arg("-cp").arg(env::join_paths(class_path)?);
        }
        let output = command.args(&files).output().map_err(|error| {
            format!(
                "cannot run `{}` ({error}); install a JDK or set JAVA_HOME to one",
                javac.display()
            )
        })?;
        if output.status.success() {
            return Ok(());
        }
        complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        if !complaint.contains("release version") {
            break;
        }
    }
    Err(format!("the harness does not compile:\n{complaint}").into())
}

/// All files below a directory, in a stable order so that equal sources make an equal jar.
fn files_below(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        // What a build leaves behind in a sample is not part of it.
        if path.ends_with("target") || path.ends_with(".jury") {
            continue;
        }
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn add_tree<W: Write + Seek>(
    jar: &mut zip::ZipWriter<W>,
    directory: &Path,
    prefix: &str,
) -> Result<()> {
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default());
    for file in files_below(directory)? {
        let name = file
            .strip_prefix(directory)?
            .to_string_lossy()
            .replace('\\', "/");
        jar.start_file(format!("{prefix}{name}"), options)?;
        jar.write_all(&fs::read(&file)?)?;
    }
    Ok(())
}

//! What Jury carries inside its own binary: the agent library, the boot jar with the harness, a
//! script for Gradle and the sample project of the demo. The build script makes what is not plain
//! text, so that installing Jury is copying one file.
//!
//! Unpacking them is `jury-jvm`'s job; this crate holds bytes and nothing else.

/// A file that travels inside the binary.
#[derive(Debug, Clone, Copy)]
pub struct Carried {
    pub file_name: &'static str,
    pub bytes: &'static [u8],
}

/// The JVMTI agent, a shared library.
pub const AGENT: Carried = Carried {
    file_name: env!("JURY_AGENT_FILE"),
    bytes: include_bytes!(concat!(env!("OUT_DIR"), "/", env!("JURY_AGENT_FILE"))),
};

/// Hooks, transport and harness, put on the boot class path by the agent.
pub const BOOT_JAR: Carried = Carried {
    file_name: "jury-boot.jar",
    bytes: include_bytes!(concat!(env!("OUT_DIR"), "/jury-boot.jar")),
};

/// What Gradle is told on top of a project's own build files.
pub const GRADLE_SCRIPT: Carried = Carried {
    file_name: "jury.init.gradle",
    bytes: include_bytes!("../../../harness/gradle/jury.init.gradle"),
};

/// The sample project of `jury demo`, as a zip archive.
pub const DEMO: Carried = Carried {
    file_name: "demo.zip",
    bytes: include_bytes!(concat!(env!("OUT_DIR"), "/demo.zip")),
};

/// Names the content of all that is unpacked for builds; part of the path they are unpacked to.
pub const DIGEST: &str = env!("JURY_BUNDLE_DIGEST");

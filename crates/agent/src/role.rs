//! What a JVM is, judged by what it was asked to run. Almost every JVM of a build runs no tests,
//! so this decision is a few string comparisons and touches no file.

use jury_model::LaunchedBy;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Runs no tests: a build tool, a compiler, a daemon.
    Inert,
    /// Known to run tests.
    Test(LaunchedBy),
    /// Runs no tests itself, but chooses them for the JVMs it forks.
    Builder,
    /// Unknown. It is watched, and becomes a test JVM if it loads a test framework.
    Armed,
    /// Jury's own worker.
    Worker,
}

use Role::{Armed, Builder, Inert, Test, Worker};

/// Main classes, and jars run by `-jar`, by the beginning of their name. The first match decides.
const KNOWN: &[(&str, Role)] = &[
    ("jury.boot.Worker", Worker),
    // Maven Surefire and Failsafe
    (
        "org.apache.maven.surefire.booter.ForkedBooter",
        Test(LaunchedBy::Surefire),
    ),
    ("surefirebooter", Test(LaunchedBy::Surefire)),
    // Ant's own tasks; its TestNG task runs TestNG's main class
    (
        "org.apache.tools.ant.taskdefs.optional.junit.",
        Test(LaunchedBy::Ant),
    ),
    (
        "org.apache.tools.ant.taskdefs.optional.junitlauncher.",
        Test(LaunchedBy::Ant),
    ),
    // runners with a command line
    (
        "org.junit.platform.console.",
        Test(LaunchedBy::JUnitConsole),
    ),
    ("junit-platform-console", Test(LaunchedBy::JUnitConsole)),
    ("org.junit.runner.JUnitCore", Test(LaunchedBy::JUnitCore)),
    ("junit.textui.TestRunner", Test(LaunchedBy::JUnitCore)),
    ("org.testng.TestNG", Test(LaunchedBy::TestNg)),
    ("org.testng.remote.RemoteTestNG", Test(LaunchedBy::TestNg)),
    // development environments and other build tools
    ("com.intellij.rt.execution.junit.", Test(LaunchedBy::Other)),
    ("com.intellij.rt.junit.", Test(LaunchedBy::Other)),
    ("com.intellij.rt.testng.", Test(LaunchedBy::TestNg)),
    (
        "org.eclipse.jdt.internal.junit.runner.RemoteTestRunner",
        Test(LaunchedBy::Other),
    ),
    ("com.microsoft.java.test.runner.", Test(LaunchedBy::Other)),
    ("org.netbeans.modules.junit.", Test(LaunchedBy::Other)),
    ("sbt.ForkMain", Test(LaunchedBy::Other)),
    (
        "com.google.testing.junit.runner.BazelTestRunner",
        Test(LaunchedBy::Other),
    ),
    // build tools and their daemons
    ("org.codehaus.plexus.classworlds.launcher.Launcher", Builder),
    ("org.codehaus.classworlds.Launcher", Builder),
    ("org.apache.maven.", Inert),
    ("maven-wrapper", Inert),
    ("org.mvndaemon.", Inert),
    ("org.gradle.", Inert),
    ("worker.org.gradle.", Inert),
    ("gradle-", Inert),
    ("org.apache.tools.ant.", Inert),
    ("xsbt.boot.Boot", Inert),
    ("sbt-launch", Inert),
    ("bloop.", Inert),
    // compilers and tools of other languages
    ("org.jetbrains.kotlin.", Inert),
    ("com.oracle.svm.", Inert),
    ("scala.tools.", Inert),
    ("scala.meta.", Inert),
    ("dotty.tools.", Inert),
    ("org.codehaus.groovy.tools.FileSystemCompiler", Inert),
    // language servers
    ("org.eclipse.equinox.launcher", Inert),
    ("org.eclipse.jdt.ls.", Inert),
    // `java Program.java` compiles and then runs whatever the program is
    ("com.sun.tools.javac.launcher.", Armed),
    // the JDK's own programs
    ("com.sun.tools.", Inert),
    ("sun.", Inert),
    ("jdk.", Inert),
];

/// Decides from the property `sun.java.command`: main class (or `module/class`, or jar) and
/// arguments. A JVM that another program embeds has none.
pub fn role_of(command: Option<&str>) -> Role {
    let Some(command) = command else { return Armed };
    let program = program(command);
    // One main class serves all of Gradle's helpers; its argument says which one this is.
    if program.ends_with("org.gradle.process.internal.worker.GradleWorkerMain")
        && command.contains("Gradle Test Executor")
    {
        return Test(LaunchedBy::Gradle);
    }
    KNOWN
        .iter()
        .find(|(prefix, _)| program.starts_with(prefix))
        .map_or(Armed, |(_, role)| *role)
}

/// The main class without its module, or the file name of the jar.
fn program(command: &str) -> &str {
    let first_word = command.split_whitespace().next().unwrap_or_default();
    // The path of a jar may hold spaces. One that a build tool has made is absolute.
    let jar = (command.starts_with('/') && !first_word.ends_with(".jar"))
        .then(|| command.find(".jar ").map_or(command, |end| &command[..end]));
    let started = jar.unwrap_or(first_word);
    started.rsplit('/').next().unwrap_or(started)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_real_builds_are_told_apart() {
        let surefire = Test(LaunchedBy::Surefire);
        let gradle_worker = "worker.org.gradle.process.internal.worker.GradleWorkerMain";
        for (command, expected) in [
            ("jury.boot.Worker", Worker),
            (
                "/p/target/surefire/surefirebooter-20261115190742123_3.jar /p/target/surefire \
                 2026-11-15T19-07-42_079-jvmRun1 surefire-20261115190742123_1tmp \
                 surefire_0-20261115190742123_2tmp",
                surefire,
            ),
            (
                "/my project/ü/target/surefire/surefirebooter123.jar /my project/x.tmp",
                surefire,
            ),
            ("/tmp/surefire123/surefirebooter.jar", surefire),
            (
                "org.apache.maven.surefire.booter.ForkedBooter /p/target/surefire a b c",
                surefire,
            ),
            (
                &format!("{gradle_worker} 'Gradle Test Executor 3'"),
                Test(LaunchedBy::Gradle),
            ),
            (&format!("{gradle_worker} 'Gradle Worker Daemon 1'"), Inert),
            (
                &format!("{gradle_worker} 'Gradle Compiler Daemon 1'"),
                Inert,
            ),
            (
                "org.apache.tools.ant.taskdefs.optional.junit.JUnitTestRunner a.BTest \
                 skipNonTests=false",
                Test(LaunchedBy::Ant),
            ),
            (
                "org.apache.tools.ant.taskdefs.optional.junitlauncher.StandaloneLauncher \
                 --properties /tmp/x",
                Test(LaunchedBy::Ant),
            ),
            ("org.testng.TestNG testng.xml", Test(LaunchedBy::TestNg)),
            (
                "org.junit.platform.console.ConsoleLauncher execute --scan-class-path",
                Test(LaunchedBy::JUnitConsole),
            ),
            (
                "org.junit.platform.console/org.junit.platform.console.ConsoleLauncher execute",
                Test(LaunchedBy::JUnitConsole),
            ),
            (
                "lib/junit-platform-console-standalone-6.0.1.jar execute",
                Test(LaunchedBy::JUnitConsole),
            ),
            (
                "junit-platform-console-standalone-1.13.0.jar --scan-class-path",
                Test(LaunchedBy::JUnitConsole),
            ),
            (
                "org.junit.runner.JUnitCore a.BTest",
                Test(LaunchedBy::JUnitCore),
            ),
            (
                "junit.textui.TestRunner a.BTest",
                Test(LaunchedBy::JUnitCore),
            ),
            (
                "com.intellij.rt.junit.JUnitStarter -ideVersion5 -junit5",
                Test(LaunchedBy::Other),
            ),
            (
                "org.codehaus.plexus.classworlds.launcher.Launcher test",
                Builder,
            ),
            ("org.apache.maven.wrapper.MavenWrapperMain test", Inert),
            ("org.mvndaemon.mvnd.common.MavenDaemon", Inert),
            (
                "org.gradle.launcher.daemon.bootstrap.GradleDaemon 9.2",
                Inert,
            ),
            ("org.gradle.wrapper.GradleWrapperMain test", Inert),
            ("/my project/gradle/wrapper/gradle-wrapper.jar test", Inert),
            ("org.apache.tools.ant.launch.Launcher -cp  test", Inert),
            ("jdk.compiler/com.sun.tools.javac.Main -d out A.java", Inert),
            ("com.sun.tools.javac.Main A.java", Inert),
            ("jdk.jartool/sun.tools.jar.Main cf /out/a.jar b", Inert),
            ("/a b/server.jar", Armed),
            ("/a b/surefirebooter.jar", surefire),
            ("jdk.javadoc/jdk.javadoc.internal.tool.Main", Inert),
            ("jdk.jlink/jdk.tools.jlink.internal.Main", Inert),
            (
                "jdk.jshell/jdk.internal.jshell.tool.JShellToolProvider",
                Inert,
            ),
            (
                "jdk.compiler/com.sun.tools.javac.launcher.Main Program.java",
                Armed,
            ),
            (
                "org.jetbrains.kotlin.daemon.KotlinCompileDaemon --daemon-runFilesPath",
                Inert,
            ),
            (
                "/opt/jdtls/plugins/org.eclipse.equinox.launcher_1.6.jar -data x",
                Inert,
            ),
            ("com.example.Main surefirebooter.jar", Armed),
            (
                "com.example.Main /lib/junit-platform-console-standalone.jar ",
                Armed,
            ),
            ("/app/server.jar --port 80", Armed),
            ("example.app/com.example.Main", Armed),
            ("", Armed),
        ] {
            assert_eq!(role_of(Some(command)), expected, "{command}");
        }
        assert_eq!(role_of(None), Armed);
    }
}

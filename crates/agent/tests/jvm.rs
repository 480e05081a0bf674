//! The agent in real JVMs: absent where no tests run, complete where they do, harmless always.

mod support;

use std::fs;
use std::io::{BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use jury_model::{LaunchedBy, quick_maven};
use jury_protocol::{Mode, Record, read_frame, read_header, write_frame, write_header};
use support::{JDKS, PROGRAMS, Watch, check, write_jar};

const ONE_TEST: [&str; 5] = [
    "begin",
    "10 null null null",
    "11 RunNotifier adds null",
    "12 RunNotifier adds null",
    "end",
];

#[test]
fn a_compiler_is_left_alone() {
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        let javac = jdk.tool("javac").arg("-version").output().unwrap();
        let version = String::from_utf8(javac.stdout).unwrap();
        let watched = format!("-J{}", watch.option());
        check(jdk.tool("javac").args([&watched, "-version"]), 0, &version);
        assert_eq!(watch.letters(), [""; 0]);
    }
}

#[test]
fn a_program_without_tests_leaves_no_trace() {
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        check(&mut watch.java(jdk, &["-Da=b", "Plain", "a"]), 7, "b\n");
        assert_eq!(watch.letters(), [""; 0]);
    }
}

#[test]
fn a_test_jvm_tells_its_launch_and_its_tests() {
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        check(
            &mut watch.java(jdk, &["-Da=b", "org.junit.runner.JUnitCore"]),
            0,
            "",
        );
        let (launch, said) = watch.report();
        assert_eq!(said, ONE_TEST);
        assert_eq!(launch.launched_by, LaunchedBy::JUnitCore);
        assert_eq!(
            fs::canonicalize(&launch.java_home).unwrap(),
            fs::canonicalize(jdk.home()).unwrap()
        );
        let mut plain = jdk.tool("java");
        plain
            .arg("-cp")
            .arg(PROGRAMS.classes())
            .args(["Plain", "java.version"]);
        check(&mut plain, 7, &format!("{}\n", launch.java_version));
        assert_eq!(launch.class_path, [PROGRAMS.classes().to_str().unwrap()]);
        assert_eq!(launch.jvm_flags, ["-Da=b"]);
        assert_eq!(launch.environment["KEPT"], "yes");
        assert_eq!(
            Path::new(&launch.working_directory),
            std::env::current_dir().unwrap()
        );
    }
}

#[test]
fn a_record_file_is_for_its_owner_and_alone_in_the_end() {
    let watch = Watch::new();
    check(
        &mut watch.java(&JDKS[0], &["org.junit.runner.JUnitCore"]),
        0,
        "",
    );
    let letters = watch.letters();
    assert_eq!(letters.len(), 1, "{letters:?}");
    let file = watch.inbox().join(&letters[0]);
    assert_eq!(
        fs::metadata(file).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

#[test]
fn an_unknown_program_reports_once_it_runs_tests() {
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        check(&mut watch.java(jdk, &["org.junit.runner.Unknown"]), 0, "");
        let (launch, said) = watch.report();
        assert_eq!(launch.launched_by, LaunchedBy::Other);
        assert_eq!(said, ONE_TEST);
    }
}

#[test]
fn what_a_test_starts_is_not_a_test_jvm() {
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        let java = jdk.home().join("bin/java");
        let option = watch.option();
        let classes = PROGRAMS.classes();
        let core = "org.junit.runner.JUnitCore";
        let mut child = vec![
            java.to_str().unwrap(),
            &option,
            "-cp",
            classes.to_str().unwrap(),
        ];
        child.push(core);
        let arguments = [&[core][..], &child].concat();
        check(&mut watch.java(jdk, &arguments), 0, "");
        assert_eq!(watch.report().1, ONE_TEST);
    }
}

#[test]
fn tests_find_the_environment_that_they_would_have_unwatched() {
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        let mut java = jdk.tool("java");
        java.env("JAVA_TOOL_OPTIONS", watch.option())
            .env("MAVEN_OPTS", quick_maven("-Xmx1g").unwrap())
            .arg("-cp")
            .arg(PROGRAMS.classes());
        java.args([
            "org.junit.runner.JUnitCore",
            "sh",
            "-c",
            "echo \"[$JAVA_TOOL_OPTIONS] [$MAVEN_OPTS]\"",
        ]);
        let output = java.output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "[] [-Xmx1g]\n");
        let (launch, said) = watch.report();
        assert_eq!(said, ONE_TEST);
        assert_eq!(launch.environment.get("JAVA_TOOL_OPTIONS"), None);
        assert_eq!(launch.environment["MAVEN_OPTS"], "-Xmx1g");
    }
}

#[test]
fn pathing_jars_and_argument_files_are_expanded() {
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        let pathing_jar = watch.path("pathing.jar");
        let classes = PROGRAMS.classes();
        let manifest = format!(
            "Main-Class: org.junit.runner.JUnitCore\nClass-Path: file:{}/ lib/\n",
            classes.display()
        );
        fs::create_dir(watch.path("empty")).unwrap();
        write_jar(&pathing_jar, &watch.path("empty"), Some(&manifest));
        // Named like Surefire's, because the agent sees a jar and no main class.
        let booter = watch.path("surefirebooter1.jar");
        fs::rename(&pathing_jar, &booter).unwrap();
        fs::write(
            watch.path("args"),
            format!(
                "# flags\n-Da=\"b c\" -ea\n--add-opens java.base/java.lang=ALL-UNNAMED\n-jar '{}'",
                booter.display()
            ),
        )
        .unwrap();
        let mut java = jdk.tool("java");
        java.arg(watch.option())
            .arg(format!("@{}", watch.path("args").display()));
        check(&mut java, 0, "");
        let (launch, said) = watch.report();
        assert_eq!(said, ONE_TEST);
        assert_eq!(launch.launched_by, LaunchedBy::Surefire);
        assert_eq!(
            launch.class_path,
            [
                classes.to_str().unwrap(),
                watch.path("lib").to_str().unwrap()
            ]
        );
        assert_eq!(launch.jvm_flags, ["-Da=b c", "-ea"]);
        assert_eq!(
            launch.module_flags,
            ["--add-opens=java.base/java.lang=ALL-UNNAMED"]
        );
    }
}

/// The launcher's word on what an argument file says is the property that a JVM ends up with.
#[test]
fn argument_files_are_read_as_the_launcher_reads_them() {
    let lines = [
        r#"-Dv0=plain"#,
        r#"-Dv1="two words""#,
        r#"'-Dv2=single "inner" quotes'"#,
        r#"-Dv3=back\slash"#,
        r#""-Dv4=esc\\aped\ttab\"quote""#,
        "\"-Dv5=joined \\\n     line\"",
        "\"-Dv6=open quote",
        r#"-Dv7=a"b c"'d e'f"#,
        "-Dcut=x#comment",
        "-Dv8=\"#kept\" # comment",
        "\t\x0c-Dv9=blank ",
        "\"-Dv10=\\\r\n  continued\"",
    ];
    let names: Vec<String> = (0..=10).map(|number| format!("v{number}")).collect();
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        fs::write(watch.path("args"), lines.join("\n")).unwrap();
        let file = format!("@{}", watch.path("args").display());
        check(
            &mut watch.java(jdk, &[&file, "org.junit.runner.JUnitCore"]),
            0,
            "",
        );
        let flags = watch.report().0.jvm_flags;

        let mut plain = jdk.tool("java");
        plain
            .args([&file, "-cp"])
            .arg(PROGRAMS.classes())
            .arg("Plain")
            .args(&names)
            .arg("cut");
        let told: String = names
            .iter()
            .zip(&flags)
            .map(|(name, flag)| flag.replace(&format!("-D{name}="), "") + "\n")
            .collect();
        check(&mut plain, 7, &(told + "null\n"));
    }
}

#[test]
fn other_agents_may_transform_and_redefine_hooked_classes() {
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        let jar = PROGRAMS.redefiner_jar();
        let agent = format!("-javaagent:{}", jar.display());
        let mut java = jdk.tool("java");
        let class_path = [jar, PROGRAMS.classes()];
        java.arg(watch.option()).arg(agent).arg("-cp");
        java.arg(std::env::join_paths(class_path).unwrap())
            .arg("Redefiner");
        check(&mut java, 0, "");
        let started = watch
            .report()
            .1
            .into_iter()
            .filter(|said| said.starts_with("11 "));
        assert_eq!(started.count(), 5);
    }
}

#[test]
fn a_framework_in_a_named_module_can_call_the_hooks() {
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        let module = watch.path("module");
        fs::create_dir(&module).unwrap();
        fs::write(module.join("module-info.java"), "module framework {}").unwrap();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/program/org");
        let mut javac = jdk.tool("javac");
        javac
            .arg("-d")
            .arg(&module)
            .arg(module.join("module-info.java"));
        check(javac.args(support::files_below(&sources)), 0, "");
        let mut java = jdk.tool("java");
        java.arg(watch.option()).arg("-p").arg(&module);
        check(
            java.args(["-m", "framework/org.junit.runner.JUnitCore"]),
            0,
            "",
        );
        let (launch, said) = watch.report();
        assert_eq!(said, ONE_TEST);
        assert_eq!(launch.class_path, [""; 0]);
        assert_eq!(launch.module_path, [module.to_str().unwrap()]);
        assert_eq!(launch.module_flags, ["--add-modules=framework"]);
    }
}

#[test]
fn a_container_that_hides_the_hooks_runs_its_tests_all_the_same() {
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        check(&mut watch.java(jdk, &["Container"]), 0, "");
        let hidden = "the class loader of `org/junit/runner/notification/RunNotifier` hides the \
                      hooks from it";
        assert_eq!(watch.report().1, [hidden, "end"]);
    }
}

#[test]
fn a_jvm_with_a_class_archive_of_its_own_is_left_alone() {
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        let jar = watch.path("program.jar");
        write_jar(&jar, &PROGRAMS.classes(), None);
        let archive = watch.path("archive.jsa").display().to_string();
        let dump = format!("-XX:ArchiveClassesAtExit={archive}");
        let dumped = jdk
            .tool("java")
            .arg(dump)
            .arg("-cp")
            .arg(&jar)
            .arg("Plain")
            .output();
        assert_eq!(dumped.unwrap().status.code(), Some(7));

        let used = format!("-XX:SharedArchiveFile={archive}");
        for (main, status) in [("Plain", 7), ("org.junit.runner.JUnitCore", 0)] {
            let mut java = jdk.tool("java");
            java.args([&watch.option(), &used, "-Xshare:on", "-cp"])
                .arg(&jar)
                .arg(main);
            check(&mut java, status, "");
        }
        let [letter] = &watch.letters()[..] else {
            panic!("{:?}", watch.letters())
        };
        assert_eq!(
            fs::read_to_string(watch.inbox().join(letter)).unwrap(),
            "a test JVM with `-XX:SharedArchiveFile` cannot be watched"
        );
    }
}

#[test]
fn a_missing_or_garbled_session_costs_the_jvm_nothing() {
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        for damage in [
            None,
            Some(&b""[..]),
            Some(b"JURY"),
            Some(b"JURY\0\0\0\x01 garbled frame"),
        ] {
            match damage {
                None => fs::remove_file(watch.session()).unwrap(),
                Some(bytes) => fs::write(watch.session(), bytes).unwrap(),
            }
            check(&mut watch.java(jdk, &["org.junit.runner.JUnitCore"]), 0, "");
            check(&mut watch.java(jdk, &["Plain"]), 7, "");
        }
        assert_eq!(watch.letters(), [""; 0]);
    }
}

#[test]
fn a_corrupt_boot_jar_costs_the_jvm_nothing_and_is_told() {
    for jdk in JDKS.iter() {
        for corrupt in [Some(&b"no jar"[..]), None] {
            let directory = tempfile::tempdir().unwrap();
            let boot_jar = directory.path().join("boot.jar");
            if let Some(bytes) = corrupt {
                fs::write(&boot_jar, bytes).unwrap();
            }
            let watch = Watch::with_boot_jar(&boot_jar);
            check(&mut watch.java(jdk, &["org.junit.runner.JUnitCore"]), 0, "");
            let records = watch.records();
            let reason = Record::Trouble("cannot load class `jury/boot/Channel`".to_owned());
            assert_eq!(records[1..], [reason]);
        }
    }
}

#[test]
fn an_inbox_that_cannot_be_written_to_costs_the_jvm_nothing() {
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        fs::remove_dir(watch.inbox()).unwrap();
        check(&mut watch.java(jdk, &["org.junit.runner.JUnitCore"]), 0, "");
        check(&mut watch.java(jdk, &["Plain"]), 7, "");
    }
}

#[test]
fn a_full_disk_costs_the_jvm_nothing_and_is_told() {
    for jdk in JDKS.iter() {
        let watch = Watch::new();
        let java = watch.java(jdk, &["-XX:-UsePerfData", "org.junit.runner.JUnitCore"]);
        let mut limited = Command::new("sh");
        // A limit of one block stands for a disk without room for the launch record.
        limited.args(["-c", "ulimit -f 1 && exec \"$@\"", "sh"]);
        limited
            .arg(java.get_program())
            .args(java.get_args())
            .env("LONG", "x".repeat(2000));
        check(&mut limited, 0, "");
        let trouble = watch
            .letters()
            .into_iter()
            .find(|name| name.starts_with("trouble-"));
        let told = fs::read_to_string(watch.inbox().join(trouble.unwrap())).unwrap();
        assert!(told.starts_with("failed to write records: "), "{told}");
    }
}

fn replay(jdk: &support::Jdk) -> (Watch, Command, UnixListener) {
    let watch = Watch::new();
    let socket = watch.path("socket");
    let listener = UnixListener::bind(&socket).unwrap();
    let mode = Mode::Replay {
        socket: socket.to_str().unwrap().to_owned(),
    };
    watch.write_session(mode, &PROGRAMS.boot_jar());
    let java = watch.java(jdk, &["jury.boot.Worker"]);
    (watch, java, listener)
}

#[test]
fn a_worker_obeys_and_does_not_outlive_jury() {
    for jdk in JDKS.iter() {
        let (_watch, mut java, listener) = replay(jdk);
        let mut worker = java.spawn().unwrap();
        let (mut stream, _) = listener.accept().unwrap();
        let mut input = BufReader::new(stream.try_clone().unwrap());
        let mut next = || Record::decode(&read_frame(&mut input).unwrap().unwrap()).unwrap();
        write_header(&mut stream).unwrap();
        write_frame(&mut stream, b"abc").unwrap();
        // An empty command makes the worker hang in Java code.
        write_frame(&mut stream, b"").unwrap();

        let mut header = [0; 8];
        stream.read_exact(&mut header).unwrap();
        read_header(&mut &header[..]).unwrap();
        assert_eq!(next(), Record::Trouble("command of 3".to_owned()));
        assert_eq!(next(), Record::Trouble("command of 0".to_owned()));
        stream.shutdown(std::net::Shutdown::Both).unwrap();
        assert_eq!(worker.wait().unwrap().code(), Some(70));
    }
}

#[test]
fn a_worker_without_jury_does_not_start() {
    for jdk in JDKS.iter() {
        let (watch, mut java, listener) = replay(jdk);
        drop(listener);
        fs::remove_file(watch.path("socket")).unwrap();
        check(&mut java, 70, "");
    }
}

#[test]
fn a_program_that_is_no_worker_does_not_join_a_replay() {
    let (watch, _, listener) = replay(&JDKS[0]);
    check(
        &mut watch.java(&JDKS[0], &["org.junit.runner.JUnitCore"]),
        0,
        "",
    );
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err());
}

//! Java source to class files, by the JDK's own compiler.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::{env, fs};

/// Class files by binary name in the VM's form.
pub type Classes = BTreeMap<String, Vec<u8>>;

/// Compiles one file of source with the compiler's defaults.
pub fn compile(source: &str) -> Classes {
    compile_with(&[], source)
}

pub fn compile_with(options: &[&str], source: &str) -> Classes {
    static SERVER: OnceLock<Mutex<Server>> = OnceLock::new();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("Source.java");
    fs::write(&file, source).unwrap();
    let mut request = vec!["-nowarn", "-d", directory.path().to_str().unwrap()];
    request.extend(options);
    request.push(file.to_str().unwrap());
    let server = SERVER.get_or_init(|| Mutex::new(Server::start()));
    // A failed request leaves the server ready for the next.
    let mut server = server.lock().unwrap_or_else(PoisonError::into_inner);
    assert_eq!(server.ask(&request.join("\t")), "compiled", "{source}");
    drop(server);
    let files = fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    files
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "class")
        })
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect()
}

/// A JVM that compiles until its input ends, which is when the tests end.
struct Server {
    _process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Server {
    fn start() -> Self {
        let mut process = Command::new(java())
            .arg(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/compiler/CompileServer.java"
            ))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Server {
            requests: process.stdin.take().unwrap(),
            answers: BufReader::new(process.stdout.take().unwrap()),
            _process: process,
        }
    }

    fn ask(&mut self, request: &str) -> String {
        writeln!(self.requests, "{request}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        answer.trim_end().to_owned()
    }
}

fn java() -> PathBuf {
    match env::var_os("JAVA_HOME") {
        Some(home) => PathBuf::from(home).join("bin/java"),
        None => "java".into(),
    }
}

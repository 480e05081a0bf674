//! What one machine publishes another finds, unless it was damaged on the way.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use jury_cache::{Cache, CacheSettings, EntryId, IndexKey, Location};

const KEY: IndexKey = IndexKey([7; 16]);
const STATE: [u8; 16] = [1; 16];

fn settings(location: Location) -> CacheSettings {
    CacheSettings {
        location,
        read_only: false,
        max_size: 1 << 30,
        expires_after: Duration::from_secs(3600),
        user: None,
        password: None,
    }
}

fn open(location: &Location) -> Cache {
    Cache::open(settings(location.clone())).unwrap()
}

fn publish(cache: &mut Cache, name: &str, bytes: &[u8]) {
    let news = vec![(name.to_owned(), STATE, bytes.to_vec())];
    cache.publish(KEY, news, SystemTime::now());
}

/// What a machine that knows nothing yet finds under a name.
fn find(cache: &mut Cache, name: &str) -> Vec<Option<Vec<u8>>> {
    let index = cache.index(KEY, SystemTime::now());
    let ids: Vec<EntryId> = index.lines(name).iter().map(|line| line.entry).collect();
    cache.entries(&ids)
}

fn check_sharing(location: &Location) {
    let mut here = open(location);
    publish(&mut here, "a.BTest", b"evidence");
    publish(&mut here, "a.CTest", b"more");
    assert_eq!(here.lost(), None);
    let mut there = open(location);
    assert_eq!(find(&mut there, "a.BTest"), [Some(b"evidence".to_vec())]);
    assert_eq!(find(&mut there, "a.CTest"), [Some(b"more".to_vec())]);
    assert_eq!(find(&mut there, "a.XTest"), []);
    let absent = there.entries(&[EntryId::of(b"never published")]);
    assert_eq!(absent, [None]);
    assert_eq!((there.lost(), there.damaged()), (None, 0));
}

fn directory() -> (tempfile::TempDir, Location) {
    let directory = tempfile::tempdir().unwrap();
    let location = Location::Directory(directory.path().join("cache"));
    (directory, location)
}

/// Files that are no directories, at any depth.
fn files(root: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(root) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![path],
        })
        .collect()
}

fn only_file(directory: &Path, part: &str) -> PathBuf {
    let mut found = files(&directory.join("cache").join(part));
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn a_directory_is_shared() {
    let (_directory, location) = directory();
    check_sharing(&location);
}

#[test]
fn a_changed_or_cut_entry_is_ignored_and_counted() {
    for bytes in [&b"forged"[..], b"evid", b""] {
        let (directory, location) = directory();
        publish(&mut open(&location), "a.BTest", b"evidence");
        fs::write(only_file(directory.path(), "entries"), bytes).unwrap();
        let mut there = open(&location);
        assert_eq!(find(&mut there, "a.BTest"), [None]);
        assert_eq!((there.lost(), there.damaged()), (None, 1));
    }
}

#[test]
fn an_entry_too_large_to_be_ours_is_not_read() {
    let (directory, location) = directory();
    publish(&mut open(&location), "a.BTest", b"evidence");
    let path = only_file(directory.path(), "entries");
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_len(1 << 40).unwrap();
    let mut there = open(&location);
    assert_eq!(find(&mut there, "a.BTest"), [None]);
    assert_eq!(there.damaged(), 1);
}

#[test]
fn a_damaged_index_is_as_good_as_none_and_is_written_anew() {
    let (directory, location) = directory();
    publish(&mut open(&location), "a.BTest", b"evidence");
    fs::write(only_file(directory.path(), "indexes"), "nonsense").unwrap();
    let mut there = open(&location);
    assert_eq!(find(&mut there, "a.BTest"), []);
    assert_eq!(there.damaged(), 1);
    publish(&mut there, "a.BTest", b"evidence");
    assert_eq!(find(&mut open(&location), "a.BTest").len(), 1);
}

#[test]
fn nothing_is_written_where_only_reading_is_allowed() {
    let (directory, location) = directory();
    publish(&mut open(&location), "a.BTest", b"evidence");
    let before = files(directory.path());
    let mut reader = Cache::open(CacheSettings {
        read_only: true,
        ..settings(location)
    })
    .unwrap();
    publish(&mut reader, "a.CTest", b"more");
    assert_eq!(find(&mut reader, "a.BTest").len(), 1);
    assert_eq!(files(directory.path()), before);
}

#[test]
fn what_is_too_old_is_not_found() {
    let (_directory, location) = directory();
    publish(&mut open(&location), "a.BTest", b"evidence");
    let later = SystemTime::now() + Duration::from_secs(7200);
    let index = open(&location).index(KEY, later);
    assert_eq!(index.names().count(), 0);
}

#[test]
fn a_directory_keeps_within_its_size() {
    let (directory, location) = directory();
    let mut small = Cache::open(CacheSettings {
        max_size: 1000,
        ..settings(location)
    })
    .unwrap();
    for number in 0..20_u8 {
        publish(&mut small, "a.BTest", &[number; 200]);
    }
    let size: u64 = (files(&directory.path().join("cache")).iter())
        .map(|path| fs::metadata(path).unwrap().len())
        .sum();
    assert!(size <= 1000, "{size}");
}

#[test]
fn a_place_that_does_not_answer_is_asked_once() {
    // The port is free again as soon as the listener is dropped.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
    let location = format!("redis://{}", address.unwrap()).parse().unwrap();
    let mut cache = open(&location);
    assert_eq!(find(&mut cache, "a.BTest"), []);
    let trouble = cache.lost().expect("a reason").to_owned();
    publish(&mut cache, "a.BTest", b"evidence");
    assert_eq!(cache.lost(), Some(trouble.as_str()));
}

/// Stops when it is dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_redis_server_is_shared_and_forgets_in_time() {
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port().to_string()
    };
    let directory = tempfile::tempdir().unwrap();
    let started = Command::new("redis-server")
        .args(["--port", &port, "--bind", "127.0.0.1", "--save", ""])
        .arg("--dir")
        .arg(directory.path())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut server) = started.map(Server) else {
        eprintln!("NOT TRIED: there is no `redis-server` on the PATH");
        return;
    };
    let output = BufReader::new(server.0.stdout.take().unwrap());
    let ready = |line: String| line.contains("Ready to accept connections");
    assert!(output.lines().map_while(Result::ok).any(ready));
    let location = format!("redis://127.0.0.1:{port}").parse().unwrap();
    check_sharing(&location);

    let ask = |arguments: &[&str]| {
        let output = Command::new("redis-cli")
            .args(["-p", &port])
            .args(arguments)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    for key in ask(&["keys", "*"]).lines() {
        let seconds: i64 = ask(&["ttl", key]).trim().parse().unwrap();
        assert!((1..=3600).contains(&seconds), "{key} lives {seconds} s");
    }
}

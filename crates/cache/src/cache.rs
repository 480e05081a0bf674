//! Reading and writing, from the edge of the program: many entries at once, and never for long.
//!
//! The first trouble with the place ends all dealings with it; whoever asks goes on without it.

use std::fmt;
use std::future::Future;
use std::io;
use std::time::{Duration, SystemTime};

use futures_util::stream::{self, StreamExt, TryStreamExt};
use opendal::services::{Fs, Redis, S3};
use opendal::{ErrorKind, Operator};
use thiserror::Error;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use crate::EntryId;
use crate::index::{Index, IndexKey, Line};
use crate::location::Location;
use crate::sweep::sweep;

/// A build waits for the answer, so a place that is slow is as good as none.
const WHILE_READING: Duration = Duration::from_secs(5);

/// Nothing waits but the user, and there may be thousands of entries.
const WHILE_WRITING: Duration = Duration::from_secs(60);

/// Requests under way at once.
const AT_ONCE: usize = 16;

/// Larger things are not written by us, and are not read.
const LARGEST: u64 = 16 << 20;

#[derive(Debug, Clone)]
pub struct CacheSettings {
    pub location: Location,
    /// Nothing is written, as in builds of strangers' changes.
    pub read_only: bool,
    /// In bytes; for directories.
    pub max_size: u64,
    pub expires_after: Duration,
    /// For a server that asks for them.
    pub user: Option<String>,
    pub password: Option<String>,
}

/// Why a cache cannot be used at all.
#[derive(Debug, Error)]
pub enum CacheError {
    #[error("failed to prepare the shared cache `{location}`")]
    Prepare {
        location: Location,
        source: Box<opendal::Error>,
    },
    #[error("failed to prepare for the shared cache")]
    Runtime(#[source] io::Error),
}

pub struct Cache {
    settings: CacheSettings,
    operator: Operator,
    runtime: Runtime,
    lost: Option<String>,
    damaged: usize,
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cache({})", self.settings.location)
    }
}

impl Cache {
    /// Talks to nobody yet.
    pub fn open(settings: CacheSettings) -> Result<Self, CacheError> {
        let prepare = |error| CacheError::Prepare {
            location: settings.location.clone(),
            source: Box::new(error),
        };
        let operator = operator(&settings).map_err(prepare)?;
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(CacheError::Runtime)?;
        Ok(Cache {
            settings,
            operator,
            runtime,
            lost: None,
            damaged: 0,
        })
    }

    pub fn location(&self) -> &Location {
        &self.settings.location
    }

    pub fn is_read_only(&self) -> bool {
        self.settings.read_only
    }

    /// Why the cache is not asked any more.
    pub fn lost(&self) -> Option<&str> {
        self.lost.as_deref()
    }

    /// How much was found that is not as it was written.
    pub fn damaged(&self) -> usize {
        self.damaged
    }

    /// Says that an entry, although it is as it was written, makes no sense.
    pub fn add_damaged(&mut self) {
        self.damaged += 1;
    }

    /// The entries under a key; none if nothing is known there.
    pub fn index(&mut self, key: IndexKey, now: SystemTime) -> Index {
        let Some(Some(bytes)) = self.ask(WHILE_READING, read(self.operator.clone(), key.path()))
        else {
            return Index::default();
        };
        let index = match bytes {
            Bytes::Sound(bytes) => Index::decode(&bytes),
            Bytes::TooMany => None,
        };
        let Some(mut index) = index else {
            self.damaged += 1;
            return Index::default();
        };
        index.expire(now, self.settings.expires_after);
        index
    }

    /// The entries that are there and sound, in the order asked for.
    pub fn entries(&mut self, ids: &[EntryId]) -> Vec<Option<Vec<u8>>> {
        let operator = self.operator.clone();
        let all = stream::iter(ids.to_vec())
            .map(move |id| read(operator.clone(), id.path()))
            .buffered(AT_ONCE)
            .try_collect::<Vec<_>>();
        let Some(found) = self.ask(WHILE_READING, all) else {
            return vec![None; ids.len()];
        };
        let mut sound = |(id, bytes): (&EntryId, Option<Bytes>)| match bytes? {
            Bytes::Sound(bytes) if EntryId::of(&bytes) == *id => Some(bytes),
            Bytes::Sound(_) | Bytes::TooMany => {
                self.damaged += 1;
                None
            }
        };
        std::iter::zip(ids, found).map(&mut sound).collect()
    }

    /// Adds entries, each with its name and state, and then lists them in the index.
    pub fn publish(
        &mut self,
        key: IndexKey,
        news: Vec<(String, [u8; 16], Vec<u8>)>,
        now: SystemTime,
    ) {
        if self.settings.read_only || news.is_empty() {
            return;
        }
        let news: Vec<_> = (news.into_iter())
            .filter(|(_, _, bytes)| bytes.len() as u64 <= LARGEST)
            .map(|(name, state, bytes)| (name, Line::new(EntryId::of(&bytes), state, now), bytes))
            .collect();
        let operator = self.operator.clone();
        let writes: Vec<_> = (news.iter())
            .map(|(_, line, bytes)| (line.entry.path(), bytes.clone()))
            .collect();
        let all = stream::iter(writes)
            .map(move |(path, bytes)| write(operator.clone(), path, bytes))
            .buffer_unordered(AT_ONCE)
            .try_collect::<()>();
        if self.ask(WHILE_WRITING, all).is_none() {
            return;
        }
        // Read just before it is written: others may have added to it.
        let mut index = self.index(key, now);
        for (name, line, _) in &news {
            index.add(name, *line);
        }
        let rewrite = write(self.operator.clone(), key.path(), index.encode());
        self.ask(WHILE_WRITING, rewrite);
        self.sweep(now);
    }

    fn sweep(&mut self, now: SystemTime) {
        let CacheSettings {
            location,
            max_size,
            expires_after,
            ..
        } = &self.settings;
        if let (Location::Directory(root), None) = (location, &self.lost)
            && let Err(error) = sweep(root, *max_size, *expires_after, now)
        {
            self.lost = Some(error.to_string());
        }
    }

    /// None if the place does not answer in time, or did not before.
    fn ask<T>(
        &mut self,
        patience: Duration,
        request: impl Future<Output = opendal::Result<T>>,
    ) -> Option<T> {
        if self.lost.is_some() {
            return None;
        }
        // The timer needs the runtime from the moment it is made.
        let answer = self
            .runtime
            .block_on(async { timeout(patience, request).await });
        let trouble = match answer {
            Ok(Ok(answer)) => return Some(answer),
            Ok(Err(error)) => cause(&error),
            Err(_) => format!("no answer within {} seconds", patience.as_secs()),
        };
        self.lost = Some(trouble);
        None
    }
}

enum Bytes {
    Sound(Vec<u8>),
    TooMany,
}

async fn read(operator: Operator, path: String) -> opendal::Result<Option<Bytes>> {
    let absent = |error: opendal::Error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::IsADirectory => Ok(None),
        _ => Err(error),
    };
    match operator.stat(&path).await {
        Err(error) => return absent(error),
        Ok(metadata) if metadata.content_length() > LARGEST => return Ok(Some(Bytes::TooMany)),
        Ok(_) => {}
    }
    match operator.read(&path).await {
        Err(error) => absent(error),
        Ok(buffer) => Ok(Some(Bytes::Sound(buffer.to_vec()))),
    }
}

async fn write(operator: Operator, path: String, bytes: Vec<u8>) -> opendal::Result<()> {
    operator.write(&path, bytes).await.map(drop)
}

/// One line, without the context that is for programmers.
fn cause(error: &opendal::Error) -> String {
    let text = error.message();
    let text = if text.is_empty() {
        "unknown trouble"
    } else {
        text
    };
    text.lines().next().unwrap_or(text).to_owned()
}

fn operator(settings: &CacheSettings) -> opendal::Result<Operator> {
    match &settings.location {
        Location::Directory(path) => {
            let root = path.to_string_lossy();
            // Readers never see half of a file.
            let unfinished = path.join("unfinished");
            Operator::new(
                Fs::default()
                    .root(&root)
                    .atomic_write_dir(&unfinished.to_string_lossy()),
            )
        }
        Location::Redis { endpoint, database } => {
            trust_certificates();
            Operator::new(
                Redis::default()
                    .endpoint(endpoint)
                    .db(*database)
                    .username(settings.user.as_deref().unwrap_or_default())
                    .password(settings.password.as_deref().unwrap_or_default())
                    .root("/jury")
                    .default_ttl(settings.expires_after),
            )
        }
        Location::S3 { bucket, prefix } => {
            trust_certificates();
            Operator::new(S3::default().bucket(bucket).root(prefix))
        }
    }
}

/// Encrypted connections need to be told once which cryptography to use.
fn trust_certificates() {
    // It fails if that has been settled already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

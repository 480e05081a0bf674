//! Where a cache is, as users write it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use thiserror::Error;

/// A place that entries are shared through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    Directory(PathBuf),
    Redis {
        /// `redis://host:port` or `rediss://host:port`.
        endpoint: String,
        database: i64,
    },
    S3 {
        bucket: String,
        prefix: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LocationError {
    #[error("`{0}` names no cache that Jury knows")]
    Unknown(String),
    #[error("the address of a cache must not hold a password")]
    Secret,
}

impl LocationError {
    /// What the reader can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            LocationError::Unknown(_) => {
                "name one as `file:///srv/jury`, `redis://host:6379` or `s3://bucket/prefix`"
            }
            LocationError::Secret => "set JURY_CACHE_USER and JURY_CACHE_PASSWORD instead",
        }
    }
}

impl FromStr for Location {
    type Err = LocationError;

    fn from_str(url: &str) -> Result<Self, LocationError> {
        let unknown = || LocationError::Unknown(url.to_owned());
        let (scheme, rest) = url.split_once("://").ok_or_else(unknown)?;
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        if host.contains('@') {
            return Err(LocationError::Secret);
        }
        match scheme {
            "file" if host.is_empty() && !path.is_empty() => {
                Ok(Location::Directory(PathBuf::from(format!("/{path}"))))
            }
            "redis" | "rediss" if !host.is_empty() => Ok(Location::Redis {
                endpoint: format!("{scheme}://{host}"),
                database: match path {
                    "" => 0,
                    number => number.parse().map_err(|_| unknown())?,
                },
            }),
            "s3" if !host.is_empty() => Ok(Location::S3 {
                bucket: host.to_owned(),
                prefix: path.trim_matches('/').to_owned(),
            }),
            _ => Err(unknown()),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Directory(path) => write!(f, "file://{}", path.display()),
            Location::Redis {
                endpoint,
                database: 0,
            } => f.write_str(endpoint),
            Location::Redis { endpoint, database } => write!(f, "{endpoint}/{database}"),
            Location::S3 { bucket, prefix } => write!(f, "s3://{bucket}/{prefix}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_they_are_written() {
        for url in [
            "file:///srv/jury",
            "redis://cache.example:6379",
            "rediss://cache.example/3",
            "s3://bucket/team/jury",
        ] {
            assert_eq!(url.parse::<Location>().unwrap().to_string(), url);
        }
    }

    #[test]
    fn what_names_no_cache_is_refused() {
        for url in [
            "",
            "/srv/jury",
            "file://host/dir",
            "redis://host/x",
            "ftp://host",
            "s3://",
        ] {
            assert_eq!(
                url.parse::<Location>(),
                Err(LocationError::Unknown(url.to_owned()))
            );
        }
    }

    #[test]
    fn a_password_in_an_address_is_refused_without_repeating_it() {
        let error = "redis://user:secret@host".parse::<Location>().unwrap_err();
        assert_eq!(error, LocationError::Secret);
        assert!(!error.to_string().contains("secret"));
    }
}

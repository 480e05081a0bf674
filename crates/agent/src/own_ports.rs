//! At which TCP ports this process listens, by what Linux tells in `/proc`. Where there is no such
//! thing, every port is somebody else's.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// To find a listener, Linux walks through every connection of the machine, and tests connect often.
/// So listeners are remembered; that one is still open takes one look.
#[derive(Default)]
pub struct OwnPorts {
    found: Mutex<HashMap<u16, OpenSocket>>,
}

struct OpenSocket {
    descriptor: PathBuf,
    /// Where the descriptor leads. No other socket is ever called so.
    name: PathBuf,
}

impl OwnPorts {
    pub fn listens_at(&self, port: u16) -> bool {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.get(&port).is_some_and(OpenSocket::is_open) {
            return true;
        }
        match own_listener(port) {
            Some(socket) => {
                found.insert(port, socket);
                true
            }
            None => false,
        }
    }
}

impl OpenSocket {
    fn is_open(&self) -> bool {
        fs::read_link(&self.descriptor).is_ok_and(|name| name == self.name)
    }
}

fn own_listener(port: u16) -> Option<OpenSocket> {
    let listeners: HashSet<PathBuf> = ["/proc/self/net/tcp", "/proc/self/net/tcp6"]
        .into_iter()
        .filter_map(|table| fs::read_to_string(table).ok())
        .flat_map(|table| listeners(&table, port).collect::<Vec<_>>())
        .collect();
    if listeners.is_empty() {
        return None;
    }
    let descriptors = fs::read_dir("/proc/self/fd").into_iter().flatten();
    descriptors.flatten().find_map(|descriptor| {
        let descriptor = descriptor.path();
        let name = fs::read_link(&descriptor).ok()?;
        let is_it = listeners.contains(&name);
        is_it.then_some(OpenSocket { descriptor, name })
    })
}

/// The sockets of any process that listen at the port, named as links to them are.
fn listeners(table: &str, port: u16) -> impl Iterator<Item = PathBuf> {
    const LISTENING: &str = "0A";
    let ending = format!(":{port:04X}");
    table.lines().filter_map(move |line| {
        let mut fields = line.split_ascii_whitespace();
        let (local, state) = (fields.nth(1)?, fields.nth(1)?);
        if !local.ends_with(&ending) || state != LISTENING {
            return None;
        }
        let inode = fields.nth(5)?;
        Some(format!("socket:[{inode}]").into())
    })
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, TcpStream};

    use super::*;

    #[test]
    fn ports_are_own_while_somebody_listens_here() {
        let ports = OwnPorts::default();
        let listens_at = |port| ports.listens_at(port);
        let v4 = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = v4.local_addr().unwrap().port();
        assert!(listens_at(port));
        assert!(listens_at(port), "a listener that is known");
        let client = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        assert!(!listens_at(client.local_addr().unwrap().port()), "a client");
        drop((v4, client));
        assert!(!listens_at(port));

        if let Ok(v6) = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)) {
            assert!(listens_at(v6.local_addr().unwrap().port()));
        }
    }

    #[test]
    fn only_sockets_that_listen_at_the_port_count() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   \
            0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 71 1 0\n   \
            1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 72 1 0\n   \
            2: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 73 1 0\n";
        let found: Vec<_> = listeners(table, 8080).collect();
        assert_eq!(found, [PathBuf::from("socket:[71]")]);
    }
}

//! At which TCP ports this process listens, by what Linux tells in `/proc`. Where there is no such
//! thing, every port is somebody else's.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;

pub fn listens_at(port: u16) -> bool {
    let own = own_sockets();
    ["/proc/self/net/tcp", "/proc/self/net/tcp6"]
        .into_iter()
        .filter_map(|table| fs::read_to_string(table).ok())
        .any(|table| listeners(&table, port).any(|name| own.contains(&name)))
}

/// What the links of open sockets lead to.
fn own_sockets() -> HashSet<OsString> {
    let descriptors = fs::read_dir("/proc/self/fd").into_iter().flatten();
    let links = descriptors
        .flatten()
        .filter_map(|one| fs::read_link(one.path()).ok());
    links.map(OsString::from).collect()
}

/// The sockets of any process that listen at the port, named as links to them are.
fn listeners(table: &str, port: u16) -> impl Iterator<Item = OsString> {
    const LISTENING: &str = "0A";
    let ending = format!(":{port:04X}");
    table.lines().filter_map(move |line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (local, state, inode) = (fields.get(1)?, fields.get(3)?, fields.get(9)?);
        let is_it = local.ends_with(&ending) && *state == LISTENING;
        is_it.then(|| format!("socket:[{inode}]").into())
    })
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, TcpStream};

    use super::*;

    #[test]
    fn ports_are_own_while_somebody_listens_here() {
        let v4 = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = v4.local_addr().unwrap().port();
        assert!(listens_at(port));
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
        assert_eq!(found, ["socket:[71]"]);
    }
}

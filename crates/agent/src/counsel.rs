//! Asks Jury, while a build runs, which tests may be left out. Whatever goes wrong, there is no
//! answer, and the JVM runs all its tests.

use std::io::BufReader;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use jury_protocol::{FrameError, read_frame, read_header, write_frame, write_header};

/// A build must not hang on its observer.
const PATIENCE: Duration = Duration::from_secs(30);

/// `launch` is the record of this JVM's own launch, if it is there to run tests.
pub fn ask(socket: &str, question: &[u8], launch: Option<&[u8]>) -> Option<Vec<u8>> {
    let launch = launch.unwrap_or_default();
    try_ask(socket, question, launch).ok().flatten()
}

fn try_ask(socket: &str, question: &[u8], launch: &[u8]) -> Result<Option<Vec<u8>>, FrameError> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write_header(&mut stream)?;
    write_frame(&mut stream, question)?;
    write_frame(&mut stream, launch)?;
    let mut input = BufReader::new(stream);
    read_header(&mut input)?;
    read_frame(&mut input)
}

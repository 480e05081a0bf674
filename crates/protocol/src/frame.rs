//! Framing for files and sockets: a header with magic and version once, then frames of length,
//! checksum and payload. A frame that was cut short or altered is told apart from a clean end, so
//! that a killed JVM costs at most its last frame.

use std::io::{self, Read, Write};

use thiserror::Error;

pub const MAGIC: [u8; 4] = *b"JURY";
/// Raised whenever a record, command or session changes its bytes.
pub const VERSION: u32 = 9;

/// Frames larger than this are damage, not data, so nobody may write one.
pub const LARGEST_PAYLOAD: u32 = 64 << 20;

#[derive(Debug, Error)]
pub enum FrameError {
    #[error("not written by Jury")]
    ForeignMagic,
    #[error("format version {found}, this Jury speaks {VERSION}")]
    OtherVersion { found: u32 },
    #[error("the last record is incomplete")]
    Truncated,
    #[error("a record does not match its checksum")]
    Damaged,
    #[error(transparent)]
    Io(#[from] io::Error),
}

pub fn write_header(out: &mut impl Write) -> io::Result<()> {
    let mut header = [0; 8];
    header[..4].copy_from_slice(&MAGIC);
    header[4..].copy_from_slice(&VERSION.to_be_bytes());
    out.write_all(&header)
}

pub fn read_header(input: &mut impl Read) -> Result<(), FrameError> {
    let mut header = [0; 8];
    if !fill(input, &mut header)? {
        return Err(FrameError::Truncated);
    }
    let [m0, m1, m2, m3, version @ ..] = header;
    if [m0, m1, m2, m3] != MAGIC {
        return Err(FrameError::ForeignMagic);
    }
    match u32::from_be_bytes(version) {
        VERSION => Ok(()),
        found => Err(FrameError::OtherVersion { found }),
    }
}

/// Writes one frame with a single `write_all`, so that frames of several threads or processes
/// appending to one file do not mix.
pub fn write_frame(out: &mut impl Write, payload: &[u8]) -> io::Result<()> {
    let mut frame = Vec::with_capacity(payload.len() + 8);
    frame.extend_from_slice(&(payload.len() as u32).to_be_bytes());
    frame.extend_from_slice(&crc32fast::hash(payload).to_be_bytes());
    frame.extend_from_slice(payload);
    out.write_all(&frame)
}

/// Reads the next frame; `None` at a clean end.
pub fn read_frame(input: &mut impl Read) -> Result<Option<Vec<u8>>, FrameError> {
    let mut length = [0; 4];
    if !fill(input, &mut length)? {
        return Ok(None);
    }
    let mut checksum = [0; 4];
    if !fill(input, &mut checksum)? {
        return Err(FrameError::Truncated);
    }
    let length = u32::from_be_bytes(length);
    if length > LARGEST_PAYLOAD {
        return Err(FrameError::Damaged);
    }
    let mut payload = Vec::new();
    input.take(u64::from(length)).read_to_end(&mut payload)?;
    if payload.len() < length as usize {
        return Err(FrameError::Truncated);
    }
    if crc32fast::hash(&payload) != u32::from_be_bytes(checksum) {
        return Err(FrameError::Damaged);
    }
    Ok(Some(payload))
}

/// Fills `buffer`; false if the input ended before its first byte.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> Result<bool, FrameError> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) if filled == 0 => return Ok(false),
            Ok(0) => return Err(FrameError::Truncated),
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(payloads: &[&[u8]]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_header(&mut bytes).unwrap();
        for payload in payloads {
            write_frame(&mut bytes, payload).unwrap();
        }
        bytes
    }

    #[test]
    fn frames_come_back_in_order_and_end_cleanly() {
        let bytes = file(&[b"one", b"", b"three"]);
        let mut input = &bytes[..];
        read_header(&mut input).unwrap();
        assert_eq!(read_frame(&mut input).unwrap().unwrap(), b"one");
        assert_eq!(read_frame(&mut input).unwrap().unwrap(), b"");
        assert_eq!(read_frame(&mut input).unwrap().unwrap(), b"three");
        assert!(read_frame(&mut input).unwrap().is_none());
    }

    #[test]
    fn every_cut_inside_a_frame_is_noticed() {
        let bytes = file(&[b"payload"]);
        for end in 9..bytes.len() {
            let mut input = &bytes[8..end];
            assert!(
                matches!(read_frame(&mut input), Err(FrameError::Truncated)),
                "cut at {end}"
            );
        }
    }

    #[test]
    fn a_flipped_bit_is_noticed() {
        let mut bytes = file(&[b"payload"]);
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        assert!(matches!(
            read_frame(&mut &bytes[8..]),
            Err(FrameError::Damaged)
        ));
    }

    #[test]
    fn another_version_is_named() {
        let mut bytes = file(&[]);
        bytes[7] = 99;
        let error = read_header(&mut &bytes[..]).unwrap_err();
        assert_eq!(error.to_string(), "format version 99, this Jury speaks 9");
    }

    #[test]
    fn a_huge_length_is_refused_before_anything_is_allocated() {
        let bytes = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
        assert!(matches!(
            read_frame(&mut &bytes[..]),
            Err(FrameError::Damaged)
        ));
    }
}

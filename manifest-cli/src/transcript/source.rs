//! Where the bytes come from: a file, packed or not, or standard input; read as often as it takes.

use super::error::TranscriptError;
use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use tempfile::SpooledTempFile;

/// Bytes of standard input that are held in memory; more is spilled to an unnamed temporary file.
const IN_MEMORY: usize = 64 << 20;
/// Size of the read buffer.
const BUFFER: usize = 256 << 10;
/// The largest window of a zstd frame that is accepted (`zstd --long=27`).
const ZSTD_WINDOW: u64 = 128 << 20;

/// How a source is packed; told by its first bytes, never by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    None,
    Gzip,
    Zstd,
}

/// A source of bytes that can be read again from its start.
#[derive(Debug)]
pub(crate) struct Source {
    /// What the caller named; `-` is standard input.
    pub(crate) path: PathBuf,
    spool: Option<SpooledTempFile>,
}

impl Source {
    /// Opens `path`, or standard input for `-`. What can be read once only (standard input, a pipe) is read here, up to
    /// `most` bytes.
    pub(crate) fn open(path: &Path, most: u64) -> Result<Source, TranscriptError> {
        if path == Path::new("-") {
            return Source::spooled(path, io::stdin().lock(), most);
        }
        let meta = std::fs::metadata(path).map_err(|e| TranscriptError::io(path, e))?;
        if meta.is_dir() {
            return Err(TranscriptError::Folder { path: path.to_path_buf() });
        }
        if crate::input::is_device(&meta) {
            return Err(TranscriptError::Device { path: path.to_path_buf() });
        }
        if !meta.is_file() {
            let file = File::open(path).map_err(|e| TranscriptError::io(path, e))?;
            return Source::spooled(path, file, most);
        }
        Ok(Source { path: path.to_path_buf(), spool: None })
    }

    fn spooled(path: &Path, from: impl Read, most: u64) -> Result<Source, TranscriptError> {
        let mut spool = SpooledTempFile::new(IN_MEMORY);
        let copied = io::copy(&mut from.take(most), &mut spool).map_err(|e| TranscriptError::io(path, e))?;
        if copied == most {
            // The limit is one byte more than what may be read.
            return Err(TranscriptError::TooLarge {
                path: path.to_path_buf(),
                limit: most.saturating_sub(1),
            });
        }
        Ok(Source { path: path.to_path_buf(), spool: Some(spool) })
    }

    /// The bytes from the start, unpacked.
    pub(crate) fn bytes(&mut self) -> Result<Box<dyn BufRead + '_>, TranscriptError> {
        let path = self.path.clone();
        let raw: Box<dyn BufRead + '_> = if let Some(spool) = &mut self.spool {
            spool.seek(SeekFrom::Start(0)).map_err(|e| TranscriptError::io(&path, e))?;
            Box::new(BufReader::with_capacity(BUFFER, spool))
        } else {
            let file = File::open(&path).map_err(|e| TranscriptError::io(&path, e))?;
            Box::new(BufReader::with_capacity(BUFFER, file))
        };
        unpack(raw).map_err(|e| TranscriptError::io(&path, e))
    }
}

/// The content of `raw`, unpacked if its first bytes say that it is packed.
fn unpack<'a>(mut raw: Box<dyn BufRead + 'a>) -> io::Result<Box<dyn BufRead + 'a>> {
    let packing = match raw.fill_buf()? {
        [0x1f, 0x8b, ..] => Packing::Gzip,
        // A frame, or a skippable one before it.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Packing::Zstd,
        _ => Packing::None,
    };
    Ok(match packing {
        Packing::None => raw,
        Packing::Gzip => Box::new(BufReader::with_capacity(
            BUFFER,
            Unpacked { from: MultiGzDecoder::new(raw), name: "gzip" },
        )),
        Packing::Zstd => {
            Box::new(BufReader::with_capacity(BUFFER, Unpacked { from: ZstdFrames::new(raw), name: "zstd" }))
        }
    })
}

/// What an unpacker gives; its faults in words.
struct Unpacked<R> {
    from: R,
    name: &'static str,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.from.read(buf).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
                io::Error::new(error.kind(), format!("its {} data is damaged or cut off", self.name))
            }
            _ => error,
        })
    }
}

/// All frames of a zstd stream, one after the other.
struct ZstdFrames<R: BufRead> {
    raw: R,
    frame: FrameDecoder,
    /// Whether `frame` has begun one.
    inside: bool,
}

impl<R: BufRead> ZstdFrames<R> {
    fn new(raw: R) -> Self {
        let mut frame = FrameDecoder::new();
        frame.set_max_window_size(ZSTD_WINDOW);
        ZstdFrames { raw, frame, inside: false }
    }

    /// Enters the next frame, stepping over skippable ones; false at the end.
    fn enter(&mut self) -> io::Result<bool> {
        loop {
            if self.raw.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.frame.init(&mut self.raw) {
                Ok(()) => {
                    self.inside = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    io::copy(&mut self.raw.by_ref().take(u64::from(length)), &mut io::sink())?;
                }
                Err(e) => return Err(io::Error::new(io::ErrorKind::InvalidData, e)),
            }
        }
    }

    /// What the frame's checksum says, where it has one.
    fn verify(&self) -> io::Result<()> {
        match (self.frame.get_checksum_from_data(), self.frame.get_calculated_checksum()) {
            (Some(said), Some(is)) if said != is => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "zstd: the frame's checksum does not fit its content",
            )),
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Read for ZstdFrames<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.inside && !self.enter()? {
                return Ok(0);
            }
            while self.frame.can_collect() == 0 && !self.frame.is_finished() {
                self.frame
                    .decode_blocks(&mut self.raw, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))?;
            }
            let n = self.frame.read(buf)?;
            if n > 0 {
                return Ok(n);
            }
            self.verify()?;
            self.inside = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(bytes)?;
        let mut source = Source::open(file.path(), 1 << 30).map_err(io::Error::other)?;
        let mut twice = Vec::new();
        source.bytes().map_err(io::Error::other)?.read_to_end(&mut twice)?;
        let mut again = Vec::new();
        source.bytes().map_err(io::Error::other)?.read_to_end(&mut again)?;
        assert_eq!(twice, again, "a source gives the same bytes each time");
        Ok(twice)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(bytes).unwrap();
        out.finish().unwrap()
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    }

    #[test]
    fn plain_gzip_and_zstd_give_the_same_bytes() {
        let text: Vec<u8> = (0..200_000u32).flat_map(|i| format!("line {i}\n").into_bytes()).collect();
        assert_eq!(read(&text).unwrap(), text);
        assert_eq!(read(&gzip(&text)).unwrap(), text);
        assert_eq!(read(&zstd(&text)).unwrap(), text);
    }

    #[test]
    fn several_members_or_frames_are_one_stream() {
        let gz = [gzip(b"one "), gzip(b"two")].concat();
        assert_eq!(read(&gz).unwrap(), b"one two");
        let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        let zst = [zstd(b"one "), skippable.clone(), zstd(b"two")].concat();
        assert_eq!(read(&zst).unwrap(), b"one two");
        assert_eq!(read(&[skippable, zstd(b"x")].concat()).unwrap(), b"x");
    }

    #[test]
    fn a_cut_pack_is_an_error_and_not_an_end() {
        let text = b"some text that is long enough to be cut in the middle of it ".repeat(50);
        let gz = gzip(&text);
        assert!(read(&gz[..gz.len() - 9]).is_err());
        let zst = zstd(&text);
        assert!(read(&zst[..zst.len() - 5]).is_err());
    }

    #[test]
    fn a_folder_is_named_as_one() {
        let dir = tempfile::tempdir().unwrap();
        let error = Source::open(dir.path(), 1 << 30).unwrap_err().to_string();
        assert!(error.contains("is a folder"), "{error}");
    }
}

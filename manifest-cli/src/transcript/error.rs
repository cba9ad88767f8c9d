//! Why a transcript could not be read at all.

use std::io;
use std::path::PathBuf;

/// Why a file gives no transcript. A single bad line is no error: it is counted in the [`Tally`](super::Tally).
#[derive(Debug, thiserror::Error)]
pub(crate) enum TranscriptError {
    /// The file cannot be opened or read.
    #[error("cannot read {}", path.display())]
    Io {
        /// The file as named by the caller; `-` for standard input.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder was named.
    #[error(
        "{} is a folder; name one session file in it (for example the newest: `ls -t {} | head -1`)",
        path.display(),
        path.display()
    )]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// A device, which gives bytes without end or none.
    #[error("{} is a device; name a file, or `-` for standard input", path.display())]
    Device {
        /// The device.
        path: PathBuf,
    },
    /// It is larger than is read.
    #[error("{}: more than {limit} bytes, the limit{}", path.display(), raise(*limit))]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// There is no byte in it.
    #[error("{} is empty: 0 bytes", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// There is nothing in it but white space or NUL bytes.
    #[error("no transcript in {}: {what}", path.display())]
    Blank {
        /// The file.
        path: PathBuf,
        /// What is in it instead.
        what: String,
    },
    /// It is no text.
    #[error("no transcript in {}: it looks like {what}, not like text", path.display())]
    Binary {
        /// The file.
        path: PathBuf,
        /// What it looks like.
        what: &'static str,
    },
}

impl TranscriptError {
    /// The error for a failed read of `path`.
    pub(crate) fn io(path: &std::path::Path, source: io::Error) -> Self {
        TranscriptError::Io { path: path.to_path_buf(), source }
    }
}

/// What raises a limit, where something does.
fn raise(limit: u64) -> &'static str {
    if limit < 4 << 30 {
        "; raise it with --max-line"
    } else {
        " of what a pipe may give; write it to a file first"
    }
}

/// A count of bytes as a person reads it: exact below 1 KiB, one decimal above.
pub(crate) fn bytes(n: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if n < 1024 {
        return format!("{n} B");
    }
    let mut value = n as f64 / 1024.0;
    let mut unit = UNITS[0];
    for next in &UNITS[1..] {
        if value < 1023.95 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    if (value - value.round()).abs() < 0.05 {
        format!("{value:.0} {unit}")
    } else {
        format!("{value:.1} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn counts_of_bytes_are_short() {
        assert_eq!(bytes(0), "0 B");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1 << 30), "1 GiB");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(304 * 1024), "304 KiB");
        assert_eq!(bytes(1024 * 1024 - 1), "1 MiB");
    }
}

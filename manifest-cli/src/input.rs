//! Lines of standard input, and texts of files, each within its limit.

use crate::error::Failure;
use crate::shape::LineError;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

/// One line of the input, or why it cannot be used.
pub(crate) enum Line {
    /// The line, without its end.
    Text(String),
    /// It is longer than the limit; it was read past, not kept.
    TooLong { bytes: u64 },
    /// It is not UTF-8, from this byte on.
    NotUtf8 { at: usize },
}

impl Line {
    /// The text of the line, or why it has none.
    pub(crate) fn text(self, limit: usize) -> Result<String, LineError> {
        match self {
            Line::Text(text) => Ok(text),
            Line::TooLong { bytes } => Err(LineError::new(
                "line.too_long",
                format!(
                    "{bytes} bytes, above the limit of {limit}; raise it with --max-line, or split the children"
                ),
            )),
            Line::NotUtf8 { at } => {
                Err(LineError::new("line.not_utf8", format!("not UTF-8 at byte {at} of the line")))
            }
        }
    }
}

/// A text without the byte order mark that some editors and shells put at the beginning of it.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Reads the next line. `None` at the end of the input.
pub(crate) fn next_line(input: &mut impl BufRead, limit: usize) -> std::io::Result<Option<Line>> {
    let mut line = Vec::new();
    let read = input.by_ref().take((limit as u64).saturating_add(1)).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    let ended = line.last() == Some(&b'\n');
    if ended {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    }
    if line.len() > limit {
        let mut bytes = line.len() as u64;
        drop(line);
        if !ended {
            bytes += skip_line(input)?;
        }
        return Ok(Some(Line::TooLong { bytes }));
    }
    Ok(Some(match String::from_utf8(line) {
        Ok(text) => Line::Text(text),
        Err(error) => Line::NotUtf8 { at: error.utf8_error().valid_up_to() },
    }))
}

fn skip_line(input: &mut impl BufRead) -> std::io::Result<u64> {
    let mut bytes = 0;
    loop {
        let chunk = input.fill_buf()?;
        if chunk.is_empty() {
            return Ok(bytes);
        }
        if let Some(end) = chunk.iter().position(|b| *b == b'\n') {
            input.consume(end + 1);
            return Ok(bytes + end as u64);
        }
        let n = chunk.len();
        bytes += n as u64;
        input.consume(n);
    }
}

/// The text of a file.
pub(crate) fn text_of(path: &Path, limit: usize) -> Result<String, Failure> {
    let failed = |source| Failure::Read { path: path.to_owned(), source };
    // Before it is opened: a pipe that nobody writes to would never open, a device never end.
    let meta = std::fs::metadata(path).map_err(failed)?;
    if meta.is_dir() || is_device(&meta) {
        let what = if meta.is_dir() { "a folder" } else { "a device" };
        return Err(Failure::NoFile { path: path.to_owned(), what });
    }
    let file = std::fs::File::open(path).map_err(failed)?;
    let bytes = meta.len();
    if bytes > limit as u64 {
        return Err(Failure::TooLarge { path: path.to_owned(), bytes, limit });
    }
    let mut data = Vec::new();
    // A file that grows, or one that has no length (a pipe), is held to the limit too.
    file.take((limit as u64).saturating_add(1)).read_to_end(&mut data).map_err(failed)?;
    if data.len() > limit {
        return Err(Failure::TooLarge { path: path.to_owned(), bytes: data.len() as u64, limit });
    }
    String::from_utf8(data)
        .map_err(|error| Failure::NotUtf8 { path: path.to_owned(), at: error.utf8_error().valid_up_to() })
}

/// Whether it is neither a file, a folder nor a pipe: it may give bytes without end.
pub(crate) fn is_device(meta: &std::fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let kind = meta.file_type();
        kind.is_char_device() || kind.is_block_device()
    }
    #[cfg(not(unix))]
    {
        let _ = meta;
        false
    }
}

/// The texts of a file, or of a folder's files in the order of their names.
pub(crate) fn texts_of(path: &Path, limit: usize) -> Result<Vec<(String, String)>, Failure> {
    texts_but(path, &[], limit)
}

/// The same without some files of the folder, by whatever name they are given.
pub(crate) fn texts_but(path: &Path, but: &[&Path], limit: usize) -> Result<Vec<(String, String)>, Failure> {
    if !path.is_dir() {
        return Ok(vec![(path.display().to_string(), text_of(path, limit)?)]);
    }
    let failed = |source| Failure::Read { path: path.to_owned(), source };
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?.path();
        let hidden = entry.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
        if entry.is_file() && !hidden {
            files.push(entry);
        }
    }
    let but: Vec<PathBuf> = but.iter().filter_map(|path| path.canonicalize().ok()).collect();
    files.retain(|file| file.canonicalize().map_or(true, |file| !but.contains(&file)));
    files.sort();
    if files.is_empty() {
        return Err(Failure::EmptyFolder { path: path.to_owned() });
    }
    files.iter().map(|file| Ok((file.display().to_string(), text_of(file, limit)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_read_past_and_the_next_one_is_read() {
        let mut input = std::io::Cursor::new([vec![b'x'; 100], b"\nok\n".to_vec()].concat());
        assert!(matches!(next_line(&mut input, 10), Ok(Some(Line::TooLong { bytes: 100 }))));
        assert!(matches!(next_line(&mut input, 10), Ok(Some(Line::Text(t))) if t == "ok"));
        assert!(matches!(next_line(&mut input, 10), Ok(None)));
    }

    #[test]
    fn a_line_at_the_limit_fits() {
        let mut input = std::io::Cursor::new(b"12345\r\n67".to_vec());
        assert!(matches!(next_line(&mut input, 6), Ok(Some(Line::Text(t))) if t == "12345"));
        assert!(matches!(next_line(&mut input, 5), Ok(Some(Line::Text(t))) if t == "67"));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_named() {
        let mut input = std::io::Cursor::new(b"ab\xff\n".to_vec());
        assert!(matches!(next_line(&mut input, 10), Ok(Some(Line::NotUtf8 { at: 2 }))));
    }
}

//! Where a path ends.

use super::super::byte::{ALNUM, UPPER, class, is_word};
use super::super::scan::Scan;
use super::known::{extension, is_file};

/// Longer paths go on without spaces only.
const LONGEST: usize = 240;

/// Where a POSIX path ends that begins at `i`.
pub(super) fn posix(s: &Scan<'_>, i: usize) -> usize {
    if let Some(end) = quoted(s, i) {
        return end;
    }
    let mut end = run(s, i);
    while let Some(next) = spaced(s, i, end) {
        end = next;
    }
    end
}

/// Where a path ends that stands alone in quotes or ticks and has a space in it.
fn quoted(s: &Scan<'_>, i: usize) -> Option<usize> {
    let quote = s.before(i);
    if !matches!(quote, b'"' | b'\'' | b'`') || !matches!(s.at(i), b'/' | b'~' | b'.') {
        return None;
    }
    let mut end = i;
    let mut space = false;
    loop {
        match s.at(end) {
            b if b == quote => break,
            // What is quoted ends where the quote does.
            0 if end == s.limit() => break,
            0 | b'\n' | b'{' | b'}' | b'<' | b'>' | b'|' | b';' | b',' | b':' => return None,
            b' ' => {
                // A second path, a flag or a shell word: no single path.
                if matches!(s.at(end + 1), b'/' | b'-' | b'.' | b'~' | b'&' | b' ') {
                    return None;
                }
                space = true;
            }
            _ => {}
        }
        end += 1;
        if end - i > LONGEST {
            return None;
        }
    }
    let (folders, name) = s.slice(i, end).rsplit_once('/')?;
    (space && (folders.contains(' ') || is_file(name))).then_some(end)
}

/// The end of a run of path characters, without the punctuation that ends a sentence.
fn run(s: &Scan<'_>, start: usize) -> usize {
    let mut i = start;
    loop {
        let b = s.at(i);
        match b {
            _ if is_word(b) || b"/-.@+~%#=".contains(&b) => i += 1,
            b'*' if s.at(i + 1) == b'*' && s.at(i + 2) != b'/' => break,
            b'*' => i += 1,
            // `[slug].tsx`, `{a,b}.rs`: brackets that close within the segment.
            b'[' | b'{' => match bracket_end(s, i) {
                Some(end) => i = end,
                None => break,
            },
            b'$' if s.before(i) == b'/' => i += 1,
            _ => match s.char_at(i) {
                Some(c) if b >= 0x80 && belongs(c) => i += c.len_utf8(),
                _ => break,
            },
        }
    }
    trim(s, start, i)
}

fn bracket_end(s: &Scan<'_>, i: usize) -> Option<usize> {
    let close = match s.at(i) {
        b'[' if s.before(i) == b'/' => b']',
        b'{' if s.before(i) == b'/' || is_word(s.before(i)) => b'}',
        _ => return None,
    };
    let mut j = i + 1;
    while j - i < 60 && (is_word(s.at(j)) || matches!(s.at(j), b'.' | b',' | b'-' | b'*')) {
        j += 1;
    }
    (s.at(j) == close && s.at(j + 1) != b'(').then_some(j + 1)
}

/// Whether a character beyond ASCII belongs to a file name: a letter of any script, a picture.
fn belongs(c: char) -> bool {
    c.is_alphanumeric()
        || unicode_normalization::char::is_combining_mark(c)
        || ('\u{1f300}'..='\u{1faff}').contains(&c)
}

fn trim(s: &Scan<'_>, start: usize, mut i: usize) -> usize {
    while i > start + 1 {
        match s.before(i) {
            b'.' if s.is(i - 2, "..") && (i == start + 2 || s.before(i - 2) == b'/') => break,
            b'.' | b'-' | b'=' | b'#' | b'%' | b'@' | b'+' => i -= 1,
            b'~' if i - start > 2 => i -= 1,
            b'*' if s.before(start) == b'*' => i -= 1,
            _ => break,
        }
    }
    i
}

/// The end of one more run after a space, where the path clearly goes on: `/Users/dev/My Reports/Q3 final.pdf`.
fn spaced(s: &Scan<'_>, start: usize, end: usize) -> Option<usize> {
    let next = end + 1;
    if s.at(end) != b' ' || class(s.at(next)) & ALNUM == 0 || end - start > LONGEST {
        return None;
    }
    let body = s.slice(start, end);
    let (_, name) = body.rsplit_once('/')?;
    let rooted = matches!(s.at(start), b'/' | b'~');
    let loose = body.contains(' ') || name.bytes().next().is_some_and(|b| b.is_ascii_uppercase());
    if !rooted || !loose || extension(name).is_some() {
        return None;
    }
    let goes_on = |from: usize, to: usize| {
        let word = s.slice(from, to);
        if word.contains('/') {
            class(s.at(from)) & UPPER != 0 && !word.contains("//")
        } else {
            is_file(word)
        }
    };
    let stop = run(s, next);
    if goes_on(next, stop) {
        return Some(stop);
    }
    // A capitalised word between, if a folder or a file follows it.
    let capital = class(s.at(next)) & UPPER != 0 && !s.slice(next, stop).contains('.');
    if !capital || s.at(stop) != b' ' || class(s.at(stop + 1)) & ALNUM == 0 {
        return None;
    }
    let after = run(s, stop + 1);
    goes_on(stop + 1, after).then_some(after)
}

/// Where a Windows path ends whose segments begin at `i`.
pub(super) fn windows(s: &Scan<'_>, i: usize) -> usize {
    let mut end = windows_run(s, i);
    // A space belongs to it if a separator or a file follows in the next word.
    while s.at(end) == b' ' && end - i < LONGEST {
        let name = s.slice(i, end).rsplit('\\').next().unwrap_or_default();
        if is_file(name) || name.is_empty() {
            break;
        }
        let next = windows_run(s, end + 1);
        let word = s.slice(end + 1, next);
        let goes_on = next > end + 1
            && !word.contains(":\\")
            && (word.contains('\\') || is_file(word) || s.is(next, " (x86)\\"));
        if !goes_on {
            break;
        }
        end = next;
    }
    while end > i + 1 && matches!(s.before(end), b'.' | b'-' | b'=' | b'*') {
        end -= 1;
    }
    end
}

fn windows_run(s: &Scan<'_>, mut i: usize) -> usize {
    loop {
        let b = s.at(i);
        match b {
            _ if is_word(b) => i += 1,
            b'\\' if s.at(i + 1) == b'"' => return i,
            b'\\' | b'/' | b'-' | b'.' | b'~' | b'$' | b'@' | b'+' | b'#' | b'%' | b'=' | b'*' => i += 1,
            b'(' if s.is(i, "(x86)") => i += 5,
            _ => match s.char_at(i) {
                Some(c) if b >= 0x80 && belongs(c) => i += c.len_utf8(),
                _ => return i,
            },
        }
    }
}

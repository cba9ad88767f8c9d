//! File paths, and lines within files.

mod extent;
mod known;
mod location;

pub(super) use known::is_file;
pub(super) use location::reference as line_reference;

use super::byte::{ALNUM, BACK, COLON, DOT, LETTER, SLASH, class, is_word};
use super::scan::Scan;
use super::token::Token;
use super::{Class, secret, unit};
use crate::text::Span;
use std::borrow::Cow;

/// A path from the root or the home folder: `/etc/acme`, `~/x`.
pub(super) fn rooted(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    let home = s.at(i) == b'~';
    if !can_begin(s, i) || home && s.at(i + 1) != b'/' {
        return None;
    }
    let first = i + 1 + usize::from(home);
    let opens = is_word(s.at(first))
        || matches!(s.at(first), b'.' | b'@' | b'{' | b'$' | b'*')
        || s.char_at(first).is_some_and(char::is_alphanumeric);
    let end = if opens { extent::posix(s, i) } else { i };
    // A lone letter or digits after a slash are no path (`/s`, `/12`), nor is the end of a tag (`</div>`).
    let body = s.slice(i, end);
    let tag = s.before(i) == b'<' && !body.get(1..).unwrap_or_default().contains('/');
    if tag || body.len() < 3 || body.bytes().skip(1).all(|b| b.is_ascii_digit() || b == b'/') {
        return None;
    }
    Some(push(s, i, end))
}

/// A path that begins with a dot: `./x`, `../x`, `.env`.
pub(super) fn dotted(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    let relative = s.is(i, "./") || s.is(i, "../");
    let hidden = class(s.at(i + 1)) & LETTER != 0;
    if !(relative || hidden) || !can_begin(s, i) {
        return None;
    }
    let end = extent::posix(s, i);
    let body = s.slice(i, end);
    let first = body.split('/').next().unwrap_or(body);
    let found = if relative { body.len() > 2 } else { known::is_hidden(first) };
    found.then(|| push(s, i, end))
}

/// A network share: `\\server\share\x`.
pub(super) fn share(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    if !s.is(i, "\\\\") || !can_begin(s, i) {
        return None;
    }
    let mut body = i + 2;
    while s.at(body) == b'\\' {
        body += 1;
    }
    let end = extent::windows(s, body);
    let named = class(s.at(body)) & ALNUM != 0 && s.slice(body, end).contains('\\');
    named.then(|| push(s, i, end))
}

fn can_begin(s: &Scan<'_>, i: usize) -> bool {
    let b = s.before(i);
    let inside = matches!(b, b'/' | b'\\' | b'.' | b'-' | b'%' | b'~' | b'$' | b'}' | b')' | b']');
    !inside && s.begins(i)
}

/// A path that begins with a word: a drive, folders, or a file name. Two segments that are no words (a branch, an image)
/// are an identifier.
pub(super) fn relative(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if t.has(COLON)
        && let Some(end) = drive(s, t.start)
    {
        return Some(end);
    }
    if !t.has(SLASH | BACK | DOT) {
        return None;
    }
    if let Some(end) = image(s, t) {
        return Some(end);
    }
    let windows = t.has(BACK) && !t.has(SLASH);
    let end = if windows { extent::windows(s, t.start) } else { extent::posix(s, t.start) }.max(t.start);
    let body = s.slice(t.start, end);
    let body = body.split("#L").next().unwrap_or(body);
    let separators: &[char] = &['/', '\\'];
    let name = body.rsplit(separators).next().unwrap_or(body);
    if name.len() == body.len() {
        // `console.log(` is a call; `Program.cs(12,7)` is a place.
        let call = s.at(end) == b'(' && !s.at(end + 1).is_ascii_digit();
        return (is_file(name) && !call && !known::is_product(name)).then(|| push(s, t.start, end));
    }
    let first = body.split(separators).next().unwrap_or(body);
    let segments = body.split(separators).filter(|p| !p.is_empty()).count();
    let plain = body.split(separators).all(|p| !p.starts_with('-'));
    let words = body.bytes().all(|b| class(b) & LETTER != 0 || b == b'/');
    let numbers = body.bytes().all(|b| b.is_ascii_digit() || b == b'/');
    let path = is_file(name)
        || segments >= 2 && has_extension(name)
        || windows && segments >= 3
        || known::is_folder(first) && (segments >= 2 || body.ends_with('/'))
        || plain && segments >= 3 && !words && !numbers
        || plain && segments >= 4 && !body.bytes().any(|b| b.is_ascii_uppercase());
    if path {
        return Some(push(s, t.start, end));
    }
    let digits = body.bytes().any(|b| b.is_ascii_digit() || b == b'_');
    let introduced = known::is_branch(first) || s.before(t.start) == b'`' || is_place(s.word_before(t.start));
    let named = (digits || body.contains('-') && introduced)
        && segments == 2
        && !body.contains(['*', '[', '{', '$'])
        && class(s.at(t.start)) & LETTER != 0
        && !unit::is_rate(body)
        && body.split('/').all(|p| p.len() > 1 || p.bytes().any(|b| b.is_ascii_digit()));
    named.then(|| {
        s.push_text(Class::Identifier, Span::new(t.start, end));
        end
    })
}

/// Whether the last name of a path has an extension, known or not: `pigments.ods`.
fn has_extension(name: &str) -> bool {
    let Some((stem, extension)) = name.split_once('.') else { return false };
    let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    stem.len() >= 2
        && stem.bytes().all(|b| is_word(b) || b == b'-')
        && (2..=4).contains(&extension.len())
        && extension.bytes().all(letter)
        && extension.bytes().any(|b| b.is_ascii_lowercase())
}

/// Whether a word says that a branch, an image or the like follows.
fn is_place(word: &str) -> bool {
    ["branch", "image", "repo", "repository", "package", "onto", "origin"].contains(&word)
}

/// A file name without an extension: `Dockerfile`.
pub(super) fn bare(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    known::is_bare_file(s.slice(t.start, t.end)).then(|| push(s, t.start, t.end))
}

/// `C:\x` or `C:/x`.
fn drive(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    let begins = class(s.at(i)) & LETTER != 0 && s.at(i + 1) == b':' && matches!(s.at(i + 2), b'\\' | b'/');
    if !begins || s.is(i + 2, "//") {
        return None;
    }
    let end = extent::windows(s, i + 2);
    Some(push(s, i, end))
}

/// A host with a path but no scheme, and the tag of an image: `registry.acme.example/team/app:1.2.3`.
fn image(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let body = s.slice(t.start, t.end);
    let (host, rest) = body.split_once('/')?;
    let host_name = host.split(':').next()?;
    let (_, top) = host_name.rsplit_once('.')?;
    let domain = (2..=10).contains(&top.len())
        && top.bytes().all(|b| b.is_ascii_lowercase())
        && !is_file(host_name)
        && !rest.is_empty()
        && host_name.bytes().all(|b| class(b) & ALNUM != 0 || matches!(b, b'.' | b'-'));
    if !domain {
        return None;
    }
    s.push_text(Class::Url, t.span());
    Some(t.end)
}

/// The path of a `file://` URL.
pub(super) fn file_url(s: &mut Scan<'_>, at: Span) -> usize {
    s.push_text(Class::Path, at);
    at.end
}

/// Adds the path and the location after it; returns where to go on.
fn push(s: &mut Scan<'_>, start: usize, end: usize) -> usize {
    // A diff names its second file below `b/`.
    let head = s.slice(s.line.start, s.floor(s.line.start + 11));
    let start = start + if head == "diff --git " && s.is(start, "b/") { 2 } else { 0 };
    if secret::in_path(s, start, end) {
        return end;
    }
    if let Some((hash, value)) = location::fragment(s, start, end) {
        s.push_text(Class::Path, Span::new(start, hash));
        s.push_value(Class::Location, Span::new(hash + 1, end), value);
        return end;
    }
    // `docs/retry.md#limits`: the anchor is no part of the file.
    let anchor = s.slice(start, end).find('#').filter(|i| is_file(s.slice(start, start + i)));
    let stop = anchor.map_or(end, |i| start + i);
    s.push_text(Class::Path, Span::new(start, stop));
    if stop < end { end } else { location::after_path(s, end).unwrap_or(end) }
}

/// The canonical text: POSIX exactly, without doubled or final slashes and a leading `./`; Windows in lower case with single backslashes;
/// of a `file://` URL the path.
pub(super) fn canonical(surface: &str) -> Cow<'_, str> {
    if let Some(rest) =
        surface.get(7..).filter(|_| surface.get(..7).is_some_and(|p| p.eq_ignore_ascii_case("file://")))
    {
        let path = percent_decoded(rest.strip_prefix("localhost").unwrap_or(rest));
        return Cow::Owned(match path.strip_prefix('/').filter(|p| is_drive(p)) {
            Some(windows) => canonical(&windows.replace('/', "\\")).into_owned(),
            None => canonical(&path).into_owned(),
        });
    }
    if surface.contains('\\') || is_drive(surface) {
        let mut out = String::with_capacity(surface.len());
        for c in surface.chars().map(|c| if c == '/' { '\\' } else { c }) {
            if c != '\\' || !out.ends_with('\\') || out.len() == 1 {
                out.extend(c.to_lowercase());
            }
        }
        return Cow::Owned(out);
    }
    let body = if surface.len() > 1 { surface.trim_end_matches('/') } else { surface };
    // Here is where a relative path begins anyway.
    let body = body.strip_prefix("./").filter(|rest| !rest.is_empty()).unwrap_or(body);
    if !body.contains("//") {
        return Cow::Borrowed(body);
    }
    let mut out = String::with_capacity(body.len());
    for c in body.chars() {
        if c != '/' || !out.ends_with('/') {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

fn is_drive(p: &str) -> bool {
    matches!(p.as_bytes(), [d, b':', b'\\' | b'/', ..] if d.is_ascii_alphabetic())
}

fn percent_decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |b: u8| char::from(b).to_digit(16).and_then(|d| u8::try_from(d).ok());
        if let (b'%', [h, l, tail @ ..]) = (first, tail)
            && let (Some(h), Some(l)) = (hex(*h), hex(*l))
        {
            out.push(h * 16 + l);
            rest = tail;
        } else {
            out.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, equal, none, reads, unequal};
    use crate::Class;

    #[test]
    fn posix_paths() {
        reads(
            Class::Path,
            &[
                ("Delete /srv/cache but keep /srv/cache-warm.", &["/srv/cache", "/srv/cache-warm"]),
                (
                    "Touched ./scripts/ci/verify.sh and ../shared/env.toml.",
                    &["./scripts/ci/verify.sh", "../shared/env.toml"],
                ),
                (
                    "See (/etc/acme/conf.d), then /etc/acme/conf.d/10-net.conf.",
                    &["/etc/acme/conf.d", "/etc/acme/conf.d/10-net.conf"],
                ),
                ("in ~/notes/plan.md,", &["~/notes/plan.md"]),
                ("已写入 /data/报表/2026年/汇总.csv，共", &["/data/报表/2026年/汇总.csv"]),
                ("glob src/**/*.rs and app/[slug]/page.tsx", &["src/**/*.rs", "app/[slug]/page.tsx"]),
                ("**/srv/x/y**", &["/srv/x/y"]),
                ("batch_07.csv, backfill.sh; 10-net.conf", &["batch_07.csv", "backfill.sh", "10-net.conf"]),
                ("see docs/retry.md#limits", &["docs/retry.md"]),
                ("diff --git a/src/x.rs b/src/x.rs", &["src/x.rs", "src/x.rs"]),
                ("the Dockerfile and .gitignore", &["Dockerfile", ".gitignore"]),
                ("crates/ledger/src/post.rs", &["crates/ledger/src/post.rs"]),
            ],
        );
    }

    #[test]
    fn spaces_in_paths() {
        reads(
            Class::Path,
            &[
                ("saved to /Users/dev/My Reports/Q3 final.pdf", &["/Users/dev/My Reports/Q3 final.pdf"]),
                ("\"/srv/the data/in.csv\" was read", &["/srv/the data/in.csv"]),
                (
                    "C:\\Program Files (x86)\\Acme\\run.exe started",
                    &["C:\\Program Files (x86)\\Acme\\run.exe"],
                ),
                ("run /usr/bin/python script.py", &["/usr/bin/python", "script.py"]),
                ("cp /srv/a to /srv/b", &["/srv/a", "/srv/b"]),
                ("'/bin/sh -c' and \"/a/b /c/d\"", &["/bin/sh", "/a/b", "/c/d"]),
            ],
        );
    }

    #[test]
    fn windows_paths() {
        equal(&[
            "C:\\ProgramData\\Acme\\run.log",
            "c:\\programdata\\acme\\run.log",
            "C:/ProgramData/Acme/run.log",
            "file:///C:/ProgramData/acme/run.log",
        ]);
        equal(&["file:///g:/x", "g:\\x"]);
        equal(&["\"C:\\\\a\\\\new\\\\t.log\"", "C:\\a\\new\\t.log"]);
        reads(
            Class::Path,
            &[
                ("on \\\\fs01\\share\\q3.xlsx.", &["\\\\fs01\\share\\q3.xlsx"]),
                ("src\\main.rs", &["src\\main.rs"]),
            ],
        );
    }

    #[test]
    fn equality_is_exact_for_posix() {
        unequal(&["/srv/Data/index", "/srv/data/index", "/srv/data", "data/index"]);
        equal(&["/srv/data/", "/srv/data", "/srv//data"]);
        equal(&["./pointing/nightly.obs", "pointing/nightly.obs"]);
        unequal(&["../pointing/nightly.obs", "pointing/nightly.obs", "/pointing/nightly.obs"]);
        none(Class::Path, &["and/or", "input/output.", "3/4.5", "a/b.c"]);
        equal(&["file:///srv/a%20b.txt", "\"/srv/a b.txt\""]);
    }

    #[test]
    fn words_with_slashes_are_no_paths() {
        none(
            Class::Path,
            &[
                "at 5 p.m. then",
                "console.log(x)",
                "caf\\xe9",
                "reduced.So we",
                "and/or",
                "TCP/IP",
                "read/write",
                "5 req/s",
                "12/30",
                "N/A",
                "he/she/it",
                "application/json",
                "e.g. this",
                "the end.Next",
                "Node.js",
                "i/o",
                "km/h",
                "a / b",
                "//comment",
                "</div>",
                "3.5",
                "v1.2",
            ],
        );
        assert_eq!(all("branch feature/rename-helper"), [(Class::Identifier, "feature/rename-helper")]);
        assert_eq!(
            all("registry.acme.example/team/app:1.2.3"),
            [(Class::Url, "registry.acme.example/team/app:1.2.3")]
        );
    }
}

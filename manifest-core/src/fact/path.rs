//! File paths, and lines within files.

use super::byte::{ALNUM, BACK, DOT, LETTER, SLASH, UPPER, class, is_word};
use super::scan::{Scan, Token};
use super::value::Value;
use super::{Class, quantity};
use crate::text::Span;

/// A path from the root or the home folder: `/etc/acme`, `~/x`.
pub(super) fn rooted(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    if !can_begin(s, i) {
        return None;
    }
    let first = if s.at(i) == b'~' {
        if s.at(i + 1) != b'/' {
            return None;
        }
        i + 2
    } else {
        i + 1
    };
    let b = s.at(first);
    let opens = is_word(b)
        || matches!(b, b'.' | b'@' | b'{' | b'$' | b'<')
        || s.char_at(first).is_some_and(char::is_alphanumeric)
        || b == b'*';
    if !opens || s.before(i) == b'<' {
        return None;
    }
    let end = posix_end(s, i);
    let body = s.slice(i, end);
    // One short segment after a space is a slash between words (`and /or`), a division, or an HTTP route.
    if body.len() < 3 || body.bytes().skip(1).all(|b| b.is_ascii_digit() || b == b'/') {
        return None;
    }
    Some(push(s, i, end))
}

/// A path that begins with a dot: `./x`, `../x`, `.env`.
pub(super) fn dotted(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    if !can_begin(s, i) {
        return None;
    }
    let relative = s.is(i, "./") || s.is(i, "../");
    let hidden = class(s.at(i + 1)) & LETTER != 0;
    if !relative && !hidden {
        return None;
    }
    let end = posix_end(s, i);
    let body = s.slice(i, end);
    if relative && body.len() < 3 || hidden && !relative && !(body.contains('/') || is_hidden(body)) {
        return None;
    }
    Some(push(s, i, end))
}

/// Whether a name that begins with a dot is a file: a known one, or one that does not read as the end of a sentence.
fn is_hidden(name: &str) -> bool {
    let n = name.trim_start_matches('.');
    name.len() > 3
        && (matches!(
            n,
            "env"
                | "git"
                | "github"
                | "ssh"
                | "npmrc"
                | "bashrc"
                | "zshrc"
                | "profile"
                | "dockerignore"
                | "gitignore"
                | "gitmodules"
                | "gitattributes"
                | "editorconfig"
                | "vscode"
                | "cargo"
                | "config"
                | "eslintrc"
                | "prettierrc"
                | "nvmrc"
                | "venv"
        ) || n.contains('.') && extension(n).is_some()
            || n.starts_with("env."))
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
    if class(s.at(body)) & ALNUM == 0 {
        return None;
    }
    let end = windows_end(s, body);
    if !s.slice(body, end).contains('\\') {
        return None;
    }
    Some(push(s, i, end))
}

fn can_begin(s: &Scan<'_>, i: usize) -> bool {
    let b = s.before(i);
    b < 0x80
        && !is_word(b)
        && !matches!(b, b'/' | b'\\' | b'.' | b'-' | b'%' | b'~' | b'$' | b'}' | b')' | b'<' | b']')
        || b >= 0x80 && s.begins(i)
}

/// A path that begins with a word: a drive, folders, or a file name.
pub(super) fn relative(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if let Some(end) = drive(s, t) {
        return Some(end);
    }
    if !t.has(SLASH | BACK | DOT) {
        return None;
    }
    let end = posix_end(s, t.start).max(t.start);
    let (end, windows) =
        if t.has(BACK) && !t.has(SLASH) { (windows_end(s, t.start), true) } else { (end, false) };
    let body = s.slice(t.start, end);
    let name = body.rsplit(['/', '\\']).next().unwrap_or(body);
    let folders = body.len() > name.len();
    let ext = extension(name);
    let file = ext.is_some_and(is_extension);
    if !folders {
        return if file && !is_product(name) { Some(push(s, t.start, end)) } else { None };
    }
    let first = body.split(['/', '\\']).next().unwrap_or(body);
    let segments = body.split(['/', '\\']).filter(|p| !p.is_empty()).count();
    let wordy = body.bytes().all(|b| class(b) & LETTER != 0 || b == b'/');
    let plain = body.split(['/', '\\']).all(|p| p.bytes().next().is_none_or(|b| b != b'-'));
    let path = file
        || windows && segments >= 2 && (segments >= 3 || !wordy)
        || is_folder(first) && (segments >= 2 || body.ends_with('/'))
        || segments >= 3 && plain && !wordy && !body.bytes().all(|b| b.is_ascii_digit() || b == b'/')
        || segments >= 4 && plain && body.bytes().all(|b| !b.is_ascii_uppercase());
    if path {
        return Some(push(s, t.start, end));
    }
    // A branch, an image or a repository: two segments that are not plain words.
    let ids = !wordy
        && segments == 2
        && !quantity::is_rate(body)
        && class(s.at(t.start)) & LETTER != 0
        && body.split('/').all(|p| !p.is_empty())
        && body.split('/').all(|p| p.len() > 1 || p.bytes().all(|b| b.is_ascii_digit()));
    if ids {
        s.push_text(Class::Identifier, Span::new(t.start, end));
        return Some(end);
    }
    None
}

/// `C:\x` or `C:/x`.
fn drive(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let i = t.start;
    if class(s.at(i)) & LETTER == 0
        || s.at(i + 1) != b':'
        || !matches!(s.at(i + 2), b'\\' | b'/')
        || s.is(i + 2, "//")
    {
        return None;
    }
    let end = windows_end(s, i + 2);
    Some(push(s, i, end))
}

/// The path of a `file://` URL.
pub(super) fn file_url(s: &mut Scan<'_>, at: Span) -> Option<usize> {
    s.push_text(Class::Path, at);
    Some(at.end)
}

/// Where a POSIX path ends that begins at `i`.
fn posix_end(s: &Scan<'_>, i: usize) -> usize {
    if quoted(s, i)
        && let Some(end) = quote_end(s, i)
    {
        return end;
    }
    let mut end = segment_run(s, i, b'/');
    while let Some(next) = spaced(s, i, end) {
        end = next;
    }
    end
}

/// Whether the path stands alone in quotes or ticks.
fn quoted(s: &Scan<'_>, i: usize) -> bool {
    matches!(s.before(i), b'"' | b'\'' | b'`')
}

/// The closing quote of a path that stands alone in quotes, where a space in it needs one.
fn quote_end(s: &Scan<'_>, i: usize) -> Option<usize> {
    let q = s.before(i);
    let mut end = i;
    let mut space = false;
    while end - i < 260 {
        match s.at(end) {
            0 | b'\n' | b'{' | b'}' | b'<' | b'>' | b'|' | b';' | b',' | b':' => return None,
            b' ' => {
                // A second path, a flag or a shell word begins: no single path.
                if matches!(s.at(end + 1), b'/' | b'-' | b'.' | b'~' | b'&' | b' ') {
                    return None;
                }
                space = true;
            }
            b if b == q => break,
            _ => {}
        }
        end += 1;
    }
    let body = s.slice(i, end);
    let has_file =
        body.rsplit('/').next().is_some_and(|n| n.contains(' ') && extension(n).is_some_and(is_extension))
            || body.rsplit_once('/').is_some_and(|(folders, _)| folders.contains(' '));
    (space
        && has_file
        && body.contains('/')
        && (body.starts_with('/') || body.starts_with('~') || body.starts_with('.')))
    .then_some(end)
}

/// The end of a run of path characters.
fn segment_run(s: &Scan<'_>, mut i: usize, _separator: u8) -> usize {
    let start = i;
    loop {
        let b = s.at(i);
        if b == 0 && i >= s.limit {
            break;
        }
        match b {
            _ if is_word(b) => i += 1,
            b'/' | b'-' | b'.' | b'@' | b'+' | b'~' | b'%' | b'#' | b'=' => i += 1,
            b'*' => {
                if s.at(i + 1) == b'*' && s.at(i + 2) != b'/' {
                    break;
                }
                i += 1;
            }
            // A bracket belongs to it only within a segment: `[slug].tsx`, `{a,b}.rs`, `$HOME/x`.
            b'[' | b'{' if s.before(i) == b'/' || is_word(s.before(i)) && b == b'{' => {
                let close = if b == b'[' { b']' } else { b'}' };
                let mut j = i + 1;
                while j - i < 60 && (is_word(s.at(j)) || matches!(s.at(j), b'.' | b',' | b'-' | b'*')) {
                    j += 1;
                }
                if s.at(j) != close || s.at(j + 1) == b'(' {
                    break;
                }
                i = j + 1;
            }
            b'$' if s.before(i) == b'/' => i += 1,
            _ if b >= 0x80 => match s.char_at(i) {
                Some(c) if c.is_alphanumeric() || unicode_mark(c) => i += c.len_utf8(),
                _ => break,
            },
            _ => break,
        }
    }
    trim(s, start, i)
}

fn unicode_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c) || ('\u{1f300}'..='\u{1faff}').contains(&c)
}

/// Without the punctuation that ends a sentence.
fn trim(s: &Scan<'_>, start: usize, mut i: usize) -> usize {
    while i > start + 1 {
        match s.before(i) {
            b'.' if i >= start + 2 && s.is(i - 2, "..") && (i == start + 2 || s.before(i - 2) == b'/') => {
                break;
            }
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
    if s.at(end) != b' ' || end - start > 200 {
        return None;
    }
    let body = s.slice(start, end);
    let name = body.rsplit('/').next()?;
    if body.starts_with('.') || !body.contains('/') || extension(name).is_some() {
        return None;
    }
    let loose = body.contains(' ') || name.bytes().next().is_some_and(|b| b.is_ascii_uppercase());
    let next = end + 1;
    if class(s.at(next)) & ALNUM == 0 {
        return None;
    }
    let run = segment_run(s, next, b'/');
    let word = s.slice(next, run);
    let opens_folder = word.contains('/') && !word.contains("//");
    let is_file = extension(word).is_some_and(is_extension) && !opens_folder;
    if loose && (opens_folder && class(s.at(next)) & UPPER != 0 || is_file) {
        return Some(run);
    }
    // A capitalised word between, if a folder or a file follows it.
    if loose && class(s.at(next)) & UPPER != 0 && !word.contains('.') && s.at(run) == b' ' {
        let after = segment_run(s, run + 1, b'/');
        let w = s.slice(run + 1, after);
        let goes_on = class(s.at(run + 1)) & ALNUM != 0
            && (extension(w).is_some_and(is_extension) && !w.contains('/')
                || w.contains('/') && class(s.at(run + 1)) & UPPER != 0);
        return goes_on.then_some(after);
    }
    None
}

/// Where a Windows path ends whose segments begin at `i`.
fn windows_end(s: &Scan<'_>, i: usize) -> usize {
    let run = |from: usize| {
        let mut j = from;
        loop {
            let b = s.at(j);
            match b {
                _ if is_word(b) => j += 1,
                b'\\' if s.at(j + 1) == b'"' => break,
                b'\\' | b'/' | b'-' | b'.' | b'~' | b'$' | b'@' | b'+' | b'#' | b'%' | b'=' | b'*' => j += 1,
                b'(' if s.slice(j, j + 5) == "(x86)" => j += 5,
                _ if b >= 0x80 => match s.char_at(j) {
                    Some(c) if c.is_alphanumeric() || unicode_mark(c) => j += c.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
        j
    };
    let mut end = run(i);
    // A space belongs to it if a separator or a known file follows within the next words.
    while s.at(end) == b' ' && end - i < 200 {
        let name = s.slice(i, end).rsplit('\\').next().unwrap_or_default();
        if extension(name).is_some_and(is_extension) || name.is_empty() {
            break;
        }
        let next = run(end + 1);
        let word = s.slice(end + 1, next);
        if word.is_empty()
            || word.contains(":\\")
            || !(word.contains('\\') || extension(word).is_some_and(is_extension))
        {
            if s.is(next, " (x86)\\") && next > end + 1 {
                end = next;
                continue;
            }
            break;
        }
        end = next;
    }
    while end > i + 1 && matches!(s.before(end), b'.' | b'-' | b'=' | b'*') {
        end -= 1;
    }
    end
}

/// Adds the path and the location after it; returns where to go on.
fn push(s: &mut Scan<'_>, start: usize, end: usize) -> usize {
    // `#L10` and `#L10-L20` are lines.
    let body = s.slice(start, end);
    if let Some(h) = body.rfind("#L")
        && let Some((value, e)) = hash_lines(s, start + h + 2)
        && e == end
    {
        s.push_text(Class::Path, Span::new(start, start + h));
        s.push_value(Class::Location, Span::new(start + h + 1, end), value);
        return end;
    }
    s.push_text(Class::Path, Span::new(start, end));
    location(s, end).unwrap_or(end)
}

fn hash_lines(s: &Scan<'_>, i: usize) -> Option<(Value, usize)> {
    let (line, mut end) = whole(s, i)?;
    let mut last = 0;
    if s.at(end) == b'-' {
        let j = if s.at(end + 1) == b'L' { end + 2 } else { end + 1 };
        let (n, e) = whole(s, j)?;
        last = n;
        end = e;
    }
    Some((Value::Lines(line, last, 0), end))
}

fn whole(s: &Scan<'_>, i: usize) -> Option<(u64, usize)> {
    let end = s.digits(i);
    if end == i || end - i > 9 {
        return None;
    }
    Some((s.slice(i, end).parse().ok()?, end))
}

/// `:218`, `:218:9`, `:10-20`, `(218,9)` right after a path.
fn location(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    let open = s.at(i);
    if !matches!(open, b':' | b'(') {
        return None;
    }
    let (line, mut end) = whole(s, i + 1)?;
    let (mut last, mut column) = (0, 0);
    match s.at(end) {
        b':' | b',' if s.at(end + 1).is_ascii_digit() && (open == b'(') == (s.at(end) == b',') => {
            let (n, e) = whole(s, end + 1)?;
            column = n;
            end = e;
        }
        b'-' if s.at(end + 1).is_ascii_digit() => {
            let (n, e) = whole(s, end + 1)?;
            last = n;
            end = e;
        }
        _ => {}
    }
    if open == b'(' && s.at(end) != b')' || !s.ends(end) {
        return None;
    }
    s.push_value(Class::Location, Span::new(i + 1, end), Value::Lines(line, last, column));
    Some(if open == b'(' { end + 1 } else { end })
}

/// `line 218`, `line 218, column 9`, `lines 10-20`.
pub(super) fn line_reference(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let word = s.slice(t.start, t.end);
    if !["line", "lines", "Line", "Lines"].contains(&word) || s.at(t.end) != b' ' {
        return None;
    }
    let (line, mut end) = whole(s, s.skip_spaces(t.end))?;
    let (mut last, mut column) = (0, 0);
    if word.ends_with('s') {
        let mut j = end;
        for between in ["-", "–", " to ", " - ", " – ", " through "] {
            if s.is(end, between) {
                j = end + between.len();
            }
        }
        if j > end
            && let Some((n, e)) = whole(s, j)
        {
            last = n;
            end = e;
        }
    }
    for between in [", column ", " column ", ", col ", " col ", ", col. ", ":"] {
        if s.is(end, between)
            && let Some((n, e)) = whole(s, end + between.len())
        {
            column = n;
            end = e;
            break;
        }
    }
    if !s.ends(end) || s.at(end) == b'.' && s.at(end + 1).is_ascii_digit() {
        return None;
    }
    s.push_value(Class::Location, Span::new(t.start, end), Value::Lines(line, last, column));
    Some(end)
}

/// What follows the last dot of a file name.
pub(super) fn extension(name: &str) -> Option<&str> {
    let (stem, ext) = name.rsplit_once('.')?;
    (!ext.is_empty()
        && !stem.is_empty()
        && ext.len() <= 12
        && ext.bytes().all(|b| class(b) & ALNUM != 0 || b == b'_')
        && ext.bytes().any(|b| class(b) & LETTER != 0))
    .then_some(ext)
}

/// Whether the word is the extension of a kind of file.
pub(super) fn is_extension(ext: &str) -> bool {
    if ext.len() > 10 {
        return false;
    }
    let lower = ext.to_ascii_lowercase();
    matches!(
        lower.as_str(),
        "rs" | "py"
            | "pyi"
            | "js"
            | "mjs"
            | "cjs"
            | "ts"
            | "mts"
            | "tsx"
            | "jsx"
            | "go"
            | "java"
            | "kt"
            | "kts"
            | "c"
            | "h"
            | "cc"
            | "cpp"
            | "cxx"
            | "hpp"
            | "hh"
            | "cs"
            | "rb"
            | "php"
            | "sh"
            | "bash"
            | "zsh"
            | "fish"
            | "ps1"
            | "bat"
            | "cmd"
            | "sql"
            | "toml"
            | "yaml"
            | "yml"
            | "json"
            | "jsonl"
            | "json5"
            | "ndjson"
            | "xml"
            | "html"
            | "htm"
            | "css"
            | "scss"
            | "sass"
            | "less"
            | "md"
            | "mdx"
            | "rst"
            | "txt"
            | "csv"
            | "tsv"
            | "log"
            | "conf"
            | "cfg"
            | "ini"
            | "env"
            | "lock"
            | "pdf"
            | "doc"
            | "docx"
            | "xls"
            | "xlsx"
            | "ppt"
            | "pptx"
            | "odt"
            | "png"
            | "jpg"
            | "jpeg"
            | "gif"
            | "svg"
            | "ico"
            | "webp"
            | "mp3"
            | "mp4"
            | "wav"
            | "mov"
            | "avi"
            | "zip"
            | "tar"
            | "gz"
            | "tgz"
            | "bz2"
            | "xz"
            | "zst"
            | "rar"
            | "whl"
            | "jar"
            | "war"
            | "so"
            | "dll"
            | "exe"
            | "bin"
            | "dat"
            | "db"
            | "sqlite"
            | "sqlite3"
            | "parquet"
            | "avro"
            | "orc"
            | "arrow"
            | "pem"
            | "crt"
            | "cer"
            | "key"
            | "pub"
            | "p12"
            | "pfx"
            | "proto"
            | "graphql"
            | "gql"
            | "tf"
            | "tfvars"
            | "hcl"
            | "ipynb"
            | "r"
            | "rmd"
            | "jl"
            | "lua"
            | "swift"
            | "m"
            | "mm"
            | "dart"
            | "ex"
            | "exs"
            | "erl"
            | "hs"
            | "ml"
            | "mli"
            | "scala"
            | "sbt"
            | "clj"
            | "edn"
            | "vue"
            | "svelte"
            | "astro"
            | "patch"
            | "diff"
            | "out"
            | "err"
            | "bak"
            | "tmp"
            | "swp"
            | "pid"
            | "sock"
            | "socket"
            | "service"
            | "timer"
            | "target"
            | "mk"
            | "cmake"
            | "gradle"
            | "properties"
            | "plist"
            | "rpm"
            | "deb"
            | "apk"
            | "ipa"
            | "dmg"
            | "iso"
            | "img"
            | "map"
            | "wasm"
            | "wat"
            | "snap"
            | "tpl"
            | "tmpl"
            | "j2"
            | "pkl"
            | "npz"
            | "npy"
            | "pt"
            | "pth"
            | "onnx"
            | "safetensors"
            | "gguf"
            | "h5"
            | "hdf5"
            | "feather"
            | "prof"
            | "trace"
            | "pcap"
            | "har"
            | "ics"
            | "eml"
            | "msg"
            | "vsdx"
            | "psd"
            | "ai"
            | "fig"
            | "sketch"
            | "ttf"
            | "woff"
            | "woff2"
            | "eot"
            | "pyc"
            | "class"
            | "o"
            | "a"
            | "lib"
            | "pdb"
            | "dump"
            | "core"
            | "crash"
            | "nix"
            | "bzl"
            | "bazel"
            | "gitignore"
            | "rules"
    ) && !matches!(ext, "C" | "H" | "M" | "R" | "A" | "O")
}

/// Product names that look like files.
fn is_product(name: &str) -> bool {
    name.len() < 14
        && (name.ends_with(".js") || name.ends_with(".JS"))
        && name.bytes().next().is_some_and(|b| b.is_ascii_uppercase())
        || name.eq_ignore_ascii_case("node.js")
}

fn is_folder(name: &str) -> bool {
    matches!(
        name,
        "src"
            | "crates"
            | "pkg"
            | "lib"
            | "libs"
            | "app"
            | "apps"
            | "docs"
            | "doc"
            | "test"
            | "tests"
            | "bin"
            | "etc"
            | "home"
            | "usr"
            | "var"
            | "opt"
            | "tmp"
            | "node_modules"
            | "target"
            | "dist"
            | "build"
            | "scripts"
            | "config"
            | "configs"
            | "examples"
            | "packages"
            | "internal"
            | "cmd"
            | "api"
            | "assets"
            | "static"
            | "public"
            | "vendor"
            | "tools"
            | "benches"
            | "migrations"
            | "components"
            | "services"
            | "modules"
            | "include"
            | "spec"
            | "deploy"
            | "infra"
            | "data"
            | "models"
            | "views"
            | "utils"
    )
}

/// The canonical text: POSIX exactly, without `./` doubled or a final slash; Windows and `file://` in lower case with
/// single backslashes.
pub(super) fn canonical(surface: &str) -> String {
    if let Some(rest) =
        surface.get(..7).filter(|p| p.eq_ignore_ascii_case("file://")).and_then(|_| surface.get(7..))
    {
        let rest = rest.strip_prefix("localhost").unwrap_or(rest);
        let path = percent_decoded(rest);
        let windows = path.strip_prefix('/').filter(|p| is_drive(p));
        return match windows {
            Some(p) => canonical(&p.replace('/', "\\")),
            None => canonical(&path),
        };
    }
    if is_drive(surface) || surface.starts_with("\\\\") || surface.contains('\\') && !surface.contains('/') {
        let mut out = String::with_capacity(surface.len());
        for c in surface.chars() {
            let c = if c == '/' { '\\' } else { c };
            if c == '\\' && out.ends_with('\\') && out.len() > 1 {
                continue;
            }
            out.extend(c.to_lowercase());
        }
        return out;
    }
    let mut out = String::with_capacity(surface.len());
    for c in surface.chars() {
        if c == '/' && out.ends_with('/') {
            continue;
        }
        out.push(c);
    }
    if out.len() > 1 && out.ends_with('/') {
        out.pop();
    }
    out
}

fn is_drive(p: &str) -> bool {
    let b = p.as_bytes();
    matches!(b, [d, b':', b'\\' | b'/', ..] if d.is_ascii_alphabetic())
}

fn percent_decoded(t: &str) -> String {
    let mut out = Vec::with_capacity(t.len());
    let b = t.as_bytes();
    let mut i = 0;
    while let Some(&c) = b.get(i) {
        let hex =
            |k: usize| b.get(k).and_then(|&h| char::from(h).to_digit(16)).and_then(|d| u8::try_from(d).ok());
        if c == b'%'
            && let (Some(h), Some(l)) = (hex(i + 1), hex(i + 2))
        {
            out.push(h * 16 + l);
            i += 3;
        } else {
            out.push(c);
            i += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

//! Opaque identifiers: what carries digits, and names of machines and services.

use super::byte::{
    ALNUM, AT, BACK, COLON, DIGIT, DOT, HIGH, HYPHEN, LETTER, LOWER, OTHER, PLUS, SLASH, UNDER, UPPER, class,
    is_word,
};
use super::scan::{Scan, Token};
use super::value::{Domain, Value};
use super::{Class, Fact, range, ticket};
use crate::text::Span;

/// A token with digits, or a hyphenated name that is no English compound.
pub(super) fn identifier(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if t.has(DIGIT) {
        let end = opaque_end(s, t);
        let t = Token { end, ..t };
        if !is_opaque(s, t) {
            return None;
        }
        if let Some(end) = range::names(s, t.span()) {
            return Some(end);
        }
        let text = s.slice(t.start, t.end);
        let class = if ticket::is_error_code(text) { Class::ErrorCode } else { Class::Identifier };
        s.push_text(class, t.span());
        return Some(t.end);
    }
    if t.has(HYPHEN) && t.only(LOWER | UPPER | HYPHEN) && is_service(s, t) {
        s.push_text(Class::Identifier, t.span());
        return Some(t.end);
    }
    None
}

/// Where an opaque token ends: a slash, a colon or an `@` between words splits it, a hyphen or a dot does not.
fn opaque_end(s: &Scan<'_>, t: Token) -> usize {
    let mut end = t.start;
    while end < t.end {
        let c = class(s.at(end));
        if c & (SLASH | BACK | AT | COLON | PLUS | OTHER) != 0 {
            break;
        }
        end += 1;
    }
    while end > t.start && class(s.before(end)) & (HYPHEN | DOT) != 0 {
        end -= 1;
    }
    if end == t.end {
        return end;
    }
    // `host:7001`, `job:12`: a colon joins a name and what belongs to it, if both have digits or the whole is short.
    if s.at(end) == b':'
        && is_word(s.at(end + 1))
        && t.only(ALNUM | UNDER | HYPHEN | COLON)
        && s.slice(t.start, t.end).matches(':').count() == 1
    {
        let tail = s.slice(end + 1, t.end);
        if tail.bytes().any(|b| b.is_ascii_digit())
            && s.slice(t.start, end).bytes().any(|b| b.is_ascii_digit())
        {
            return t.end;
        }
    }
    end
}

/// Whether a token with digits is a name rather than a word with a number.
fn is_opaque(s: &Scan<'_>, t: Token) -> bool {
    let text = s.slice(t.start, t.end);
    if !text.bytes().any(|b| b.is_ascii_digit()) {
        return false;
    }
    if t.has(HIGH) && text.chars().any(|c| !c.is_ascii() && super::byte::is_dense(c)) {
        return false;
    }
    let lower = text.to_ascii_lowercase();
    if is_technical(&lower) {
        return false;
    }
    // Ordinals and decades.
    let digits = lower.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && matches!(lower.get(digits..), Some("st" | "nd" | "rd" | "th" | "s")) {
        return false;
    }
    if let Some((head, tail)) = lower.split_once('-') {
        let numeric = !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit());
        if numeric
            && matches!(
                head,
                "top"
                    | "mid"
                    | "post"
                    | "pre"
                    | "sub"
                    | "non"
                    | "under"
                    | "over"
                    | "late"
                    | "early"
                    | "level"
                    | "all"
            )
        {
            return false;
        }
    }
    true
}

/// Words of the trade that carry digits and name nothing.
fn is_technical(w: &str) -> bool {
    matches!(
        w,
        "sha1"
            | "sha256"
            | "sha512"
            | "sha-1"
            | "sha-256"
            | "sha-512"
            | "md5"
            | "base64"
            | "base32"
            | "utf8"
            | "utf-8"
            | "utf16"
            | "utf-16"
            | "ipv4"
            | "ipv6"
            | "http2"
            | "http3"
            | "oauth2"
            | "x86"
            | "x86_64"
            | "x64"
            | "arm64"
            | "i18n"
            | "l10n"
            | "a11y"
            | "k8s"
            | "b2b"
            | "b2c"
            | "e2e"
            | "3d"
            | "2d"
            | "mp3"
            | "mp4"
            | "h264"
            | "h265"
            | "2fa"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "f32"
            | "f64"
            | "int32"
            | "int64"
            | "uint8"
            | "uint32"
            | "uint64"
            | "float32"
            | "float64"
            | "blake3"
            | "ed25519"
            | "iso-8859-1"
            | "es6"
            | "es2020"
            | "web3"
            | "s3"
            | "ec2"
            | "py3"
            | "24x7"
            | "24/7"
            | "latin1"
            | "log4j"
            | "p2p"
            | "u128"
            | "i128"
            | "c4"
            | "h1"
            | "h2"
            | "h3"
            | "v8"
            | "vp9"
            | "av1"
            | "rfc3339"
            | "iso8601"
            | "crc32"
            | "aes256"
            | "x509"
    )
}

/// Whether a hyphenated name without digits names a machine, a service or the like.
fn is_service(s: &Scan<'_>, t: Token) -> bool {
    let text = s.slice(t.start, t.end);
    let mut parts = text.split('-');
    let (Some(first), Some(last)) = (parts.next(), text.rsplit('-').next()) else { return false };
    if text.bytes().any(|b| b.is_ascii_uppercase()) {
        // `VX-KILO` is a code; `Mid-Atlantic` and `Re-run` are words.
        return text.bytes().all(|b| b.is_ascii_uppercase() || b == b'-') && text.len() >= 5;
    }
    if parts.clone().count() > 4 || is_compound_tail(last) || is_compound_head(first) {
        return false;
    }
    let single = last.len() == 1 && !matches!(last, "s" | "t") && first.len() > 2;
    let bare = |p: &str| {
        p.len() >= 2
            && p.len() <= 4
            && !p.bytes().any(|b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
    };
    let consonants = text.split('-').any(|p| bare(p) && !matches!(p, "th" | "mr" | "dr" | "st" | "vs"));
    let service = matches!(
        last,
        "api"
            | "apis"
            | "service"
            | "svc"
            | "server"
            | "worker"
            | "workers"
            | "writer"
            | "reader"
            | "db"
            | "queue"
            | "gateway"
            | "proxy"
            | "cache"
            | "client"
            | "daemon"
            | "agent"
            | "controller"
            | "operator"
            | "scheduler"
            | "frontend"
            | "backend"
            | "consumer"
            | "producer"
            | "router"
            | "broker"
            | "exporter"
            | "importer"
            | "collector"
            | "indexer"
            | "ingester"
            | "staging"
            | "prod"
            | "dev"
            | "bot"
            | "cli"
            | "sdk"
            | "core"
            | "web"
            | "app"
            | "auth"
            | "bucket"
            | "cluster"
            | "pod"
            | "node"
            | "replica"
            | "primary"
            | "migrator"
            | "notifier"
            | "listener"
            | "handler"
            | "manager"
            | "monitor"
            | "sync"
            | "runner"
            | "prd"
            | "stg"
    );
    let ticked = s.before(t.start) == b'`' && s.at(t.end) == b'`';
    let word = s.word_before(t.start);
    let introduced = matches!(
        word,
        "service"
            | "pod"
            | "bucket"
            | "branch"
            | "host"
            | "node"
            | "cluster"
            | "container"
            | "image"
            | "named"
            | "called"
            | "lane"
            | "deployment"
            | "queue"
            | "topic"
            | "job"
            | "index"
            | "server"
            | "app"
            | "package"
            | "crate"
            | "repo"
            | "repository"
            | "table"
            | "namespace"
            | "project"
            | "tenant"
            | "env"
            | "profile"
            | "cronjob"
            | "daemonset"
            | "module"
            | "plugin"
            | "channel"
    );
    single || consonants || service || ticked || introduced
}

/// Second parts of English compounds.
fn is_compound_tail(w: &str) -> bool {
    matches!(
        w,
        "based"
            | "like"
            | "style"
            | "only"
            | "free"
            | "level"
            | "side"
            | "time"
            | "first"
            | "ready"
            | "driven"
            | "aware"
            | "safe"
            | "wide"
            | "specific"
            | "related"
            | "facing"
            | "compatible"
            | "up"
            | "in"
            | "out"
            | "on"
            | "off"
            | "to"
            | "by"
            | "down"
            | "over"
            | "back"
            | "end"
            | "term"
            | "size"
            | "scale"
            | "bound"
            | "call"
            | "case"
            | "through"
            | "away"
            | "one"
            | "two"
            | "ing"
            | "ed"
            | "friendly"
            | "party"
            | "class"
            | "hand"
            | "line"
            | "page"
            | "step"
            | "phase"
            | "box"
            | "source"
            | "speed"
            | "quality"
            | "value"
            | "key"
    )
}

/// First parts of English compounds.
fn is_compound_head(w: &str) -> bool {
    matches!(
        w,
        "re" | "co"
            | "un"
            | "non"
            | "pre"
            | "post"
            | "sub"
            | "multi"
            | "self"
            | "semi"
            | "anti"
            | "cross"
            | "well"
            | "long"
            | "short"
            | "high"
            | "low"
            | "full"
            | "half"
            | "one"
            | "two"
            | "three"
            | "four"
            | "five"
            | "six"
            | "first"
            | "second"
            | "third"
            | "on"
            | "off"
            | "in"
            | "over"
            | "under"
            | "follow"
            | "end"
            | "real"
            | "read"
            | "write"
            | "fine"
            | "coarse"
            | "open"
            | "so"
            | "by"
            | "e"
            | "x"
            | "all"
            | "ex"
            | "de"
            | "inter"
            | "intra"
            | "micro"
            | "mini"
            | "macro"
            | "meta"
            | "pseudo"
            | "quasi"
            | "mid"
    )
}

/// `@scope/name`, `@user`.
pub(super) fn at_name(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    if is_word(s.before(i)) || s.before(i) == b'@' || class(s.at(i + 1)) & LETTER == 0 {
        return None;
    }
    let mut end = i + 1;
    while is_word(s.at(end)) || matches!(s.at(end), b'-' | b'/' | b'.') && is_word(s.at(end + 1)) {
        end += 1;
    }
    let text = s.slice(i, end);
    if text.len() < 3 {
        return None;
    }
    // A decorator or an annotation is a symbol.
    let class = if text.contains(['/', '-']) || text.bytes().any(|b| b.is_ascii_digit()) {
        Class::Identifier
    } else {
        Class::Symbol
    };
    s.push_text(class, Span::new(i, end));
    Some(end)
}

/// A name that begins with a picture: `🦊-alerts`.
pub(super) fn pictured(s: &mut Scan<'_>, i: usize, end: usize) -> Option<usize> {
    let c = s.char_at(i)?;
    if !('\u{2600}'..='\u{27bf}').contains(&c) && !('\u{1f300}'..='\u{1faff}').contains(&c)
        || class(s.at(end + 1)) & LETTER == 0
    {
        return None;
    }
    let t = s.token(end + 1);
    s.push_text(Class::Identifier, Span::new(i, t.end));
    Some(t.end)
}

/// `HTTP 503`, `exit code 3`, `exit status 137`, `errno 13`, `signal 9`: a code by its name.
pub(super) fn status(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let word = s.slice(t.start, t.end);
    let lower = word.to_ascii_lowercase();
    let mut i = match lower.as_str() {
        "http" | "errno" | "sqlstate" | "signal" => t.end,
        "exit" | "exited" => {
            let j = s.skip_spaces(t.end);
            let j = if s.is(j, "with ") { j + 5 } else { j };
            let w = s.word_at(j);
            if !matches!(w, "code" | "status") {
                return None;
            }
            j + w.len()
        }
        _ => return None,
    };
    if matches!(s.at(i), b'/') {
        return None;
    }
    if matches!(s.at(i), b':' | b'=') {
        i += 1;
    }
    i = s.skip_spaces(i);
    let sign = usize::from(s.at(i) == b'-');
    let end = s.digits(i + sign);
    if end == i + sign || end - i > 5 || !s.ends(end) || s.at(end) == b'.' && s.at(end + 1).is_ascii_digit() {
        return None;
    }
    if lower == "http" && end - i != 3 {
        return None;
    }
    let digits = s.slice(i, end);
    let name = match lower.as_str() {
        "exit" | "exited" => "exit",
        other => other,
    };
    let key = Domain::Text.key(format!("{name} {digits}").as_bytes());
    let mut f = Fact::new(Class::ErrorCode, Span::new(t.start, end), key, Value::Text);
    f.also = super::decimal::Decimal::parse(digits).map(|d| Value::Number(d).key());
    s.push(f);
    Some(end)
}

/// The canonical text of a code by its name.
pub(super) fn canonical_code(surface: &str) -> String {
    let lower = surface.to_ascii_lowercase();
    let digits = surface.trim_start_matches(|c: char| !c.is_ascii_digit() && c != '-');
    for (head, name) in [
        ("exit", "exit"),
        ("http ", "http"),
        ("errno", "errno"),
        ("sqlstate", "sqlstate"),
        ("signal", "signal"),
    ] {
        if lower.starts_with(head)
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit() || b == b'-')
            && surface.contains([' ', ':', '='])
        {
            return format!("{name} {digits}");
        }
    }
    surface.to_owned()
}

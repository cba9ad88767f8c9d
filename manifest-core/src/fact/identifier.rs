//! Opaque identifiers: what carries digits, and names of machines and services.

use super::byte::{
    ALNUM, AT, BACK, COLON, DIGIT, DOT, HIGH, HYPHEN, LETTER, LOWER, OTHER, PLUS, SLASH, UNDER, UPPER, class,
    is_word,
};
use super::lexicon::Words;
use super::scan::Scan;
use super::token::Token;
use super::{Class, range};
use crate::text::Span;

/// A token with digits, or a hyphenated name that is no English compound.
pub(super) fn identifier(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if t.has(DIGIT) {
        let t = Token { end: opaque_end(s, t), ..t };
        let text = s.slice(t.start, t.end);
        if is_technical(text) || is_field(text) && s.line_is_code() {
            return Some(t.end);
        }
        if !is_opaque(text) {
            return None;
        }
        return range::names(s, t.span()).or_else(|| {
            s.push_text(Class::Identifier, t.span());
            Some(t.end)
        });
    }
    let service = t.has(HYPHEN) && t.only(LOWER | UPPER | HIGH | HYPHEN) && is_service(s, t);
    service.then(|| {
        s.push_text(Class::Identifier, t.span());
        t.end
    })
}

/// Where an opaque token ends: a slash, a colon or an `@` between words splits it, a hyphen or a dot does not.
fn opaque_end(s: &Scan<'_>, t: Token) -> usize {
    // `16:9`, `1:6:0`.
    if t.only(DIGIT | COLON) {
        return t.end;
    }
    let splits = |i: &usize| class(s.at(*i)) & (SLASH | BACK | AT | COLON | PLUS | OTHER) != 0;
    let mut end = (t.start..t.end).find(splits).unwrap_or(t.end);
    // `db-3:7001`: a port or a number belongs to a name that has digits itself.
    let tail = s.digits(end + 1);
    if s.at(end) == b':' && tail == t.end && s.slice(t.start, end).bytes().any(|b| b.is_ascii_digit()) {
        return t.end;
    }
    while end > t.start && class(s.before(end)) & (HYPHEN | DOT) != 0 {
        end -= 1;
    }
    end
}

/// `v.0`: a field by its number.
fn is_field(text: &str) -> bool {
    text.split_once('.').is_some_and(|(value, field)| {
        field.len() == 1
            && field.bytes().all(|b| b.is_ascii_digit())
            && value.bytes().all(|b| b.is_ascii_lowercase())
    })
}

/// Whether a token with digits is a name rather than a word with a number.
pub(super) fn is_opaque(text: &str) -> bool {
    let bytes = text.as_bytes();
    if !bytes.iter().any(u8::is_ascii_digit) {
        return false;
    }
    // Ordinals and decades: `1st`, `90s`.
    let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let suffix = text.get(digits..).unwrap_or_default();
    if digits > 0 && matches!(suffix, "st" | "nd" | "rd" | "th" | "s" | "ST" | "ND" | "RD" | "TH") {
        return false;
    }
    // `500for`, `at0.3`, `March2021`: words that lost their space.
    if is_run_together(text) {
        return false;
    }
    // `top-10`, `mid-2026`.
    let prefixed = text.split_once('-').is_some_and(|(head, tail)| {
        PREFIXES.has_folded(head) && !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit())
    });
    !prefixed
}

/// Whether a number and a word of grammar, or a month and its year, stand together without their space.
fn is_run_together(text: &str) -> bool {
    let number = |t: &str| t.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',')) && !t.is_empty();
    let head = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let tail = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (word, digits) = if head.len() < text.len() {
        (&text[..text.len() - head.len()], head)
    } else {
        (&text[tail.len()..], tail)
    };
    number(digits) && (GRAMMAR.has_folded(word) || digits.len() == 4 && MONTHS.has_folded(word))
}

static GRAMMAR: Words<64> =
    Words::new("for at and the in on of to from with by is are was or than over about");

static MONTHS: Words<64> =
    Words::new("january february march april june july august september october november december");

static PREFIXES: Words<32> = Words::new("top mid post pre sub non under over late early level all");

/// Whether the word carries digits and names nothing.
pub(super) fn is_technical(word: &str) -> bool {
    TECHNICAL.has_folded(word)
}

/// Words of the trade that carry digits and name nothing.
static TECHNICAL: Words<256> = Words::new(
    "sha1 sha256 sha384 sha512 sha-1 sha-256 sha-512 md5 base64 base32 utf8 utf-8 utf16 utf-16 ipv4 ipv6 http2 http3 oauth2 \
     x86 x86_64 x64 arm64 i18n l10n a11y k8s b2b b2c e2e 3d 2d mp3 mp4 h264 h265 2fa u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 \
     f32 f64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bf16 fp16 blake3 blake2b ed25519 \
     iso-8859-1 es6 es2020 web3 py3 24x7 latin1 log4j p2p c4 vp9 av1 rfc3339 iso8601 crc32 aes256 aes-256 2-d 3-d 4-d x509 h1 h2 h3 h4 v8",
);

/// Whether a hyphenated name without digits names a machine, a service or the like.
fn is_service(s: &Scan<'_>, t: Token) -> bool {
    let text = s.slice(t.start, t.end);
    if t.has(UPPER) {
        // `VX-KILO` is a code; `Mid-Atlantic` and `Re-run` are words.
        return t.only(UPPER | HYPHEN) && text.len() >= 5;
    }
    // The mode of a file: `-rw-r--r--`.
    if text.bytes().all(|b| b"rwxst-".contains(&b)) {
        return false;
    }
    let (Some(first), Some(last)) = (text.split('-').next(), text.rsplit('-').next()) else { return false };
    let ticked = s.before(t.start) == b'`' && s.at(t.end) == b'`';
    if ticked || INTRODUCING.has(s.word_before(t.start)) {
        return true;
    }
    if text.split('-').count() > 4 || TAILS.has(last) || HEADS.has(first) {
        return false;
    }
    // `node-a`, `fx-quotes`, `payments-api`.
    let lettered = last.len() == 1 && !matches!(last, "s" | "t") && first.len() > 2;
    let vowel = |b: u8| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let abbreviated =
        text.split('-').any(|p| (2..=4).contains(&p.len()) && !p.bytes().any(vowel) && !SOUNDS.has(p));
    lettered || abbreviated || SERVICES.has(last)
}

/// Sounds and abbreviations of running text without a vowel.
static SOUNDS: Words<64> = Words::new("mm hm hmm mmm shh pst psst tsk brr grr mr mrs dr st th vs nth");

/// Last parts of the names of services and machines.
static SERVICES: Words<128> = Words::new(
    "api apis service svc server worker workers writer reader db queue gateway proxy cache client daemon agent controller \
     operator scheduler frontend backend consumer producer router broker exporter importer collector indexer ingester staging \
     prod dev bot cli sdk core web app auth bucket cluster pod node replica primary migrator notifier listener handler manager \
     monitor sync runner prd stg",
);

/// Words that a name follows.
static INTRODUCING: Words<128> = Words::new(
    "service pod bucket branch host node cluster container image named called lane deployment queue topic job index server app \
     package crate repo repository table namespace project tenant env profile cronjob daemonset module plugin channel",
);

/// Last parts of English compounds.
static TAILS: Words<128> = Words::new(
    "based like style only free level side time first ready driven aware safe wide specific related facing compatible up in out \
     on off to by down over back end term size scale bound call case through away one two friendly party class hand line page \
     step phase box source speed quality value key and or the",
);

/// First parts of English compounds.
static HEADS: Words<128> = Words::new(
    "re co un non pre post sub multi self semi anti cross well long short high low full half one two three four five six first \
     second third on off in over under follow end real read write fine coarse open so by e x all ex de inter intra micro mini \
     macro meta pseudo quasi mid",
);

/// `@scope/name`, `@user`; a decorator is a symbol.
pub(super) fn at_name(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    if !s.begins(i) || s.before(i) == b'@' || class(s.at(i + 1)) & LETTER == 0 {
        return None;
    }
    let mut end = i + 1;
    while is_word(s.at(end)) || matches!(s.at(end), b'-' | b'/' | b'.') && is_word(s.at(end + 1)) {
        end += 1;
    }
    let text = s.slice(i, end);
    let named = text.contains(['/', '-']) || text.bytes().any(|b| b.is_ascii_digit());
    (text.len() > 2).then(|| {
        s.push_text(if named { Class::Identifier } else { Class::Symbol }, Span::new(i, end));
        end
    })
}

/// A name that begins with the picture at `i`, with a hyphen at `end`: `🦊-alerts`.
pub(super) fn pictured(s: &mut Scan<'_>, i: usize, end: usize) -> Option<usize> {
    let picture = s.char_at(i).is_some_and(|c| matches!(u32::from(c), 0x2600..=0x27bf | 0x1f300..=0x1faff));
    if !picture || class(s.at(end + 1)) & ALNUM == 0 {
        return None;
    }
    let t = s.token(end + 1);
    let stop =
        (t.start..t.end).find(|&k| class(s.at(k)) & (ALNUM | UNDER | HYPHEN | DOT) == 0).unwrap_or(t.end);
    s.push_text(Class::Identifier, Span::new(i, stop));
    Some(stop)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{none, reads, unequal};
    use crate::Class;

    #[test]
    fn opaque_names() {
        reads(
            Class::Identifier,
            &[
                ("the corrupted shard is shard-0041-eu.", &["shard-0041-eu"]),
                (
                    "p95 on node ip-10-4-7-19, vol-9 and db-3:7001",
                    &["p95", "ip-10-4-7-19", "vol-9", "db-3:7001"],
                ),
                ("token VX-51-KILO; wh_5521, tkn_live_88", &["VX-51-KILO", "wh_5521", "tkn_live_88"]),
                ("Coupon codes aB3x9 and AB3X9", &["aB3x9", "AB3X9"]),
                ("QK7LM2 has seat 14C, then seats 21B; flight KX204", &["QK7LM2", "14C", "21B", "KX204"]),
                ("checksum 77d0, lane amber-4, K-118", &["77d0", "amber-4", "K-118"]),
                ("保留order_id5567和node-a7的日志", &["order_id5567", "node-a7"]),
                ("ratio 16:9 and 1:6:0", &["16:9", "1:6:0"]),
                ("id 00412 and +1-555-0100", &["00412", "1-555-0100"]),
            ],
        );
        unequal(&["aB3x9", "AB3X9", "ab3x9"]);
        unequal(&["1aBcDeF2345678", "1ABCDEF2345678"]);
    }

    #[test]
    fn names_of_services() {
        reads(
            Class::Identifier,
            &[
                (
                    "Restarted payments-api, ledger-writer and fx-quotes.",
                    &["payments-api", "ledger-writer", "fx-quotes"],
                ),
                ("部署在 node-a。", &["node-a"]),
                ("Stop writer-a; branch fix-the-build, `warm-up`", &["writer-a", "fix-the-build", "warm-up"]),
                ("channel 🦊-alerts is on", &["🦊-alerts"]),
                ("use @acme/ui-kit", &["@acme/ui-kit"]),
            ],
        );
    }

    #[test]
    fn words_that_name_nothing() {
        none(
            Class::Identifier,
            &[
                "feedface-style padding",
                "a three-phase plan",
                "the on-call",
                "force-push",
                "off-by-one",
                "read-only",
                "1st and 22nd",
                "top-10",
                "mid-2026",
                "sha256 key",
                "x86_64",
                "UTF-8",
                "long-term",
                "e-mail",
                "self-service",
                "24-hour",
                "-rw-r--r-- 1",
                "a well-known follow-up",
                "u64",
                "defaced facade",
                "mm-hmm",
                "in 4-D",
                "ego/allo-centric",
            ],
        );
    }
}

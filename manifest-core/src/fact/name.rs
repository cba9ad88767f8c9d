//! Proper names.
//!
//! A capital in the middle of a sentence makes a name; at its head it says nothing, unless the word is a name elsewhere
//! in the text. Scripts without capitals have no names here.

use super::byte::{HIGH, LETTER, is_dense, is_word};
use super::decimal::Decimal;
use super::layout::Fence;
use super::lexicon::Words;
use super::locale;
use super::scan::Scan;
use super::token::Token;
use super::value::{Domain, Value};
use super::{Class, Fact, secret};
use crate::text::Span;
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// A name that begins with the word `t`: capitalised words in a row. Returns where to go on.
pub(super) fn name(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let code = s.line.fence != Fence::No || s.line.heredoc.is_some() || s.inside() == Some(Class::Command);
    if !t.has(LETTER | HIGH) || code {
        return None;
    }
    let first = word(s, t.start)?;
    let text = first.of(s.text);
    if is_code(s, first) {
        return None;
    }
    let strong = has_inner_capital(text);
    if COMMON.has(text) || !strong && s.line.heading {
        return None;
    }
    if s.line_is_code() {
        // There a word with inner capitals is a type, which running text may take for a name.
        let mut f = s.text_fact(Class::Symbol, first);
        f.also = Some(Domain::Name.key(canonical(text).as_bytes()));
        return strong.then(|| {
            s.push(f);
            first.end
        });
    }
    let mut end = first.end;
    let mut words = 1;
    let mut loud = is_loud(text);
    while s.at(end) == b' '
        && let Some(next) = word(s, end + 1)
        && !COMMON.has(next.of(s.text))
        && !is_code(s, next)
    {
        if secret::names_password(next.of(s.text)) {
            // `Admin Password: …`: what it says is no name.
            return Some(end);
        }
        loud &= is_loud(next.of(s.text));
        end = next.end;
        words += 1;
    }
    if loud && words > 2 {
        // A stretch in capitals only is loud, no name.
        return Some(end);
    }
    let mut at = Span::new(first.start, end);
    // `User Interface: …`: who speaks, or a label.
    let head = s.slice(s.line.content, first.start);
    if s.at(end) == b':' && head.len() < 30 && head.bytes().all(|b| b.is_ascii_alphabetic() || b == b' ') {
        return Some(end);
    }
    if !strong && is_head(s, t.start) {
        if words == 1 {
            if s.inside().is_none() {
                s.heads.push(first);
            }
            return None;
        }
        // `Flight Number: …`: a label.
        let goes_on =
            matches!(s.at(end), b' ' | b'.' | b',' | b';' | b'\'') && !matches!(s.at(end + 1), b'*' | b'|');
        if !goes_on || s.line_is_record() {
            return Some(end);
        }
        // The first word may be any: `Chose NATS JetStream`.
        at.start = first.end + 1;
    }
    if !strong && !s.before(t.start).is_ascii_whitespace() && s.line_is_record() {
        return None;
    }
    // In German every noun has a capital.
    let word = !strong && !loud && !at.of(s.text).contains(' ');
    if word && *s.german.get_or_insert_with(|| locale::is_german(s.text)) {
        return Some(end);
    }
    s.push_text(Class::Name, at);
    Some(version_after(s, at).unwrap_or(end))
}

/// `PostgreSQL 15`, `MySQL 8.4`: the number after a product is its version.
fn version_after(s: &mut Scan<'_>, name: Span) -> Option<usize> {
    let i = name.end + 1;
    if s.at(name.end) != b' ' || !s.at(i).is_ascii_digit() || !is_product(name.of(s.text)) {
        return None;
    }
    let mut end = s.digits(i);
    while s.at(end) == b'.' && s.at(end + 1).is_ascii_digit() {
        end = s.digits(end + 1);
    }
    let next = s.at(end);
    let goes_on = !s.ends(end)
        || matches!(next, b'%' | b'/')
        || matches!(next, b':' | b'-' | b',') && is_word(s.at(end + 1));
    // `Apollo 1969` is a year, `Windows 2000` a version.
    let year = end - i == 4 && matches!(s.slice(i, i + 2), "19" | "20") && !PRODUCTS.has(name.of(s.text));
    if goes_on || year || end - i > 8 || super::mark::after(s, end, false).0 != super::mark::Mark::None {
        return None;
    }
    let digits = s.slice(i, end);
    let mut f =
        Fact::new(Class::Version, Span::new(i, end), Domain::Text.key(digits.as_bytes()), Value::Text);
    // `3.10` is no number: as one it would be 3.1.
    if !(digits.contains('.') && digits.ends_with('0')) {
        f.also = Decimal::parse(digits).map(|d| Value::Number(d).key());
    }
    s.push(f);
    Some(end)
}

/// A capitalised word at `i`, of two letters or more.
fn word(s: &Scan<'_>, i: usize) -> Option<Span> {
    if !s.char_at(i)?.is_uppercase() || !s.begins(i) {
        return None;
    }
    let mut end = i;
    let mut letters = 0;
    while let Some(c) = s.char_at(end)
        && c.is_alphabetic()
        && !is_dense(c)
    {
        end += c.len_utf8();
        letters += 1;
    }
    (letters > 1 && !is_word(s.at(end))).then(|| Span::new(i, end))
}

/// Whether a capitalised word is the head of a code (`LDG` of `LDG-4471`) or a code itself (`SIGKILL`): no part of a name.
fn is_code(s: &Scan<'_>, at: Span) -> bool {
    if super::ticket::is_errno(at.of(s.text)) {
        return true;
    }
    let mut end = at.end;
    if !matches!(s.at(end), b'-' | b'_' | b'/' | b'.' | b':' | b'#') || !is_word(s.at(end + 1)) {
        return false;
    }
    let mut digits = false;
    while is_word(s.at(end))
        || matches!(s.at(end), b'-' | b'_' | b'/' | b'.' | b':' | b'#') && is_word(s.at(end + 1))
    {
        digits |= s.at(end).is_ascii_digit();
        end += 1;
    }
    digits
}

/// Whether a sentence, a line, a cell or a quote begins at `i`: a capital there says nothing.
fn is_head(s: &Scan<'_>, i: usize) -> bool {
    if matches!(s.before(i), b'"' | b'\'' | b'(' | b'[' | b'/' | b'-' | b'_') && !is_loud(s.word_at(i)) {
        return true;
    }
    let mut j = i;
    while j > s.line.content
        && matches!(s.before(j), b' ' | b'\t' | b'"' | b'\'' | b'(' | b'*' | b'_' | b'`' | b'[')
    {
        j -= 1;
    }
    if s.before(j) == b'.' && TITLES.has(s.word_before(j - 1)) {
        return false;
    }
    j <= s.line.content
        || matches!(
            s.before(j),
            b'.' | b'!' | b'?' | b':' | b'|' | b'#' | b'>' | b'-' | b';' | b'{' | b'}' | b'\\' | b'='
        )
        || s.text.get(..j).is_some_and(|t| t.ends_with(['。', '！', '？', '；', '→', '•', '—', '–']))
}

/// What stands before a name with a full stop.
static TITLES: Words<16> = Words::new("Dr Mr Mrs Ms Prof St");

fn has_inner_capital(w: &str) -> bool {
    let b = w.as_bytes();
    b.iter().any(u8::is_ascii_lowercase) && b.iter().skip(1).any(u8::is_ascii_uppercase)
}

fn is_loud(w: &str) -> bool {
    w.len() > 1 && w.bytes().all(|b| b.is_ascii_uppercase())
}

/// Whether a number after this name is its version: it has inner capitals, or is a known product.
fn is_product(name: &str) -> bool {
    let last = name.rsplit(' ').next().unwrap_or(name);
    has_inner_capital(last) || PRODUCTS.has(last)
}

static PRODUCTS: Words<128> = Words::new(
    "Postgres Python Ubuntu Debian Fedora Rust Java Redis Kafka Node Ruby Go Django Rails React Angular Vue Windows Android \
     Linux Kubernetes Docker Terraform Nginx Apache Spark Hadoop Elasticsearch Oracle Firefox Chrome Swift Kotlin Scala Perl \
     Alpine Svelte Ansible Jenkins Grafana Prometheus Helm Cassandra Flink Airflow Pandas Gradle Maven Tomcat Spring Laravel",
);

/// Capitalised words that name nothing.
static COMMON: Words<512> = Words::new(
    "The This That These Those There Then They When Where What Which Who Why How It Its If In On At As An And Or But By For \
     From Of To With We You He She His Her My Our Your Is Are Was Were Be Do Does Did Has Have Had Can Could Will Would Should \
     May Might Must No Not Yes All Any Some Each Every Only Also Now Here After Before Because Ok OK Err None True False Null \
     User Assistant System Tool Human Bearer Note Please Thanks Sorry Hello Hi Dear Mr Mrs Ms Dr Yeah Yep Well So Um Uh Oh Okay \
     Right Hmm Ah Hey Thank Sure Alright Anyway Actually Mm Let Just Like \
     ERROR WARN WARNING INFO DEBUG TRACE FATAL FAIL FAILED PASS PASSED TODO NOTE FIXME NOT AND OR IF THE NULL TRUE FALSE \
     SELECT FROM WHERE DELETE INSERT UPDATE INTO SET CREATE TABLE DROP ALTER JOIN ORDER GROUP BY LIMIT VALUES \
     GET POST PUT PATCH HEAD OPTIONS REDACTED CONFLICT AM PM UTC GMT DD MM ID IDs PR PRs VS ETA EOF ONLY NEVER ALWAYS MUST \
     January February March April June July August September October November December Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct \
     Nov Dec Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Wed Thu Fri Sat Sun",
);

/// Puts the heads of sentences that are names elsewhere among the facts, which stand in order.
pub(super) fn with_heads(text: &str, facts: Vec<Fact>, heads: Vec<Span>) -> Vec<Fact> {
    let mut known: FxHashSet<&str> = FxHashSet::default();
    if !heads.is_empty() {
        known.extend(
            facts
                .iter()
                .filter(|f| f.class == Class::Name)
                .map(|f| f.at.of(text))
                .filter(|n| !n.contains(' ')),
        );
    }
    let mut named = heads.into_iter().filter(|at| known.contains(at.of(text))).peekable();
    if named.peek().is_none() {
        return facts;
    }
    let mut out = Vec::with_capacity(facts.len() + 8);
    // Where each fact went, for the composites' indices.
    let mut moved = Vec::with_capacity(facts.len());
    for mut fact in facts {
        while let Some(at) = named.next_if(|at| at.start < fact.at.start) {
            out.push(of(text, at));
        }
        moved.push(out.len());
        fact.whole = fact.whole.and_then(|w| moved.get(w).copied());
        out.push(fact);
    }
    out.extend(named.map(|at| of(text, at)));
    out
}

fn of(text: &str, at: Span) -> Fact {
    Fact::new(Class::Name, at, Domain::Name.key(canonical(at.of(text)).as_bytes()), Value::Text)
}

/// Letters that are spelled one by one, as in minutes of speech: `L_C_D_`, `C_D_s`.
pub(super) fn is_spelled(name: &str) -> bool {
    let mut letters = name.trim_end_matches('_').split('_');
    name.len() > 2
        && letters.clone().count() > 1
        && letters.all(|p| matches!(p.as_bytes(), [b] if b.is_ascii_uppercase()) || p == "s")
}

/// The canonical text: lower case, spelled letters and plural acronyms as the acronym, an alias by its full name.
pub(super) fn canonical(surface: &str) -> Cow<'_, str> {
    if is_spelled(surface) {
        return Cow::Owned(
            surface
                .bytes()
                .filter(u8::is_ascii_uppercase)
                .map(|b| char::from(b.to_ascii_lowercase()))
                .collect(),
        );
    }
    let surface = match surface.strip_suffix('s') {
        Some(acronym) if acronym.len() > 1 && is_loud(acronym) => acronym,
        _ => surface,
    };
    let lower = if surface.bytes().any(|b| b.is_ascii_uppercase()) || !surface.is_ascii() {
        Cow::Owned(surface.to_lowercase())
    } else {
        Cow::Borrowed(surface)
    };
    let full = match lower.as_ref() {
        "postgres" => "postgresql",
        "k8s" => "kubernetes",
        "mongo" => "mongodb",
        "golang" => "go",
        "elastic" => "elasticsearch",
        _ => return lower,
    };
    Cow::Borrowed(full)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all, equal, none, reads, unequal};
    use crate::Class;

    #[test]
    fn names_in_sentences() {
        reads(
            Class::Name,
            &[
                ("We rejected Redis Streams and chose NATS JetStream.", &["Redis Streams", "NATS JetStream"]),
                ("Lena paired with Ines. Ines merged it. Then Noor left.", &["Ines", "Ines", "Noor"]),
                ("Mean time to recovery (MTTR) is long", &["MTTR"]),
                ("GitHub is down", &["GitHub"]),
                ("then Dr. Osei came", &["Osei"]),
                ("the node that Müller owns", &["Müller"]),
                ("We called Ivan Smith. Chose NATS JetStream.", &["Ivan Smith", "NATS JetStream"]),
            ],
        );
        // The titles of numbered sections name nothing; an item that ends in a colon may.
        none(
            Class::Name,
            &["1. Primary Request and Intent:\n2. **Key Technical Concepts**:\n(3) Open Questions:"],
        );
        reads(Class::Name, &[("1. Then we asked Ivan Smith today:", &["Ivan Smith"])]);
        // The first Lena stands at a head, the second does not.
        reads(Class::Name, &[("Lena rotated it. Afterwards Lena left.", &["Lena", "Lena"])]);
        equal(&["an LCD one", "an L_C_D_ one", "the LCDs are", "the L_C_D_s"]);
        equal(&["the Postgres one", "the PostgreSQL one", "that POSTGRESQL is"]);
        unequal(&["the PostgreSQL one", "the MySQL one"]);
    }

    #[test]
    fn a_code_after_a_capitalised_word_is_a_code() {
        reads(
            Class::Ticket,
            &[
                ("Error LDG-4471 on shard 11.", &["LDG-4471"]),
                (
                    "See OPS-5529 and Change CHG-9034; Fix CVE-2024-3094",
                    &["OPS-5529", "CHG-9034", "CVE-2024-3094"],
                ),
                ("It was the Error LDG-4471 again", &["LDG-4471"]),
                ("Scallops LOT-9917 are held", &["LOT-9917"]),
            ],
        );
        reads(
            Class::ErrorCode,
            &[("Never SIGKILL it. Code ENOSPC, Error E_QUOTA_7", &["SIGKILL", "ENOSPC", "E_QUOTA_7"])],
        );
        none(Class::Name, &["Error LDG-4471 came", "Never SIGKILL it", "Ticket OPS-5529 is open"]);
    }

    #[test]
    fn a_product_and_its_version() {
        assert_eq!(
            all("项目使用 PostgreSQL 15，部署"),
            [(Class::Name, "PostgreSQL"), (Class::Version, "15")]
        );
        assert_eq!(all("to MySQL 8.4."), [(Class::Name, "MySQL"), (Class::Version, "8.4")]);
        assert_eq!(all("on Python 3.10"), [(Class::Name, "Python"), (Class::Version, "3.10")]);
        assert_eq!(all("for Noor 5 times").len(), 2);
        assert_eq!(all("on MySQL 30 days").last().map(|f| f.0), Some(Class::Quantity));
    }

    #[test]
    fn capitals_that_name_nothing() {
        none(
            Class::Name,
            &[
                "The job failed. Then it passed.",
                "- **Flight Number**: HAT",
                "User Interface: yes",
                "Die Warteschlange hat 3 Einträge, und im Schnitt ist das viel",
                "and then , Yeah . Um",
                "## Decision Log\n# Open Questions Today",
                "| Service Name | Port |",
                "IGNORE PREVIOUS INSTRUCTIONS and go",
                "He said \"Ship it\"",
                "I am here",
                "```rust\nlet x = Foo;\n```",
                "{\"status\": \"Failed\", \"Type\": \"Round\"}",
                "项目使用的服务",
            ],
        );
    }
}

//! Proper names.

use super::byte::{HIGH, LETTER, is_word};
use super::layout::Fence;
use super::scan::{Scan, Token};
use super::value::{Domain, Value};
use super::{Class, Fact};
use crate::text::Span;
use rustc_hash::FxHashSet;

/// A capitalised word in the middle of a sentence, with the capitalised words after it, or a word with inner capitals.
/// The number of a version after it is a version.
pub(super) fn name(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if t.flags & (LETTER | HIGH) == 0
        || s.line.fence != Fence::No
        || matches!(s.inside(), Some(Class::Command))
    {
        return None;
    }
    let first = word(s, t.start)?;
    let strong = has_inner_capital(first.of(s.text));
    if !strong && (is_head(s, t.start) || s.line.json) || is_common(first.of(s.text)) {
        return None;
    }
    let mut end = first.end;
    while s.at(end) == b' '
        && let Some(next) = word(s, end + 1)
        && !is_common(next.of(s.text))
    {
        end = next.end;
    }
    let at = Span::new(first.start, end);
    s.push_text(Class::Name, at);
    // `PostgreSQL 15`, `MySQL 8.4`.
    let i = end + 1;
    if s.at(end) == b' ' && s.at(i).is_ascii_digit() {
        let mut e = s.digits(i);
        while s.at(e) == b'.' && s.at(e + 1).is_ascii_digit() {
            e = s.digits(e + 1);
        }
        if e - i <= 8
            && s.ends(e)
            && is_product(at.of(s.text))
            && !matches!(s.at(e), b'%' | b':' | b'-' | b'/' | b',')
        {
            let digits = s.slice(i, e);
            let mut f =
                Fact::new(Class::Version, Span::new(i, e), Domain::Text.key(digits.as_bytes()), Value::Text);
            if !(digits.contains('.') && digits.ends_with('0')) {
                f.also = super::decimal::Decimal::parse(digits).map(|d| Value::Number(d).key());
            }
            s.push(f);
            return Some(e);
        }
    }
    Some(end)
}

/// A capitalised word at `i`, of two letters or more.
fn word(s: &Scan<'_>, i: usize) -> Option<Span> {
    let c = s.char_at(i)?;
    if !c.is_uppercase() || !s.begins(i) {
        return None;
    }
    let mut end = i;
    while let Some(c) = s.char_at(end)
        && c.is_alphabetic()
        && !super::byte::is_dense(c)
    {
        end += c.len_utf8();
    }
    if is_word(s.at(end)) {
        return None;
    }
    let text = s.slice(i, end);
    (text.chars().count() >= 2).then(|| Span::new(i, end))
}

/// Whether a sentence, a line, a cell or a quote begins at `i`: a capital there says nothing.
fn is_head(s: &Scan<'_>, i: usize) -> bool {
    let mut j = i;
    loop {
        match s.before(j) {
            b' ' | b'\t' | b'"' | b'\'' | b'(' | b'*' | b'_' | b'`' | b'[' if j > s.line.start => j -= 1,
            b'.' | b'!' | b'?' | b':' | b'\n' | b'|' | b'#' | b'>' | b'-' | b';' | b'{' | b'}' | b'\\'
            | b'=' | b','
                if s.before(j) != b',' =>
            {
                return true;
            }
            _ => return j <= s.line.content,
        }
    }
}

fn has_inner_capital(w: &str) -> bool {
    let b = w.as_bytes();
    b.iter().any(u8::is_ascii_lowercase) && b.iter().skip(1).any(u8::is_ascii_uppercase)
}

/// Whether a number after this name is its version: it has inner capitals, or is one of the known products.
fn is_product(w: &str) -> bool {
    let last = w.rsplit(' ').next().unwrap_or(w);
    has_inner_capital(last)
        || matches!(
            last,
            "Postgres"
                | "Python"
                | "Ubuntu"
                | "Debian"
                | "Fedora"
                | "Rust"
                | "Java"
                | "Redis"
                | "Kafka"
                | "Node"
                | "Ruby"
                | "Go"
                | "Django"
                | "Rails"
                | "React"
                | "Angular"
                | "Vue"
                | "Windows"
                | "Android"
                | "Linux"
                | "Kubernetes"
                | "Docker"
                | "Terraform"
                | "Nginx"
                | "Apache"
                | "Spark"
                | "Hadoop"
                | "Elasticsearch"
                | "Oracle"
                | "Firefox"
                | "Chrome"
                | "Swift"
                | "Kotlin"
                | "Scala"
                | "Perl"
        )
}

/// Capitalised words that name nothing.
fn is_common(w: &str) -> bool {
    if w.len() > 14 {
        return false;
    }
    matches!(
        w,
        "The"
            | "This"
            | "That"
            | "These"
            | "Those"
            | "There"
            | "Then"
            | "They"
            | "When"
            | "Where"
            | "What"
            | "Which"
            | "Who"
            | "Why"
            | "How"
            | "It"
            | "Its"
            | "If"
            | "In"
            | "On"
            | "At"
            | "As"
            | "An"
            | "And"
            | "Or"
            | "But"
            | "By"
            | "For"
            | "From"
            | "Of"
            | "To"
            | "With"
            | "We"
            | "You"
            | "He"
            | "She"
            | "His"
            | "Her"
            | "My"
            | "Our"
            | "Your"
            | "Is"
            | "Are"
            | "Was"
            | "Were"
            | "Be"
            | "Do"
            | "Does"
            | "Did"
            | "Has"
            | "Have"
            | "Had"
            | "Can"
            | "Could"
            | "Will"
            | "Would"
            | "Should"
            | "May"
            | "Might"
            | "Must"
            | "No"
            | "Not"
            | "Yes"
            | "All"
            | "Any"
            | "Some"
            | "Each"
            | "Every"
            | "Only"
            | "Also"
            | "Now"
            | "Here"
            | "After"
            | "Before"
            | "Because"
            | "ERROR"
            | "WARN"
            | "WARNING"
            | "INFO"
            | "DEBUG"
            | "TRACE"
            | "FATAL"
            | "FAIL"
            | "FAILED"
            | "PASS"
            | "PASSED"
            | "OK"
            | "TODO"
            | "NOTE"
            | "FIXME"
            | "NOT"
            | "AND"
            | "OR"
            | "IF"
            | "THE"
            | "NULL"
            | "TRUE"
            | "FALSE"
            | "None"
            | "True"
            | "False"
            | "Null"
            | "SELECT"
            | "FROM"
            | "WHERE"
            | "DELETE"
            | "INSERT"
            | "UPDATE"
            | "INTO"
            | "SET"
            | "CREATE"
            | "TABLE"
            | "DROP"
            | "ALTER"
            | "JOIN"
            | "ORDER"
            | "GROUP"
            | "BY"
            | "LIMIT"
            | "VALUES"
            | "GET"
            | "POST"
            | "PUT"
            | "PATCH"
            | "HEAD"
            | "OPTIONS"
            | "Ok"
            | "Err"
            | "User"
            | "Assistant"
            | "System"
            | "Tool"
            | "Bearer"
            | "REDACTED"
            | "CONFLICT"
            | "AM"
            | "PM"
            | "UTC"
            | "GMT"
            | "DD"
            | "MM"
            | "ID"
            | "IDs"
            | "PR"
            | "PRs"
    )
}

/// Adds the names at the heads of sentences that stand in the middle of others: a word known as a name is one
/// everywhere.
pub(super) fn repeated(text: &str, facts: &mut Vec<Fact>) {
    let known: FxHashSet<&str> = facts
        .iter()
        .filter(|f| f.class == Class::Name)
        .map(|f| f.at.of(text))
        .filter(|n| !n.contains(' '))
        .collect();
    if known.is_empty() {
        return;
    }
    let mut more = Vec::new();
    for name in known {
        if name.len() < 3 {
            continue;
        }
        for (i, _) in text.match_indices(name) {
            let at = Span::new(i, i + name.len());
            let alone = !text
                .get(..i)
                .and_then(|t| t.chars().next_back())
                .is_some_and(|c| c.is_alphanumeric() || c == '_')
                && !text
                    .get(at.end..)
                    .and_then(|t| t.chars().next())
                    .is_some_and(|c| c.is_alphanumeric() || c == '_');
            if alone {
                more.push(at);
            }
        }
    }
    let free = |at: Span, facts: &[Fact]| {
        let k = facts.partition_point(|f| f.at.start < at.end);
        !facts.iter().take(k).rev().take(12).any(|f| f.at.overlaps(at))
    };
    more.retain(|&at| free(at, facts));
    if more.is_empty() {
        return;
    }
    for at in more {
        let key = Domain::Name.key(canonical(at.of(text)).as_bytes());
        insert(facts, Fact::new(Class::Name, at, key, Value::Text));
    }
}

/// Puts a fact at its place and keeps the composites' indices right.
fn insert(facts: &mut Vec<Fact>, fact: Fact) {
    let k = facts.partition_point(|f| f.at.start < fact.at.start);
    for f in facts.iter_mut() {
        if let Some(w) = f.whole.as_mut()
            && *w >= k
        {
            *w += 1;
        }
    }
    facts.insert(k, fact);
}

/// The canonical text: lower case, an alias by its full name.
pub(super) fn canonical(surface: &str) -> String {
    let lower = surface.to_lowercase();
    let full = match lower.as_str() {
        "postgres" | "psql" => "postgresql",
        "k8s" => "kubernetes",
        "mongo" => "mongodb",
        "js" => "javascript",
        "ts" => "typescript",
        "golang" => "go",
        "elastic" => "elasticsearch",
        "node" => "node.js",
        _ => return lower,
    };
    full.to_owned()
}

//! Network addresses: IPv4 and IPv6, with port, prefix length or zone. MAC addresses stand in `digest`.

use super::Class;
use super::byte::{DOT, is_word};
use super::scan::Scan;
use super::token::Token;
use crate::text::Span;
use std::borrow::Cow;
use std::net::Ipv6Addr;

/// An address at the head of the token.
pub(super) fn address(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    v4(s, t).or_else(|| v6(s, t.start))
}

/// `::1` and other IPv6 addresses that begin with their gap.
pub(super) fn double_colon(s: &mut Scan<'_>, i: usize) -> Option<usize> {
    if s.at(i + 1) != b':' || is_word(s.before(i)) || s.before(i) == b':' {
        return None;
    }
    v6(s, i)
}

fn v4(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if !t.has(DOT) {
        return None;
    }
    let mut i = t.start;
    for part in 0..4 {
        let end = s.digits(i);
        if end == i || end - i > 3 || s.slice(i, end).parse::<u8>().is_err() {
            return None;
        }
        i = end;
        if part < 3 {
            if s.at(i) != b'.' {
                return None;
            }
            i += 1;
        }
    }
    if !s.ends(i) || s.at(i) == b'.' && is_word(s.at(i + 1)) || s.at(i) == b'-' && is_word(s.at(i + 1)) {
        return None;
    }
    if matches!(s.word_before(t.start), "version" | "v" | "release" | "Version" | "Release") {
        return None;
    }
    let tail = tail(s, i, 32);
    s.push_text(Class::Address, Span::new(t.start, tail));
    Some(tail)
}

/// The end of a port or prefix length after an address.
fn tail(s: &Scan<'_>, i: usize, bits: u32) -> usize {
    let digits = s.digits(i + 1);
    let number = || s.slice(i + 1, digits).parse::<u32>().ok();
    let fits = match s.at(i) {
        b'/' => number().is_some_and(|n| n <= bits),
        b':' => number().is_some_and(|n| n > 0 && n <= 65_535),
        _ => false,
    };
    if fits && s.ends(digits) { digits } else { i }
}

fn v6(s: &mut Scan<'_>, start: usize) -> Option<usize> {
    let mut i = start;
    let mut colons = 0;
    while s.at(i).is_ascii_hexdigit() || s.at(i) == b':' || s.at(i) == b'.' && s.at(i + 1).is_ascii_digit() {
        colons += usize::from(s.at(i) == b':');
        i += 1;
        if i - start > 45 {
            return None;
        }
    }
    while i > start && s.before(i) == b':' && !(i >= start + 2 && s.is(i - 2, "::")) {
        i -= 1;
    }
    let body = s.slice(start, i);
    // Small integers between colons are a ratio or a time; an address has a gap or eight groups.
    if colons < 2 || i - start < 3 || body.parse::<Ipv6Addr>().is_err() || !s.ends(i) {
        return None;
    }
    // `std::` and `a::b` are names of code: hexadecimal letters alone are no address.
    if !body.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    if s.at(i) == b':' && is_word(s.at(i + 1)) {
        return None;
    }
    if s.at(i) == b'%' {
        let mut z = i + 1;
        while is_word(s.at(z)) || matches!(s.at(z), b'-' | b'.') && is_word(s.at(z + 1)) {
            z += 1;
        }
        if z > i + 1 {
            i = z;
        }
    }
    let i = if s.at(i) == b'/' { tail(s, i, 128) } else { i };
    s.push_text(Class::Address, Span::new(start, i));
    Some(i)
}

/// The canonical text: the address by value, then port, prefix or zone.
pub(super) fn canonical(surface: &str) -> Cow<'_, str> {
    let (body, tail) = surface.split_at(surface.find(['/', '%']).unwrap_or(surface.len()));
    match body.parse::<Ipv6Addr>() {
        Ok(a) => Cow::Owned(format!("{a}{tail}")),
        Err(_) => Cow::Borrowed(surface),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{equal, none, reads, unequal};
    use crate::Class;

    #[test]
    fn addresses() {
        reads(
            Class::Address,
            &[
                ("Peers 2001:db8::a1 and fe80::1%eth0 flapped.", &["2001:db8::a1", "fe80::1%eth0"]),
                ("Allow 192.0.2.0/24, 10.4.7.19:5432.", &["192.0.2.0/24", "10.4.7.19:5432"]),
                ("on ::1 and [2001:db8::1]:443", &["::1", "2001:db8::1"]),
                ("mac 4A:19:0C:aa:bb:cc or 4a-19-0c-aa-bb-cc", &["4A:19:0C:aa:bb:cc", "4a-19-0c-aa-bb-cc"]),
            ],
        );
    }

    #[test]
    fn equality_is_by_value() {
        equal(&["2001:db8::a1", "2001:0DB8:0:0:0:0:0:A1"]);
        equal(&["4A:19:0C:aa:bb:cc", "4a-19-0c-aa-bb-cc", "4a19.0caa.bbcc"]);
        unequal(&["192.0.2.0/24", "192.0.2.0", "192.0.2.0:24"]);
        unequal(&["fe80::1%eth0", "fe80::1", "fe80::1%eth1"]);
    }

    #[test]
    fn what_is_no_address() {
        none(
            Class::Address,
            &[
                "1:6:0",
                "16:9",
                "12:30:45",
                "std::fmt",
                "a::b",
                "1.2.3",
                "version 1.2.3.4",
                "256.1.1.1",
                "10.0.0.1.5",
                "f::add",
                "::",
                "x::1y",
                "dead::beef",
            ],
        );
    }
}

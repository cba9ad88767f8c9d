//! The structural check of a whole input, before anything of it is decoded: a typed decoder skips what it does not know
//! without looking at it.

use super::super::error::FormatError;

/// Lists and maps that may lie inside each other.
pub(in super::super) const DEPTH: usize = 64;

/// Major types of CBOR.
pub(super) const UINT: u8 = 0;
pub(super) const NEGATIVE: u8 = 1;
pub(super) const BYTES: u8 = 2;
pub(super) const TEXT: u8 = 3;
pub(super) const LIST: u8 = 4;
pub(super) const MAP: u8 = 5;
const TAG: u8 = 6;

/// The head of an item: its major type, its number or length, and the place after it.
pub(super) fn head(bytes: &[u8], at: usize) -> Result<(u8, u64, usize), FormatError> {
    let first = *bytes.get(at).ok_or(FormatError::Truncated { at })?;
    let (major, info) = (first >> 5, first & 31);
    let wide = |width: usize| -> Result<u64, FormatError> {
        let tail = bytes.get(at + 1..at + 1 + width).ok_or(FormatError::Truncated { at })?;
        Ok(tail.iter().fold(0, |n, byte| n << 8 | u64::from(*byte)))
    };
    if major == 7 {
        // `false` and `true`; all else of this type is a float, `null`, or nothing at all.
        return if matches!(info, 20 | 21) {
            Ok((major, u64::from(info), at + 1))
        } else {
            Err(FormatError::Type { at })
        };
    }
    if major == TAG {
        return Err(FormatError::Type { at });
    }
    let (value, width, least) = match info {
        0..=23 => (u64::from(info), 0, 0),
        24 => (wide(1)?, 1, 24),
        25 => (wide(2)?, 2, 1 << 8),
        26 => (wide(4)?, 4, 1 << 16),
        27 => (wide(8)?, 8, 1 << 32),
        31 if major >= BYTES => return Err(FormatError::Indefinite { at }),
        _ => return Err(FormatError::Type { at }),
    };
    if value < least {
        return Err(FormatError::NotShortest { at });
    }
    Ok((major, value, at + 1 + width))
}

/// An open list or map.
#[derive(Clone, Copy)]
struct Open<'a> {
    /// Items that are still to come: keys and values count each.
    left: u64,
    /// Whether it is a map, and its last key.
    map: bool,
    last: Option<&'a [u8]>,
}

/// Checks that `bytes` are one canonical item and nothing else.
pub(in super::super) fn check(bytes: &[u8]) -> Result<(), FormatError> {
    let end = item(bytes, 0)?;
    if end == bytes.len() { Ok(()) } else { Err(FormatError::Trailing { at: end }) }
}

/// The end of the canonical item at `start`. It takes no more memory than a fixed stack, whatever the bytes claim.
fn item(bytes: &[u8], start: usize) -> Result<usize, FormatError> {
    let mut stack = [Open { left: 0, map: false, last: None }; DEPTH];
    let mut depth: usize = 0;
    let mut at = start;
    loop {
        let (major, value, mut next) = head(bytes, at)?;
        // Where a key belongs: in a map, with an even number of items to come.
        let in_map = depth.checked_sub(1).and_then(|top| stack.get_mut(top));
        let key = in_map.filter(|open| open.map && open.left % 2 == 0).map(|open| &mut open.last);
        if key.is_some() && major != TEXT {
            return Err(FormatError::KeyType { at });
        }
        match major {
            BYTES | TEXT => {
                let length = usize::try_from(value).map_err(|_| FormatError::Truncated { at })?;
                let end = next.checked_add(length).ok_or(FormatError::Truncated { at })?;
                let string = bytes.get(next..end).ok_or(FormatError::Truncated { at })?;
                if major == TEXT && std::str::from_utf8(string).is_err() {
                    return Err(FormatError::Utf8 { at });
                }
                if let Some(last) = key {
                    match last.map(|last| (last.len(), last).cmp(&(string.len(), string))) {
                        Some(std::cmp::Ordering::Equal) => return Err(FormatError::KeyTwice { at }),
                        Some(std::cmp::Ordering::Greater) => return Err(FormatError::KeyOrder { at }),
                        _ => *last = Some(string),
                    }
                }
                next = end;
            }
            LIST | MAP => {
                // Each item has a byte at least, so that a claim beyond the input is refused at once.
                let each = if major == MAP { 2 } else { 1 };
                let left = value.checked_mul(each).filter(|left| *left <= (bytes.len() - next) as u64);
                let left = left.ok_or(FormatError::Truncated { at })?;
                let Some(slot) = stack.get_mut(depth) else { return Err(FormatError::TooDeep { at }) };
                *slot = Open { left, map: major == MAP, last: None };
                depth += 1;
            }
            _ => {}
        }
        at = next;
        let opened = matches!(major, LIST | MAP);
        if !close(&mut stack, &mut depth, opened) {
            return Ok(at);
        }
    }
}

/// Counts an item that has ended, and every list and map that ends with it. Gives whether something is still open.
fn close(stack: &mut [Open<'_>; DEPTH], depth: &mut usize, opened: bool) -> bool {
    // An item that was opened counts in the list around it when it ends.
    let mut ended = !opened;
    while let Some(open) = depth.checked_sub(1).and_then(|top| stack.get_mut(top)) {
        if ended {
            open.left = open.left.saturating_sub(1);
        }
        if open.left > 0 {
            return true;
        }
        *depth -= 1;
        ended = true;
    }
    false
}

/// The end of the item at `start` of bytes that were checked; the end of the bytes where there is none.
pub(in super::super) fn end_of(bytes: &[u8], start: usize) -> usize {
    let mut left: u64 = 1;
    let mut at = start;
    while left > 0 {
        let Ok((major, value, next)) = head(bytes, at) else { return bytes.len() };
        left -= 1;
        at = next;
        match major {
            BYTES | TEXT => at = at.saturating_add(usize::try_from(value).unwrap_or(usize::MAX)),
            LIST => left = left.saturating_add(value),
            MAP => left = left.saturating_add(value.saturating_mul(2)),
            _ => {}
        }
    }
    at.min(bytes.len())
}

//! What stands in a text and carries no meaning: terminal escapes, emphasis, breaks within a token.

/// The end of the escape sequence, or of the lone control byte, at `i`.
pub(super) fn control_end(bytes: &[u8], i: usize) -> usize {
    if bytes.get(i) != Some(&0x1b) {
        return i + 1;
    }
    match bytes.get(i + 1) {
        // CSI: parameters, then a final byte.
        Some(b'[') => {
            let mut j = i + 2;
            while bytes.get(j).is_some_and(|b| (0x20..0x40).contains(b)) {
                j += 1;
            }
            if bytes.get(j).is_some_and(|b| (0x40..0x7f).contains(b)) { j + 1 } else { j }
        }
        // OSC and the other strings: up to BEL or ST, within a line.
        Some(b']' | b'P' | b'X' | b'^' | b'_') => {
            let mut j = i + 2;
            while let Some(&b) = bytes.get(j) {
                match b {
                    0x07 => return j + 1,
                    0x1b if bytes.get(j + 1) == Some(&b'\\') => return j + 2,
                    0x1b | b'\n' => return j,
                    _ => j += 1,
                }
            }
            j
        }
        Some(b) if (0x30..0x7f).contains(b) => i + 2,
        Some(b'(' | b')' | b'#' | b' ') if bytes.get(i + 2).is_some_and(u8::is_ascii) => i + 3,
        _ => i + 1,
    }
}

/// Where the emphasis that opens at `i` closes: `_words without underscores_`, bounded, on one line.
pub(super) fn emphasis_end(bytes: &[u8], i: usize) -> Option<usize> {
    let before = if i == 0 { b' ' } else { *bytes.get(i - 1)? };
    if before.is_ascii_alphanumeric()
        || matches!(before, b'_' | b'`' | b'/' | b'.' | b'\\' | b'$' | b'-')
        || before >= 0x80
    {
        return None;
    }
    if !bytes.get(i + 1)?.is_ascii_alphabetic() {
        return None;
    }
    let mut letters = true;
    for (j, &b) in bytes.iter().enumerate().skip(i + 1).take(160) {
        match b {
            b'_' => {
                let after = bytes.get(j + 1).copied().unwrap_or(b' ');
                let prev = *bytes.get(j - 1)?;
                let closes = !after.is_ascii_alphanumeric()
                    && !matches!(after, b'_' | b'(' | b'/' | b'`')
                    && (prev.is_ascii_alphanumeric() || matches!(prev, b'.' | b'!' | b'?' | b')'));
                return (closes && letters).then_some(j);
            }
            b'\n' | b'`' => return None,
            b' ' | b'\'' | b',' | b'.' | b'-' | b'!' | b'?' | b'(' | b')' | b':' | b'%' => {}
            _ if b.is_ascii_alphanumeric() || b >= 0x80 => {}
            _ => letters = false,
        }
    }
    None
}

/// Where the second half of a token that was wrapped at the line feed `i` begins, if there is such a token: a UUID that
/// the two halves complete, or a digest of a known length whose second half is indented.
pub(super) fn wrapped_token(bytes: &[u8], i: usize) -> Option<usize> {
    let line = |b: u8| b.is_ascii_hexdigit() || b == b'-';
    let stop = if i > 0 && bytes.get(i - 1) == Some(&b'\r') { i - 1 } else { i };
    let last = *bytes.get(stop.checked_sub(1)?)?;
    if !line(last) {
        return None;
    }
    let mut next = i + 1;
    while bytes.get(next).is_some_and(|b| matches!(b, b' ' | b'\t')) {
        next += 1;
    }
    if next - i > 64 || !bytes.get(next).is_some_and(|&b| line(b)) {
        return None;
    }
    let mut from = stop;
    while from > 0 && stop - from < 130 && bytes.get(from - 1).is_some_and(|&b| line(b)) {
        from -= 1;
    }
    if from > 0 && bytes.get(from - 1).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
        return None;
    }
    let mut to = next;
    while to - next < 130 && bytes.get(to).is_some_and(|&b| line(b)) {
        to += 1;
    }
    if bytes.get(to).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
        return None;
    }
    let joined = || bytes.get(from..stop).into_iter().chain(bytes.get(next..to)).flatten().copied();
    let length = (stop - from) + (to - next);
    if length == 36 && stop - from >= 8 {
        let shape = joined().enumerate().all(|(k, b)| (b == b'-') == matches!(k, 8 | 13 | 18 | 23));
        return shape.then_some(next);
    }
    let digest = matches!(length, 32 | 40 | 56 | 64 | 96 | 128)
        && next > i + 1
        && stop - from >= 8
        && to - next >= 4
        && joined().all(|b| b.is_ascii_hexdigit())
        && joined().any(|b| b.is_ascii_digit())
        && joined().any(|b| b.is_ascii_alphabetic());
    digest.then_some(next)
}

//! Scripts without blanks: the word for a password and its value are one run of letters.

use super::super::scan::Scan;
use super::value::is_told;
use crate::text::Span;

/// How far behind the word its value is looked for, in bytes.
const NEAR: usize = 160;

/// The word for a password, where no blank sets words apart, and what may bind a value to it there.
const NAMES: [&str; 5] = ["密码", "密碼", "口令", "パスワード", "비밀번호"];
const BINDS: [&str; 15] =
    ["是", "为", "為", "改为", "改為", "就是", "：", ":", "=", "は", "は「", "は、", "는", "은", "가"];

/// Where the password stands behind the word for it at `i`: `密码是…`.
pub(in crate::fact) fn attached(s: &Scan<'_>, i: usize) -> Option<Span> {
    let name = NAMES.iter().find(|name| s.is(i, name))?;
    let from = i + name.len();
    let rest = super::rest_of_line(s, from, NEAR);
    let skipped = rest.find(|c: char| c.is_ascii_graphic() && !matches!(c, ':' | '=' | '`' | '"'))?;
    let (head, rest) = rest.split_at_checked(skipped)?;
    if !BINDS.contains(&head.trim_end_matches(['`', '"', ' ']).trim()) {
        return None;
    }
    let ends = |c: char| !c.is_ascii_graphic() || matches!(c, '`' | '"');
    let body = rest.get(..rest.find(ends).unwrap_or(rest.len()))?;
    let body = body.trim_end_matches(['.', ':', ',', ';', ')']);
    is_told(body, false).then(|| Span::new(from + skipped, from + skipped + body.len()))
}

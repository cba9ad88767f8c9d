//! Text of others on a screen: nothing in it may move the cursor, change colours or turn the direction.

/// Without control and direction characters; a line's end becomes a space.
pub(crate) fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

/// The same line by line.
pub(crate) fn lines(text: &str) -> String {
    text.split('\n').map(plain).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_direction_marks_go_and_lines_stay() {
        assert_eq!(plain("a\u{1b}[31mb\u{202e}c\nd"), "a [31mbc d");
        assert_eq!(lines("a\u{7}\nb\n"), "a \nb\n");
    }
}

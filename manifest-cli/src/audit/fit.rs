//! Text in columns of a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A clause around its gap in `width` columns.
pub(crate) fn cut_clause(clause: &str, width: usize) -> String {
    if clause.width() <= width {
        return clause.to_owned();
    }
    let Some(at) = clause.find("____") else { return fit(clause, width) };
    let (before, after) = clause.split_at(at);
    let room = width.saturating_sub(4);
    let after_room = after.width().saturating_sub(4).min(room / 3);
    let before_room = before.width().min(room - after_room);
    let mut head = String::new();
    let mut used = 0;
    for c in before.chars().rev() {
        used += c.width().unwrap_or(0);
        if used > before_room.saturating_sub(usize::from(before.width() > before_room)) {
            break;
        }
        head.insert(0, c);
    }
    if head.len() < before.len() {
        head.insert(0, '…');
    }
    let rest = width.saturating_sub(head.width());
    format!("{head}{}", fit(after, rest))
}

/// `text` in `width` columns, filled up.
pub(crate) fn pad(text: &str, width: usize) -> String {
    let text = fit(text, width);
    let gap = width.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(gap))
}

/// `text` in at most `width` columns, its end cut.
pub(crate) fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.trim_end_matches('\n').to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        let w = c.width().unwrap_or(0);
        if used + w + 1 > width {
            break;
        }
        used += w;
        out.push(c);
    }
    out.push('…');
    out
}

/// `text` in at most `width` columns, its middle cut: the ends of a path say most.
pub(crate) fn shorten(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let tail_room = width.saturating_sub(1) * 2 / 3;
    let mut tail = String::new();
    let mut used = 0;
    for c in text.chars().rev() {
        used += c.width().unwrap_or(0);
        if used > tail_room {
            break;
        }
        tail.insert(0, c);
    }
    let head = fit(text, width.saturating_sub(tail.width()));
    format!("{head}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fit_their_columns() {
        assert_eq!(fit("abcdef", 4), "abc…");
        assert_eq!(fit("abc", 4), "abc");
        assert_eq!(pad("abc", 5), "abc  ");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(shorten("/srv/app/migrations/0042.sql", 16), "/srv/…s/0042.sql");
        for width in 0..40 {
            for text in ["/srv/app/migrations/0042_add_index.sql", "日本語のとても長いパス", "", "a"]
            {
                assert!(shorten(text, width).width() <= width.max(1), "{text} {width}");
                assert!(fit(text, width).width() <= width.max(1));
            }
        }
    }

    #[test]
    fn a_clause_keeps_its_gap() {
        let clause = "the deploy of the importer aborted with ____ on node db-7, see the log";
        for width in 12..80 {
            let cut = cut_clause(clause, width);
            assert!(cut.contains("____") && cut.width() <= width, "{width}: {cut}");
        }
    }
}

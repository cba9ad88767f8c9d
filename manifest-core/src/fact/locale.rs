//! How a text writes its decimals: `1,234.5` or `1.234,5`.

use super::lexicon::{Lexicon, Words};

/// The mark before a text's decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Locale {
    /// `1,234.5`.
    Point,
    /// `1.234,5`.
    Comma,
    /// Nothing tells.
    Unknown,
}

/// Common words of languages that write a point, and of those that write a comma. Words of both are left out.
static TONGUES: Lexicon<Locale, 256> = {
    use Locale::{Comma as C, Point as P};
    Lexicon::new(&[
        ("the and of is was with to for took are has by from were at this that", P),
        (
            "les une est pour dans avec sont moyenne durée délai traité lignes und der das ist mit von nicht wurde beträgt \
             dauer mittelwert durchschnitt zeilen sekunden los las una para fue media della sono het een niet não uma och",
            C,
        ),
    ])
};

/// How many words tell a language.
const WORDS: usize = 150;

/// What the numbers of the text show; then what it says of its locale; then its language.
pub(super) fn of(text: &str, grouped: bool) -> Locale {
    let (comma, point) = shown(text.as_bytes());
    decide(comma + usize::from(grouped), point).or_else(|| named(text)).unwrap_or_else(|| language(text))
}

fn decide(comma: usize, point: usize) -> Option<Locale> {
    match comma.cmp(&point) {
        std::cmp::Ordering::Greater => Some(Locale::Comma),
        std::cmp::Ordering::Less => Some(Locale::Point),
        std::cmp::Ordering::Equal => None,
    }
}

/// How many numbers can only be read with a decimal comma, and how many only with a decimal point.
fn shown(b: &[u8]) -> (usize, usize) {
    let digit = |i: usize| b.get(i).is_some_and(u8::is_ascii_digit);
    let (mut comma, mut point) = (0, 0);
    let mut from = 0;
    while let Some(k) = b.get(from..).and_then(|rest| rest.iter().position(|&c| c == b',')) {
        let i = from + k;
        from = i + 1;
        if i == 0 || !digit(i - 1) || !digit(i + 1) {
            continue;
        }
        let after = (i + 1..b.len()).take_while(|&k| digit(k)).count();
        let before = (0..i).rev().take_while(|&k| digit(k)).count();
        let ahead = i.checked_sub(before + 1).and_then(|k| b.get(k)).copied().unwrap_or(b' ');
        let next = b.get(i + 1 + after).copied().unwrap_or(b' ');
        if ahead == b'.' && before == 3 {
            comma += 2; // 1.234,5
        } else if after == 3 && next == b'.' && digit(i + 5) {
            point += 2; // 1,234.5
        } else if after == 3 && (next == b',' && digit(i + 5) || ahead == b',') {
            point += 1; // 1,234,567
        } else if after == 3 && (before > 3 || b.get(i - before) == Some(&b'0')) {
            comma += 1; // 1234,567 and 0,826
        } else if after != 3 && ahead != b',' && next != b',' && ahead != b'(' && ahead != b'[' {
            comma += 1; // 1,8260
        }
    }
    (comma, point)
}

/// The locale that the text names: `locale fr`, `lang=de`.
fn named(text: &str) -> Option<Locale> {
    for key in ["locale", "lang"] {
        let Some(i) = text.find(key) else { continue };
        let rest = text.get(i + key.len()..).unwrap_or_default();
        let tag = rest.trim_start_matches([' ', '=', ':', '"', '-']);
        if tag.len() == rest.len() {
            continue;
        }
        match tag.get(..2).unwrap_or_default() {
            "fr" | "de" | "es" | "it" | "pt" | "nl" | "pl" | "ru" | "sv" | "da" | "nb" | "fi" | "cs"
            | "tr" => {
                return Some(Locale::Comma);
            }
            "en" | "ja" | "zh" | "ko" => return Some(Locale::Point),
            _ => {}
        }
    }
    None
}

/// The locale of the language that the first words are in.
fn language(text: &str) -> Locale {
    let (mut comma, mut point) = (0, 0);
    for w in text.split(|c: char| !c.is_alphabetic()).filter(|w| w.len() > 1).take(WORDS) {
        let lower = w.to_lowercase();
        match TONGUES.get(lower.as_bytes()) {
            Some(Locale::Comma) => comma += 1,
            Some(_) => point += 1,
            None => {}
        }
    }
    decide(comma, point).unwrap_or(Locale::Unknown)
}

/// Whether the text is German, where every noun has a capital.
pub(super) fn is_german(text: &str) -> bool {
    let (mut german, mut english) = (0, 0);
    for w in text.split(|c: char| !c.is_alphabetic()).filter(|w| w.len() > 1).take(WORDS) {
        german += usize::from(GERMAN.has_folded(w));
        english += usize::from(ENGLISH.has_folded(w));
    }
    german > 1 && german > english
}

static GERMAN: Words<64> =
    Words::new("der das und ist nicht mit von im den dem auf ein eine wurde werden hat bei zu nach aus");
static ENGLISH: Words<32> = Words::new("the and of is was with to for are has by from");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_tell_first() {
        assert_eq!(of("1.234,5", false), Locale::Comma);
        assert_eq!(of("moyenne 1,8260", false), Locale::Comma);
        assert_eq!(of("1,234.5 und der Rest", false), Locale::Point);
        assert_eq!(of("1,234,567", false), Locale::Point);
        assert_eq!(of("0,826", false), Locale::Comma);
        assert_eq!(of("1200 lignes", true), Locale::Comma);
    }

    #[test]
    fn then_the_locale_and_the_language() {
        assert_eq!(of("Mean 1,826 (locale fr)", false), Locale::Comma);
        assert_eq!(of("lang=en 1,826", false), Locale::Point);
        assert_eq!(of("Die Dauer ist 1,826 und der Rest", false), Locale::Comma);
        assert_eq!(of("it took 1,826 ms", false), Locale::Point);
        assert_eq!(of("1,826", false), Locale::Unknown);
        assert_eq!(of("rows (3,5) and [1,2]", false), Locale::Point);
    }
}

//! How likely a fact is to be needed by the work after its text.
//!
//! Six measures, each of a value among values, none of a word: how much attention its leaves gave it (a message that
//! names three identifiers means each of them, a listing of three hundred means none), how long ago, which share of its
//! siblings – values of its shape that the same leaf brought – was used so far, whether the user said it, whether one of
//! the last leaves names it, and how short it is. That a value stands in an error line says nothing, but for a code.
//! What names nothing by itself (`98G`, `0x00`, `line 14`) comes last, and names of code that nobody speaks of come after
//! those that somebody does.
//!
//! The weights were set on half of 68 recorded agent runs (area under the curve 0.85; 0.84 and more on the other half)
//! and on three sessions with what their work used again after a compaction. Between half and one and a half times each
//! weight none of these areas moves by more than 0.02.

use crate::fact::Class;
use crate::trace::{Entry, Seen, Table};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// What it weighs that all siblings were used, in natural log odds.
const SIBLINGS: f64 = 6.0;
/// What it weighs that the user said it.
const SAID: f64 = 2.25;
/// What it weighs that a value is an amount.
const AMOUNT: f64 = -3.0;
/// What it weighs that one of the last two leaves names it: work goes on with what it holds in its hands.
const AT_HAND: f64 = 2.0;
/// How many leaves are the last ones.
const LATEST: usize = 2;
/// The power by which a value fades with the leaves since it was last seen.
const FADING: f64 = 0.5;
/// The power by which a value falls with its bytes.
const BREVITY: f64 = 0.5;
/// What nobody needs: the name of a field or a tool.
const FIELD: f64 = -8.0;
/// Log odds to one step of the scale from 0 to 1; the order is the same for every step.
const STEP: f64 = 3.0;

/// The salience of the values of one table.
pub(crate) struct Salience(Box<[f64]>);

/// Values of one shape that one leaf brought: how many there are, and how many somebody has used.
#[derive(Clone, Copy, Default)]
struct Siblings {
    values: u32,
    used: u32,
}

impl Siblings {
    /// The share of the others that was used: a value says nothing about itself. One in four where there are none.
    fn others_used(self, itself: bool) -> f64 {
        let used = f64::from(self.used.saturating_sub(u32::from(itself)));
        (used + 0.5) / (f64::from(self.values.saturating_sub(1)) + 2.0)
    }
}

impl Salience {
    /// Ranks the values of a table over so many children.
    pub(crate) fn of(table: &Table, children: usize) -> Self {
        Salience(odds(table, children))
    }

    /// The salience of the value at a place of the table, 0 to 1.
    pub(crate) fn rank(&self, place: usize) -> f64 {
        scaled(self.0.get(place).copied().unwrap_or(f64::NEG_INFINITY))
    }
}

/// The log odds of every value of a table over so many children, in their order.
pub(crate) fn odds(table: &Table, children: usize) -> Box<[f64]> {
    let mut siblings: FxHashMap<u64, Siblings> = FxHashMap::default();
    let mut all = Vec::with_capacity(table.len());
    for places in table.brought() {
        siblings.clear();
        let entries: Vec<(u64, Entry<'_>)> =
            places.filter_map(|place| table.at(place)).map(|entry| (shape(&entry), entry)).collect();
        for (shape, entry) in &entries {
            let siblings = siblings.entry(*shape).or_default();
            siblings.values += 1;
            siblings.used += u32::from(used(entry));
        }
        let odds = |(shape, entry): (u64, Entry<'_>)| {
            let siblings = siblings.get(&shape).copied().unwrap_or_default();
            own(&entry, children) + SIBLINGS * siblings.others_used(used(&entry))
        };
        all.extend(entries.into_iter().map(odds));
    }
    all.into_boxed_slice()
}

/// Log odds on the scale from 0 to 1.
pub(crate) fn scaled(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds / STEP).exp())
}

/// What a value's own sightings say.
fn own(entry: &Entry<'_>, children: usize) -> f64 {
    if matches!(entry.class, Class::Payload | Class::Secret) {
        return f64::NEG_INFINITY;
    }
    let age = children.saturating_sub(entry.last()).max(1) as f64;
    let bytes = entry.text.len().max(6) as f64;
    let mut odds = f64::from(entry.attention).max(1e-6).ln() - FADING * age.ln() - BREVITY * bytes.ln();
    let exactness = exactness(entry);
    odds += exactness;
    // Amounts are read off what one has at hand, names go on with it.
    if exactness > AMOUNT && entry.seen.any(Seen::NAMED_LAST) && age <= LATEST as f64 {
        odds += AT_HAND;
    }
    if entry.seen.any(Seen::USER) {
        odds += SAID;
    }
    if !entry.seen.any(Seen::VALUE) {
        odds += FIELD;
    }
    odds
}

/// Whether somebody named it or handed it to a tool.
fn named(entry: &Entry<'_>) -> bool {
    entry.seen.any(Seen::NAMED)
}

/// Whether it was taken up again after the leaf that brought it.
fn used(entry: &Entry<'_>) -> bool {
    entry.leaves >= 2 && named(entry)
}

/// What a text means by itself, whatever its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bearing {
    /// It names or measures something.
    Telling,
    /// A size without its unit (`98G`), a line without its file: an amount rather than a name.
    Amount,
    /// Too little to be found again by: `00`, `#0`, `0x00`, a number of two digits.
    Empty,
}

impl Bearing {
    fn of(entry: &Entry<'_>) -> Bearing {
        let text = entry.text;
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        let is_number = digits > 0 && text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_punctuation());
        let is_short = is_number && digits < 3;
        match entry.class {
            Class::Number | Class::Location | Class::Version | Class::Identifier | Class::Ticket
                if is_short =>
            {
                Bearing::Empty
            }
            Class::Identifier | Class::Digest if is_one_digit_repeated(text) => Bearing::Empty,
            Class::Location if is_number || !text.contains(['.', '/', ':', '_']) => Bearing::Amount,
            Class::Identifier if is_size(text) => Bearing::Amount,
            _ => Bearing::Telling,
        }
    }
}

/// `0x00`, `x0000`, `000000`.
fn is_one_digit_repeated(text: &str) -> bool {
    let body = text.trim_start_matches(['0', 'x']).trim_start_matches(['x', 'X']);
    body.is_empty() || text.len() > 2 && text.bytes().all(|b| Some(&b) == text.as_bytes().first())
}

/// `98G`, `1.5T`: a number and the letter of a power of 1024.
fn is_size(text: &str) -> bool {
    let number = text.strip_suffix(['K', 'M', 'G', 'T', 'k']).unwrap_or_default();
    number.starts_with(|c: char| c.is_ascii_digit())
        && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && number.len() <= 6
}

/// What cannot be guessed or derived comes first.
fn exactness(entry: &Entry<'_>) -> f64 {
    match Bearing::of(entry) {
        Bearing::Empty => return -7.0,
        Bearing::Amount => return -4.0,
        Bearing::Telling => {}
    }
    match entry.class {
        // A code that an error shows is what a recovery starts from.
        Class::ErrorCode | Class::Ticket if entry.seen.any(Seen::ERROR) => 3.0,
        Class::ErrorCode | Class::Ticket => 2.0,
        // Where to write to somebody is needed if somebody wrote of it.
        Class::Email if !named(entry) => -4.0,
        Class::Identifier
        | Class::Uuid
        | Class::Digest
        | Class::Path
        | Class::Url
        | Class::Email
        | Class::Address
        | Class::EnvVar => 0.0,
        // Names of code that nobody speaks of stand in the code.
        Class::Symbol if !entry.seen.any(Seen::SAID) => -3.0,
        // An option that somebody gave is given again: it is short, and of a program that stays in use.
        Class::Flag if named(entry) => 1.0,
        Class::Flag | Class::Symbol | Class::Version | Class::Location | Class::Command => -1.0,
        Class::Quantity | Class::Money | Class::Percentage | Class::Range => AMOUNT,
        Class::Date | Class::Instant | Class::Time | Class::Number => -4.0,
        Class::Quote | Class::Name => -5.0,
        Class::RelativeTime | Class::Payload | Class::Secret => -8.0,
    }
}

/// How grave it is that a value is gone, by its kind alone, 0 to 5: what cannot be guessed, looked up by a name or
/// measured again comes first, and a code that an error showed before every other.
pub(crate) fn gravity(entry: &Entry<'_>) -> u8 {
    match entry.class {
        // `#4` is an issue in one text and a place in a list in the next.
        Class::Ticket if entry.text.starts_with('#') => 2,
        Class::Ticket if entry.seen.any(Seen::ERROR) => 5,
        class => class.gravity(),
    }
}

/// The class of a value and, where its class holds many kinds, the kinds of its characters: `ip-10-4-8-11` is `ip-0-0-0-0`,
/// `HAT113` is `a0`, `7f6d9` is `x`.
fn shape(entry: &Entry<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(entry.class.as_str().as_bytes());
    if entry.class == Class::Identifier {
        let separator = |c: char| !c.is_alphanumeric();
        for (i, run) in entry.text.split(separator).enumerate().take(8) {
            hasher.write_usize(i);
            let letters = run.trim_end_matches(|c: char| c.is_ascii_digit());
            let mixed = letters.bytes().any(|b| b.is_ascii_digit());
            let digits = letters.len() < run.len();
            match (mixed, letters.is_empty(), digits) {
                (true, ..) => hasher.write_u8(b'x'),
                (_, true, _) => hasher.write_u8(b'0'),
                (_, _, true) => hasher.write_u16(0x6130),
                _ if run.bytes().all(|b| b.is_ascii_uppercase()) => hasher.write_u8(b'A'),
                _ => hasher.write(run.as_bytes()),
            }
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Child, Role, ranked_facts};

    /// The salience of the fact with this text.
    fn rank(children: &[&str], text: &str) -> f64 {
        let children: Vec<Child<'_>> = children.iter().map(|child| Child::new(*child)).collect();
        let facts = ranked_facts(&children);
        let shown = |f: &&crate::RankedFact| f.fact.span.of(&children[f.child].text) == text;
        facts.iter().find(shown).map(|f| f.salience).unwrap()
    }

    #[test]
    fn who_singles_a_value_out_of_a_list_lifts_it() {
        let list = "tool list: PAY-4411 PAY-4412 PAY-4413 PAY-4414 PAY-4415 PAY-4416";
        let session = [list, "user: Look at PAY-4413 first.", "assistant: On it."];
        assert!(rank(&session, "PAY-4413") > rank(&session, "PAY-4412") + 0.2);
    }

    #[test]
    fn a_list_of_which_some_were_used_is_likelier_than_one_of_which_none_was() {
        let session = [
            "tool list: build-4411 build-4412 build-4413",
            "tool list: node-77-a1 node-77-b2 node-77-c3",
            "assistant: build-4411 is green.",
            "assistant: build-4413 is red.",
        ];
        assert!(rank(&session, "build-4412") > rank(&session, "node-77-b2"));
    }

    #[test]
    fn what_the_user_said_comes_before_what_a_tool_shows_and_fields_come_last() {
        let session = [
            r#"tool get: {"order_number": "XK4417", "state": "open"}"#,
            "user: My account is QL8823.",
            "assistant: Thank you.",
        ];
        assert!(rank(&session, "QL8823") > rank(&session, "XK4417"));
        assert!(rank(&session, "XK4417") > rank(&session, "order_number") + 0.2);
    }

    #[test]
    fn a_value_fades_with_the_leaves_after_it() {
        let early =
            ["assistant: See PAY-4411.", "assistant: Yes.", "assistant: No.", "assistant: See PAY-4412."];
        assert!(rank(&early, "PAY-4412") > rank(&early, "PAY-4411"));
    }

    #[test]
    fn what_names_nothing_by_itself_is_told_from_what_does() {
        let bearing = |text: &str| {
            let said = format!("it is {text} now");
            let mut table = Table::default();
            table.add(0, Seen::ASSISTANT, &crate::fact::read(&said), &[]);
            table.iter().find(|(_, entry)| entry.text == text).map(|(_, entry)| Bearing::of(&entry))
        };
        for amount in ["98G", "252G", "line 14"] {
            assert!(bearing(amount).is_none_or(|b| b == Bearing::Amount), "{amount}");
        }
        for empty in ["0x00", "#0", "12", "00"] {
            assert!(bearing(empty).is_none_or(|b| b == Bearing::Empty), "{empty}");
        }
        for telling in ["PAY-4411", "4417", "shard-00", "0x7f3a", "v2", "AC04", "#312"] {
            assert_eq!(bearing(telling), Some(Bearing::Telling), "{telling}");
        }
        assert_eq!(bearing("12"), Some(Bearing::Empty));
    }

    #[test]
    fn what_one_has_at_hand_comes_before_what_a_tool_showed_as_late() {
        let call = "assistant: \n[tool_call get {\"id\":\"PX-4417-A\"}]";
        let session = [call, "assistant: Done.", "tool get: QX-4417-A", call];
        let early = [call, "assistant: Done.", "tool get: QX-4417-A", "assistant: Good.", "user: Yes."];
        let gap = |session: &[&str]| rank(session, "PX-4417-A") - rank(session, "QX-4417-A");
        assert!(gap(&session) > gap(&early));
    }

    #[test]
    fn what_was_handed_to_a_tool_is_needed_more_often() {
        let text = "reads /srv/app/window.rs";
        let rank = |child: Child<'_>| ranked_facts(&[child]).first().map_or(0.0, |f| f.salience);
        let said = rank(Child::new(text).with_role(Role::Assistant));
        let handed = rank(Child::new(text).with_role(Role::Assistant).as_call());
        assert!(handed > said, "{handed} against {said}");
    }
}

//! How likely a fact is to be needed by the work after its text.
//!
//! Four measures, each of a value among all values, none of a word: how much attention its leaves gave it (a message
//! that names three identifiers means each of them, a listing of three hundred means none) and how long ago; which share
//! of its like an agent has used so far; whether the user said it; and how short it is. That a value stands in an error
//! line says nothing. The weights were set on half of a set of recorded agent runs and held on the other half and on an
//! incident of six hundred messages; between 0.5 and 2 times each the order hardly changes.

use crate::fact::Class;
use crate::trace::{Entry, Seen, Table};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// What the share of its like that was used weighs: from nothing to this much, in natural log odds.
const LIKE: f64 = 6.0;
/// What it weighs that the user said it.
const SAID: f64 = 2.0;
/// The power by which a value fades with the leaves since it was last seen.
const FADING: f64 = 0.5;
/// The power by which a value falls with its bytes.
const BREVITY: f64 = 0.7;
/// What nobody needs: the name of a field.
const FIELD: f64 = -8.0;
/// Log odds to one step of the scale; ranks by themselves are the same for every step.
const STEP: f64 = 3.0;

/// The salience of the values of one table.
pub(crate) struct Salience {
    children: usize,
    likes: FxHashMap<u64, Like>,
}

/// Values of one shape: how many there are and how many an agent or user has named.
#[derive(Clone, Copy, Default)]
struct Like {
    values: u32,
    used: u32,
}

impl Salience {
    /// Reads which kinds of values were used so far.
    pub(crate) fn of(table: &Table, children: usize) -> Self {
        let mut likes: FxHashMap<u64, Like> = FxHashMap::default();
        for (_, entry) in table.iter() {
            let like = likes.entry(shape(entry)).or_default();
            like.values += 1;
            like.used += u32::from(used(entry));
        }
        Salience { children, likes }
    }

    /// The salience of one value, 0 to 1.
    pub(crate) fn rank(&self, entry: &Entry) -> f64 {
        if matches!(entry.class, Class::Payload | Class::Secret) {
            return 0.0;
        }
        let age = self.children.saturating_sub(entry.last()) as f64;
        let like = self.likes.get(&shape(entry)).copied().unwrap_or_default();
        // Of the others: a value says nothing about itself. One in four where there are none.
        let others = f64::from(like.values.saturating_sub(1));
        let others_used = f64::from(like.used.saturating_sub(u32::from(used(entry))));
        let mut odds = f64::from(entry.attention).max(1e-6).ln() - FADING * age.max(1.0).ln()
            + LIKE * (others_used + 0.5) / (others + 2.0)
            - BREVITY * (entry.text.len().max(6) as f64).ln()
            + exactness(entry);
        if entry.seen.any(Seen::USER) {
            odds += SAID;
        }
        if !entry.seen.any(Seen::VALUE) {
            odds += FIELD;
        }
        1.0 / (1.0 + (-odds / STEP).exp())
    }
}

/// Whether somebody named it or handed it to a tool.
fn used(entry: &Entry) -> bool {
    entry.seen.any(Seen::USER) || entry.seen.any(Seen::ASSISTANT) || entry.seen.any(Seen::ARGUMENTS)
}

/// What cannot be guessed or derived comes first.
fn exactness(entry: &Entry) -> f64 {
    match entry.class {
        // A code that an error shows is what a recovery starts from.
        Class::ErrorCode | Class::Ticket if entry.seen.any(Seen::ERROR) => 3.0,
        Class::ErrorCode | Class::Ticket => 2.0,
        // Where to write to somebody is needed if somebody wrote of it.
        Class::Email if !used(entry) => -4.0,
        Class::Identifier
        | Class::Uuid
        | Class::Digest
        | Class::Path
        | Class::Url
        | Class::Email
        | Class::Address
        | Class::EnvVar
        | Class::Symbol => 0.0,
        Class::Flag | Class::Version | Class::Location | Class::Command => -1.0,
        Class::Quantity | Class::Money | Class::Percentage | Class::Range => -3.0,
        Class::Date | Class::Instant | Class::Time | Class::Number => -4.0,
        Class::Quote | Class::Name => -5.0,
        Class::RelativeTime | Class::Payload | Class::Secret => -8.0,
    }
}

/// The class of a value and, where its class holds many kinds, the kinds of its characters: `ip-10-4-8-11` is `ip-0-0-0-0`,
/// `HAT113` is `a0`, `7f6d9` is `x`.
fn shape(entry: &Entry) -> u64 {
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
    use crate::{Child, Role, ranked_facts};

    #[test]
    fn what_was_handed_to_a_tool_is_needed_more_often() {
        let text = "reads /srv/app/window.rs";
        let rank = |child: Child<'_>| ranked_facts(&[child]).first().map_or(0.0, |f| f.salience);
        let said = rank(Child::new(text).with_role(Role::Assistant));
        let handed = rank(Child::new(text).with_role(Role::Assistant).as_call());
        assert!(handed > said, "{handed} against {said}");
    }
}

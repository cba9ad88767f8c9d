//! What is negated in a clause of the parent and not in its source, or the other way round.

use super::parent::Text;
use super::statement::{Difference, Pair, words_in};
use crate::fact::statement::{Cues, Statement, cue_of, negates_by_prefix, opposed};
use crate::text::Word;

impl Pair<'_, '_> {
    /// Whether the words that the two share stand in one order in both: who follows whom is not what is negated.
    fn in_order(&self) -> bool {
        let stems = |text: &Text<'_>, of: &Statement, other: &[u64]| -> Vec<u64> {
            let words = text.statements.words_of(of).iter().map(|w| w.stem);
            words.filter(|stem| other.binary_search(stem).is_ok()).collect()
        };
        let ours = stems(self.parent, self.claim, self.source_items);
        let theirs = stems(self.child, self.source, self.claim_items);
        let mut next = theirs.iter();
        ours.len() <= 1 || ours.iter().all(|stem| next.any(|other| other == stem))
    }

    /// Words of a clause that the other does not hold.
    fn unmatched<'a>(text: &'a Text<'_>, of: &Statement, other: &[u64]) -> Vec<(u64, &'a str)> {
        text.statements
            .words_of(of)
            .iter()
            .filter(|w| other.binary_search(&w.stem).is_err())
            .map(|w| (w.stem, w.at.of(&text.reading.normal.text)))
            .collect()
    }

    /// Whether one of the two is negated over what both speak of, and the other is not.
    pub(super) fn turned(&self) -> bool {
        self.claim.negated_over(self.source_items) != self.source.negated_over(self.claim_items)
    }

    fn opposites(&self) -> Option<(Box<str>, Box<str>)> {
        let ours = Self::unmatched(self.parent, self.claim, self.source_items);
        let theirs = Self::unmatched(self.child, self.source, self.claim_items);
        for (p, p_text) in ours.iter().take(24) {
            for (c, c_text) in theirs.iter().take(24) {
                if opposed(*p, *c) || negates_by_prefix(&p_text.to_lowercase(), &c_text.to_lowercase()) {
                    return Some(((*c_text).into(), (*p_text).into()));
                }
            }
        }
        None
    }

    /// Two words that are opposites, where the rest of the clauses is one and the same.
    pub(super) fn opposite(&self) -> Option<Difference> {
        let rest = self.claim_items.len().saturating_sub(1).max(1);
        let shared = self.claim_items.iter().filter(|i| self.source_items.binary_search(i).is_ok()).count();
        if shared == 0 || (shared as f64) < 0.6 * rest as f64 || self.back < 0.4 || self.turned() {
            return None;
        }
        self.opposites().map(|(child, parent)| Difference::Opposite(child, parent))
    }

    /// A negation that only one of the two has.
    pub(super) fn polarity(&self) -> Option<Difference> {
        let turned = self.turned();
        let told_apart = Cues::CONTRAST.with(Cues::CORRECTION);
        // Where both negate something, what is turned is a matter of wording.
        let both = !self.claim.turns.is_empty() && !self.source.turns.is_empty();
        // What turns a phrase turns the clause only where the rest of the two is one and the same.
        let phrase = self.claim.turns.iter().chain(&self.source.turns).all(|t| t.phrase);
        let shared = self.claim_items.iter().filter(|i| self.source_items.binary_search(i).is_ok()).count();
        // Two words in common are a frame only where there is nothing else.
        let alone = shared <= 3 && self.back < 0.99 || phrase && (self.cover < 0.8 || self.back < 0.8);
        if !turned
            || both
            || alone
            || !self.in_order()
            || self.context_negates
            || self.claim_items.len() < 2
            || self.cover < 0.7
            || self.back < 0.5
            || self.claim.cues.any(told_apart)
            || self.source.cues.any(told_apart)
        {
            return None;
        }
        // A denial, a ban or a failure negates without a "not".
        let negative = Cues::DENIAL.with(Cues::PROHIBITION).with(Cues::FAILED).with(Cues::ALTERNATIVE);
        let other = if self.claim.turns.is_empty() { self.claim } else { self.source };
        if other.cues.any(negative) {
            return None;
        }
        // A question, direct or not, states nothing that could be turned.
        if self.source.cues.any(Cues::ASK)
            || self.source.at.of(&self.child.reading.normal.text).trim_end().ends_with(['?', '？'])
        {
            return None;
        }
        // "not disabled" and "enabled" are the same; and what turns the one may stand in the other word for word, in an
        // aside or in another clause.
        (self.opposites().is_none() && !self.turns_alike()).then_some(Difference::Polarity)
    }

    /// Whether what is turned in one of the two is turned in the other's sentence in the very same words.
    fn turns_alike(&self) -> bool {
        let ours = (self.parent, self.claim);
        let theirs = (self.child, self.source);
        let [(text, turned), (other, calm)] =
            if self.claim.turns.is_empty() { [theirs, ours] } else { [ours, theirs] };
        let folded = &*text.reading.normal.text;
        let here = words_in(text, turned.at);
        let sentence = other.reading.sentences.get(calm.sentence).map_or(calm.at, |s| s.at);
        let there = words_in(other, sentence);
        let mut negators = here.iter().enumerate().filter(|(_, w)| {
            let word = w.at.of(folded).to_lowercase();
            cue_of(&word).any(Cues::NEGATION.with(Cues::PROHIBITION))
        });
        let repeated = |(at, word): (usize, &Word)| {
            let same =
                |i: usize, j: usize| here.get(i).zip(there.get(j)).is_some_and(|(a, b)| a.stem == b.stem);
            there.iter().enumerate().filter(|(_, w)| w.stem == word.stem).any(|(place, _)| {
                let before = (1..=at.min(place)).take_while(|n| same(at - n, place - n)).count();
                let after = (1..here.len()).take_while(|n| same(at + n, place + n)).count();
                // Up to the end of the clause, or a phrase of it.
                (before >= 1 || at == 0)
                    && (after >= 2 || at + after + 1 == here.len())
                    && before + after >= 3
            })
        };
        negators.next().is_some_and(repeated) && negators.all(repeated)
    }
}

#[cfg(test)]
mod tests {
    use super::super::statement::tests::altered;

    #[test]
    fn two_words_in_common_are_no_clause() {
        assert!(
            altered("So one of the three relays did not follow the switch.", "A switch followed.").is_empty()
        );
        assert!(
            altered("The switch follows the relay and never the sensor.", "The relay follows.").is_empty()
        );
    }

    #[test]
    fn other_languages_deny_too() {
        for (child, parent) in [
            ("Non riavviare db-1 durante la notte.", "Riavviare db-1 durante la notte."),
            ("Não reinicie o servidor db-1 durante a noite.", "Reinicie o servidor db-1 durante a noite."),
            ("Serveren db-1 ble ikke startet av vakten.", "Serveren db-1 ble startet av vakten."),
        ] {
            assert_eq!(altered(child, parent).len(), 1, "{child}");
            assert!(altered(child, child).is_empty(), "{child}");
        }
        let child = "La panne touche non seulement le relais db-1, mais aussi la vanne.";
        assert!(altered(child, "La panne touche le relais db-1 et la vanne.").is_empty());
    }

    #[test]
    fn a_name_that_begins_with_no_denies_nothing() {
        let child = "The job runs the files in one transaction unless the first line is `-- no-transaction`.";
        let parent = "The job runs the files in one transaction unless the first line says so.";
        assert!(altered(child, parent).is_empty());
        let child = "The cache of the relay was used for the build of the window.";
        assert!(!altered(child, "No cache of the relay was used for the build of the window.").is_empty());
    }

    #[test]
    fn without_turns_its_phrase_only() {
        let child = "Ship it and sort it out later: you ruled out refunds without Orla.";
        assert!(altered(child, "The refunds were made with the consent of Orla.").is_empty());
    }

    #[test]
    fn the_same_negation_in_the_same_words() {
        let child = "The gap goes to OPS-71 (warn on pump state, not gate state).";
        assert!(altered(child, "- OPS-71: warn on pump state, not gate state.").is_empty());
        let child =
            "The nightly check is off since 2026-03-05 by bteller, because \"runner cannot reach pump-2\".";
        let aside = "The nightly check is off since 2026-03-05 by bteller (\"runner cannot reach pump-2\").";
        assert!(altered(child, aside).is_empty());
        let turned =
            "The nightly check is off since 2026-03-05 by bteller, because \"runner can reach pump-2\".";
        assert_eq!(altered(child, turned).len(), 1);
    }

    #[test]
    fn a_verdict_behind_an_option_refuses_it() {
        let child = "4. open the east gate by hand: one seal in the sense of the rules; no.";
        let option = "4. Open the east gate by hand: one seal in the sense of the rules.";
        assert!(altered(child, &format!("{option} Rejected at once.")).is_empty());
    }

    #[test]
    fn members_are_negated_each_for_itself() {
        let child = "No drain of the tank, no refill, no flush by hand.";
        assert!(altered(child, "Nobody drains the tank, nobody refills it.").is_empty());
    }
}

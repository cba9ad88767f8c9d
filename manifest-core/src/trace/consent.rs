//! Consent, denial and other acts of a speaker: who gave it, and whether anybody did.

use super::parent::Text;
use crate::child::Role;
use crate::fact::statement::{Cues, Statement, gives_consent};

/// What the children show of the user's consent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Consent {
    given: bool,
}

impl Consent {
    /// Looks at one child.
    pub(crate) fn child(&mut self, role: (Role, bool), text: &Text<'_>) {
        if self.given {
            return;
        }
        let all = &text.statements.all;
        // "The user looked at it and approved": the actor may stand in another clause of the sentence.
        let acts = |s: &Statement| {
            let first = all.partition_point(|o| o.sentence < s.sentence);
            let sentence = all.iter().skip(first).take_while(|o| o.sentence == s.sentence);
            sentence.take(16).any(|o| o.actor == Some(Role::User))
        };
        self.given = all.iter().any(|s| {
            let by_user = s.speaker.map_or(role.0 == Role::User && role.1, |r| r == Role::User);
            // "Approved: stop it if it does not react" is a consent; "not approved" is none.
            let denied = s.turns.iter().any(|t| t.stem.is_none_or(gives_consent));
            let consents = s.cues.any(Cues::CONSENT) && !denied;
            consents && (by_user || !s.cues.any(Cues::OPEN.with(Cues::FUTURE)) && acts(s))
                || by_user && says_yes(text, s)
        });
    }

    /// Whether a clause of the parent tells of a consent that no child shows.
    pub(crate) fn invented(self, claim: &Statement) -> bool {
        !self.given
            && claim.actor == Some(Role::User)
            && claim.cues.any(Cues::CONSENT)
            && !claim.negated
            && !claim.cues.any(Cues::OPEN.with(Cues::FUTURE).with(Cues::ASK).with(Cues::MUST))
    }
}

/// Whether a clause is a plain yes, or has one among its members ("the second, from the shelf, yes").
fn says_yes(text: &Text<'_>, statement: &Statement) -> bool {
    let body = statement.at.of(&text.reading.normal.text).to_lowercase();
    let body = body.split_once(':').map_or(body.as_str(), |(_, rest)| rest);
    let first = body.trim().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let alone = |member: &str| is_yes(member.trim_matches(|c: char| !c.is_alphanumeric()));
    is_yes(first)
        || body.split([',', ';', '–', '—']).skip(1).any(alone)
        || ["好", "可以", "是"].iter().any(|yes| body.trim().starts_with(yes))
}

fn is_yes(word: &str) -> bool {
    matches!(
        word,
        "yes"
            | "yep"
            | "yeah"
            | "sure"
            | "ok"
            | "okay"
            | "fine"
            | "agreed"
            | "approved"
            | "go"
            | "proceed"
            | "confirmed"
            | "lgtm"
            | "ja"
            | "oui"
            | "sí"
            | "si"
    )
}

#[cfg(test)]
mod tests {
    use crate::{Child, Order, Role, Tracer};

    fn invented(said: &str, parent: &str) -> bool {
        let child = Child { role: Role::User, ..Child::new(said) };
        let mut tracer = Tracer::new(parent, Order::Sequence);
        tracer.child(&child);
        !tracer.finish().altered.is_empty()
    }

    #[test]
    fn a_yes_among_the_members_is_one() {
        assert!(!invented(
            "b, from the shelf, yes. Not before six.",
            "The user agreed to b, from the shelf."
        ));
        assert!(!invented("Yes, from the shelf.", "The user agreed to take it from the shelf."));
        assert!(invented(
            "b, from the shelf? I will think about it.",
            "The user agreed to b, from the shelf."
        ));
    }
}

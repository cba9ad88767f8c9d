//! Consent, denial and other acts of a speaker: who gave it, and whether anybody did.

use super::parent::Text;
use crate::child::Role;
use crate::fact::statement::{Cues, Statement};

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
        self.given = text.statements.all.iter().any(|s| {
            let by_user = s.speaker.map_or(role.0 == Role::User && role.1, |r| r == Role::User);
            let told = s.actor == Some(Role::User) && s.cues.any(Cues::CONSENT) && !s.negated;
            told && !s.cues.any(Cues::OPEN.with(Cues::FUTURE))
                || by_user && (s.cues.any(Cues::CONSENT) && !s.negated || says_yes(text, s))
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

/// Whether a clause is a plain yes.
fn says_yes(text: &Text<'_>, statement: &Statement) -> bool {
    let body = statement.at.of(&text.reading.normal.text).to_lowercase();
    let body = body.split_once(':').map_or(body.as_str(), |(_, rest)| rest);
    let first = body.trim().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    matches!(
        first,
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
    ) || body.trim().starts_with("好")
        || body.trim().starts_with("可以")
        || body.trim().starts_with("是")
}

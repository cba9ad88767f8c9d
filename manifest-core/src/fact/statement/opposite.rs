//! Words that say the opposite of each other.

use crate::text::Span;
use crate::text::words;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// Pairs of general opposites: each word on the left against each word on the right.
const OPPOSITES: &[(&str, &str)] = &[
    (
        "accept allow permit grant approve authorise authorize admit",
        "reject deny refuse forbid prohibit revoke decline block disallow",
    ),
    ("enable enabled activate on", "disable disabled deactivate off"),
    ("up", "down"),
    ("in", "out"),
    ("start started begin launch resume", "stop stopped end halt pause suspend"),
    ("pass passed succeed succeeded success successful", "fail failed failure unsuccessful"),
    ("open opened", "close closed"),
    (
        "increase increased rise rose raise raised grow grew gain",
        "decrease decreased fall fell lower lowered drop dropped shrink shrank reduce reduced lose decline",
    ),
    (
        "add added include included insert inserted append attach keep kept preserve retain",
        "remove removed exclude excluded delete deleted detach drop dropped discard discarded",
    ),
    ("lock locked", "unlock unlocked"),
    ("encrypt encrypted", "decrypt decrypted plaintext"),
    ("mount mounted", "unmount unmounted"),
    ("install installed", "uninstall uninstalled"),
    ("connect connected", "disconnect disconnected"),
    ("online up healthy alive running", "offline down unhealthy dead stopped"),
    ("love like enjoy prefer", "hate dislike"),
    ("true yes", "false no"),
    ("primary master leader", "secondary replica standby follower"),
    ("upgrade upgraded", "downgrade downgraded"),
    ("before earlier", "after later"),
    ("first", "last"),
    ("minimum min least", "maximum max most"),
    (
        "above over exceed exceeds more greater larger higher longer",
        "below under less fewer smaller lower shorter",
    ),
    ("public", "private internal"),
    ("required mandatory", "optional"),
    ("always", "never"),
    ("all every everyone", "none nobody"),
    ("safe secure", "unsafe insecure dangerous"),
    ("valid", "invalid"),
    ("synchronous sync", "asynchronous async"),
    ("inbound ingress incoming", "outbound egress outgoing"),
    ("read", "write"),
    ("import", "export"),
    ("upload", "download"),
    ("push", "pull"),
    ("send sent", "receive received"),
    ("buy bought", "sell sold"),
    ("win won", "lose lost"),
    ("hot warm", "cold"),
    ("fast quick", "slow"),
    ("early", "late"),
    ("present", "absent missing"),
    ("clean", "dirty"),
    ("empty", "full"),
    ("new", "old"),
    ("cheap", "expensive"),
    ("strong", "weak"),
    ("hard", "soft"),
    ("left", "right"),
    ("horizontal", "vertical"),
    ("manual manually", "automatic automatically"),
    ("temporary temporarily", "permanent permanently"),
    ("pending open unfinished waiting", "applied done completed finished closed merged"),
    ("confirm confirmed", "deny denied refute refuted"),
    ("agree agreed", "disagree disagreed"),
    ("support supports supported", "oppose opposed"),
    ("expand", "collapse"),
    ("promote promoted", "demote demoted"),
    ("commit committed", "abort aborted rollback"),
    ("created create", "destroyed destroy deleted delete"),
];

static TABLE: LazyLock<FxHashSet<(u64, u64)>> = LazyLock::new(|| {
    let stems = |list: &str| -> Vec<u64> {
        list.split(' ').filter_map(|w| words(w, Span::new(0, w.len())).first().map(|w| w.stem)).collect()
    };
    let mut table = FxHashSet::default();
    for (left, right) in OPPOSITES {
        let (left, right) = (stems(left), stems(right));
        for a in &left {
            for b in &right {
                if a != b {
                    table.insert((*a, *b));
                    table.insert((*b, *a));
                }
            }
        }
    }
    table
});

/// Whether two stems are listed as opposites.
pub(crate) fn opposed(a: u64, b: u64) -> bool {
    TABLE.contains(&(a, b))
}

/// Whether one word is the other with a negating prefix ("unauthenticated", "authenticated"); both lower-case.
pub(crate) fn negates_by_prefix(a: &str, b: &str) -> bool {
    let (long, short) = if a.len() > b.len() { (a, b) } else { (b, a) };
    // Asked of every two words of many clauses: most end differently.
    if !long.ends_with(short) {
        return false;
    }
    ["un", "in", "im", "il", "ir", "dis", "non", "non-", "de", "mis", "a"].iter().any(|prefix| {
        short.len() >= if *prefix == "a" { 6 } else { 4 } && long.strip_prefix(prefix) == Some(short)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes() {
        assert!(negates_by_prefix("unauthenticated", "authenticated"));
        assert!(negates_by_prefix("reversible", "irreversible"));
        assert!(!negates_by_prefix("understand", "stand-by"));
        assert!(!negates_by_prefix("index", "dex"));
    }
}

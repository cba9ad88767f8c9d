//! What a policy asks of the children's facts, and what became of each: stated, carried, dropped or lost.

use crate::fact::Class;
use crate::fact::salience::gravity;
use crate::ledger::{self, carriable};
use crate::policy::{Policy, Required};
use crate::report::{FactCounts, LostRow};
use crate::text::Span;
use crate::trace::{Entry, Mandate, Seen, Stater, Table, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the caller says beside children and parent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claims<'a> {
    /// Keys of facts that must survive whatever the policy says.
    pub(crate) pinned: FxHashSet<u64>,
    /// Whether every fact is pinned.
    pub(crate) all_pinned: bool,
    /// Keys that the caller gave up, with a reason.
    pub(crate) dropped: FxHashSet<u64>,
    /// The texts that the caller gave up: a statement has no key.
    pub(crate) dropped_texts: Vec<&'a str>,
    /// Keys that the summary gave up, with a reason.
    pub(crate) given_up: FxHashSet<u64>,
    /// Classes of which every fact must survive.
    pub(crate) classes: &'a [Class],
    /// Keys of probes: asked of the parent, and so neither required nor offered.
    pub(crate) probes: Option<&'a FxHashSet<u64>>,
}

impl Claims<'_> {
    /// Whether the caller wants this fact whatever the policy says; only the caller can drop it.
    fn pins(&self, key: u64) -> bool {
        self.all_pinned || self.pinned.contains(&key)
    }

    /// Whether the caller or the summary's kind wants this fact.
    fn wants(&self, key: u64, entry: &Entry<'_>) -> bool {
        self.pins(key) || self.classes.contains(&entry.class)
    }

    /// Whether the caller gave up a statement: named it, or the most of it.
    pub(crate) fn drops_statement(&self, text: &str) -> bool {
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let text = flat(text);
        self.dropped_texts.iter().any(|dropped| {
            let dropped = flat(dropped);
            dropped.contains(&text) || 2 * dropped.len() >= text.len() && text.contains(&dropped)
        })
    }

    /// Whether the fact is a probe that nobody wants otherwise.
    pub(crate) fn withholds(&self, key: u64, entry: &Entry<'_>) -> bool {
        self.probes.is_some_and(|probes| probes.contains(&key)) && !self.wants(key, entry)
    }
}

/// The account of one parent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Account {
    pub(crate) counts: FactCounts,
    pub(crate) lost: Vec<LostRow>,
    /// Required facts that the ledger carries.
    pub(crate) required_carried: usize,
    /// Required facts that the summary dropped.
    pub(crate) required_dropped: usize,
    /// Bytes of all required facts.
    pub(crate) required_bytes: usize,
    /// Bytes of the pinned ones.
    pub(crate) pinned_bytes: usize,
    /// Keys of the required facts of which nothing is left.
    pub(crate) lost_keys: FxHashSet<u64>,
    /// What became of each fact, in the order of the trace's table.
    pub(crate) fates: Vec<Fate>,
    /// Where the required mandates stand of which nothing is left.
    pub(crate) lost_mandates: FxHashSet<(usize, Span)>,
}

/// What became of every fact of the children: for the manifest of a node that passes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Fates {
    by_key: FxHashMap<u64, Fate>,
    lost: FxHashSet<u64>,
}

impl Fates {
    /// The fates of an account of the facts of `table`.
    pub(crate) fn of_account(account: (Vec<Fate>, FxHashSet<u64>), table: &Table) -> Self {
        let (fates, lost) = account;
        Fates { by_key: table.iter().map(|(key, _)| key).zip(fates).collect(), lost }
    }

    /// What became of the fact with this key; `None` if the trace did not hold it.
    pub(crate) fn of(&self, key: u64) -> Option<Fate> {
        self.by_key.get(&key).copied()
    }

    /// Whether the fact is required and lost.
    pub(crate) fn is_lost(&self, key: u64) -> bool {
        self.lost.contains(&key)
    }
}

/// Accounts for every fact of the children.
pub(crate) fn account(
    trace: &Trace<'_>,
    parent: &Stater<'_, '_>,
    ledger: Option<&Stater<'_, '_>>,
    policy: &Policy,
    claims: &Claims<'_>,
) -> Account {
    let mut out = Account::default();
    let required = required(trace, policy, claims);
    let fate_of = |key: u64, entry: &Entry<'_>| {
        if entry.class == Class::Secret {
            Fate::Dropped
        } else if parent.states(key, entry, &trace.table)
            && (!must_be_written(key, entry, claims) || parent.writes(key, entry))
        {
            Fate::Stated
        } else if ledger.is_some_and(|l| l.states(key, entry, &trace.table)) {
            Fate::Carried
        } else if trace.resolved_anchors.contains(&key) {
            // The anchor of a relative time that the parent has put into a date.
            Fate::Stated
        } else if claims.dropped.contains(&key) {
            Fate::Dropped
        } else if claims.given_up.contains(&key) && !claims.pins(key) {
            Fate::GivenUp
        } else {
            Fate::Gone
        }
    };
    let mut fates: Vec<Fate> = trace.table.iter().map(|(key, entry)| fate_of(key, &entry)).collect();
    let parts = Parts::of(trace);
    settle_wholes(trace, &parts, &mut fates, |place| {
        let (key, entry) = trace.table.key(place).zip(trace.table.at(place))?;
        Some(must_be_written(key, &entry, claims))
    });
    for ((key, entry), fate) in trace.table.iter().zip(fates.iter().copied()) {
        let wanted = required.contains(&key);
        tally(
            out.counts.by_class.entry(entry.class.as_str()).or_default(),
            fate,
            wanted,
            entry.count as usize,
        );
        tally(&mut out.counts, fate, wanted, entry.count as usize);
        if wanted {
            out.required_bytes += entry.text.len();
            // What the text states too is carried all the same: no summary above can lose it.
            let carried = || ledger.is_some_and(|ledger| ledger.states(key, &entry, &trace.table));
            out.required_carried += usize::from(fate == Fate::Carried || fate == Fate::Stated && carried());
            out.required_dropped += usize::from(fate == Fate::GivenUp);
            if claims.pins(key) {
                out.pinned_bytes += entry.text.len();
            }
            if fate == Fate::Gone {
                out.lost_keys.insert(key);
            }
        }
    }
    let all = trace.table.iter().zip(trace.odds());
    let lost = all.filter(|((key, _), _)| out.lost_keys.contains(key));
    let mut gone: Vec<(f64, u64, Entry<'_>)> = lost.map(|((key, entry), odds)| (*odds, key, entry)).collect();
    // The gravest kinds first, of each what is needed most; equals in the order of the text.
    gone.sort_by(|a, b| gravity(&b.2).cmp(&gravity(&a.2)).then(b.0.total_cmp(&a.0)));
    let broken = parts.broken(&trace.table, &out.lost_keys);
    let mut before_mandates = 0;
    for (_, key, entry) in gone {
        if covered(&trace.table, key, &entry, &broken, &out.lost_keys) {
            continue;
        }
        before_mandates += usize::from(gravity(&entry) > MANDATES);
        let head = trace.table.head(&entry);
        out.lost.push(LostRow {
            text: format!("{head}{}", entry.text),
            kind: entry.class.as_str(),
            child: entry.child(),
            span: Span::new(entry.span().start.saturating_sub(head.len()), entry.span().end),
        });
    }
    let rows = account_mandates(trace, ledger, policy, claims, &mut out);
    out.lost.splice(before_mandates..before_mandates, rows);
    out.fates = fates;
    out
}

/// Statements that forbid, refuse or allow stand behind what is graver than this among the losses.
const MANDATES: u8 = 4;

/// Accounts for the statements that forbid, refuse or allow, and gives a row for each that is lost.
fn account_mandates(
    trace: &Trace<'_>,
    ledger: Option<&Stater<'_, '_>>,
    policy: &Policy,
    claims: &Claims<'_>,
    out: &mut Account,
) -> Vec<LostRow> {
    let mut rows = Vec::new();
    // A strict policy requires all statements that steer work, these among them.
    if policy.required() != Required::Salient {
        return rows;
    }
    let required: FxHashSet<(usize, Span)> =
        required_mandates(trace, policy).into_iter().map(|mandate| (mandate.child, mandate.span)).collect();
    for mandate in &trace.mandates {
        let wanted = required.contains(&(mandate.child, mandate.span));
        let written = mandate.written();
        let carried = ledger.is_some_and(|ledger| ledger.quotes(&written));
        let fate = if mandate.stated {
            Fate::Stated
        } else if carried {
            Fate::Carried
        } else if claims.drops_statement(&written) {
            Fate::Dropped
        } else {
            Fate::Gone
        };
        let count = mandate.count;
        tally(out.counts.by_class.entry("statement").or_default(), fate, wanted, count);
        tally(&mut out.counts, fate, wanted, count);
        if wanted {
            out.required_bytes += written.len();
            // As with facts: what the text states too is carried all the same.
            out.required_carried += usize::from(carried);
            if fate == Fate::Gone {
                out.lost_mandates.insert((mandate.child, mandate.span));
                rows.push(statement_row(&mandate.text, mandate.child, mandate.span));
            }
        }
    }
    rows
}

/// The statements that forbid, refuse or allow and must survive: as many as fit their share of the ledger.
fn required_mandates<'t>(trace: &'t Trace<'_>, policy: &Policy) -> Vec<&'t Mandate> {
    let budget = policy.ledger().bytes(trace.children_bytes);
    ledger::rules(&trace.mandates, ledger::rules_budget(budget), |_| true)
}

/// Whether a fact that is pinned must be found again as it is written: the most of a command, or a name of code told in words, is
/// not what was pinned.
fn must_be_written(key: u64, entry: &Entry<'_>, claims: &Claims<'_>) -> bool {
    matches!(entry.class, Class::Symbol | Class::Command) && claims.pins(key)
}

/// What became of one fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// In the parent's text.
    Stated,
    /// In the ledger beside it.
    Carried,
    /// By the caller, or as a secret.
    Dropped,
    /// By the summary.
    GivenUp,
    /// None of these: lost where it is required.
    Gone,
}

fn tally(counts: &mut FactCounts, fate: Fate, wanted: bool, count: usize) {
    counts.required += usize::from(wanted);
    counts.merged += count.saturating_sub(1);
    match fate {
        Fate::Stated => counts.stated += 1,
        Fate::Carried => counts.carried += 1,
        Fate::Gone if wanted => counts.lost += 1,
        // Not required, or given up: a logged drop.
        Fate::Gone | Fate::Dropped | Fate::GivenUp => counts.dropped += 1,
    }
}

/// The parts of each whole: places in the table, the whole first, in order.
struct Parts(Vec<(u32, u32)>);

impl Parts {
    fn of(trace: &Trace<'_>) -> Self {
        let table = &trace.table;
        let pair = |(part, (_, entry)): (u32, (u64, Entry<'_>))| {
            let whole = table.place(entry.whole()?).and_then(|place| u32::try_from(place).ok())?;
            Some((whole, part))
        };
        let mut pairs: Vec<(u32, u32)> = (0..).zip(table.iter()).filter_map(pair).collect();
        pairs.sort_unstable();
        Parts(pairs)
    }

    /// Each whole with its parts.
    fn wholes(&self) -> impl Iterator<Item = (usize, impl Iterator<Item = usize> + Clone)> {
        self.0.chunk_by(|a, b| a.0 == b.0).filter_map(|pairs| {
            let (whole, _) = pairs.first()?;
            Some((*whole as usize, pairs.iter().map(|(_, part)| *part as usize)))
        })
    }

    /// Of which wholes some parts are lost.
    fn broken(&self, table: &Table, lost: &FxHashSet<u64>) -> FxHashMap<usize, Broken> {
        let is_lost = |part: &usize| table.key(*part).is_some_and(|key| lost.contains(&key));
        let broken = self.wholes().filter_map(|(whole, parts)| {
            let (all, gone) = (parts.clone().count(), parts.filter(is_lost).count());
            (gone > 0).then_some((whole, if gone == all { Broken::Wholly } else { Broken::Partly }))
        });
        broken.collect()
    }
}

/// Whether all parts of a whole are lost, or some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Broken {
    Wholly,
    Partly,
}

/// A whole whose parts are all kept is kept; a part whose whole is kept is kept, unless it must be `written` itself.
fn settle_wholes(
    trace: &Trace<'_>,
    parts: &Parts,
    fates: &mut [Fate],
    written: impl Fn(usize) -> Option<bool>,
) {
    let kept = |fates: &[Fate], place: usize| {
        fates.get(place).copied().filter(|f| matches!(f, Fate::Stated | Fate::Carried))
    };
    for (whole, mut parts) in parts.wholes() {
        if let Some(fate) = kept(fates, whole) {
            for part in parts {
                if kept(fates, part).is_none()
                    && written(part) != Some(true)
                    && let Some(slot) = fates.get_mut(part)
                {
                    *slot = fate;
                }
            }
        } else if trace.table.at(whole).is_some_and(|w| made_of_parts(w.class))
            && parts.all(|part| kept(fates, part).is_some())
            && let Some(slot) = fates.get_mut(whole)
        {
            *slot = Fate::Stated;
        }
    }
}

/// Whether the parts of a class say all that the whole says.
fn made_of_parts(class: Class) -> bool {
    matches!(class, Class::Instant | Class::Range | Class::Location | Class::Path | Class::Flag | Class::Date)
}

/// Whether another lost row names this fact already: its whole is named, or all that is missing are its parts.
fn covered(
    table: &Table,
    key: u64,
    entry: &Entry<'_>,
    broken: &FxHashMap<usize, Broken>,
    lost: &FxHashSet<u64>,
) -> bool {
    if let Some(whole) = entry.whole() {
        // A part that is lost itself is among the lost ones of its whole.
        return lost.contains(&whole)
            && table.place(whole).is_some_and(|whole| {
                broken.get(&whole) == Some(&Broken::Wholly)
                    && table.at(whole).is_some_and(|whole| whole.class != Class::Command)
            });
    }
    // A whole of which some parts are kept is named by the missing ones.
    made_of_parts(entry.class)
        && table.place(key).is_some_and(|place| broken.get(&place) == Some(&Broken::Partly))
}

/// The facts that must survive under a policy.
fn required(trace: &Trace<'_>, policy: &Policy, claims: &Claims<'_>) -> FxHashSet<u64> {
    let mut out: FxHashSet<u64> = FxHashSet::default();
    for (key, entry) in trace.table.iter() {
        let exact =
            !matches!(entry.class, Class::Secret | Class::Payload | Class::RelativeTime) && !entry.marker;
        if exact && (claims.wants(key, &entry) || policy.required() == Required::Every) {
            out.insert(key);
        }
    }
    if policy.required() == Required::Salient {
        let rules: usize = ledger::rules_bytes(&required_mandates(trace, policy));
        let budget = policy.ledger().bytes(trace.children_bytes).saturating_sub(rules);
        let salient = ledger::compose_keys(&trace.table, trace.odds(), budget, |key, entry| {
            carriable(entry) && salient(entry) && !claims.withholds(key, entry)
        });
        out.extend(salient);
    }
    out
}

/// Whether a value is one that work after the text may stand on: one that cannot be guessed or derived, and that the user
/// said, a tool was given, an error showed, two leaves hold, or a speaker said and meant.
pub(crate) fn salient(entry: &Entry<'_>) -> bool {
    let opaque = crate::trace::is_identifier(entry.class) || entry.class == Class::Command;
    if !opaque || !entry.seen.any(Seen::VALUE) {
        return false;
    }
    let said = entry.seen.any(Seen::ASSISTANT);
    let handled =
        entry.seen.any(Seen::USER) || entry.seen.any(Seen::ARGUMENTS) || entry.seen.any(Seen::ERROR);
    match entry.class {
        // Where to write to somebody is needed if somebody used it.
        Class::Email | Class::Url => handled || entry.leaves >= 2,
        // Names of code fill the output of tools; those that somebody names are meant.
        Class::Symbol | Class::Flag => handled || said && entry.count >= 2,
        // What its writing alone makes unmistakable.
        Class::ErrorCode
        | Class::Uuid
        | Class::Digest
        | Class::Path
        | Class::Address
        | Class::EnvVar
        | Class::Command => handled || said || entry.leaves >= 2,
        // A ship of a story, a model, a decade: one short number says little where it stands once.
        _ => {
            let named = entry.count >= 2 && entry.text.chars().filter(|c| c.is_alphanumeric()).count() > 3;
            handled || entry.leaves >= 2 || said && (named || unguessable(entry.text))
        }
    }
}

/// Whether a token has four digits or more, or digits in two places.
fn unguessable(text: &str) -> bool {
    let runs = text.split(|c: char| !c.is_alphanumeric());
    let numbers = runs.filter(|run| run.bytes().any(|b| b.is_ascii_digit())).count();
    numbers >= 2 || text.bytes().filter(u8::is_ascii_digit).count() >= 4
}

/// A row for a statement of a child.
pub(crate) fn statement_row(text: &str, child: usize, span: Span) -> LostRow {
    LostRow { text: text.to_owned(), kind: "statement", child, span }
}

#[cfg(test)]
mod tests {
    use crate::{Policy, check};

    #[test]
    fn a_command_without_one_of_its_flags_is_another_command() {
        let child = "Run `relayctl drain relay-3 --zone eu-4 --wait 30 --force` at noon.";
        let lost = |parent: &str| -> Vec<String> {
            check(&[child], parent, &Policy::exact()).lost.into_iter().map(|row| row.text).collect()
        };
        assert!(lost("Run `relayctl drain relay-3 --zone eu-4 --wait 30 --force` at noon.").is_empty());
        let rows = lost("Run `relayctl drain relay-3 --zone eu-4 --wait 30` at noon.");
        assert!(rows.iter().any(|row| row.contains("--force")), "{rows:?}");
    }
}

//! Reclaiming leaves: plan, review, execute. Only bytes go; facts, spans and digests stay.

use super::load::text_key;
use super::memo::MEMO;
use super::probe::{Leaf, Permit};
use super::{Tree, TreeError};
use crate::manifest::{NodeId, TextDigest};
use crate::store::{
    Blobs, Event, Leases, LiveLease, Moment, Nonce, RefEntry, RefName, RefUpdate, Refs, Store, StoreError,
};
use rustc_hash::FxHashSet;
use std::fmt::{self, Write};
use std::time::Duration;

/// Refs asked for at once.
const PAGE: usize = 256;

/// What a sweep passes over.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SweepRules {
    /// What time it is.
    pub now: Moment,
    /// Texts younger than this stay.
    pub grace: Duration,
}

impl SweepRules {
    /// Passes over texts younger than an hour.
    pub fn new(now: Moment) -> Self {
        SweepRules { now, grace: Duration::from_hours(1) }
    }

    /// Passes over texts younger than this.
    pub fn grace(self, grace: Duration) -> Self {
        SweepRules { grace, ..self }
    }
}

/// Why a leaf's text goes or stays.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It goes: the root answered for it.
    Answered,
    /// It is gone already.
    Gone,
    /// It stays: the tree of another head holds it.
    Shared(RefName),
    /// It stays: a node has the same text, byte for byte.
    InNode,
    /// It stays: it is younger than the grace period.
    Young(Duration),
    /// It stays: the store does not say how old it is.
    Ageless,
    /// It stays: somebody writes since before it was stored.
    Leased(String),
}

impl Reason {
    /// Whether the text goes.
    pub fn goes(&self) -> bool {
        *self == Reason::Answered
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Answered => f.write_str("goes: the root answers for what is required of it"),
            Reason::Gone => f.write_str("is gone already"),
            Reason::Shared(name) => write!(f, "stays: the tree of {name} holds it"),
            Reason::InNode => f.write_str("stays: it is the text of a node too"),
            Reason::Young(age) => write!(f, "stays: it is {} s old", age.as_secs()),
            Reason::Ageless => f.write_str("stays: the store does not say how old it is"),
            Reason::Leased(holder) => write!(f, "stays: {holder} is writing"),
        }
    }
}

/// One leaf of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedLeaf {
    /// The leaf.
    pub id: NodeId,
    /// Its text.
    pub text: TextDigest,
    /// Bytes of it.
    pub bytes: u64,
    /// Why it goes or stays.
    pub reason: Reason,
    /// When the text was last put, as the plan saw it.
    written: Option<Moment>,
}

/// What a sweep would do. It comes from a permit, can be printed, and does nothing until it is executed.
#[derive(Debug)]
#[must_use = "a plan does nothing until `execute`"]
pub struct SweepPlan {
    permit: Permit,
    leaves: Vec<PlannedLeaf>,
    rules: SweepRules,
    /// Who held a lease when it was made.
    writers: Vec<Nonce>,
}

impl SweepPlan {
    /// Each leaf with its reason.
    pub fn leaves(&self) -> &[PlannedLeaf] {
        &self.leaves
    }

    /// Bytes that go.
    pub fn bytes(&self) -> u64 {
        self.leaves.iter().filter(|leaf| leaf.reason.goes()).map(|leaf| leaf.bytes).sum()
    }
}

/// What a sweep did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Swept {
    /// Leaves whose text is gone by it.
    pub leaves: usize,
    /// Bytes of them.
    pub bytes: u64,
    /// The entry of the head's history that logs it; none if nothing went.
    pub logged: Option<RefEntry>,
}

impl<B: Store + ?Sized> Tree<'_, B> {
    /// What a sweep with this permit would do. Any error while the store is read aborts it.
    ///
    /// # Errors
    /// Those of the store, and [`TreeError::OtherHead`] for a permit of another head.
    pub async fn plan_sweep(&self, permit: Permit, rules: SweepRules) -> Result<SweepPlan, TreeError> {
        if permit.name != self.name {
            return Err(TreeError::OtherHead { permit: permit.name, tree: self.name.clone() });
        }
        // Leases first: who takes one later stores its leaves anew.
        let live = Leases::of(&self.store).live(rules.now).await?;
        let (nodes, held) = self.held().await?;
        let mut leaves = Vec::with_capacity(permit.leaves.len());
        for Leaf { id, text, bytes } in permit.leaves.iter().copied() {
            let stat = self.store.head(text_key(text)).await?;
            let reason = match stat {
                None => Reason::Gone,
                Some(_) if nodes.contains(&text) => Reason::InNode,
                Some(stat) => match (stat.written, held.iter().find(|(_, texts)| texts.contains(&text))) {
                    (_, Some((name, _))) => Reason::Shared(name.clone()),
                    (None, None) => Reason::Ageless,
                    (Some(written), None) => {
                        let age = rules.now.since(written);
                        match live.iter().find(|lease| covers(lease, written)) {
                            Some(lease) => Reason::Leased(lease.lease.holder.clone()),
                            None if age < rules.grace => Reason::Young(age),
                            None => Reason::Answered,
                        }
                    }
                },
            };
            leaves.push(PlannedLeaf { id, text, bytes, reason, written: stat.and_then(|stat| stat.written) });
        }
        let writers = live.iter().map(|lease| lease.lease.nonce).collect();
        Ok(SweepPlan { permit, leaves, rules, writers })
    }

    /// Executes a plan: logs it on the head, which must stand where it stood when its root was probed, then deletes the
    /// texts. Killed in between, it leaves texts that the log names; another sweep takes them. So it does where somebody
    /// took a lease, or put a text again, since the plan was made.
    ///
    /// # Errors
    /// [`TreeError::HeadMoved`] if the head has moved; then nothing was deleted.
    pub async fn sweep(&self, plan: SweepPlan) -> Result<Swept, TreeError> {
        let SweepPlan { permit, leaves, rules, writers } = plan;
        let going: Vec<&PlannedLeaf> = leaves.iter().filter(|leaf| leaf.reason.goes()).collect();
        if going.is_empty() {
            return Ok(Swept { leaves: 0, bytes: 0, logged: None });
        }
        let record = record(permit.root, &going);
        let digest = TextDigest::of(&record);
        self.store.put(text_key(digest), record.as_bytes()).await?;
        let update =
            RefUpdate::new(permit.root, Event::Reclaim).at(rules.now).message(format!("{LOG}{digest}"));
        let logged = match self.store.swap(&self.name, Some(permit.generation), update).await {
            Err(StoreError::Stale { name, found, .. }) => {
                return Err(TreeError::HeadMoved { name, permit: permit.generation, found });
            }
            logged => logged?,
        };
        // Who has begun to write since the plan was made may count on what stands.
        let live = Leases::of(&self.store).live(rules.now).await?;
        if live.iter().any(|lease| !writers.contains(&lease.lease.nonce)) {
            return Ok(Swept { leaves: 0, bytes: 0, logged: Some(logged) });
        }
        let (mut count, mut bytes) = (0, 0);
        for leaf in going {
            let key = text_key(leaf.text);
            // Who put it again meanwhile refers to it now.
            let stat = self.store.head(key).await?;
            if stat.is_some_and(|stat| stat.written == leaf.written) && self.store.delete(key).await? {
                count += 1;
                bytes += leaf.bytes;
            }
        }
        Ok(Swept { leaves: count, bytes, logged: Some(logged) })
    }

    /// The texts of all nodes below any root that a head has ever named, and the leaves' texts below every other head.
    async fn held(&self) -> Result<(FxHashSet<TextDigest>, Held), TreeError> {
        let (mut nodes, mut others) = (FxHashSet::default(), Held::new());
        let mut seen: FxHashSet<NodeId> = FxHashSet::default();
        for name in self.heads().await? {
            let mut before = None;
            loop {
                let entries = self.store.history(&name, before, PAGE).await?;
                let Some(last) = entries.last() else { break };
                if let (None, Some(head)) = (before, entries.first())
                    && name != self.name
                {
                    let mut texts = FxHashSet::default();
                    self.walk(head.target, &mut FxHashSet::default(), |level, text| {
                        if level == 0 {
                            texts.insert(text);
                        }
                    })
                    .await?;
                    others.push((name.clone(), texts));
                }
                before = Some(last.generation);
                for entry in &entries {
                    self.walk(entry.target, &mut seen, |level, text| {
                        if level > 0 {
                            nodes.insert(text);
                        }
                    })
                    .await?;
                }
            }
        }
        Ok((nodes, others))
    }

    /// The names of all heads of the store.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn heads(&self) -> Result<Vec<RefName>, TreeError> {
        let mut out = Vec::new();
        let mut after: Option<RefName> = None;
        loop {
            let names = self.store.list(after.as_ref(), PAGE).await?;
            let Some(last) = names.last().cloned() else { return Ok(out) };
            out.extend(names.into_iter().filter(|name| !name.as_str().starts_with(MEMO)));
            after = Some(last);
        }
    }

    /// Shows each leaf and node below a root that was not seen yet: its level and its text.
    async fn walk(
        &self,
        root: NodeId,
        seen: &mut FxHashSet<NodeId>,
        mut show: impl FnMut(u32, TextDigest),
    ) -> Result<(), TreeError> {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let manifest = self.manifest(id).await?;
            show(manifest.level(), manifest.text_digest());
            open.extend(manifest.children());
        }
        Ok(())
    }

    /// The leaves whose texts this head's history says were reclaimed.
    ///
    /// # Errors
    /// Those of the store, and [`TreeError::LogMissing`] for a log entry whose record is gone.
    pub async fn reclaimed(&self) -> Result<FxHashSet<TextDigest>, TreeError> {
        let mut out = FxHashSet::default();
        self.add_reclaimed(&self.name, &mut out).await?;
        Ok(out)
    }

    /// The texts that the history of any head says were reclaimed: an earlier root of one head may hold a leaf that another
    /// one reclaimed.
    pub(crate) async fn reclaimed_by_any(&self) -> Result<FxHashSet<TextDigest>, TreeError> {
        let mut out = FxHashSet::default();
        for name in self.heads().await? {
            self.add_reclaimed(&name, &mut out).await?;
        }
        Ok(out)
    }

    async fn add_reclaimed(&self, name: &RefName, out: &mut FxHashSet<TextDigest>) -> Result<(), TreeError> {
        let mut before = None;
        loop {
            let entries = self.store.history(name, before, PAGE).await?;
            let Some(last) = entries.last() else { return Ok(()) };
            before = Some(last.generation);
            for entry in entries.iter().filter(|entry| entry.event == Event::Reclaim) {
                let digest = entry.message.as_deref().and_then(|message| message.strip_prefix(LOG));
                let digest: Option<TextDigest> = digest.and_then(|digest| digest.parse().ok());
                let missing = || TreeError::LogMissing { generation: entry.generation };
                let bytes = match digest {
                    Some(digest) => self.store.get(text_key(digest)).await?.ok_or_else(missing)?,
                    None => return Err(missing()),
                };
                out.extend(texts_of(&bytes).ok_or_else(missing)?);
            }
        }
    }
}

/// The leaves' texts below other heads.
type Held = Vec<(RefName, FxHashSet<TextDigest>)>;

/// Whether a lease holds what was stored at `written`. A renewed lease stands in the store later than the texts that were
/// put under it, so that its first moment counts, or the store's where the writer's clock is ahead.
fn covers(lease: &LiveLease, written: Moment) -> bool {
    lease.stat.written.is_none_or(|stored| written >= stored.min(lease.lease.taken))
}

/// What the message of a logged sweep begins with; the digest of its record follows.
const LOG: &str = "reclaimed, record ";
/// The first line of a record.
const HEAD: &str = "manifest reclaim 1";

/// The record of a sweep: the root, then each leaf with the digest of its text.
fn record(root: NodeId, leaves: &[&PlannedLeaf]) -> String {
    let mut out = format!("{HEAD}\nroot {root}\n");
    for leaf in leaves {
        // Writing to a string does not fail.
        let _ = writeln!(out, "leaf {} {}", leaf.id, leaf.text);
    }
    out
}

fn texts_of(record: &[u8]) -> Option<Vec<TextDigest>> {
    let mut lines = std::str::from_utf8(record).ok()?.lines();
    let known = lines.next()? == HEAD && lines.next()?.starts_with("root ");
    let texts = lines.map(|line| line.strip_prefix("leaf ")?.split(' ').nth(1)?.parse().ok());
    texts.collect::<Option<Vec<_>>>().filter(|_| known)
}

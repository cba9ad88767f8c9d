//! The driver: from leaves to a root, level by level, each node through its gate.

mod event;
mod flying;
mod level;
mod node;
mod outcome;
mod required;
mod told;

pub use event::{Attempt, Ended, How, Place, Record, Step};
pub use outcome::{CompactError, Compaction, Outcome};

use super::{Plan, Stored, Summarizer, Tree};
use crate::declare::{Drop, Manifest};
use crate::policy::{Order, Policy};
use crate::probe::ProbeKey;
use crate::store::{Store, block_on};
use crate::tree::memo::Rules;
use std::ops::Range;
use std::sync::atomic::AtomicUsize;

use level::{Batch, Level, Lower};
use node::{Maker, NotMade};
use required::Required;
pub(crate) use required::unanswered;

/// Bytes that ledger, text and handle of a node have by default: about 3,000 tokens.
const BUDGET: usize = 12_288;
/// The share of a node's budget that may be required of it from afar: one in so many bytes.
const ROOM: usize = 4;
/// Attempts at a text, by default.
const ATTEMPTS: u32 = 3;
/// Nodes that are made durable at once, by default.
const BATCH: usize = 1;
/// Nodes that are made at a time, by default.
const CONCURRENCY: usize = 1;

/// Compacts leaves into a tree. Each node is tried again with the gate's feedback, then mended by the ledger, and the
/// whole ends in one [`Outcome`].
///
/// A second run over the same leaves goes on where the first was stopped: nodes that stand in the store are not written
/// again.
#[must_use = "a compactor does nothing until `run`"]
pub struct Compactor<'t, B: ?Sized, Z: ?Sized> {
    tree: &'t Tree<'t, B>,
    summarizer: &'t Z,
    name: String,
    policy: Policy,
    attempts: Option<u32>,
    budget_bytes: usize,
    context_bytes: usize,
    order: Option<Order>,
    pinned: Vec<String>,
    drops: Vec<Drop>,
    defer: bool,
    probe_key: Option<ProbeKey>,
    batch: usize,
    concurrency: usize,
    on_step: Option<&'t (dyn Fn(&Step) + Sync)>,
    capture_content: bool,
}

impl<'t, B: Store + ?Sized, Z: ?Sized> Compactor<'t, B, Z> {
    /// A compactor of a tree. `name` identifies the summarizer with its parameters: nodes of another one are not taken for
    /// its own.
    pub fn new(tree: &'t Tree<'t, B>, summarizer: &'t Z, name: impl Into<String>, policy: Policy) -> Self {
        Compactor {
            tree,
            summarizer,
            name: name.into(),
            policy,
            attempts: None,
            budget_bytes: BUDGET,
            context_bytes: 0,
            order: None,
            pinned: Vec::new(),
            drops: Vec::new(),
            defer: false,
            probe_key: None,
            batch: BATCH,
            concurrency: CONCURRENCY,
            on_step: None,
            capture_content: false,
        }
    }

    /// Attempts at each text, one at least; by default what the summary asks for ([`Manifest::ATTEMPTS`]), else 3.
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = Some(attempts);
        self
    }

    /// Bytes that ledger, text and handle of a node may have together; 12,288 by default.
    pub fn budget_bytes(mut self, bytes: usize) -> Self {
        self.budget_bytes = bytes;
        self
    }

    /// Bytes that fit the context as they are: where another level would fall below the floor, up to so many are attached
    /// to a root unsummarized. None by default.
    pub fn context_bytes(mut self, bytes: usize) -> Self {
        self.context_bytes = bytes;
        self
    }

    /// How the leaves stand to each other; the policy's own order by default.
    pub fn order(mut self, order: Order) -> Self {
        self.order = Some(order);
        self
    }

    /// Texts whose facts must survive wherever a child holds them.
    pub fn pinned<T: Into<String>>(mut self, texts: impl IntoIterator<Item = T>) -> Self {
        self.pinned = texts.into_iter().map(Into::into).collect();
        self
    }

    /// Facts that are given up on purpose, each with its reason.
    pub fn drops(mut self, drops: impl IntoIterator<Item = Drop>) -> Self {
        self.drops = drops.into_iter().collect();
        self
    }

    /// Commits below the floor, and keeps the leaves until a probe of the root.
    pub fn defer(mut self, defer: bool) -> Self {
        self.defer = defer;
        self
    }

    /// Measures the stated recall of each level's first drafts by probes drawn with this key.
    pub fn probes(mut self, key: ProbeKey) -> Self {
        self.probe_key = Some(key);
        self
    }

    /// Nodes that are made durable at once, one at least; 1 by default. Durability costs a few waits for the disk however much is
    /// written, so that a fast summarizer is several times faster by hundreds. With a slow one nothing is gained, and a run that is
    /// killed leaves out of the store what it has made since the last batch: up to so many summaries are asked for again.
    ///
    /// The end of a level ends a batch, so that nothing refers to what is not durable.
    pub fn batch(mut self, nodes: usize) -> Self {
        self.batch = nodes.max(1);
        self
    }

    /// Nodes of one level that are made at a time, one at least; 1 by default. The summarizer's futures are polled together by
    /// whoever polls the run; what comes of it is the same tree, with the same outcome, however long each takes.
    ///
    /// Where children may be attached as they are ([`context_bytes`](Self::context_bytes)) only the first drafts are written at a time: how
    /// much stands is known when the node before has ended.
    pub fn concurrency(mut self, nodes: usize) -> Self {
        self.concurrency = nodes.max(1);
        self
    }

    /// Is told of each step: those of one node in their order, nodes begun in the order of their places. Steps of nodes that are made
    /// at a time stand between each other, and a node that was begun after one that is not made may have no end.
    pub fn on_step(mut self, tell: &'t (dyn Fn(&Step) + Sync)) -> Self {
        self.on_step = Some(tell);
        self
    }

    /// Whether `tracing` is told the texts of lost facts too (feature `tracing`). Off by default: what a session holds may not belong in
    /// a log. Credentials are masked in any case.
    ///
    /// All of it has the target `manifest`. Spans: `manifest.compact` (`head`, `leaves`, `nodes`, `depth`), within it `manifest.node`
    /// (`level`, `position`), within that `manifest.summarize` (`attempt`). Events: `manifest.node.begun`, `manifest.node.forgotten`,
    /// `manifest.node.judged` (`verdict`, `retry`, `codes`, `lost`, `mended`), `manifest.node.committed` (`id`, `how`),
    /// `manifest.compact.ended` (`outcome`), and with content `manifest.fact.lost` (`fact`, `kind`, `child`), 32 of each judgement at most.
    /// These names stay.
    pub fn capture_content(mut self, capture: bool) -> Self {
        self.capture_content = capture;
        self
    }

    /// Builds the tree over `leaves` after `plan`, and moves the head to its root.
    ///
    /// # Errors
    /// [`CompactError`]: a plan of other leaves, a summarizer that gives no text, a store that fails, a head that another
    /// writer moved. What was committed stands, and another run goes on from there.
    ///
    /// The same where this future is dropped: what is half done is not in the store, or no head and no memory names it.
    pub async fn run<S: Manifest>(
        &self,
        leaves: &[Stored],
        plan: &Plan,
    ) -> Result<Compaction, CompactError<Z::Error>>
    where
        Z: Summarizer<S>,
    {
        let planned = plan.levels().first().and_then(|level| level.last()).map_or(0, |last| last.end);
        if planned != leaves.len() {
            return Err(CompactError::Plan { planned, given: leaves.len() });
        }
        let required = self.required(leaves);
        if let Some(pin) = required.unheld().first() {
            return Err(CompactError::Pin(pin.clone()));
        }
        let maker = Maker {
            compactor: self,
            plan,
            attempts: self.attempts.or(S::ATTEMPTS).unwrap_or(ATTEMPTS).max(1),
            rules: self.rules(plan),
            required,
            done: AtomicUsize::new(0),
        };
        let mut batch = Batch::of(self);
        let mut nodes = Vec::with_capacity(plan.nodes());
        let levels = self.levels(leaves, &maker, &mut batch, &mut nodes);
        let head = self.tree.name().as_str();
        let done = told::run(head, leaves.len(), plan.nodes(), plan.depth(), levels).await;
        told::ended(done.as_ref());
        if done.is_err() {
            // What was made before the error is not made again; the error that is told is the first one.
            let _ = batch.store().await;
        }
        Ok(Compaction { outcome: done?, nodes })
    }

    /// The same on this thread, for programs without a runtime: with a summarizer and a store that need none.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    pub fn run_blocking<S: Manifest>(
        &self,
        leaves: &[Stored],
        plan: &Plan,
    ) -> Result<Compaction, CompactError<Z::Error>>
    where
        Z: Summarizer<S>,
    {
        block_on(self.run(leaves, plan))
    }

    /// Builds level by level.
    async fn levels<S: Manifest>(
        &self,
        leaves: &[Stored],
        maker: &Maker<'_, 't, B, Z>,
        batch: &mut Batch<'_, 't, B, Z>,
        records: &mut Vec<Record>,
    ) -> Result<Outcome, CompactError<Z::Error>>
    where
        Z: Summarizer<S>,
    {
        let head = self.tree.head().await?;
        let mut below: Vec<Stored> = leaves.to_vec();
        // The leaves that each of them stands for.
        let mut ranges: Vec<Range<usize>> = (0..leaves.len()).map(|leaf| leaf..leaf + 1).collect();
        for (level, nodes) in (1..).zip(maker.plan.levels()) {
            let lower = Lower { stored: &below, leaves: &ranges };
            match level::make::<S, B, Z>(maker, batch, records, level, nodes, &lower).await? {
                Level::Done(made) => {
                    ranges = nodes.iter().map(|children| lower.leaves_of(children)).collect();
                    below = made;
                }
                Level::Stopped { at: position, before, why } => {
                    let at = Place { level, position };
                    let start = nodes.get(position).map_or(0, |children| children.start);
                    let rest = below.get(start..).unwrap_or_default();
                    let standing: Vec<Stored> = before.iter().chain(rest).cloned().collect();
                    return self.stopped(leaves, at, why, standing, head.as_ref()).await;
                }
            }
        }
        let Some(root) = below.pop() else {
            return Err(CompactError::Plan { planned: leaves.len(), given: 0 });
        };
        Ok(if head.as_ref().is_some_and(|head| head.target == root.id()) {
            Outcome::Unchanged { root }
        } else {
            self.tree.keep(leaves).await?;
            let head = self.publish(&root, head.as_ref(), "compacted").await?;
            Outcome::Committed { root, head }
        })
    }

    /// The end of a run with a node that was not made; `standing` is what no committed node covers.
    async fn stopped<E: std::error::Error + 'static>(
        &self,
        leaves: &[Stored],
        at: Place,
        why: NotMade,
        standing: Vec<Stored>,
        head: Option<&crate::store::RefEntry>,
    ) -> Result<Outcome, CompactError<E>> {
        match why {
            NotMade::Refused(refused) => Ok(refused.outcome(at, standing.iter().map(Stored::id).collect())),
            NotMade::Flat(report) => {
                let root = self.tree.attach(&standing, &self.policy).await?;
                self.tree.keep(leaves).await?;
                let head = self.publish(&root, head, "flattened").await?;
                Ok(Outcome::Flattened { root, head, at, report })
            }
        }
    }

    /// What must be at the root: a ledger's worth of the most salient facts of all leaves, and what the caller pins.
    fn required(&self, leaves: &[Stored]) -> Required {
        let ledger = self.policy.ledger();
        let bytes = if ledger.mend { ledger.bytes(bytes(leaves)).min(self.budget_bytes / ROOM) } else { 0 };
        Required::of(leaves, bytes, &self.pinned)
    }

    /// What decides, beside its children, what a node of this run is.
    fn rules(&self, plan: &Plan) -> Rules {
        Rules::of(&self.name, &self.policy, |rules| {
            rules
                .number(u64::from(plan.depth()))
                .number(self.budget_bytes as u64)
                .number(u64::from(self.defer))
                .text(match self.order.unwrap_or(self.policy.order()) {
                    Order::Parallel => "parallel",
                    _ => "sequence",
                });
            self.pinned.iter().for_each(|pin| {
                rules.text(pin);
            });
            self.drops.iter().for_each(|drop| {
                rules.text(&drop.text).text(&drop.reason);
            });
        })
    }

    /// Moves the head to a root.
    async fn publish<E: std::error::Error + 'static>(
        &self,
        root: &Stored,
        head: Option<&crate::store::RefEntry>,
        message: &str,
    ) -> Result<crate::store::RefEntry, CompactError<E>> {
        match self.tree.publish(root, head.map(|head| head.generation), message).await {
            Ok(entry) => Ok(entry),
            Err(crate::tree::TreeError::Store(crate::store::StoreError::Stale { found, .. })) => {
                // Who was first may have made the same of the same leaves.
                if let Some(entry) = self.tree.head().await?.filter(|entry| entry.target == root.id()) {
                    return Ok(entry);
                }
                Err(CompactError::HeadMoved { root: Box::new(root.clone()), found })
            }
            Err(error) => Err(error.into()),
        }
    }

    fn tell(&self, step: &Step) {
        told::step(step);
        if let Some(tell) = self.on_step {
            tell(step);
        }
    }
}

/// Bytes of what stands, as it would be rendered.
fn bytes(stored: &[Stored]) -> usize {
    stored.iter().map(Stored::bytes).sum()
}

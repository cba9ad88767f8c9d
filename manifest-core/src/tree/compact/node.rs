//! One node: drafts until one passes, then the ledger, then no more.

use super::level::Turns;
use super::required::Required;
use super::required::unanswered;
use super::{Attempt, CompactError, Compactor, Ended, How, Outcome, Place, Plan, Record, Step, told};
use crate::check::Check;
use crate::child::Child;
use crate::declare::Manifest;
use crate::gate::Cause;
use crate::manifest::{Making, NodeId};
use crate::node::{AsChild, Draft, Gated, Node, NotCommitted};
use crate::probe::{ProbeSet, Reader, StatedRecall};
use crate::report::{Report, Verdict, VerdictKind};
use crate::store::Store;
use crate::tree::commit::Waiting;
use crate::tree::memo::{Known, Rules};
use crate::tree::{Stored, Summarizer, Task};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The share of a node's budget that is left free beside text and ledger: one in so many bytes.
const SLACK: usize = 16;

/// What became of one node.
pub(super) enum Made {
    /// It stands in the store already.
    Known(Stored),
    /// It passed, and waits to be stored.
    New(How, Box<Waiting>),
    Not(NotMade),
}

/// Why a node was not made.
pub(super) enum NotMade {
    /// The gate would rather attach the children as they are.
    Flat(Box<Report>),
    Refused(Refused),
}

/// What a node is made from.
pub(super) struct Below<'a> {
    pub(super) stored: &'a [Stored],
    /// The leaves below, by their index.
    pub(super) leaves: Range<usize>,
}

/// Whether the tree as a whole would keep too little.
fn below_floor(cause: Cause) -> bool {
    matches!(cause, Cause::FidelityCollapse { .. } | Cause::BelowFloor { .. })
}

/// What the gate refused.
pub(super) struct Refused {
    verdict: Verdict,
    cause: Cause,
    report: Box<Report>,
}

impl Refused {
    pub(super) fn outcome(self, at: Place, frontier: Vec<NodeId>) -> Outcome {
        let Refused { verdict, cause, report } = self;
        match verdict.kind {
            VerdictKind::Halt => Outcome::Halted { at, report, frontier },
            _ => Outcome::Refused { at, verdict, cause, report, frontier },
        }
    }
}

/// How a node came about.
struct Story {
    attempts: Vec<Attempt>,
    ended: Ended,
    forgotten: Option<String>,
}

impl Default for Story {
    fn default() -> Self {
        Story { attempts: Vec::new(), ended: Ended::Passed, forgotten: None }
    }
}

impl Story {
    fn record(self, place: Place, committed: Option<(NodeId, How)>) -> Record {
        let Story { attempts, ended, forgotten } = self;
        Record { place, committed, attempts, ended, forgotten }
    }
}

/// What all nodes of a run are made by.
pub(super) struct Maker<'c, 't, B: ?Sized, Z: ?Sized> {
    pub(super) compactor: &'c Compactor<'t, B, Z>,
    pub(super) plan: &'c Plan,
    /// Drafts of one node, the first counted.
    pub(super) attempts: u32,
    pub(super) rules: Rules,
    pub(super) required: Required,
    /// Nodes that have ended.
    pub(super) done: AtomicUsize,
}

impl<B: Store + ?Sized, Z: ?Sized> Maker<'_, '_, B, Z> {
    /// Makes the node at `place`, and does not store it. Nothing of it outlasts this future until then.
    pub(super) async fn node<S: Manifest>(
        &self,
        place: Place,
        below: Below<'_>,
        turns: &Turns,
    ) -> Result<(Record, Made), CompactError<Z::Error>>
    where
        Z: Summarizer<S>,
    {
        let (record, made) = self.passed(place, &below, turns).await?;
        let bytes = match &made {
            Made::Known(stored) => stored.bytes(),
            Made::New(_, node) => node.stored.bytes(),
            Made::Not(_) => return Ok((record, made)),
        };
        turns.made(super::bytes(below.stored), bytes);
        Ok((record, made))
    }

    async fn passed<S: Manifest>(
        &self,
        place: Place,
        below: &Below<'_>,
        turns: &Turns,
    ) -> Result<(Record, Made), CompactError<Z::Error>>
    where
        Z: Summarizer<S>,
    {
        let compactor = self.compactor;
        let children = below.stored;
        let done = self.done.load(Ordering::Relaxed);
        compactor.tell(&Step::Begun { place, done, planned: self.plan.nodes() });
        let Known { node: known, ignored } = compactor.tree.known(children, &self.rules).await?;
        if let Some(why) = &ignored {
            compactor.tell(&Step::Forgotten { place, why: why.clone() });
        }
        if let Some(known) = known.filter(|known| self.holds(known, below)) {
            let (recall, _) = turns.of(place.position).await;
            turns.measured(recall.pooled(known.recall()));
            compactor.tell(&Step::Committed { place, id: known.id(), how: How::Known });
            let story = Story { forgotten: ignored, ..Story::default() };
            return Ok((story.record(place, Some((known.id(), How::Known))), Made::Known(known)));
        }
        let prose: Vec<Child<'_>> = children.iter().map(Stored::prose).collect();
        // A ledger that is written out in full takes a little more.
        let slack = compactor.budget_bytes / SLACK;
        let room = compactor.budget_bytes.saturating_sub(self.ledger_room(below) + slack);
        let mut story = Story { forgotten: ignored, ..Story::default() };
        let mut task = Task::new(&prose, place.level, place.position, room);
        let summary = match told::summarize(task.attempt, compactor.summarizer.summarize(&task)).await {
            Ok(summary) => summary,
            Err(source) => return Err(CompactError::Summarizer { at: place, source }),
        };
        let before = turns.of(place.position).await;
        let (draft, measured, recall) = self.draft(below, summary, before);
        turns.measured(recall);
        let mut text = draft.text();
        let mut refused = match draft.gate(&compactor.policy) {
            Ok(gated) => {
                return self.seal(place, gated, below, measured, How::FirstDraft, story).await;
            }
            Err(refused) => refused,
        };
        self.judged(place, &refused.report, false, &mut story.attempts);
        story.ended = loop {
            if !refused.verdict.retry {
                break Ended::Final;
            }
            if task.attempt >= self.attempts {
                break Ended::Spent;
            }
            let feedback = refused.report.feedback().to_owned();
            let again = task.again(&text, &feedback);
            // A summarizer that fails now leaves a draft that can still be mended.
            let summary = match told::summarize(again.attempt, compactor.summarizer.summarize(&again)).await {
                Ok(summary) => summary,
                Err(error) => break Ended::Failed(error.to_string()),
            };
            let attempt = again.attempt;
            let draft = refused.draft.amend(summary);
            let said = draft.text();
            let same = said == text;
            match draft.gate(&compactor.policy) {
                Ok(gated) => {
                    return self.seal(place, gated, below, measured, How::Retried, story).await;
                }
                Err(again) => refused = again,
            }
            self.judged(place, &refused.report, false, &mut story.attempts);
            if same {
                break Ended::Repeated;
            }
            text = said;
            task.attempt = attempt;
        };
        match self.mend(below, refused) {
            Ok(gated) => self.seal(place, gated, below, measured, How::Mended, story).await,
            Err(NotCommitted { verdict, cause, report, .. }) => {
                self.judged(place, &report, true, &mut story.attempts);
                let made = match verdict.kind {
                    VerdictKind::Flatten => NotMade::Flat(report),
                    _ => NotMade::Refused(Refused { verdict, cause, report }),
                };
                Ok((story.record(place, None), Made::Not(made)))
            }
        }
    }

    /// The last draft with the ledger beside it: the offered one, and where the floor asks for it one that carries all that is
    /// required.
    fn mend<S: Manifest>(
        &self,
        below: &Below<'_>,
        refused: NotCommitted<S>,
    ) -> Result<Node<S, Gated>, NotCommitted<S>> {
        let policy = &self.compactor.policy;
        let refused = match refused.draft.mend(true).gate(policy) {
            // The floor is met by what the ledger carries: what the text states may be lost further up.
            Err(refused) if below_floor(refused.cause) => refused,
            other => return other,
        };
        let mut lines = self.whole_ledger(below, refused.draft.text().len());
        match refused.draft.mend(false).ledger(lines.clone()).gate(policy) {
            Ok(gated) => Ok(gated),
            Err(refused) => {
                // What is written in a group and not read back is said by itself.
                lines.extend(refused.report.lost.iter().map(|lost| lost.text.clone()));
                refused.draft.ledger(lines).gate(policy)
            }
        }
    }

    /// The first draft of a node, its own stated recall if it is measured, and that of its level so far, from what the nodes before
    /// it came to: their recall, and the bytes that stand.
    fn draft<S: Manifest>(
        &self,
        below: &Below<'_>,
        summary: S,
        (recall, standing): (StatedRecall, usize),
    ) -> (Node<S, Draft>, Option<StatedRecall>, StatedRecall) {
        let compactor = self.compactor;
        let mut draft = Draft::trace(below.stored, summary)
            .budget_bytes(compactor.budget_bytes)
            .pinned(self.required.all())
            .drops(compactor.drops.iter().cloned())
            .defer(compactor.defer)
            .flatten(standing <= compactor.context_bytes);
        if compactor.policy.ledger().mend {
            draft = draft.ledger_bytes(self.ledger_room(below));
        }
        if let Some(order) = compactor.order {
            draft = draft.order(order);
        }
        let Some(key) = &compactor.probe_key else { return (draft, None, recall) };
        // What a ledger lists stands in no sentence that could be asked about, and is not the summarizer's to keep.
        let texts: Vec<Child<'_>> = below.stored.iter().map(Stored::prose).collect();
        let declared = below.stored.iter().flat_map(Stored::required_facts);
        let pinned: Vec<&str> = self.required.all().chain(declared).collect();
        let probes = ProbeSet::draw(&texts, &compactor.policy, key, &pinned);
        let depth = self.plan.depth();
        let own = probes.ask(&draft.text(), &Reader);
        let recall = recall.pooled(own);
        (draft.recall(recall, depth).measure(probes, &Reader, depth), Some(own), recall)
    }

    /// The lines of a ledger that carries all that is required, stated or not, in what a text leaves of the budget.
    fn whole_ledger(&self, below: &Below<'_>, text: usize) -> Vec<String> {
        let children: Vec<Child<'_>> = below.stored.iter().map(AsChild::as_child).collect();
        let room = self
            .compactor
            .budget_bytes
            .saturating_sub(text + self.compactor.budget_bytes / SLACK)
            .max(self.ledger_room(below));
        let check = Check::new(&children, "").pinned(self.required.all()).ledger_bytes(room).mend(true);
        check.run(&self.compactor.policy).ledger.text.lines().map(str::to_owned).collect()
    }

    /// Bytes of a node's budget that its ledger may need: the policy's share of the children, and what is required of the
    /// node from afar, which no share of children that are summaries themselves would hold.
    fn ledger_room(&self, below: &Below<'_>) -> usize {
        let ledger = self.compactor.policy.ledger();
        if !ledger.mend {
            return 0;
        }
        ledger.bytes(super::bytes(below.stored)) + self.required.bytes_of(&below.leaves)
    }

    /// Makes the node of a text that has passed. It waits to be stored with others.
    async fn seal<S: Manifest>(
        &self,
        place: Place,
        gated: Node<S, Gated>,
        below: &Below<'_>,
        measured: Option<StatedRecall>,
        how: How,
        mut story: Story,
    ) -> Result<(Record, Made), CompactError<Z::Error>>
    where
        Z: Summarizer<S>,
    {
        let report = gated.report();
        let how = if report.verdict.is_commit() { how } else { How::Observed };
        self.judged(place, report, how == How::Mended, &mut story.attempts);
        let compactor = self.compactor;
        let mut making = Making::by(compactor.name.as_str());
        making.recall = measured;
        let made = compactor.tree.make(&gated, making, below.stored, &self.rules).await?;
        Ok((story.record(place, Some((made.stored.id(), how))), Made::New(how, Box::new(made))))
    }

    /// Whether a node that was made before accounts for all that is required of it now: what was required when it was made
    /// it states, carries or has logged as given up, and what became required since may not be in it.
    fn holds(&self, known: &Stored, below: &Below<'_>) -> bool {
        let asked: FxHashSet<&str> = known.required_facts().collect();
        let new: Vec<&str> =
            self.required.of_leaves(&below.leaves).filter(|fact| !asked.contains(fact)).collect();
        // The rules name what the caller gives up: a node under them was made without it.
        let given_up = self.compactor.drops.iter().map(|drop| drop.text.as_str());
        let beside: Vec<&str> = known.ledger().lines().chain(given_up).collect();
        unanswered(&new, known.text(), &beside.join("\n")).is_empty()
    }

    fn judged(&self, place: Place, report: &Report, mended: bool, attempts: &mut Vec<Attempt>) {
        let codes = report.reasons.iter().map(|reason| reason.code).collect();
        let attempt = Attempt { verdict: report.verdict, codes, lost: report.lost.len(), mended };
        self.compactor.tell(&Step::Judged { place, attempt: attempt.clone() });
        if self.compactor.capture_content {
            told::lost(place, report);
        }
        attempts.push(attempt);
    }
}

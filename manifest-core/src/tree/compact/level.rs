//! The nodes of one level, some of them at a time. What comes of it is the same however long each takes.

use super::event::{How, Place, Record, Step};
use super::flying::Flying;
use super::node::{Below, Made, Maker, NotMade};
use super::{CompactError, Compactor, bytes, told};
use crate::declare::Manifest;
use crate::probe::StatedRecall;
use crate::store::Store;
use crate::tree::commit::Waiting;
use crate::tree::{Stored, Summarizer, TreeError};
use std::future::poll_fn;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;

/// What the first gate of a node needs from those before it in its level: the recall of their first drafts, and where the children may
/// be attached as they are, the bytes of what became of them.
pub(super) struct Turns {
    turn: Mutex<Turn>,
    /// Whether a turn ends with its node, and not with the recall of its first draft.
    whole: bool,
}

struct Turn {
    position: usize,
    recall: StatedRecall,
    standing: usize,
}

impl Turns {
    fn new(standing: usize, whole: bool) -> Self {
        let turn = Turn { position: 0, recall: StatedRecall::default(), standing };
        Turns { turn: Mutex::new(turn), whole }
    }

    fn lock(&self) -> MutexGuard<'_, Turn> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all before this position have had their turn. Gives their recall, and the bytes that stand.
    pub(super) async fn of(&self, position: usize) -> (StatedRecall, usize) {
        poll_fn(|_| {
            let turn = self.lock();
            // Whoever ends a turn is polled before those that wait for it, so that nobody has to be woken.
            if turn.position < position { Poll::Pending } else { Poll::Ready((turn.recall, turn.standing)) }
        })
        .await
    }

    /// The recall of the first drafts with that of the one whose turn it is.
    pub(super) fn measured(&self, recall: StatedRecall) {
        let mut turn = self.lock();
        turn.recall = recall;
        turn.position += usize::from(!self.whole);
    }

    /// The node whose turn it is stands, in the place of its children.
    pub(super) fn made(&self, children: usize, node: usize) {
        if self.whole {
            let mut turn = self.lock();
            turn.standing = turn.standing.saturating_sub(children) + node;
            turn.position += 1;
        }
    }
}

/// Nodes that are made and not stored yet, all of one level.
pub(super) struct Batch<'c, 't, B: ?Sized, Z: ?Sized> {
    compactor: &'c Compactor<'t, B, Z>,
    waiting: Vec<(Place, How, Waiting)>,
}

impl<'c, 't, B: Store + ?Sized, Z: ?Sized> Batch<'c, 't, B, Z> {
    pub(super) fn of(compactor: &'c Compactor<'t, B, Z>) -> Self {
        Batch { compactor, waiting: Vec::new() }
    }

    async fn add(&mut self, place: Place, how: How, node: Waiting) -> Result<(), TreeError> {
        self.waiting.push((place, how, node));
        if self.waiting.len() >= self.compactor.batch {
            self.store().await?;
        }
        Ok(())
    }

    /// Stores what waits, and tells of each node that is durable now.
    pub(super) async fn store(&mut self) -> Result<(), TreeError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let nodes: Vec<&Waiting> = self.waiting.iter().map(|(.., node)| node).collect();
        self.compactor.tree.store_waiting(&nodes).await?;
        for (place, how, node) in self.waiting.drain(..) {
            self.compactor.tell(&Step::Committed { place, id: node.stored.id(), how });
        }
        Ok(())
    }
}

/// How a level ended.
pub(super) enum Level {
    /// Its nodes, in order.
    Done(Vec<Stored>),
    /// The first node of the level that was not made, and the nodes before it.
    Stopped { at: usize, before: Vec<Stored>, why: NotMade },
}

/// The place of the node that ends a level, and why.
type Stop<E> = (usize, Result<NotMade, CompactError<E>>);

/// What the nodes of a level are made from.
pub(super) struct Lower<'a> {
    pub(super) stored: &'a [Stored],
    /// The leaves that each of them stands for.
    pub(super) leaves: &'a [Range<usize>],
}

impl Lower<'_> {
    /// The leaves that a range of them stands for.
    pub(super) fn leaves_of(&self, children: &Range<usize>) -> Range<usize> {
        let of = self.leaves.get(children.clone()).unwrap_or_default();
        of.first().map_or(0, |range| range.start)..of.last().map_or(0, |range| range.end)
    }
}

/// Makes the nodes of a level, and stores those that pass. The first one that does not pass, by its place, ends the level: those before
/// it are finished, those after it are given up.
pub(super) async fn make<S: Manifest, B: Store + ?Sized, Z: Summarizer<S> + ?Sized>(
    maker: &Maker<'_, '_, B, Z>,
    batch: &mut Batch<'_, '_, B, Z>,
    records: &mut Vec<Record>,
    level: u32,
    nodes: &[Range<usize>],
    lower: &Lower<'_>,
) -> Result<Level, CompactError<Z::Error>> {
    let compactor = maker.compactor;
    let turns = Turns::new(bytes(lower.stored), compactor.context_bytes > 0);
    let mut flying = Flying::new();
    let mut made: Vec<Option<Stored>> = vec![None; nodes.len()];
    let mut own: Vec<Record> = Vec::with_capacity(nodes.len());
    let mut stop: Option<Stop<Z::Error>> = None;
    let mut begun = nodes.iter().enumerate();
    loop {
        while stop.is_none() && flying.len() < compactor.concurrency {
            let Some((position, children)) = begun.next() else { break };
            let stored = lower.stored.get(children.clone()).unwrap_or_default();
            let below = Below { stored, leaves: lower.leaves_of(children) };
            let place = Place { level, position };
            flying.push(position, told::node(place, maker.node::<S>(place, below, &turns)));
        }
        let Some((position, ended)) = flying.next().await else { break };
        maker.done.fetch_add(1, Ordering::Relaxed);
        let ended = match ended {
            Ok((record, Made::Known(stored))) => {
                own.push(record);
                keep(&mut made, position, stored);
                continue;
            }
            Ok((record, Made::New(how, node))) => {
                own.push(record);
                keep(&mut made, position, node.stored.clone());
                batch.add(Place { level, position }, how, *node).await?;
                continue;
            }
            Ok((record, Made::Not(why))) => {
                own.push(record);
                Ok(why)
            }
            Err(error) => Err(error),
        };
        // Those that were begun after it are gone already.
        flying.cut(position);
        stop = Some((position, ended));
    }
    own.sort_by_key(|record| record.place);
    let end = stop.as_ref().map_or(nodes.len(), |(at, _)| at + 1);
    own.retain(|record| record.place.position < end);
    records.append(&mut own);
    batch.store().await?;
    match stop {
        None => Ok(Level::Done(made.into_iter().flatten().collect())),
        Some((at, why)) => {
            Ok(Level::Stopped { at, before: made.into_iter().take(at).flatten().collect(), why: why? })
        }
    }
}

fn keep(made: &mut [Option<Stored>], position: usize, stored: Stored) {
    if let Some(place) = made.get_mut(position) {
        *place = Some(stored);
    }
}

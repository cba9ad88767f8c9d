//! Which node stands for which children under which rules, so that nothing is summarized twice. A cache: whatever is wrong with
//! it, the node is made again.

#[cfg(test)]
mod tests;

use super::{Stored, Tree, TreeError};
use crate::digest::Digest;
use crate::manifest::{NodeId, TextDigest};
use crate::policy::Policy;
use crate::probe::ProbeKey;
use crate::store::{Event, RefEntry, RefName, RefSwap, RefUpdate, Refs, Store, StoreError};
use std::fmt::Write;

/// What decides, beside its children, what a node is: the summarizer, the policy, the caller's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rules(Vec<u8>);

impl Rules {
    /// Rules of a summarizer and a policy, with what else `more` adds.
    pub(crate) fn of(summarizer: &str, policy: &Policy, more: impl FnOnce(&mut Rules)) -> Self {
        let mut rules = Rules(Vec::new());
        rules.text(summarizer).text(&format!("{policy:?}"));
        more(&mut rules);
        rules
    }

    /// Adds a text; its length goes before it, so that no two lists of texts are one.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
        self
    }

    /// Adds a number.
    pub(crate) fn number(&mut self, number: u64) -> &mut Self {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    /// The name of the ref that remembers the node over `children`.
    pub(super) fn memo(&self, children: &[Stored]) -> String {
        let mut bytes = self.0.clone();
        for child in children {
            bytes.extend_from_slice(child.id().as_bytes());
        }
        let digest: Digest = TextDigest::of(&bytes).digest();
        let mut name = String::from(MEMO);
        // Writing to a string does not fail.
        let _ = write!(name, "{digest}");
        name
    }
}

/// What the names of memo refs begin with: heads have other names.
pub(crate) const MEMO: &str = "memo/";
/// The ref whose message is the key of the store's probes.
const PROBES: &str = "memo/probes";
/// Names under which one thing is remembered, at most: a damaged ref can be neither moved nor deleted, and the next name
/// takes its place.
const NAMES: usize = 4;

/// Where something is remembered.
struct Slot {
    name: RefName,
    entry: Option<RefEntry>,
}

/// What is remembered for some children.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The node that stands whole in the store.
    pub(super) node: Option<Stored>,
    /// Why something that was remembered was passed over.
    pub(super) ignored: Option<String>,
}

impl<B: Store + ?Sized> Tree<'_, B> {
    /// The first name that can be read, with what was wrong with those before it.
    async fn slot(&self, base: &str) -> Result<(Option<Slot>, Option<StoreError>), TreeError> {
        let mut damaged = None;
        for number in 0..NAMES {
            let name = if number == 0 { base.to_owned() } else { format!("{base}-{number}") };
            let name = RefName::new(&name).map_err(StoreError::from)?;
            match self.store.read(&name).await {
                Ok(entry) => return Ok((Some(Slot { name, entry }), damaged)),
                Err(error) => damaged = damaged.or(Some(error)),
            }
        }
        Ok((None, damaged))
    }

    /// The node that is remembered for these children under these rules.
    pub(super) async fn known(&self, children: &[Stored], rules: &Rules) -> Result<Known, TreeError> {
        let (slot, damaged) = self.slot(&rules.memo(children)).await?;
        let ignored = damaged.map(|error| error.to_string());
        let Some(entry) = slot.and_then(|slot| slot.entry) else { return Ok(Known { node: None, ignored }) };
        let manifest = match self.manifest(entry.target).await {
            Ok(manifest) => manifest,
            // A writer that was killed left it below no root.
            Err(TreeError::Missing { .. }) => return Ok(Known { node: None, ignored }),
            Err(error) => return Err(error),
        };
        if manifest.level() == 0 || !manifest.children().eq(children.iter().map(Stored::id)) {
            let why = format!("{} names {}, a node of other children", entry.name, entry.target);
            return Ok(Known { node: None, ignored: ignored.or(Some(why)) });
        }
        match self.stored(entry.target).await {
            // A sweep took a leaf with the same text: it is made again.
            Err(TreeError::Missing { .. } | TreeError::TextMissing { .. }) => {
                Ok(Known { node: None, ignored })
            }
            stored => stored.map(|node| Known { node: Some(node), ignored }),
        }
    }

    /// Remembers nodes, each under the name that its children and rules give.
    pub(super) async fn remember(&self, nodes: &[(&str, NodeId)]) -> Result<(), TreeError> {
        let mut swaps = Vec::with_capacity(nodes.len());
        for (base, target) in nodes {
            let (Some(Slot { name, entry }), _) = self.slot(base).await? else { continue };
            if entry.as_ref().is_none_or(|known| known.target != *target) {
                let expected = entry.map(|known| known.generation);
                swaps.push(RefSwap::new(name, expected, RefUpdate::new(*target, Event::Commit)));
            }
        }
        for remembered in self.store.swap_many(&swaps).await? {
            match remembered {
                // Another writer remembers a node of its own for them: both stand, and one is enough to go on from. Or the ref
                // was damaged since it was read.
                Ok(_)
                | Err(StoreError::Stale { .. } | StoreError::Corrupt { .. } | StoreError::Absent { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// The key of this store's probes: `fresh`, which should be random, where the store has none yet. With one key for all runs the
    /// same leaves are asked the same, and give the same node.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn probe_key(&self, fresh: ProbeKey) -> Result<ProbeKey, TreeError> {
        let (slot, _) = self.slot(PROBES).await?;
        // Where no name can be read this run has a key of its own.
        let Some(Slot { name, entry }) = slot else { return Ok(fresh) };
        let message = |entry: &RefEntry| entry.message.as_deref().and_then(key_of);
        if let Some(known) = entry.as_ref().and_then(message) {
            return Ok(known);
        }
        let hex = Digest::from_bytes(*fresh.as_bytes()).to_string();
        let target = NodeId::from_digest(TextDigest::of(PROBES).digest());
        let update = RefUpdate::new(target, Event::Commit).message(hex);
        match self.store.swap(&name, entry.map(|entry| entry.generation), update).await {
            Ok(_) => Ok(fresh),
            // Another run was first.
            Err(StoreError::Stale { .. }) => {
                Ok(self.store.read(&name).await?.as_ref().and_then(message).unwrap_or(fresh))
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn key_of(message: &str) -> Option<ProbeKey> {
    let digest: Digest = message.parse().ok()?;
    Some(ProbeKey::new(*digest.as_bytes()))
}

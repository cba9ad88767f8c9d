//! Whether a tree is what it says: its bytes, its accounts, its gates.

use super::TreeMap;
use super::path::End;
use crate::manifest::{DropReason, NodeId, NodeManifest};
use crate::store::Store;
use crate::tree::{Tree, TreeError};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;

/// Whether the bytes are those that the ids name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Integrity {
    /// All that was read is whole.
    Intact,
    /// Something is broken or missing.
    Broken,
    /// It was not looked at.
    #[default]
    NotChecked,
}

/// Whether the root holds what the leaves state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Coverage {
    /// Every fact, or a logged decision for it.
    Complete,
    /// So many facts ended unlogged: a gate only observed while they were lost.
    Lost(u64),
    /// It was not looked at.
    #[default]
    NotChecked,
}

/// Whether gates admitted the nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum GateState {
    /// Each node was admitted.
    Admitted,
    /// A gate only observed, and would have refused one.
    Refused,
    /// A node was judged by no gate.
    Unattested,
    /// It was not looked at.
    #[default]
    NotChecked,
}

/// One thing that a verification found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// A stable code: `object.corrupt`, `node.missing`, `text.missing`, `account.broken`, `gate.observed`,
    /// `gate.unattested`, `section.critical.unknown`.
    pub code: &'static str,
    /// The leaf or node, by its id where one is known.
    pub of: String,
    /// What was found.
    pub message: String,
}

/// What a verification came to. What was not looked at is not checked, and never valid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verification {
    /// Bytes and ids.
    pub integrity: Integrity,
    /// Facts.
    pub coverage: Coverage,
    /// Decisions.
    pub gate: GateState,
    /// Leaves and nodes that were read.
    pub manifests: usize,
    /// Texts that were hashed.
    pub texts: usize,
    /// Leaves whose bytes a logged sweep reclaimed.
    pub reclaimed: usize,
    /// All that is wrong.
    pub findings: Vec<Finding>,
}

impl Verification {
    /// Whether the bytes are intact.
    pub fn is_intact(&self) -> bool {
        self.integrity == Integrity::Intact
    }
}

/// How a tree is verified.
pub struct Verify<'t, 's, B: ?Sized> {
    tree: &'t Tree<'s, B>,
    texts: bool,
    tell: Option<&'t (dyn Fn(usize) + Sync)>,
}

impl<'t, 's, B: Store + ?Sized> Verify<'t, 's, B> {
    /// A whole verification: manifests, texts, accounts, gates.
    pub fn of(tree: &'t Tree<'s, B>) -> Self {
        Verify { tree, texts: true, tell: None }
    }

    /// Whether the texts are read and hashed too; they are by default.
    pub fn texts(mut self, texts: bool) -> Self {
        self.texts = texts;
        self
    }

    /// Is told the number of leaves and nodes after each one.
    pub fn on_step(mut self, tell: &'t (dyn Fn(usize) + Sync)) -> Self {
        self.tell = Some(tell);
        self
    }

    /// Verifies all that is below `root`. Whatever is wrong is a finding, not an error.
    ///
    /// # Errors
    /// Only where the store itself fails.
    pub async fn run(&self, root: NodeId) -> Result<Verification, TreeError> {
        let mut out = Verification::default();
        let mut found: FxHashMap<NodeId, Option<NodeManifest>> = FxHashMap::default();
        let mut order = Vec::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if found.contains_key(&id) {
                continue;
            }
            let manifest = match self.tree.manifest(id).await {
                Ok(manifest) => Some(manifest),
                Err(error) if is_of_the_object(&error) => {
                    out.fault(
                        if matches!(error, TreeError::Missing { .. }) {
                            "node.missing"
                        } else {
                            "object.corrupt"
                        },
                        id,
                        &error,
                    );
                    None
                }
                Err(error) => return Err(error),
            };
            if let Some(manifest) = &manifest {
                open.extend(manifest.children());
                out.manifests += 1;
                order.push(id);
            }
            found.insert(id, manifest);
            if let Some(tell) = self.tell {
                tell(found.len());
            }
        }
        if self.texts {
            self.hash_texts(&order, &found, &mut out).await?;
        }
        let (mut refused, mut unattested) = (false, false);
        for manifest in order.iter().filter_map(|id| found.get(id)?.as_ref()) {
            for name in manifest.unknown_critical_sections() {
                out.fault(
                    "section.critical.unknown",
                    manifest.id(),
                    &format!("`{name}` is unknown to this version"),
                );
            }
            if manifest.level() == 0 {
                continue;
            }
            account(manifest, &found, &mut out);
            match manifest.decision() {
                None => {
                    unattested = true;
                    out.fault("gate.unattested", manifest.id(), &"no gate has judged it");
                }
                Some(decision) if decision.observed && decision.verdict != "commit" => {
                    refused = true;
                    let message = format!("its gate only observed: it would have said {}", decision.verdict);
                    out.fault("gate.observed", manifest.id(), &message);
                }
                Some(_) => {}
            }
        }
        let broken = |finding: &Finding| !finding.code.starts_with("gate.");
        let whole = !out.findings.iter().any(broken);
        out.integrity = if whole { Integrity::Intact } else { Integrity::Broken };
        out.gate = match (unattested, refused) {
            (true, _) => GateState::Unattested,
            (_, true) => GateState::Refused,
            _ if out.manifests == 0 => GateState::NotChecked,
            _ => GateState::Admitted,
        };
        if whole {
            let manifests = found.into_values().flatten().map(|manifest| (manifest.id(), manifest)).collect();
            out.coverage = coverage(&TreeMap::assemble(root, manifests));
        }
        Ok(out)
    }

    /// Hashes each text, and tells what is missing from what was reclaimed.
    async fn hash_texts(
        &self,
        order: &[NodeId],
        found: &FxHashMap<NodeId, Option<NodeManifest>>,
        out: &mut Verification,
    ) -> Result<(), TreeError> {
        let mut missing = Vec::new();
        for manifest in order.iter().filter_map(|id| found.get(id)?.as_ref()) {
            match self.tree.text_of(manifest).await {
                Ok(Some(text)) if text.len() as u64 == manifest.text_bytes() => out.texts += 1,
                Ok(Some(_)) => out.fault("object.corrupt", manifest.id(), &"its text has another length"),
                Ok(None) => missing.push(manifest),
                Err(error) if is_of_the_object(&error) => out.fault("object.corrupt", manifest.id(), &error),
                Err(error) => return Err(error),
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        // A sweep logs before it deletes: read after a text was missed, the log names it also if the sweep runs just now.
        let reclaimed = match self.tree.reclaimed_by_any().await {
            Ok(reclaimed) => reclaimed,
            Err(error) if is_of_the_object(&error) => {
                out.findings.push(Finding {
                    code: "text.missing",
                    of: "the log".to_owned(),
                    message: error.to_string(),
                });
                FxHashSet::default()
            }
            Err(error) => return Err(error),
        };
        for manifest in missing {
            if manifest.level() == 0 && reclaimed.contains(&manifest.text_digest()) {
                out.reclaimed += 1;
            } else {
                out.fault("text.missing", manifest.id(), &"its text is missing, and no sweep took it");
            }
        }
        Ok(())
    }
}

/// Facts that ended while a gate only observed.
fn coverage(map: &TreeMap) -> Coverage {
    let mut silent = 0;
    map.each_lost(None, |fact| {
        silent += u64::from(match fact.sighting.end {
            End::Dropped { reason, .. } => reason == DropReason::Observed,
            End::Unaccounted { .. } => true,
            End::AtRoot | End::Reworded { .. } => false,
        });
        ControlFlow::Continue(())
    });
    match silent {
        0 => Coverage::Complete,
        lost => Coverage::Lost(lost),
    }
}

impl Verification {
    fn fault(&mut self, code: &'static str, of: NodeId, message: &dyn std::fmt::Display) {
        self.findings.push(Finding { code, of: of.to_string(), message: message.to_string() });
    }
}

/// Runs the rule of accounting again.
fn account(manifest: &NodeManifest, found: &FxHashMap<NodeId, Option<NodeManifest>>, out: &mut Verification) {
    let children: Option<Vec<&NodeManifest>> =
        manifest.children().map(|child| found.get(&child).and_then(Option::as_ref)).collect();
    // A child that is missing was told already.
    let Some(children) = children else { return };
    if let Err(error) = manifest.accounting(&children) {
        out.fault("account.broken", manifest.id(), &error);
    }
}

/// Whether an error says something of one object, and not of the store.
fn is_of_the_object(error: &TreeError) -> bool {
    use crate::store::StoreError;
    matches!(
        error,
        TreeError::Missing { .. }
            | TreeError::LogMissing { .. }
            | TreeError::Manifest { .. }
            | TreeError::Store(
                StoreError::Corrupt { .. } | StoreError::Absent { .. } | StoreError::OtherVersion { .. }
            )
    )
}

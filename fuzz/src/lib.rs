//! What the targets share.

use ipld_core::ipld::Ipld;
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use manifest_core::{
    Child, Draft, DropReason, Fate, FormatError, Making, NodeBuilder, NodeManifest, Policy, seal,
};
use std::collections::BTreeMap;

/// Whether the check of bytes refused, and not what the bytes say.
pub fn is_of_bytes(error: &FormatError) -> bool {
    !matches!(
        error,
        FormatError::Expected { .. }
            | FormatError::Missing { .. }
            | FormatError::Version { .. }
            | FormatError::SectionMissing { .. }
            | FormatError::SectionUnlisted { .. }
            | FormatError::SectionDigest { .. }
            | FormatError::DecisionBody
            | FormatError::EvidenceDigest
            | FormatError::EvidenceEmpty
    )
}

/// An item that the format has, from arbitrary bytes.
pub fn item(u: &mut Unstructured<'_>, depth: usize) -> Result<Ipld> {
    let most = if depth == 0 { 4 } else { 6 };
    Ok(match u.int_in_range(0..=most - 1)? {
        0 => Ipld::Integer(i128::from(u.arbitrary::<u64>()?)),
        1 => Ipld::Integer(-1 - i128::from(u.arbitrary::<u64>()?)),
        2 => Ipld::Bool(u.arbitrary()?),
        3 if u.arbitrary()? => Ipld::Bytes(u.arbitrary()?),
        3 => Ipld::String(u.arbitrary()?),
        4 => {
            let len = u.int_in_range(0..=4)?;
            Ipld::List((0..len).map(|_| item(u, depth - 1)).collect::<Result<_>>()?)
        }
        _ => {
            let len = u.int_in_range(0..=4)?;
            let pair = |_| Ok((u.arbitrary()?, item(u, depth - 1)?));
            Ipld::Map((0..len).map(pair).collect::<Result<BTreeMap<String, Ipld>>>()?)
        }
    })
}

/// Texts with facts that are stated, carried, merged and dropped.
pub const TEXTS: [&str; 3] = [
    "The importer crashed with E_QUOTA_4417 on node db-7, then on node db-8.",
    "The quota of bucket media-eu was raised to 640 GiB; timeout=30s.",
    "A second run of the importer finished on node db-7.",
];

/// Three leaves, a gated node over them, and a root over it and a leaf.
pub fn tree() -> Vec<NodeManifest> {
    let mut all: Vec<NodeManifest> =
        TEXTS.iter().map(|text| NodeManifest::of_leaf(&Child::new(*text)).expect("a leaf")).collect();
    let draft = Draft::trace(&TEXTS, "Node db-7: the importer crashed; the quota was raised.".to_owned());
    let gated = draft.ledger(["640 GiB"]).gate(&Policy::narrative()).expect("it passes");
    let below: Vec<&NodeManifest> = all.iter().collect();
    let node = seal(&gated, &below, Making::by("a model")).expect("a node");
    let root = over("Something happened.", &[&node, &all[0], &all[0]]);
    all.extend([node, root]);
    all
}

/// A node over any children, that drops all of their facts.
pub fn over(text: &str, children: &[&NodeManifest]) -> NodeManifest {
    let mut node = NodeBuilder::new(text.to_owned());
    let reason = node.reason(DropReason::NotRequired);
    for child in children {
        let place = node.child(child);
        for fact in (0..).take(child.fact_count()) {
            node.account(place, fact, Fate::Dropped { reason });
        }
    }
    node.finish().expect("a node")
}

//! What a gate decided about one body, and what the decision rests on.
//!
//! ```text
//! {"body": BodyId, "gate": name and version, "codes"?: [code], "policy": {…}, "verdict", "evidence": list root,
//!  "observed"?: true, "deferred"?: true}
//! ```

use super::BodyId;
use super::canonical::{Cursor, Map, Writer};
use super::error::FormatError;
use super::finding::{ppm, write_span};
use super::section::Items;
use crate::digest::Digest;
use crate::gate::Reclaim;
use crate::policy::{Bounds, Policy};
use crate::report::{Recall, Report};
use crate::text::Span;
use std::ops::Range;

/// The implementation that judges. Part of every decision's id.
pub(super) const GATE: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

/// What a gate decided about one body.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct DecisionRecord {
    /// The body that was judged.
    pub body: BodyId,
    /// The verdict, as reports write it.
    pub verdict: String,
    /// The stable codes of the reasons, the strongest first.
    pub codes: Vec<String>,
    /// The implementation that judged: its name and version.
    pub gate: String,
    /// Whether the gate only observed: what it says was blocked by nothing, and earns no permit.
    pub observed: bool,
    /// Whether no leaf may go before a probe of the root.
    pub deferred: bool,
    /// The root of the list of evidence.
    pub evidence: Digest,
    #[serde(skip)]
    pub(super) policy: Range<usize>,
}

/// Writes a decision about a body.
pub(super) fn write(body: BodyId, policy: &Policy, report: &Report, evidence: Digest) -> Vec<u8> {
    let mut map = Map::default();
    map.put("body", |w| w.bytes(body.as_bytes()));
    map.put("gate", |w| w.text(GATE));
    map.put("policy", |w| write_policy(policy, w));
    map.put("verdict", |w| w.text(report.verdict.kind.as_str()));
    map.put("evidence", |w| w.bytes(evidence.as_bytes()));
    if !report.reasons.is_empty() {
        map.put("codes", |w| {
            w.list(report.reasons.len());
            for reason in &report.reasons {
                w.text(reason.code.as_str());
            }
        });
    }
    if report.observed {
        map.put("observed", |w| w.bool(true));
    }
    if report.reclaim == Reclaim::Deferred {
        map.put("deferred", |w| w.bool(true));
    }
    let mut to = Writer::default();
    map.write(&mut to);
    to.into_bytes()
}

impl DecisionRecord {
    pub(super) fn read(bytes: &[u8], at: usize) -> Result<Self, FormatError> {
        let mut cursor = Cursor::at(bytes, at);
        let (mut body, mut verdict, mut gate, mut evidence, mut policy) = (None, None, None, None, None);
        let (mut codes, mut observed, mut deferred) = (Vec::new(), false, false);
        cursor.fields(|cursor, key| {
            match key {
                "body" => body = Some(BodyId::from_digest(cursor.digest()?)),
                "verdict" => verdict = Some(cursor.text()?.to_owned()),
                "gate" => gate = Some(cursor.text()?.to_owned()),
                "evidence" => evidence = Some(cursor.digest()?),
                "policy" => {
                    let start = cursor.place();
                    cursor.map()?;
                    *cursor = Cursor::at(bytes, start);
                    policy = Some(cursor.skip());
                }
                "codes" => {
                    let expected = cursor.expected("a code");
                    for _ in 0..cursor.list()? {
                        codes.push(cursor.text()?.to_owned());
                    }
                    if codes.is_empty() {
                        return Err(expected);
                    }
                }
                "observed" | "deferred" => {
                    let expected = cursor.expected("`true`, or no key");
                    if !cursor.bool()? {
                        return Err(expected);
                    }
                    *(if key == "observed" { &mut observed } else { &mut deferred }) = true;
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let missing = |field| FormatError::Missing { field };
        Ok(DecisionRecord {
            body: body.ok_or(missing("decision.body"))?,
            verdict: verdict.ok_or(missing("decision.verdict"))?,
            codes,
            gate: gate.ok_or(missing("decision.gate"))?,
            observed,
            deferred,
            evidence: evidence.ok_or(missing("decision.evidence"))?,
            policy: policy.ok_or(missing("decision.policy"))?,
        })
    }
}

/// Every number of a policy, shares in parts per million, so that a decision says what it asked whatever the presets
/// become.
pub(super) fn write_policy(policy: &Policy, to: &mut Writer) {
    let bounds = |w: &mut Writer, bounds: Bounds| {
        numbers(w, &[bounds.promote.get().into(), bounds.warning.get().into()]);
    };
    let small = policy.small();
    let ledger = policy.ledger();
    let growth = policy.growth();
    let probe = policy.probe();
    let trend = policy.trend();
    let mut map = Map::default();
    map.put("base", |w| w.text(policy.base().as_str()));
    map.put("required", |w| w.text(policy.required().as_str()));
    map.put("invented", |w| w.text(policy.invented().as_str()));
    map.put("altered", |w| w.text(policy.altered().as_str()));
    map.put("provenance", |w| bounds(w, policy.provenance()));
    map.put("orphan_density", |w| bounds(w, policy.orphan_density()));
    map.put("small", |w| {
        let counts = [small.claims, small.referents, small.orphans_promote, small.orphans_warning];
        numbers(w, &counts.map(|count| count as u64));
    });
    map.put("floor", |w| w.uint(policy.floor().get().into()));
    map.put("floor_on", |w| w.text(policy.floor_on().as_str()));
    map.put("bound", |w| w.text(policy.bound().as_str()));
    map.put("drops_share", |w| w.uint(policy.drops_share().get().into()));
    map.put("mend", |w| w.bool(ledger.mend));
    map.put("ledger", |w| {
        numbers(w, &[ledger.share.get().into(), ledger.least_bytes as u64, ledger.most_bytes as u64]);
    });
    map.put("growth", |w| numbers(w, &[growth.factor.get().into(), growth.bytes as u64]));
    map.put("probe", |w| numbers(w, &[probe.least, probe.divergence.get().into()]));
    map.put("trend", |w| {
        let shares = [trend.provenance_fall, trend.density_factor, trend.density_rise];
        w.list(1 + shares.len());
        w.count(trend.cycles);
        for share in shares {
            w.uint(share.get().into());
        }
    });
    map.put_some("depth", policy.depth(), |w, depth| w.uint(depth.into()));
    map.put_some("recall", policy.recall(), |w, recall| w.uint(recall.get().into()));
    map.put("order", |w| w.text(policy.order().as_str()));
    map.put("observe", |w| w.bool(policy.observe()));
    map.write(to);
}

fn numbers(to: &mut Writer, numbers: &[u64]) {
    to.list(numbers.len());
    for number in numbers {
        to.uint(*number);
    }
}

/// What a decision rests on: the figures that hang on the policy, each reason, and each finding. Never empty.
pub(super) fn evidence(report: &Report) -> Items {
    let mut items = Items::default();
    items.add(|w| figures(report, w));
    for reason in &report.reasons {
        items.add(|w| {
            let mut map = Map::default();
            map.put("kind", |w| w.text("reason"));
            map.put("code", |w| w.text(reason.code.as_str()));
            map.put("message", |w| w.text(&reason.message));
            map.write(w);
        });
    }
    for row in &report.orphans {
        items.add(|w| {
            let mut map = finding("mention", row.kind, row.span);
            map.put("code", |w| w.text(row.code.as_str()));
            map.put("text", |w| w.text(&row.text));
            map.put_some("why", row.why.as_deref(), Writer::text);
            map.write(w);
        });
    }
    for row in &report.lost {
        items.add(|w| {
            let mut map = finding("lost", row.kind, row.span);
            map.put("child", |w| w.count(row.child));
            map.put("text", |w| w.text(&row.text));
            map.write(w);
        });
    }
    for row in &report.from_context {
        items.add(|w| finding("context", row.kind, row.span).write(w));
    }
    items
}

fn finding(kind: &str, class: &str, span: Span) -> Map<'static> {
    let mut map = Map::default();
    map.put("kind", |w| w.text(kind));
    map.put("class", |w| w.text(class));
    map.put("span", |w| {
        w.list(2);
        write_span(span, w);
    });
    map
}

fn figures(report: &Report, to: &mut Writer) {
    let facts = &report.signals.facts;
    let mut map = Map::default();
    map.put("kind", |w| w.text("figures"));
    map.put("required", |w| w.count(facts.required));
    map.put("stated", |w| w.count(facts.stated));
    map.put("carried", |w| w.count(facts.carried));
    map.put("merged", |w| w.count(facts.merged));
    map.put("dropped", |w| w.count(facts.dropped));
    map.put("lost", |w| w.count(facts.lost));
    if let Recall::Measured(recall) = report.signals.recall {
        map.put("recall", |w| {
            let mut map = Map::default();
            map.put("r", |w| w.uint(ppm(recall.r).into()));
            map.put("lower", |w| w.uint(ppm(recall.lower).into()));
            map.put("asked", |w| w.uint(recall.asked));
            map.put("depth", |w| w.uint(recall.depth.into()));
            map.put("r_est", |w| w.uint(ppm(recall.r_est).into()));
            map.put("r_kept", |w| w.uint(ppm(recall.r_kept).into()));
            map.write(w);
        });
    }
    map.write(to);
}

//! The pass behind an audit's losses: where each stands, and the clause around it.

use super::evidence::line_in;
use super::losses::clause;
use super::mask::Mask;
use super::target::Target;
use super::walk::{Origin, Place, Places, Step, walk};
use crate::transcript::{Session, TranscriptError};
use manifest_core::{Class, Role, Span, read};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// Characters of a clause.
const CLAUSE: usize = 160;

/// Where the line begins on which byte `at` of a text stands.
fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|head| head.rfind('\n')).map_or(0, |end| end + 1)
}

type Lines = HashMap<(usize, Span), u64>;

/// What the last pass looks for.
pub(super) struct Wanted<'a> {
    /// Facts whose clauses are told.
    pub(super) clauses: &'a [(usize, Span)],
    /// Where credentials stand.
    pub(super) secrets: &'a [(usize, Span)],
    /// Further children whose places are told.
    pub(super) places: HashSet<usize>,
}

/// What the last pass found.
pub(super) struct Told {
    /// Where in its child the line of each wanted fact begins, and the clause, in their order.
    pub(super) clauses: Vec<(usize, String)>,
    /// How many lines into its child each stands, where it is not the first.
    lines: Lines,
    /// Where the children stand that something was wanted of.
    pub(super) places: Places,
    /// The secrets of the children.
    pub(super) mask: Mask,
}

impl Told {
    /// Where a fact stands that was wanted.
    pub(super) fn place(&self, child: usize, span: Span) -> Place {
        let mut place = self.places.get(child).cloned().unwrap_or_else(nowhere);
        place.line += self.lines.get(&(child, span)).copied().unwrap_or(0);
        place
    }
}

/// The last pass: few children are asked for, however many there are.
pub(super) fn clauses(
    session: &mut Session,
    target: &Target,
    leaf_bytes: usize,
    Wanted { clauses: wanted, secrets, places: further }: &Wanted<'_>,
) -> Result<Told, TranscriptError> {
    let mut mask = Mask::default();
    mask.learn(&target.parent);
    let mut by_child: HashMap<usize, Vec<usize>> = HashMap::new();
    for (i, (child, _)) in wanted.iter().enumerate() {
        by_child.entry(*child).or_default().push(i);
    }
    let mut hidden: HashMap<usize, Vec<Span>> = HashMap::new();
    for (child, span) in *secrets {
        hidden.entry(*child).or_default().push(*span);
    }
    let mut out = vec![(0, String::new()); wanted.len()];
    let mut lines = Lines::new();
    let mut number = 0;
    let mut places = Places::default();
    let mut left: HashSet<usize> = by_child.keys().chain(hidden.keys()).chain(further).copied().collect();
    walk(session, target, leaf_bytes, &mut |step| {
        let Step::Child(place, text) = step else { return ControlFlow::Break(()) };
        let (rows, spans) = (by_child.get(&number), hidden.get(&number));
        for span in spans.into_iter().flatten() {
            mask.add(span.of(text));
        }
        // A clause is clipped, and half a secret is a secret that nothing knows any more.
        // Read afresh: the trace knows where a secret stands first, not where it stands again.
        let own: Vec<Span> = if rows.is_some() {
            read(text).facts.iter().filter(|f| f.class == Class::Secret).map(|f| f.span).collect()
        } else {
            Vec::new()
        };
        let shown = blanked(text, &own);
        for row in rows.into_iter().flatten() {
            let Some((child, span)) = wanted.get(*row) else { continue };
            if let Some(slot) = out.get_mut(*row) {
                *slot = (line_start(text, span.start), clause(&shown, span.start, span.end, CLAUSE));
            }
            let offset = line_in(0, place.spread, text, span.start);
            if offset > 0 {
                lines.insert((*child, *span), offset);
            }
        }
        if left.remove(&number) {
            places.insert(number, place);
        }
        number += 1;
        if left.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(Told { clauses: out, lines, places, mask })
}

/// A text with stars in place of its secrets, byte for byte, so that spans stay what they are.
fn blanked<'t>(text: &'t str, secrets: &[Span]) -> Cow<'t, str> {
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for span in secrets.iter().filter(|s| !s.of(text).is_empty()) {
        if span.start < at {
            continue;
        }
        out.push_str(text.get(at..span.start).unwrap_or_default());
        out.extend(std::iter::repeat_n('*', span.len()));
        at = span.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(out)
}

fn nowhere() -> Place {
    Place { line: 0, unit: 0, role: Role::Assistant, origin: Origin::Unknown, spread: false, failed: false }
}

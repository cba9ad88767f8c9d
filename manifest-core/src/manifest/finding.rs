//! What tracing found, as a manifest holds it: claims with their sources, conflicts, figures. Shares are in parts per million.

use super::canonical::{Cursor, Map, Writer};
use super::error::FormatError;
use crate::policy::Ppm;
use crate::report::{ClaimRow, ConflictCounts, ConflictRow, ConflictState, Signals};
use crate::text::Span;
use serde::Serialize;

/// A place in a child: bytes of its rendered text, which is its ledger, an empty line, and its text (of a leaf: its text).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SourceRecord {
    /// Index of the child.
    pub child: u32,
    /// Where in it.
    pub span: Span,
    /// How much of the claim this source covers, in parts per million.
    pub score: u32,
}

/// A claim of the node's text. Written `[start, bytes, traceable, score, [child, start, bytes, score]…]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ClaimRecord {
    /// Where it stands in the text.
    pub span: Span,
    /// Whether it has a source.
    pub traceable: bool,
    /// Coverage over what chance reaches, in parts per million.
    pub score: u32,
    /// Best first.
    pub sources: Vec<SourceRecord>,
}

/// One side of a conflict, as its source says it, with secrets masked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SideRecord {
    /// Index of the child.
    pub child: u32,
    /// Where in its rendered text.
    pub span: Span,
    /// The clause.
    pub text: String,
}

/// Children that disagree, or changed. Written `{"sides": [[child, start, bytes, text]…], "state", "subject", "attribute"?}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ConflictRecord {
    /// What the sides are about.
    pub subject: String,
    /// Which property of it, where the texts name one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// What became of it.
    pub state: ConflictState,
    /// The sides, by child.
    pub sides: Vec<SideRecord>,
}

/// The figures of a node that hang on no policy.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SignalsRecord {
    /// Traceable claims over claims, in parts per million.
    pub provenance: u32,
    /// Referents without a child over referents, in parts per million.
    pub orphan_density: u32,
    /// Claims of the text.
    pub claims: u64,
    /// Referents counted in the density.
    pub referents: u64,
    /// Pronouns without an antecedent.
    pub pronouns_unresolved: u64,
    /// Referents that only the context explains.
    pub from_context: u64,
    /// Conflicts by state.
    pub conflicts: ConflictCounts,
}

/// A share of 0 to 1 in parts per million; what is no share is 0.
pub(super) fn ppm(share: f64) -> u32 {
    Ppm::of(share).map_or(0, Ppm::get)
}

fn narrow(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

impl ClaimRecord {
    /// What a trace found, each child's places moved by `shift`.
    pub(super) fn of(row: &ClaimRow, shift: &[usize]) -> Self {
        let sources = row.sources.iter();
        ClaimRecord {
            span: row.span,
            traceable: row.traceable,
            score: ppm(row.score),
            sources: sources
                .map(|source| SourceRecord {
                    child: narrow(source.child),
                    span: moved(source.child, source.span, shift),
                    score: ppm(source.score),
                })
                .collect(),
        }
    }

    pub(super) fn write(&self, to: &mut Writer) {
        to.list(4 + self.sources.len());
        write_span(self.span, to);
        to.bool(self.traceable);
        to.uint(self.score.into());
        for source in &self.sources {
            to.list(4);
            to.uint(source.child.into());
            write_span(source.span, to);
            to.uint(source.score.into());
        }
    }

    /// Reads a claim of a text of so many bytes, over so many children.
    pub(super) fn read(bytes: &[u8], at: usize, limit: usize, children: usize) -> Result<Self, FormatError> {
        let mut cursor = Cursor::at(bytes, at);
        let expected = |expected| FormatError::Expected { expected, at };
        let items = cursor.list()?.checked_sub(4).ok_or_else(|| expected("a claim"))?;
        let span = read_span(&mut cursor)?;
        let traceable = cursor.bool()?;
        let score = read_u32(&mut cursor)?;
        let mut sources = Vec::new();
        for _ in 0..items {
            if cursor.list()? != 4 {
                return Err(expected("a source"));
            }
            let child = read_u32(&mut cursor)?;
            let span = read_span(&mut cursor)?;
            sources.push(SourceRecord { child, span, score: read_u32(&mut cursor)? });
        }
        if span.end > limit || sources.iter().any(|source| source.child as usize >= children) {
            return Err(expected("a claim of this text and its children"));
        }
        Ok(ClaimRecord { span, traceable, score, sources })
    }
}

const STATES: [(ConflictState, &str); 4] = [
    (ConflictState::Kept, "kept"),
    (ConflictState::Collapsed, "collapsed"),
    (ConflictState::Superseded, "superseded"),
    (ConflictState::Stale, "stale"),
];

impl ConflictRecord {
    /// What a trace found, each child's places moved by `shift`.
    pub(super) fn of(row: &ConflictRow, shift: &[usize]) -> Self {
        let side = |side: &crate::report::Side| SideRecord {
            child: narrow(side.child),
            span: moved(side.child, side.span, shift),
            text: side.text.clone(),
        };
        ConflictRecord {
            subject: row.subject.clone(),
            attribute: row.attribute.clone(),
            state: row.state,
            sides: row.sides.iter().map(side).collect(),
        }
    }

    pub(super) fn write(&self, to: &mut Writer) {
        let state = STATES.iter().find(|(state, _)| *state == self.state).map_or("", |(_, name)| name);
        let mut map = Map::default();
        map.put("subject", |w| w.text(&self.subject));
        map.put_some("attribute", self.attribute.as_deref(), Writer::text);
        map.put("state", |w| w.text(state));
        map.put("sides", |w| {
            w.list(self.sides.len());
            for side in &self.sides {
                w.list(4);
                w.uint(side.child.into());
                write_span(side.span, w);
                w.text(&side.text);
            }
        });
        map.write(to);
    }

    /// Reads a conflict of so many children.
    pub(super) fn read(bytes: &[u8], at: usize, children: usize) -> Result<Self, FormatError> {
        let mut cursor = Cursor::at(bytes, at);
        let expected = |expected| FormatError::Expected { expected, at };
        let (mut subject, mut attribute, mut state, mut sides) = (None, None, None, Vec::new());
        cursor.fields(|cursor, key| {
            match key {
                "subject" => subject = Some(cursor.text()?.to_owned()),
                "attribute" => attribute = Some(cursor.text()?.to_owned()),
                "state" => {
                    let name = cursor.text()?;
                    let known = STATES.iter().find(|(_, known)| *known == name);
                    state = Some(known.ok_or_else(|| expected("a state of this version"))?.0);
                }
                "sides" => {
                    for _ in 0..cursor.list()? {
                        if cursor.list()? != 4 {
                            return Err(expected("a side"));
                        }
                        let child = read_u32(cursor)?;
                        let span = read_span(cursor)?;
                        sides.push(SideRecord { child, span, text: cursor.text()?.to_owned() });
                    }
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        if sides.iter().any(|side| side.child as usize >= children) {
            return Err(expected("sides of these children"));
        }
        let subject = subject.ok_or(FormatError::Missing { field: "subject" })?;
        let state = state.ok_or(FormatError::Missing { field: "state" })?;
        Ok(ConflictRecord { subject, attribute, state, sides })
    }
}

impl SignalsRecord {
    /// The figures of a report.
    pub(super) fn of(signals: &Signals) -> Self {
        SignalsRecord {
            provenance: ppm(signals.provenance),
            orphan_density: ppm(signals.orphan_density),
            claims: signals.claims as u64,
            referents: signals.referents as u64,
            pronouns_unresolved: signals.pronouns_unresolved as u64,
            from_context: signals.from_context as u64,
            conflicts: signals.conflicts,
        }
    }

    pub(super) fn write(&self, to: &mut Writer) {
        let ConflictCounts { kept, collapsed, superseded, stale } = self.conflicts;
        let mut map = Map::default();
        map.put("provenance", |w| w.uint(self.provenance.into()));
        map.put("orphan_density", |w| w.uint(self.orphan_density.into()));
        map.put("claims", |w| w.uint(self.claims));
        map.put("referents", |w| w.uint(self.referents));
        map.put("pronouns_unresolved", |w| w.uint(self.pronouns_unresolved));
        map.put("from_context", |w| w.uint(self.from_context));
        map.put("conflicts", |w| {
            w.list(4);
            for count in [kept, collapsed, superseded, stale] {
                w.count(count);
            }
        });
        map.write(to);
    }

    pub(super) fn read(bytes: &[u8], at: usize) -> Result<Self, FormatError> {
        let mut cursor = Cursor::at(bytes, at);
        let mut out = SignalsRecord::default();
        let mut seen = 0;
        cursor.fields(|cursor, key| {
            match key {
                "provenance" => out.provenance = read_u32(cursor)?,
                "orphan_density" => out.orphan_density = read_u32(cursor)?,
                "claims" => out.claims = cursor.uint()?,
                "referents" => out.referents = cursor.uint()?,
                "pronouns_unresolved" => out.pronouns_unresolved = cursor.uint()?,
                "from_context" => out.from_context = cursor.uint()?,
                "conflicts" => {
                    let expected = cursor.expected("four counts");
                    if cursor.list()? != 4 {
                        return Err(expected);
                    }
                    let counts = &mut out.conflicts;
                    for count in
                        [&mut counts.kept, &mut counts.collapsed, &mut counts.superseded, &mut counts.stale]
                    {
                        *count = cursor.count()?;
                    }
                }
                _ => return Ok(false),
            }
            seen += 1;
            Ok(true)
        })?;
        // Keys are unique: all seven stand there.
        if seen == 7 { Ok(out) } else { Err(FormatError::Expected { expected: "all figures", at }) }
    }
}

fn moved(child: usize, span: Span, shift: &[usize]) -> Span {
    let by = shift.get(child).copied().unwrap_or_default();
    Span::new(span.start + by, span.end + by)
}

pub(super) fn write_span(span: Span, to: &mut Writer) {
    to.count(span.start);
    to.count(span.len());
}

fn read_span(cursor: &mut Cursor<'_>) -> Result<Span, FormatError> {
    let start = cursor.count()?;
    Ok(Span::new(start, start.saturating_add(cursor.count()?)))
}

fn read_u32(cursor: &mut Cursor<'_>) -> Result<u32, FormatError> {
    let error = cursor.expected("a number of at most 32 bits");
    u32::try_from(cursor.uint()?).map_err(|_| error)
}

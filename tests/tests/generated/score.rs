//! How well a checker answers: by kind, what is blocked and what is named.

use crate::case::{Case, Kind};
use std::collections::BTreeMap;
use std::fmt;

/// What a checker says of a case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) blocked: bool,
    pub(crate) lost: Vec<String>,
    pub(crate) orphans: Vec<String>,
    /// The sides of each collapsed or stale conflict.
    pub(crate) contradictions: Vec<Vec<String>>,
}

/// A share that counts itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Share {
    pub(crate) hits: usize,
    pub(crate) of: usize,
}

impl Share {
    fn add(&mut self, hit: bool) {
        self.hits += usize::from(hit);
        self.of += 1;
    }

    /// `None` if nothing was asked.
    pub(crate) fn rate(self) -> Option<f64> {
        (self.of > 0).then(|| self.hits as f64 / self.of as f64)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.rate().map_or_else(|| "-".to_owned(), |rate| format!("{rate:.3} of {}", self.of)))
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    pub(crate) bad_blocked: Share,
    pub(crate) good_blocked: Share,
    pub(crate) lost_named: Share,
    /// Of what is called lost in a bad parent.
    pub(crate) lost_right: Share,
    pub(crate) orphans_named: Share,
    pub(crate) contradictions_named: Share,
    /// Findings in good parents.
    pub(crate) spurious: usize,
}

/// What a kind must reach.
pub(crate) struct Floors {
    pub(crate) bad_blocked: f64,
    pub(crate) good_blocked: f64,
    pub(crate) lost_named: f64,
    pub(crate) lost_right: f64,
    pub(crate) orphans_named: f64,
    pub(crate) contradictions_named: f64,
}

#[derive(Debug, Default)]
pub(crate) struct Score {
    pub(crate) rows: BTreeMap<Kind, Row>,
    /// The cases whose verdict is wrong, with their answers.
    pub(crate) wrong: Vec<(usize, Answer)>,
}

fn words(text: &str) -> usize {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()).count()
}

/// Whether a finding names what is wanted: one holds the other, and is at most twice as long.
fn names(found: &str, wanted: &str) -> bool {
    let (short, long) = if found.len() < wanted.len() { (found, wanted) } else { (wanted, found) };
    long.contains(short) && words(short).max(1) * 2 >= words(long)
}

/// Whether a finding is about what is wanted: its clause holds it.
fn tells(found: &str, wanted: &str) -> bool {
    names(found, wanted) || found.contains(wanted) && words(found) <= 16
}

impl Score {
    pub(crate) fn of(cases: &[Case], check: impl Fn(&Case) -> Answer) -> Self {
        let mut score = Self::default();
        for (i, case) in cases.iter().enumerate() {
            let answer = check(case);
            let row = score.rows.entry(case.kind).or_default();
            if case.good() {
                row.good_blocked.add(answer.blocked);
                row.spurious += answer.lost.len() + answer.orphans.len() + answer.contradictions.len();
            } else {
                row.bad_blocked.add(answer.blocked);
                for lost in &case.lost {
                    row.lost_named.add(answer.lost.iter().any(|found| tells(found, lost)));
                }
                for found in &answer.lost {
                    row.lost_right.add(
                        case.lost.iter().any(|lost| tells(found, lost) || lost.contains(found.as_str())),
                    );
                }
                for orphan in &case.orphans {
                    row.orphans_named.add(answer.orphans.iter().any(|found| tells(found, orphan)));
                }
                for (a, b) in &case.contradictions {
                    let named = |sides: &Vec<String>| {
                        [a, b].iter().all(|v| sides.iter().any(|s| s.contains(v.as_str())))
                    };
                    row.contradictions_named.add(answer.contradictions.iter().any(named));
                }
            }
            if answer.blocked == case.good() {
                score.wrong.push((i, answer));
            }
        }
        score
    }

    /// Each floor of each kind that is not reached; a figure that was never asked for is one too.
    pub(crate) fn faults(&self, floors: impl Fn(Kind) -> Floors) -> Vec<(Kind, String)> {
        let mut faults = Vec::new();
        for kind in Kind::ALL {
            let row = self.rows.get(&kind).copied().unwrap_or_default();
            let floors = floors(kind);
            let asked = |share: Share| share.of >= 5;
            if !asked(row.bad_blocked) || !asked(row.good_blocked) {
                faults.push((kind, "too few cases, good or bad".to_owned()));
            }
            let mut least = |name: &str, share: Share, floor: f64| {
                if let Some(rate) = share.rate().filter(|rate| *rate < floor) {
                    faults.push((kind, format!("{name} {rate:.3}, floor {floor}")));
                }
            };
            least("bad_blocked", row.bad_blocked, floors.bad_blocked);
            least("lost_named", row.lost_named, floors.lost_named);
            least("lost_right", row.lost_right, floors.lost_right);
            least("orphans_named", row.orphans_named, floors.orphans_named);
            least("contradictions_named", row.contradictions_named, floors.contradictions_named);
            if let Some(rate) = row.good_blocked.rate().filter(|rate| *rate > floors.good_blocked) {
                faults.push((kind, format!("good_blocked {rate:.3}, at most {}", floors.good_blocked)));
            }
        }
        faults
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads = [
            "bad blocked",
            "good blocked",
            "lost named",
            "lost right",
            "orphans named",
            "conflicts named",
            "spurious",
        ];
        write!(f, "{:12}", "kind")?;
        heads.iter().try_for_each(|head| write!(f, "{head:>16}"))?;
        for (kind, row) in &self.rows {
            write!(f, "\n{:12}", format!("{kind:?}"))?;
            for share in [
                row.bad_blocked,
                row.good_blocked,
                row.lost_named,
                row.lost_right,
                row.orphans_named,
                row.contradictions_named,
            ] {
                write!(f, "{share:>16}")?;
            }
            write!(f, "{:>16}", row.spurious)?;
        }
        Ok(())
    }
}

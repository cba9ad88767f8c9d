//! `manifest audit --list`: the compactions of a session.

use super::number::{count, of, time};
use super::survey::{Point, Stretch, Survey};
use crate::error::Failure;
use crate::transcript::{Session, bytes};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;

#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    point: &'a Point,
    before: &'a Stretch,
}

#[derive(Serialize)]
struct List<'a> {
    file: String,
    form: &'static str,
    compactions: Vec<Row<'a>>,
    after: Option<&'a Stretch>,
}

/// Writes the list.
pub(crate) fn write(
    session: &Session,
    survey: &Survey,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let list = List {
        file: crate::visible::plain(&session.path().display().to_string()),
        form: session.form().as_str(),
        compactions: survey
            .points
            .iter()
            .zip(&survey.stretches)
            .map(|(point, before)| Row { point, before })
            .collect(),
        after: survey.stretches.last(),
    };
    if json {
        serde_json::to_writer_pretty(&mut *out, &list).map_err(Failure::Json)?;
        return writeln!(out).map_err(Failure::Output);
    }
    lines(&list, out).map_err(Failure::Output)
}

fn lines(list: &List<'_>, out: &mut dyn Write) -> std::io::Result<()> {
    let n = list.compactions.len() as u64;
    writeln!(out, "{}: {}, {}", list.file, list.form, of(n, "compaction", "compactions"))?;
    for row in &list.compactions {
        let point = row.point;
        let at = point.at.as_deref().map(time).unwrap_or_default();
        let what = match &point.unreadable {
            None => bytes(point.summary_bytes),
            Some(why) => crate::visible::plain(why),
        };
        let mut more = point.trigger.clone().unwrap_or_default();
        if let Some(tokens) = point.pre_tokens {
            more.push_str(if more.is_empty() { "" } else { ", " });
            // Writing to a string cannot fail.
            let _ = write!(more, "{} tokens before", count(tokens));
        }
        writeln!(
            out,
            "{:>4}  line {:>9}  {:<16}  {:>9} in {:>6} units -> {:<10}  {}",
            point.number,
            count(point.line),
            at,
            bytes(row.before.bytes),
            count(row.before.units),
            what,
            crate::visible::plain(&more),
        )?;
    }
    if let Some(after) = list.after.filter(|a| a.units > 0) {
        writeln!(out, "      after it: {} in {}", bytes(after.bytes), of(after.units, "unit", "units"))?;
    }
    Ok(())
}

//! The chosen summarizer, as the tree asks it.

use crate::audit::Mask;
use crate::summarizer::{Command, CommandFault, Replay, ReplayFault, extract};
use manifest_core::tree::{Summarizer, Task};
use std::future::{Future, ready};
use std::sync::{Mutex, PoisonError};

/// Nodes that are made durable at once where a summary costs next to nothing.
const BATCH: usize = 256;

/// What writes the summaries.
pub(crate) enum Writer {
    Extractive(Mutex<Refused>),
    Replay(Box<Replay>),
    Command(Command),
}

/// What was refused of one node's texts so far. Each attempt leaves out all of it: else the third one says again what was
/// refused of the first.
#[derive(Debug, Default)]
pub(crate) struct Refused {
    place: (u32, usize),
    quotes: Vec<String>,
}

/// Why it wrote none.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriterFault {
    #[error("no sentence of the children fits {0} bytes: raise --budget-bytes, or take another summarizer")]
    NothingFits(usize),
    #[error(transparent)]
    Replay(#[from] ReplayFault),
    #[error(transparent)]
    Command(#[from] CommandFault),
}

impl Writer {
    /// Its name in the manifests.
    pub(crate) fn name(&self) -> String {
        match self {
            Writer::Extractive(_) => "extractive: SumBasic".to_owned(),
            Writer::Replay(_) => "replay".to_owned(),
            Writer::Command(command) => format!("cmd: {}", command.line),
        }
    }

    /// Nodes that are made durable at once: what another program writes costs more than the wait for the disk, and is not to be asked
    /// for twice.
    pub(crate) fn batch(&self) -> usize {
        match self {
            Writer::Command(_) => 1,
            Writer::Extractive(_) | Writer::Replay(_) => BATCH,
        }
    }

    pub(crate) fn replay(&self) -> Option<&Replay> {
        match self {
            Writer::Replay(replay) => Some(replay),
            _ => None,
        }
    }

    fn write(&self, task: &Task<'_>) -> Result<String, WriterFault> {
        match self {
            Writer::Extractive(known) => {
                let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
                let place = (task.level, task.position);
                if task.attempt == 1 || known.place != place {
                    *known = Refused { place, quotes: Vec::new() };
                }
                known.quotes.extend(refused(task.feedback).into_iter().map(str::to_owned));
                let quotes: Vec<&str> = known.quotes.iter().map(String::as_str).collect();
                // Sentences are taken over as they stand, but for the credentials in them.
                let masked: Vec<String> = task
                    .children
                    .iter()
                    .map(|child| {
                        let mut mask = Mask::default();
                        mask.learn(&child.text);
                        mask.apply_lines(&child.text)
                    })
                    .collect();
                let texts: Vec<&str> = masked.iter().map(String::as_str).collect();
                // A summary of half its children, or of what the budget allows.
                let whole: usize = texts.iter().map(|text| text.len()).sum();
                let room = task.budget_bytes.min(whole / 2);
                let mut text = extract(&texts, room, &quotes);
                if text.is_empty() {
                    // One short sentence is no shorter in half; each is counted with its line's end.
                    text = extract(&texts, task.budget_bytes.min(whole + 1), &quotes);
                }
                if text.is_empty() { Err(WriterFault::NothingFits(room)) } else { Ok(text) }
            }
            Writer::Replay(replay) => Ok(replay.text(task)?),
            Writer::Command(command) => Ok(command.ask(task)?),
        }
    }
}

/// What the gate quoted of the last text, but for the facts that it misses: sentences to leave out. What they state that
/// must be kept the ledger carries.
fn refused(feedback: &str) -> Vec<&str> {
    let mut quoted = Vec::new();
    let mut wanted = false;
    for line in feedback.lines() {
        if line.ends_with(':') {
            wanted = !line.starts_with("Missing");
        } else if wanted {
            quoted.extend(line.split('`').skip(1).step_by(2).filter(|quote| quote.len() >= SHORTEST));
        }
    }
    quoted
}

/// A quote of fewer bytes stands in many sentences.
const SHORTEST: usize = 4;

impl Summarizer<String> for Writer {
    type Error = WriterFault;

    /// The program does one thing at a time, so that it may wait here.
    fn summarize(&self, task: &Task<'_>) -> impl Future<Output = Result<String, WriterFault>> + Send {
        ready(self.write(task))
    }
}

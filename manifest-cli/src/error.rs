//! What can go wrong around the library: files, lines, policies.

use manifest_core::tree::{CompactError, TreeError};
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why the program could not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A file or folder could not be read.
    Read { path: PathBuf, source: io::Error },
    /// A file is larger than the limit.
    TooLarge { path: PathBuf, bytes: u64, limit: usize },
    /// A file is not UTF-8.
    NotUtf8 { path: PathBuf, at: usize },
    /// What is named is no file.
    NoFile { path: PathBuf, what: &'static str },
    /// Sources without any text.
    NoSource { path: PathBuf },
    /// A folder holds no file.
    EmptyFolder { path: PathBuf },
    /// Standard input could not be read.
    Input(io::Error),
    /// Standard output could not be written.
    Output(io::Error),
    /// The policy is neither a name nor a readable file.
    Policy { name: String, why: String },
    /// The one object on standard input is not what was expected.
    Object { code: &'static str, message: String },
    /// An answer could not be written as JSON.
    Json(serde_json::Error),
    /// A session gives no transcript.
    Transcript(crate::transcript::TranscriptError),
    /// A session holds nothing to audit.
    NothingToAudit(crate::audit::NothingToAudit),
    /// The store failed.
    Store(manifest_core::store::StoreError),
    /// The tree could not do it.
    Tree(manifest_core::tree::TreeError),
    /// A run could not go on.
    Run(Box<manifest_core::tree::CompactError<crate::run::WriterFault>>),
    /// A folder of recorded summaries is none.
    Replay(crate::summarizer::ReplayFault),
    /// The leaves make no tree.
    Plan(manifest_core::tree::PlanError),
    /// A sentence cannot be followed.
    Origin(manifest_core::recover::OriginError),
    /// The head names nothing.
    NoHead(Box<crate::headless::Headless>),
    /// A class is named that no fact has.
    NoSuchClass {
        /// The name.
        class: String,
    },
    /// No root or node is named so.
    NoSuchRoot { root: String },
    /// A run ended without a root.
    NoRoot { why: String },
    /// The tree is in no order.
    Order(manifest_core::recover::OrderError),
    /// No proof was made.
    Prove(manifest_core::ProveError),
    /// A file could not be written.
    Write { path: PathBuf, source: io::Error },
    /// One path where two are needed.
    Usage(&'static str),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Read { path, source } | Failure::Write { path, source } => {
                write!(f, "{}: {}", path.display(), cause(source))
            }
            Failure::TooLarge { path, bytes, limit } => {
                write!(
                    f,
                    "{}: {bytes} bytes, above the limit of {limit}; raise it with --max-line",
                    path.display()
                )
            }
            Failure::NotUtf8 { path, at } => {
                write!(
                    f,
                    "{}: not UTF-8 at byte {at}; convert it first, for example with iconv",
                    path.display()
                )
            }
            Failure::NoFile { path, what } => write!(f, "{} is {what}; a file is expected", path.display()),
            Failure::NoSource { path } => {
                write!(
                    f,
                    "{}: the sources hold no text; there is nothing to check a summary against",
                    path.display()
                )
            }
            Failure::EmptyFolder { path } => write!(f, "{}: the folder holds no file", path.display()),
            Failure::Input(source) => write!(f, "standard input: {}", cause(source)),
            Failure::Output(source) => write!(f, "standard output: {}", cause(source)),
            Failure::Policy { name, why } => write!(f, "policy `{name}`: {why}"),
            Failure::Object { code, message } => write!(f, "{code}: {message}"),
            Failure::Json(source) => write!(f, "an answer could not be written: {source}"),
            Failure::Transcript(source) => match std::error::Error::source(source) {
                Some(error) => write!(f, "{source}: {}", cause(error)),
                None => write!(f, "{source}"),
            },
            Failure::NothingToAudit(why) => write!(f, "{why}"),
            Failure::Store(source) => store(f, source),
            Failure::Tree(source) => write!(f, "{source}"),
            Failure::Run(source) => {
                match &**source {
                    CompactError::Tree(TreeError::Store(source)) => store(f, source)?,
                    other => write!(f, "{other}")?,
                }
                write!(f, "; what was committed stands, run it again to go on from there")
            }
            Failure::Replay(source) => write!(f, "{source}"),
            Failure::Plan(source) => write!(f, "{source}"),
            Failure::Origin(source) => write!(f, "{source}"),
            Failure::NoHead(found) => write!(f, "{found}"),
            Failure::NoSuchClass { class } => {
                let known: Vec<&str> = manifest_core::Class::ALL.iter().map(|class| class.as_str()).collect();
                write!(
                    f,
                    "`{}` is no class of facts; there are {}, statement",
                    crate::refusal::quoted(class),
                    known.join(", ")
                )
            }
            Failure::NoSuchRoot { root } => write!(
                f,
                "`{}` names no leaf or node, or more than one; give more digits of its id (`manifest show` lists them)",
                crate::refusal::quoted(root)
            ),
            Failure::NoRoot { why } => write!(f, "there is no root to render: {why}"),
            Failure::Order(source) => write!(f, "{source}"),
            Failure::Prove(source) => write!(f, "{source}"),
            Failure::Usage(what) => f.write_str(what),
        }
    }
}

/// What a store says, with what the system said to it.
fn store(f: &mut fmt::Formatter<'_>, error: &manifest_core::store::StoreError) -> fmt::Result {
    write!(f, "{error}")?;
    match std::error::Error::source(error) {
        Some(source) => write!(f, " ({})", cause(source)),
        None => Ok(()),
    }
}

/// What the system says, without its number.
pub(crate) fn cause(error: &(impl fmt::Display + ?Sized)) -> String {
    let text = error.to_string();
    match text.split_once(" (os error ") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Failure::Read { source, .. }
            | Failure::Write { source, .. }
            | Failure::Input(source)
            | Failure::Output(source) => Some(source),
            Failure::Json(source) => Some(source),
            // The message of a transcript's error names its cause already.
            _ => None,
        }
    }
}

impl From<manifest_core::store::StoreError> for Failure {
    fn from(source: manifest_core::store::StoreError) -> Self {
        Failure::Store(source)
    }
}

impl From<manifest_core::tree::TreeError> for Failure {
    fn from(source: manifest_core::tree::TreeError) -> Self {
        match source {
            manifest_core::tree::TreeError::Store(source) => Failure::Store(source),
            other => Failure::Tree(other),
        }
    }
}

impl From<manifest_core::recover::OriginError> for Failure {
    fn from(source: manifest_core::recover::OriginError) -> Self {
        match source {
            manifest_core::recover::OriginError::Read(source) => source.into(),
            other => Failure::Origin(other),
        }
    }
}

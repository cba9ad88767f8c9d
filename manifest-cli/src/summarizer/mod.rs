//! What `manifest run` lets write the summaries: sentences taken over, recorded texts, or any program.

mod command;
mod extractive;
mod replay;

pub(crate) use command::{Command, CommandFault};
pub(crate) use extractive::extract;
pub(crate) use replay::{Replay, ReplayFault, Shape};

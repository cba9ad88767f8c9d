//! Stated recall and what follows from it for the root.

mod recall;
mod retention;

pub use recall::{RecallError, StatedRecall};
pub use retention::{Measured, Retention};

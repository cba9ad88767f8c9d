//! Probes, stated recall, and what follows from it for the root.

mod answer;
mod question;
mod recall;
mod retention;
mod set;

pub use answer::{Answerer, Reader};
pub use question::Question;
pub use recall::{RecallError, StatedRecall};
pub use retention::{Measured, Retention};
pub use set::{Probe, ProbeKey, ProbeSet};

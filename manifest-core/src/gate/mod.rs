//! From figures to a verdict.

mod cause;
mod evidence;
mod judge;

pub use cause::Cause;
pub use evidence::{Evidence, Findings, FormFault};
pub use judge::{Judgement, Reclaim, judge};

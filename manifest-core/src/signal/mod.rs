//! The figures of a parent, read: bands, trends over cycles, levels, and whether the analysis applies at all.

mod banding;
mod level;
mod scope;
mod trend;

pub use banding::{SignalBands, bands};
pub(crate) use banding::{orphaned, traceable};
pub use level::Level;
pub use scope::{Pipeline, Scope, ScopeFault};
pub use trend::{Cycle, Trend, trend};

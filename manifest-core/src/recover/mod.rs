//! Answers at recovery time: where a fact stands, where it was lost, where a sentence comes from, whether all of it is
//! intact.

mod map;
mod order;
mod origin;
mod outline;
mod path;
mod prove;
mod query;
mod verify;

pub use map::TreeMap;
pub use order::OrderError;
pub use origin::{OriginError, Source};
pub use outline::Outline;
pub use path::{End, Hop, Passage};
pub use query::{LostFact, Sighting};
pub use verify::{Coverage, Finding, GateState, Integrity, Verification, Verify};

//! Whether what is below comes before what is above.

use super::TreeMap;
use crate::manifest::NodeId;
use jiff::Timestamp;
use thiserror::Error;

/// What stands in no order that could have been.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OrderError {
    /// A child that stands on no lower level: a tree in a circle, or made-up levels.
    #[error(
        "{child} on level {below} is a child of {parent} on level {above}: nothing is made of what comes after it"
    )]
    Level {
        /// The node.
        parent: NodeId,
        /// Its level.
        above: u32,
        /// The child.
        child: NodeId,
        /// Its level.
        below: u32,
    },
    /// A node that says that it was made before its child.
    #[error("{parent} was made at {above}, before its child {child} at {below}")]
    Time {
        /// The node.
        parent: NodeId,
        /// When it was made, as it says.
        above: String,
        /// The child.
        child: NodeId,
        /// When that was made, or said.
        below: String,
    },
    /// A child that is not there.
    #[error("{child}, a child of {parent}, is not there")]
    Missing {
        /// The node.
        parent: NodeId,
        /// The child.
        child: NodeId,
    },
}

impl TreeMap {
    /// Whether every child is there and comes before its parents: on a lower level, so that no way leads in a circle, and
    /// not after them, where both say when they were made (RFC 3339). Whoever writes the tree down as a history asks this first.
    ///
    /// # Errors
    /// [`OrderError`], with the first pair that is in no order.
    pub fn check_order(&self) -> Result<(), OrderError> {
        let time = |text: Option<&str>| {
            text.and_then(|text| text.parse::<Timestamp>().ok().zip(Some(text.to_owned())))
        };
        for node in self.nodes() {
            let (parent, above) = (node.id(), node.level());
            let made = time(node.made_at());
            for child in node.children() {
                let below = self.get(child).ok_or(OrderError::Missing { parent, child })?;
                if below.level() >= above {
                    return Err(OrderError::Level { parent, above, child, below: below.level() });
                }
                let said = below.made_at().or(below.origin().and_then(|origin| origin.at.as_deref()));
                if let (Some((made, above)), Some((said, below))) = (&made, time(said))
                    && said > *made
                {
                    return Err(OrderError::Time { parent, above: above.clone(), child, below });
                }
            }
        }
        Ok(())
    }
}

//! From children to parent.

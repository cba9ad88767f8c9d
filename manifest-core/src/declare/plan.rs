//! The policy that a struct's attributes ask for, checked while they are compiled.

use crate::fact::Class;
use crate::policy::{Bounds, ConflictRule, Message, Order, Planned, Policy, Ppm, Preset, assert_depth};

/// A policy in the making, by the expansion of the derive: every step is `const` and fails to compile on a number that
/// makes no policy.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Plan(Planned);

#[expect(clippy::missing_panics_doc, reason = "they run in the compiler: the panic is the message")]
impl Plan {
    pub const fn of(base: Preset) -> Self {
        Plan(Planned::of(base))
    }

    pub const fn floor(mut self, floor: f64) -> Self {
        self.0.floor = share(floor, "the floor is out of range: expected a share above 0, up to 1");
        self
    }

    pub const fn recall(mut self, recall: f64) -> Self {
        self.0.recall = Some(share(recall, "the recall is out of range: expected a share above 0, up to 1"));
        self
    }

    pub const fn provenance(mut self, promote: f64, warning: f64) -> Self {
        let bounds =
            bounds(promote, warning, "the bounds of the provenance are out of range: expected 0 to 1");
        assert!(
            bounds.promote.get() >= bounds.warning.get(),
            "the bands of the provenance are inverted: expected the share that is promoted, then the lower one that is not yet rejected"
        );
        self.0.provenance = Some(bounds);
        self
    }

    pub const fn orphans(mut self, promote: f64, warning: f64) -> Self {
        let bounds = bounds(promote, warning, "the bounds of the orphans are out of range: expected 0 to 1");
        assert!(
            bounds.promote.get() <= bounds.warning.get(),
            "the bands of the orphans are inverted: expected the share that is promoted, then the higher one that is not yet rejected"
        );
        self.0.orphan_density = Some(bounds);
        self
    }

    pub const fn depth(mut self, depth: u32) -> Self {
        assert!(
            depth > 0,
            "the depth is out of range: expected 1 or more; one summary over leaves is depth 1"
        );
        self.0.depth = Some(depth);
        self
    }

    pub const fn order(mut self, order: Order) -> Self {
        self.0.order = order;
        self
    }

    pub const fn conflicts(mut self, conflicts: ConflictRule) -> Self {
        self.0.conflicts = conflicts;
        self
    }

    /// A ledger of so many bytes, however large the children are.
    pub const fn ledger_bytes(mut self, bytes: usize) -> Self {
        assert!(bytes > 0, "the ledger is out of range: expected bytes above 0");
        self.0.ledger_bytes = Some(bytes);
        self
    }

    pub const fn ledger_share(mut self, of: f64) -> Self {
        self.0.ledger_share =
            Some(share(of, "the ledger is out of range: expected a share above 0, up to 1"));
        self
    }

    pub const fn observe(mut self, observe: bool) -> Self {
        self.0.observe = observe;
        self
    }

    /// Fails to compile where the floor cannot afford the depth.
    pub const fn afforded(self) -> Self {
        if let (Some(depth), Some(recall)) = (self.0.depth, self.0.recall) {
            assert_depth(depth, recall.get(), self.0.floor.get());
        }
        self
    }

    pub fn policy(self) -> Policy {
        Policy::planned(self.0)
    }
}

/// A number of attempts, or no compilation.
#[doc(hidden)]
pub const fn attempts(attempts: u32) -> Option<u32> {
    assert!(attempts > 0, "the attempts are out of range: expected 1 or more, the first draft counted");
    Some(attempts)
}

/// The class of a name, or no compilation.
#[doc(hidden)]
#[expect(clippy::panic, reason = "runs in the compiler: the panic is the message")]
pub const fn class(name: &str) -> Class {
    let wanted = name.as_bytes();
    let mut i = 0;
    while i < NAMES.len() {
        if NAMES[i].len() == wanted.len() && same(NAMES[i], wanted) {
            return Class::ALL[i];
        }
        i += 1;
    }
    let mut text = Message::new().text("no facts are of the kind `").text(name).text("`; expected one of ");
    let mut i = 0;
    while i < Class::ALL.len() {
        text = text.text(if i == 0 { "`" } else { ", `" }).text(Class::ALL[i].as_str()).text("`");
        i += 1;
    }
    panic!("{}", text.as_str())
}

/// The names of all classes, put together once: a struct is compiled in the time that its steps take.
const NAMES: [&[u8]; Class::ALL.len()] = {
    let mut names: [&[u8]; Class::ALL.len()] = [&[]; Class::ALL.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = Class::ALL[i].as_str().as_bytes();
        i += 1;
    }
    names
};

/// Whether two texts of one length are equal.
const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The nearest share of at least one part per million.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked before")]
const fn share(value: f64, refusal: &str) -> Ppm {
    assert!(value >= 0.000_000_5 && value <= 1.0, "{}", refusal);
    Ppm::new((value * 1e6 + 0.5) as u32)
}

/// The nearest shares to two of 0 to 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is checked before")]
const fn bounds(promote: f64, warning: f64, refusal: &str) -> Bounds {
    assert!(promote >= 0.0 && promote <= 1.0 && warning >= 0.0 && warning <= 1.0, "{}", refusal);
    Bounds::new((promote * 1e6 + 0.5) as u32, (warning * 1e6 + 0.5) as u32)
}

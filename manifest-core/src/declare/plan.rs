//! The policy that a struct's attributes ask for, checked while they are compiled.

use crate::fact::Class;
use crate::policy::{Message, Order, Policy, Ppm, Preset, assert_depth};

/// A policy in the making, by the expansion of the derive: every step is `const` and fails to compile on a number that
/// makes no policy.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    base: Preset,
    floor: Ppm,
    depth: Option<u32>,
    recall: Option<Ppm>,
    order: Order,
    observe: bool,
}

#[expect(clippy::missing_panics_doc, reason = "they run in the compiler: the panic is the message")]
impl Plan {
    pub const fn of(base: Preset) -> Self {
        Plan { base, floor: base.floor(), depth: None, recall: None, order: Order::Sequence, observe: false }
    }

    pub const fn floor(mut self, floor: f64) -> Self {
        self.floor = share(floor, "the floor is out of range: expected a share above 0, up to 1");
        self
    }

    pub const fn recall(mut self, recall: f64) -> Self {
        self.recall = Some(share(recall, "the recall is out of range: expected a share above 0, up to 1"));
        self
    }

    pub const fn depth(mut self, depth: u32) -> Self {
        assert!(
            depth > 0,
            "the depth is out of range: expected 1 or more; one summary over leaves is depth 1"
        );
        self.depth = Some(depth);
        self
    }

    pub const fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    pub const fn observe(mut self, observe: bool) -> Self {
        self.observe = observe;
        self
    }

    /// Fails to compile where the floor cannot afford the depth.
    pub const fn afforded(self) -> Self {
        if let (Some(depth), Some(recall)) = (self.depth, self.recall) {
            assert_depth(depth, recall.get(), self.floor.get());
        }
        self
    }

    pub fn policy(self) -> Policy {
        Policy::planned(self.base, self.floor, self.depth, self.recall, self.order, self.observe)
    }
}

/// The class of a name, or no compilation.
#[doc(hidden)]
#[expect(clippy::panic, reason = "runs in the compiler: the panic is the message")]
pub const fn class(name: &str) -> Class {
    let mut i = 0;
    while i < Class::ALL.len() {
        if same(Class::ALL[i].as_str(), name) {
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

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
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

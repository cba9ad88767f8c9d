//! Which types of fields can hold what.

use super::{Conflict, Declaration, Drop};
use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// A field that can hold text: strings, and options and lists of them.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be `#[manifest(text)]`",
    label = "holds no text",
    note = "text is a `String`, a `&str`, or an `Option` or `Vec` of them",
    note = "for exact values use `#[manifest(fact)]`; to leave the field out use `#[manifest(skip)]`"
)]
pub trait TextField {
    /// Hands over the texts, in order.
    fn texts<'s>(&'s self, to: &mut Declaration<'s>);
}

/// A field that can hold exact facts: strings, numbers, addresses, paths, and options, lists and ordered sets of them.
/// Unordered sets are left out on purpose: the text that is audited must come out the same each time.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be `#[manifest(fact)]`",
    label = "holds no exact values",
    note = "facts are strings, numbers, addresses or paths, or an `Option`, `Vec` or `BTreeSet` of them",
    note = "implement `manifest_core::FactField` for a type of your own, or leave it out with `#[manifest(skip)]`"
)]
pub trait FactField {
    /// Hands over each value, in order, as a text would state it.
    fn facts<'s>(&'s self, to: &mut dyn FnMut(Cow<'s, str>));
}

/// A field that can hold conflicts.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be `#[manifest(conflicts)]`",
    label = "holds no conflicts",
    note = "write `Vec<manifest_core::Conflict>`"
)]
pub trait ConflictsField {
    /// Hands over the conflicts, in order.
    fn conflicts<'s>(&'s self, to: &mut Declaration<'s>);
}

/// A field that can hold drops.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be `#[manifest(drops)]`",
    label = "holds no drops",
    note = "write `Vec<manifest_core::Drop>`"
)]
pub trait DropsField {
    /// Hands over the drops, in order.
    fn drops<'s>(&'s self, to: &mut Declaration<'s>);
}

impl TextField for str {
    fn texts<'s>(&'s self, to: &mut Declaration<'s>) {
        to.text(self);
    }
}

impl TextField for String {
    fn texts<'s>(&'s self, to: &mut Declaration<'s>) {
        to.text(self);
    }
}

impl TextField for Cow<'_, str> {
    fn texts<'s>(&'s self, to: &mut Declaration<'s>) {
        to.text(self);
    }
}

impl FactField for str {
    fn facts<'s>(&'s self, to: &mut dyn FnMut(Cow<'s, str>)) {
        to(Cow::Borrowed(self));
    }
}

impl FactField for String {
    fn facts<'s>(&'s self, to: &mut dyn FnMut(Cow<'s, str>)) {
        to(Cow::Borrowed(self));
    }
}

impl FactField for Cow<'_, str> {
    fn facts<'s>(&'s self, to: &mut dyn FnMut(Cow<'s, str>)) {
        to(Cow::Borrowed(self));
    }
}

impl FactField for Path {
    fn facts<'s>(&'s self, to: &mut dyn FnMut(Cow<'s, str>)) {
        to(self.to_string_lossy());
    }
}

impl FactField for PathBuf {
    fn facts<'s>(&'s self, to: &mut dyn FnMut(Cow<'s, str>)) {
        to(self.to_string_lossy());
    }
}

macro_rules! printed_facts {
    ($($type:ty),*) => {$(
        impl FactField for $type {
            fn facts<'s>(&'s self, to: &mut dyn FnMut(Cow<'s, str>)) {
                to(Cow::Owned(self.to_string()));
            }
        }
    )*};
}

printed_facts!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64);
printed_facts!(IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr);

impl ConflictsField for Conflict {
    fn conflicts<'s>(&'s self, to: &mut Declaration<'s>) {
        to.conflict(self);
    }
}

impl DropsField for Drop {
    fn drops<'s>(&'s self, to: &mut Declaration<'s>) {
        to.drop(self);
    }
}

/// Pointers hand over what they point to, lists what each item does.
macro_rules! carriers {
    ($($trait:ident, $method:ident, $to:ty;)*) => {$(
        carriers!(@pointer $trait, $method, $to, &T);
        carriers!(@pointer $trait, $method, $to, Box<T>);
        carriers!(@pointer $trait, $method, $to, Rc<T>);
        carriers!(@pointer $trait, $method, $to, Arc<T>);
        carriers!(@list [T: $trait] $trait, $method, $to, [T]);
        carriers!(@list [T: $trait, const N: usize] $trait, $method, $to, [T; N]);
        carriers!(@list [T: $trait] $trait, $method, $to, Vec<T>);
        carriers!(@list [T: $trait] $trait, $method, $to, VecDeque<T>);
        carriers!(@list [T: $trait] $trait, $method, $to, Option<T>);
        carriers!(@list [T: $trait] $trait, $method, $to, BTreeSet<T>);
    )*};
    (@pointer $trait:ident, $method:ident, $to:ty, $pointer:ty) => {
        impl<T: $trait + ?Sized> $trait for $pointer {
            fn $method<'s>(&'s self, to: $to) {
                (**self).$method(to);
            }
        }
    };
    (@list [$($generics:tt)*] $trait:ident, $method:ident, $to:ty, $list:ty) => {
        impl<$($generics)*> $trait for $list {
            fn $method<'s>(&'s self, to: $to) {
                for item in self.iter() {
                    item.$method(to);
                }
            }
        }
    };
}

carriers! {
    TextField, texts, &mut Declaration<'s>;
    FactField, facts, &mut dyn FnMut(Cow<'s, str>);
    ConflictsField, conflicts, &mut Declaration<'s>;
    DropsField, drops, &mut Declaration<'s>;
}

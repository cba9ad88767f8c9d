//! Which types of fields can hold what.

use super::{ChildrenField, Claim, Conflict, Declaration, Drop, Facts, Kinds, Manifest};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Display;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// A field that can hold text: strings, pointers to them, and options and lists of them.
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

/// A field that can hold exact facts: strings, numbers, addresses, paths, and options, lists, sets and maps of them. The
/// keys of a map are the subjects of its values; what has no order of its own is put in order by its text, so that the
/// text that is audited comes out the same each time.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use manifest_core::{Declaration, FactField, Facts, Kinds, Manifest};
///
/// struct Ticket { project: String, number: u32 }
///
/// impl FactField for Ticket {
///     fn facts<'s>(&'s self, to: &mut Facts<'_, 's>) {
///         to.value(format!("{}-{}", self.project, self.number));
///     }
/// }
///
/// #[derive(Manifest)]
/// struct Summary {
///     #[manifest(text)]
///     narrative: String,
///     #[manifest(fact)]
///     tickets: Vec<Ticket>,
/// }
///
/// let tickets = vec![Ticket { project: "PAY".to_owned(), number: 119 }];
/// let summary = Summary { narrative: "One is open.".to_owned(), tickets };
/// assert_eq!(Declaration::of(&summary).render().text, "One is open.\n\n- PAY-119");
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be `#[manifest(fact)]`",
    label = "holds no exact values",
    note = "facts are strings, numbers, addresses or paths, or an `Option`, a list, a set or a map of them",
    note = "for a type that prints as its value write `#[manifest(fact, display)]`; implement `manifest_core::FactField` for another type of your own, or leave it out with `#[manifest(skip)]`"
)]
pub trait FactField {
    /// Hands over each value, in order, as a text would state it.
    fn facts<'s>(&'s self, to: &mut Facts<'_, 's>);
}

/// A field whose values are facts as they print: `#[manifest(fact, display)]`. `How` tells a value from a list of values.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be `#[manifest(fact, display)]`",
    label = "does not print as exact values",
    note = "implement `std::fmt::Display` for the type, or for what the `Option`, `Vec`, array, `BTreeSet` or `BTreeMap` holds"
)]
pub trait DisplayField<How> {
    /// Hands over each value, in order, as it prints.
    fn facts<'s>(&'s self, to: &mut Facts<'_, 's>);
}

/// A field that holds summaries of their own: a type that implements [`Manifest`], and options and lists of it.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be `#[manifest(nested)]`",
    label = "holds no summary",
    note = "write `#[derive(Manifest)]` on the inner struct",
    note = "for exact values use `#[manifest(fact)]`; to leave the field out use `#[manifest(skip)]`"
)]
pub trait NestedField {
    /// Hands over what the inner summaries declare, in order.
    fn nested<'s>(&'s self, to: &mut Declaration<'s>);

    /// Adds the kinds of facts that the inner summary requires, whether there is one or not.
    fn required_kinds(to: &mut Kinds);
}

/// A field that can hold claims with the children that they cite.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be `#[manifest(claims)]`",
    label = "holds no claims",
    note = "write `Vec<manifest_core::Claim>`, or implement `manifest_core::ClaimsField` for a type of your own"
)]
pub trait ClaimsField {
    /// Hands over the claims, in order.
    fn claims<'s>(&'s self, to: &mut Declaration<'s>);
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

impl FactField for str {
    fn facts<'s>(&'s self, to: &mut Facts<'_, 's>) {
        to.value(self);
    }
}

impl FactField for String {
    fn facts<'s>(&'s self, to: &mut Facts<'_, 's>) {
        to.value(self.as_str());
    }
}

impl FactField for Path {
    fn facts<'s>(&'s self, to: &mut Facts<'_, 's>) {
        to.value(self.to_string_lossy());
    }
}

impl FactField for PathBuf {
    fn facts<'s>(&'s self, to: &mut Facts<'_, 's>) {
        to.value(self.to_string_lossy());
    }
}

macro_rules! printed_facts {
    ($($type:ty),*) => {$(
        impl FactField for $type {
            fn facts<'s>(&'s self, to: &mut Facts<'_, 's>) {
                to.value(self.to_string());
            }
        }
    )*};
}

printed_facts!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, char);
printed_facts!(NonZero<u8>, NonZero<u16>, NonZero<u32>, NonZero<u64>, NonZero<usize>);
printed_facts!(IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr);

impl<K: Display, V: FactField> FactField for BTreeMap<K, V> {
    fn facts<'s>(&'s self, to: &mut Facts<'_, 's>) {
        for (key, value) in self {
            value.facts(&mut to.about(key.to_string()));
        }
    }
}

impl<K: Display, V: FactField, H> FactField for HashMap<K, V, H> {
    fn facts<'s>(&'s self, to: &mut Facts<'_, 's>) {
        let mut entries: Vec<_> = self.iter().map(|(key, value)| (key.to_string(), value)).collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        for (key, value) in entries {
            value.facts(&mut to.about(key));
        }
    }
}

impl<T: FactField, H> FactField for HashSet<T, H> {
    fn facts<'s>(&'s self, to: &mut Facts<'_, 's>) {
        to.sorted(|to| self.iter().for_each(|item| item.facts(to)));
    }
}

/// One value.
#[doc(hidden)]
#[derive(Debug)]
pub struct One;

/// A list of what is `How` each.
#[doc(hidden)]
#[derive(Debug)]
pub struct Each<How>(How);

impl<T: Display> DisplayField<One> for T {
    fn facts<'s>(&'s self, to: &mut Facts<'_, 's>) {
        to.value(self.to_string());
    }
}

impl<K: Display, V: DisplayField<How>, How> DisplayField<Each<How>> for BTreeMap<K, V> {
    fn facts<'s>(&'s self, to: &mut Facts<'_, 's>) {
        for (key, value) in self {
            value.facts(&mut to.about(key.to_string()));
        }
    }
}

macro_rules! displayed_lists {
    ($([$($generics:tt)*] $list:ty;)*) => {$(
        impl<T: DisplayField<How>, How, $($generics)*> DisplayField<Each<How>> for $list {
            fn facts<'s>(&'s self, to: &mut Facts<'_, 's>) {
                for item in self.iter() {
                    item.facts(to);
                }
            }
        }
    )*};
}

displayed_lists! {
    [] [T];
    [const N: usize] [T; N];
    [] Vec<T>;
    [] VecDeque<T>;
    [] Option<T>;
    [] BTreeSet<T>;
}

impl<T: Manifest + ?Sized> NestedField for T {
    fn nested<'s>(&'s self, to: &mut Declaration<'s>) {
        to.within(self);
    }

    fn required_kinds(to: &mut Kinds) {
        to.add_of::<T>();
    }
}

macro_rules! nested_lists {
    ($([$($generics:tt)*] $list:ty;)*) => {$(
        impl<T: NestedField, $($generics)*> NestedField for $list {
            fn nested<'s>(&'s self, to: &mut Declaration<'s>) {
                for item in self.iter() {
                    item.nested(to);
                }
            }

            fn required_kinds(to: &mut Kinds) {
                T::required_kinds(to);
            }
        }
    )*};
}

nested_lists! {
    [] [T];
    [const N: usize] [T; N];
    [] Vec<T>;
    [] VecDeque<T>;
    [] Option<T>;
}

impl<K, V: NestedField> NestedField for BTreeMap<K, V> {
    fn nested<'s>(&'s self, to: &mut Declaration<'s>) {
        for item in self.values() {
            item.nested(to);
        }
    }

    fn required_kinds(to: &mut Kinds) {
        V::required_kinds(to);
    }
}

impl ClaimsField for Claim {
    fn claims<'s>(&'s self, to: &mut Declaration<'s>) {
        to.claim(&self.text, &self.children);
    }
}

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
        carriers!(@cow $trait, $method, $to);
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
    (@cow $trait:ident, $method:ident, $to:ty) => {
        impl<T: $trait + ToOwned + ?Sized> $trait for Cow<'_, T> {
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
    FactField, facts, &mut Facts<'_, 's>;
    ClaimsField, claims, &mut Declaration<'s>;
    ConflictsField, conflicts, &mut Declaration<'s>;
    DropsField, drops, &mut Declaration<'s>;
    ChildrenField, children, &mut Declaration<'s>;
}

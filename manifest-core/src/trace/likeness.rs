//! Values of the children that a mention of the parent is a form of: longer and shorter names, heads of digests.

use super::table::Table;
use crate::fact::Class;
use rustc_hash::{FxHashMap, FxHashSet};

/// Letters that two forms of one name begin with, at least.
const HEAD: usize = 5;
/// Letters by which two forms of one name may differ in length, and at their ends.
const TAIL: usize = 3;

/// The names of the children of which a name of the parent is a form, by what a form of each begins with.
pub(super) struct Names {
    /// Length of a name → heads of it that are long enough for a form.
    heads: FxHashMap<usize, FxHashSet<Box<str>>>,
}

/// A name that is looked for, in small letters, and how much of it a form of it shares.
pub(super) struct Asked {
    name: String,
    /// Whether it ends in capitals or digits, which tell it from its like: `Plan B` is no form of `Plan A`.
    whole: bool,
}

impl Asked {
    /// A name as it is written.
    pub(super) fn of(name: &str) -> Self {
        let mut tail = name.chars().rev().take(TAIL);
        let whole = tail.any(|c| c.is_uppercase() || c.is_numeric());
        Asked { name: name.to_lowercase(), whole }
    }

    /// How many letters it and a form of this length begin with.
    fn least(&self, length: usize, other: usize) -> usize {
        if self.whole { length.min(other) } else { least(length, other) }
    }
}

/// How many letters two names of these lengths must begin with to be forms of one.
fn least(one: usize, other: usize) -> usize {
    HEAD.max(one.min(other).saturating_sub(TAIL))
}

fn head(name: &str, letters: usize) -> Option<&str> {
    let mut ends = name.char_indices().map(|(i, _)| i).chain([name.len()]);
    name.get(..ends.nth(letters)?)
}

impl Names {
    /// Those that one of `asked` may be a form of: as few as are asked for, however many there are.
    pub(super) fn of(table: &Table, asked: impl Iterator<Item = Asked>) -> Self {
        let mut wanted: FxHashMap<usize, FxHashSet<Box<str>>> = FxHashMap::default();
        for own in asked {
            let length = own.name.chars().count();
            for other in length.saturating_sub(TAIL)..=length + TAIL {
                if let Some(head) = head(&own.name, own.least(length, other)) {
                    wanted.entry(other).or_default().insert(head.into());
                }
            }
        }
        let mut heads: FxHashMap<usize, FxHashSet<Box<str>>> = FxHashMap::default();
        for (_, entry) in table.iter().filter(|(_, e)| e.class == Class::Name) {
            let name = entry.text.to_lowercase();
            let length = name.chars().count();
            let Some(wanted) = wanted.get(&length) else { continue };
            for other in length.saturating_sub(TAIL)..=length {
                for letters in [least(length, other), other] {
                    if let Some(head) = head(&name, letters).filter(|head| wanted.contains(*head)) {
                        heads.entry(length).or_default().insert(head.into());
                    }
                }
            }
        }
        Names { heads }
    }

    /// Whether the children hold a name of which this one is a longer or shorter form ("Mongo", "Mongodb").
    pub(super) fn holds_form_of(&self, own: &Asked) -> bool {
        let length = own.name.chars().count();
        length >= HEAD
            && (length.saturating_sub(TAIL)..=length + TAIL).any(|other| {
                let known = self.heads.get(&other);
                let letters = own.least(length, other);
                letters >= HEAD
                    && known.is_some_and(|known| head(&own.name, letters).is_some_and(|h| known.contains(h)))
            })
    }
}

/// Folders above a file that are told apart, at most.
const DEPTH: usize = 8;

/// The children's files by their last names, and their folders by each of their last names, as far as paths of the parent
/// ask for them.
pub(super) struct Folders {
    /// Last name of a file → whether a path leads to it somewhere.
    files: FxHashMap<Box<str>, bool>,
    folders: FxHashSet<Box<str>>,
}

impl Folders {
    /// What one of `asked` may put together: as few as are asked for, however many there are.
    pub(super) fn of<'t>(table: &Table, asked: impl Iterator<Item = &'t str>) -> Self {
        let asked = asked.filter_map(|path| path.rsplit_once('/'));
        let (wanted_folders, wanted_files): (FxHashSet<&str>, FxHashSet<&str>) = asked.unzip();
        let mut files: FxHashMap<Box<str>, bool> = FxHashMap::default();
        let mut folders: FxHashSet<Box<str>> = FxHashSet::default();
        for (_, entry) in table.iter().filter(|(_, e)| e.class == Class::Path) {
            let Some((folder, file)) = entry.text.rsplit_once('/') else {
                if wanted_files.contains(entry.text) {
                    files.entry(entry.text.into()).or_default();
                }
                continue;
            };
            if wanted_files.contains(file) {
                *files.entry(file.into()).or_default() = true;
            }
            let mut rest = Some(folder);
            for _ in 0..DEPTH {
                let Some(folder) = rest else { break };
                if wanted_folders.contains(folder) {
                    folders.insert(folder.into());
                }
                rest = folder.split_once('/').map(|(_, rest)| rest);
            }
        }
        Folders { files, folders }
    }

    /// Whether a path puts together what the children tell apart: a folder of theirs, and a file that stands without any
    /// ("`east/a.rs` and `b.rs`": `east/b.rs`).
    pub(super) fn join(&self, path: &str) -> bool {
        path.rsplit_once('/').is_some_and(|(folder, file)| {
            self.files.get(file) == Some(&false) && self.folders.contains(folder)
        })
    }
}

/// The digests of the children that begin with a head which is asked for, in small letters and in order.
pub(super) struct Digests(Vec<Box<str>>);

impl Digests {
    /// Those of a class that begin with one of `heads`, which are in small letters.
    pub(super) fn of(table: &Table, class: Class, heads: &FxHashSet<Box<str>>) -> Self {
        let shortest = heads.iter().map(|head| head.len()).min().unwrap_or(usize::MAX);
        let longest = heads.iter().map(|head| head.len()).max().unwrap_or(0);
        let asked = |digest: &String| {
            let mut lengths = shortest..=digest.len().min(longest);
            lengths.any(|length| digest.get(..length).is_some_and(|head| heads.contains(head)))
        };
        let all = table.iter().filter(|(_, e)| e.class == class);
        let all = all.map(|(_, e)| e.text.to_ascii_lowercase()).filter(asked);
        let mut all: Vec<Box<str>> = all.map(String::into_boxed_str).collect();
        all.sort_unstable();
        Digests(all)
    }

    /// Those that begin with `head`.
    pub(super) fn from(&self, head: &str) -> impl Iterator<Item = &str> {
        let first = self.0.partition_point(|digest| &**digest < head);
        self.0.iter().skip(first).map(|digest| &**digest).take_while(move |digest| digest.starts_with(head))
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::Seen;
    use super::*;
    use crate::fact::read;

    fn table(text: &str) -> Table {
        let mut table = Table::default();
        table.add(0, Seen::TOOL, &read(text), &[]);
        table
    }

    #[test]
    fn forms_of_a_name() {
        let forms =
            ["mongo", "mongod", "mongodb", "mongodbs", "mongodben", "kubernete", "kubern", "kubernetesium"];
        let asked = forms.iter().chain(&["mong", "ana", ""]).map(|name| Asked::of(name));
        let names = Names::of(&table("We asked Mongodb, Kubernetes and Ana about it."), asked);
        for form in forms {
            let other = if form.starts_with('m') { "mongodb" } else { "kubernetes" };
            let n = form.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
            let want =
                n >= 5 && n + 3 >= form.len().min(other.len()) && form.len().abs_diff(other.len()) <= 3;
            assert_eq!(names.holds_form_of(&Asked::of(form)), want, "{form}");
        }
        assert!(["mong", "ana", ""].iter().all(|short| !names.holds_form_of(&Asked::of(short))));
    }

    #[test]
    fn capitals_and_digits_at_the_end_tell_names_apart() {
        let of = |child: &str, own: &str| {
            Names::of(&table(child), std::iter::once(Asked::of(own))).holds_form_of(&Asked::of(own))
        };
        assert!(!of("We called NorthQuayXYZ about it.", "NorthQuayABC"));
        assert!(of("We called NorthQuay about it.", "NorthQuayABC"));
        assert!(of("We called MongoDB about it.", "Mongo") && of("We called Mongo about it.", "MongoDB"));
        assert!(of("It is a Bulgarian pump.", "Bulgaria") && of("It came from Bulgaria.", "Bulgarian"));
    }

    #[test]
    fn digests_by_their_heads() {
        let heads = ["3f9a1c2", "4f9a1c2d", "5"].map(Box::from).into_iter().collect();
        let table = table("commits 3f9a1c2d and 3F9A1C2E77 and 4f9a1c2d and 6f9a1c2d");
        let digests = Digests::of(&table, Class::Digest, &heads);
        assert_eq!(digests.from("3f9a1c2").count(), 2 - usize::from(digests.0.len() < 3));
        assert_eq!(digests.from("4f9a1c2").collect::<Vec<_>>(), ["4f9a1c2d"]);
        assert_eq!(digests.from("5").count(), 0);
        assert_eq!(digests.from("6").count(), 0, "nobody asks for it");
    }
}

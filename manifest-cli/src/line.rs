//! One object of the batch interface, as it comes in.

use crate::shape::{Id, LineError, Map, Word, optional, whole};
use manifest_core::{Check, Child, Drop, Order, Previous, Role, StatedRecall};
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;

/// A child: a text, or an object with one.
#[derive(Debug)]
pub(crate) struct ChildIn {
    id: Option<String>,
    pub(crate) text: String,
    role: Option<Role>,
    at: Option<String>,
}

impl<'de> Deserialize<'de> for ChildIn {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct Either;
        #[derive(Deserialize)]
        struct Full {
            id: Option<Value>,
            text: String,
            role: Option<Word<Role>>,
            at: Option<String>,
        }
        impl<'de> Visitor<'de> for Either {
            type Value = ChildIn;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a child: a text, or an object with `text` (and perhaps `id`, `role`, `at`)")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<ChildIn, E> {
                self.visit_string(text.to_owned())
            }
            fn visit_string<E: de::Error>(self, text: String) -> Result<ChildIn, E> {
                Ok(ChildIn { id: None, text, role: None, at: None })
            }
            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<ChildIn, M::Error> {
                let full = Full::deserialize(de::value::MapAccessDeserializer::new(map))?;
                let id = full.id.map(|id| match id {
                    Value::String(id) => id,
                    other => other.to_string(),
                });
                Ok(ChildIn { id, text: full.text, role: full.role.map(|role| role.0), at: full.at })
            }
        }
        input.deserialize_any(Either)
    }
}

impl ChildIn {
    /// The child as the library takes it.
    pub(crate) fn child(&self) -> Child<'_> {
        let mut child = Child::new(self.text.as_str());
        if let Some(role) = self.role {
            child = child.with_role(role);
        }
        if let Some(id) = &self.id {
            child = child.with_id(id.as_str());
        }
        if let Some(at) = &self.at {
            child = child.with_time(Cow::Borrowed(at.as_str()));
        }
        child
    }
}

/// What is pinned: texts, or everything.
#[derive(Debug)]
pub(crate) enum Pinned {
    Texts(Vec<String>),
    All,
}

impl Default for Pinned {
    fn default() -> Self {
        Pinned::Texts(Vec::new())
    }
}

impl<'de> Deserialize<'de> for Pinned {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Pinned;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of texts, or \"all\"")
            }
            fn visit_str<E: de::Error>(self, word: &str) -> Result<Pinned, E> {
                if word == "all" {
                    Ok(Pinned::All)
                } else {
                    Err(E::invalid_value(de::Unexpected::Str(word), &self))
                }
            }
            fn visit_seq<S: de::SeqAccess<'de>>(self, texts: S) -> Result<Pinned, S::Error> {
                Vec::deserialize(de::value::SeqAccessDeserializer::new(texts)).map(Pinned::Texts)
            }
        }
        input.deserialize_any(Reader)
    }
}

#[derive(Debug, Deserialize)]
struct PreviousIn {
    children: Vec<ChildIn>,
    #[serde(default)]
    parent: String,
}

#[derive(Debug, Deserialize)]
struct RecallIn {
    hits: u64,
    asked: u64,
}

/// One object of `check`, `facts` or `ledger`.
#[derive(Debug, Deserialize)]
pub(crate) struct Object {
    #[serde(default)]
    pub(crate) id: Id,
    pub(crate) children: Vec<ChildIn>,
    pub(crate) parent: Option<String>,
    order: Option<Word<Order>>,
    budget_bytes: Option<usize>,
    #[serde(default, deserialize_with = "optional")]
    ledger: Vec<String>,
    pub(crate) ledger_bytes: Option<usize>,
    #[serde(default, deserialize_with = "optional")]
    mend: bool,
    #[serde(default, deserialize_with = "optional")]
    pinned: Pinned,
    #[serde(default, deserialize_with = "optional")]
    declared: Vec<String>,
    #[serde(default, deserialize_with = "optional")]
    drops: Vec<Map<Drop>>,
    previous: Option<Map<PreviousIn>>,
    #[serde(default, deserialize_with = "optional")]
    context: Vec<String>,
    recall: Option<Map<RecallIn>>,
    depth: Option<NonZeroU32>,
    #[serde(default, deserialize_with = "optional")]
    flatten: bool,
    #[serde(default, deserialize_with = "optional")]
    defer: bool,
}

impl Object {
    /// Reads one object. On an error the id comes along, where there is one.
    pub(crate) fn parse(line: &str) -> Result<Object, (Id, LineError)> {
        whole::<Map<Object>>(line).map(|object| object.0).map_err(|error| (Id::of_bad(line), error))
    }

    /// The children as the library takes them.
    pub(crate) fn children(&self) -> Vec<Child<'_>> {
        self.children.iter().map(ChildIn::child).collect()
    }

    /// Runs a check over this object.
    pub(crate) fn check(&self, policy: &manifest_core::Policy) -> Result<manifest_core::Report, LineError> {
        let children = self.children();
        let parent = self.parent.as_deref().ok_or_else(|| {
            LineError::new(
                "input.invalid",
                "the key `parent` is missing: the summary's text (\"\" if it is empty)",
            )
        })?;
        let previous = self.previous.as_ref().map(|Map(p)| Previous {
            children: p.children.iter().map(|c| c.text.clone()).collect(),
            parent: p.parent.clone(),
        });
        let drops: Vec<Drop> = self.drops.iter().map(|Map(drop)| drop.clone()).collect();
        let mut check = Check::new(&children, parent)
            .ledger(self.ledger.iter().map(String::as_str))
            .mend(self.mend)
            .declared(self.declared.iter().map(String::as_str))
            .drops(&drops)
            .context(self.context.iter().map(String::as_str))
            .flatten(self.flatten)
            .defer(self.defer);
        if let Some(Word(order)) = self.order {
            check = check.order(order);
        }
        if let Some(bytes) = self.budget_bytes {
            check = check.budget_bytes(bytes);
        }
        if let Some(bytes) = self.ledger_bytes {
            check = check.ledger_bytes(bytes);
        }
        if let Some(previous) = &previous {
            check = check.previous(previous);
        }
        check = match &self.pinned {
            Pinned::Texts(texts) => check.pinned(texts.iter().map(String::as_str)),
            Pinned::All => check.pin_all(true),
        };
        if let Some(Map(recall)) = &self.recall {
            let stated = StatedRecall::new(recall.hits, recall.asked)
                .map_err(|e| LineError::new("input.invalid", e.to_string()))?;
            check = check.recall(stated, self.depth.map_or(1, NonZeroU32::get));
        }
        Ok(check.run(policy))
    }
}

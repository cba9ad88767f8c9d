//! One object of the batch interface, as it comes in.

use manifest_core::{Check, Child, Drop, Order, Previous, Role, StatedRecall};
use serde::Deserialize;
use serde::de::{self, MapAccess, Visitor};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// A child: a text, or an object with one.
#[derive(Debug)]
pub(crate) struct ChildIn {
    id: Option<String>,
    pub(crate) text: String,
    role: Option<Role>,
    at: Option<String>,
}

impl<'de> Deserialize<'de> for ChildIn {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct Either;
        #[derive(Deserialize)]
        struct Full {
            id: Option<Value>,
            text: String,
            role: Option<Role>,
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
                Ok(ChildIn { id, text: full.text, role: full.role, at: full.at })
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
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
pub(crate) enum Pinned {
    #[default]
    Nothing,
    Texts(Vec<String>),
    Word(String),
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
    pub(crate) id: Value,
    pub(crate) children: Vec<ChildIn>,
    pub(crate) parent: Option<String>,
    order: Option<Order>,
    budget_bytes: Option<usize>,
    #[serde(default)]
    ledger: Vec<String>,
    pub(crate) ledger_bytes: Option<usize>,
    #[serde(default)]
    mend: bool,
    #[serde(default)]
    pinned: Pinned,
    #[serde(default)]
    declared: Vec<String>,
    #[serde(default)]
    drops: Vec<Drop>,
    previous: Option<PreviousIn>,
    #[serde(default)]
    context: Vec<String>,
    recall: Option<RecallIn>,
    depth: Option<u32>,
    #[serde(default)]
    flatten: bool,
    #[serde(default)]
    defer: bool,
}

/// Why one line has no answer.
#[derive(Debug, serde::Serialize)]
pub(crate) struct LineError {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl LineError {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        LineError { code, message: message.into() }
    }
}

impl Object {
    /// Reads one object. On an error the id comes along, where there is one.
    pub(crate) fn parse(line: &str) -> Result<Object, (Value, LineError)> {
        serde_json::from_str(line).map_err(|error| {
            let code = if error.is_data() { "input.invalid" } else { "json.invalid" };
            let id = serde_json::from_str::<Value>(line)
                .ok()
                .and_then(|v| v.get("id").cloned())
                .unwrap_or(Value::Null);
            (id, LineError::new(code, error.to_string()))
        })
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
                "missing field `parent`: the summary's text (\"\" if it is empty)",
            )
        })?;
        let previous = self.previous.as_ref().map(|p| Previous {
            children: p.children.iter().map(|c| c.text.clone()).collect(),
            parent: p.parent.clone(),
        });
        let mut check = Check::new(&children, parent)
            .ledger(self.ledger.iter().map(String::as_str))
            .mend(self.mend)
            .declared(self.declared.iter().map(String::as_str))
            .drops(&self.drops)
            .context(self.context.iter().map(String::as_str))
            .flatten(self.flatten)
            .defer(self.defer);
        if let Some(order) = self.order {
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
        match &self.pinned {
            Pinned::Nothing => {}
            Pinned::Texts(texts) => check = check.pinned(texts.iter().map(String::as_str)),
            Pinned::Word(word) if word == "all" => check = check.pin_all(true),
            Pinned::Word(word) => {
                return Err(LineError::new(
                    "input.invalid",
                    format!("pinned is `{word}`; expected a list of texts or \"all\""),
                ));
            }
        }
        if let Some(recall) = &self.recall {
            let stated = StatedRecall::new(recall.hits, recall.asked)
                .map_err(|e| LineError::new("input.invalid", e.to_string()))?;
            check = check.recall(stated, self.depth.unwrap_or(1));
        }
        Ok(check.run(policy))
    }
}

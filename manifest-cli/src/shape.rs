//! Shapes of JSON where a derived reader is too lenient or its errors too vague.

use serde::de::{
    self, DeserializeOwned, Deserializer, IgnoredAny, IntoDeserializer as _, MapAccess, Visitor,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::fmt;
use std::marker::PhantomData;

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

/// What names a line: any JSON, given back as it was written. Reading it as a number would round a large one.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Id(Box<RawValue>);

impl Default for Id {
    fn default() -> Self {
        Id(RawValue::NULL.to_owned())
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(input)?;
        if !raw.get().contains(['\n', '\r']) {
            return Ok(Id(raw));
        }
        // Between tokens only, as no text holds one unescaped; an answer is one line.
        RawValue::from_string(raw.get().replace(['\n', '\r'], " ")).map(Id).map_err(de::Error::custom)
    }
}

impl Id {
    /// The id of a line that cannot be read as a whole: as far as it is JSON.
    pub(crate) fn of_bad(line: &str) -> Id {
        struct Finder<'a>(&'a mut Id);
        impl<'de> Visitor<'de> for Finder<'_> {
            type Value = ();
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
                while let Some(key) = map.next_key::<String>()? {
                    if key == "id" {
                        *self.0 = map.next_value()?;
                        return Ok(());
                    }
                    map.next_value::<IgnoredAny>()?;
                }
                Ok(())
            }
        }
        let mut id = Id::default();
        // The fault is told already.
        let _ = serde_json::Deserializer::from_str(line).deserialize_map(Finder(&mut id));
        id
    }
}

/// An object, and no list of its values in order, which a derived reader accepts too.
#[derive(Debug)]
pub(crate) struct Map<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Map<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct Reader<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Reader<T> {
            type Value = T;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<T, M::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map))
            }
        }
        input.deserialize_map(Reader(PhantomData)).map(Map)
    }
}

/// One of several names. `serde_json` calls a number in the place of a name a fault of the JSON.
#[derive(Debug)]
pub(crate) struct Word<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct Reader<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Reader<T> {
            type Value = T;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<T, E> {
                T::deserialize(name.into_deserializer())
            }
        }
        input.deserialize_str(Reader(PhantomData)).map(Word)
    }
}

/// Reads an optional key: `null` is the same as no key.
pub(crate) fn optional<'de, T: Default + Deserialize<'de>, D: Deserializer<'de>>(
    input: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(input)?.unwrap_or_default())
}

/// Reads a text that is one JSON value; an error names the key it stands at.
pub(crate) fn whole<T: DeserializeOwned>(text: &str) -> Result<T, LineError> {
    let told = |path: Option<String>, error: &serde_json::Error| {
        let code = if error.is_data() { "input.invalid" } else { "json.invalid" };
        let message = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let what = crate::refusal::plainly(message.strip_suffix(&place).unwrap_or(&message));
        // The line of the input is told beside the error; within it, the column is enough.
        let message = match (error.column(), text.contains('\n')) {
            (0, _) => what,
            (column, false) => format!("{what}, at column {column}"),
            (column, true) => format!("{what}, at line {} column {column}", error.line()),
        };
        LineError::new(code, path.map_or_else(|| message.clone(), |path| format!("{path}: {message}")))
    };
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path();
        told(path.iter().next().is_some().then(|| path.to_string()), error.inner())
    })?;
    reader.end().map_err(|error| told(None, &error))?;
    Ok(value)
}

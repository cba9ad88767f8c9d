//! The format by another hand: a codec of others and the formulas alone. It reads and hashes what was written, and writes
//! what a later version may write.

#![allow(dead_code, reason = "each test takes what it needs")]

use ipld_core::ipld::Ipld;
use std::collections::BTreeMap;

/// A hash with the context of an object.
pub(crate) fn hash(object: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key(&format!("manifest 2026-11 v1 {object}"));
    for part in parts {
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

fn named(name: &str) -> Vec<u8> {
    let length = u16::try_from(name.len()).unwrap();
    [&length.to_be_bytes()[..], name.as_bytes()].concat()
}

/// The hash over some items, as RFC 9162 splits them.
fn tree(items: &[[u8; 32]]) -> [u8; 32] {
    match items {
        [] => hash("list-empty", &[]),
        [one] => *one,
        more => {
            let (left, right) = more.split_at(more.len().next_power_of_two() / 2);
            hash("list-inner", &[&[1], &tree(left), &tree(right)])
        }
    }
}

/// The root of a list of items of a kind.
pub(crate) fn list_root(kind: &str, items: &[Vec<u8>]) -> [u8; 32] {
    let hashed: Vec<[u8; 32]> =
        items.iter().map(|item| hash("list-leaf", &[&[0], &named(kind), item])).collect();
    hash("list-root", &[&(items.len() as u64).to_le_bytes(), &tree(&hashed)])
}

pub(crate) fn section_digest(name: &str, items: &[Vec<u8>]) -> [u8; 32] {
    hash("section", &[&named(name), &list_root(name, items)])
}

pub(crate) fn encode(item: &Ipld) -> Vec<u8> {
    serde_ipld_dagcbor::to_vec(item).unwrap()
}

pub(crate) fn decode(bytes: &[u8]) -> Ipld {
    serde_ipld_dagcbor::from_slice(bytes).unwrap()
}

pub(crate) type Fields = BTreeMap<String, Ipld>;

/// A manifest in parts.
#[derive(Clone, Debug)]
pub(crate) struct Foreign {
    pub(crate) top: Fields,
}

impl Foreign {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let Ipld::Map(top) = decode(bytes) else { panic!("no map") };
        Foreign { top }
    }

    pub(crate) fn body(&mut self) -> &mut Fields {
        let Some(Ipld::Map(body)) = self.top.get_mut("body") else { panic!("no body") };
        body
    }

    pub(crate) fn decision(&mut self) -> &mut Fields {
        let Some(Ipld::Map(decision)) = self.top.get_mut("decision") else { panic!("no decision") };
        decision
    }

    /// A section, made where there is none.
    pub(crate) fn section(&mut self, name: &str) -> &mut Vec<Ipld> {
        let sections = self.top.entry("sections".to_owned()).or_insert(Ipld::Map(Fields::new()));
        let Ipld::Map(sections) = sections else { panic!("no sections") };
        let section = sections.entry(name.to_owned()).or_insert(Ipld::List(Vec::new()));
        let Ipld::List(section) = section else { panic!("no list") };
        section
    }

    /// Hashes everything again, from the sections up, and writes it.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let mut listed = Fields::new();
        if let Some(Ipld::Map(sections)) = self.top.get("sections") {
            for (name, items) in sections {
                let Ipld::List(items) = items else { panic!("no list") };
                let items: Vec<Vec<u8>> = items.iter().map(encode).collect();
                listed.insert(name.clone(), Ipld::Bytes(section_digest(name, &items).to_vec()));
            }
        }
        if !listed.is_empty() {
            self.body().insert("s".to_owned(), Ipld::Map(listed));
        }
        let body = hash("body", &[&encode(&self.top["body"])]);
        if let Some(Ipld::List(evidence)) = self.top.get("evidence") {
            let items: Vec<Vec<u8>> = evidence.iter().map(encode).collect();
            let root = Ipld::Bytes(list_root("evidence", &items).to_vec());
            let decision = self.decision();
            decision.insert("body".to_owned(), Ipld::Bytes(body.to_vec()));
            decision.insert("evidence".to_owned(), root);
        }
        encode(&Ipld::Map(self.top))
    }
}

/// Body, decision, node: the ids of a manifest's bytes, by the formulas.
pub(crate) fn ids(bytes: &[u8]) -> ([u8; 32], Option<[u8; 32]>, [u8; 32]) {
    let parts = Foreign::of(bytes);
    let body = hash("body", &[&encode(&parts.top["body"])]);
    let decision = parts.top.get("decision").map(|decision| hash("decision", &[&encode(decision)]));
    let node = match &decision {
        Some(decision) => hash("node", &[&body, decision]),
        None => hash("node", &[&body]),
    };
    (body, decision, node)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

pub(crate) fn unhex(digits: &str) -> Vec<u8> {
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}

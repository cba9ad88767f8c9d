use manifest_core::{Audit, Gated, Node};

fn clone<T: Clone>() {}
fn default<T: Default>() {}
fn deserialize<T: serde::de::DeserializeOwned>() {}

fn main() {
    clone::<Node<String, Gated>>();
    default::<Node<String, Gated>>();
    deserialize::<Node<String, Gated>>();
    clone::<Gated>();
    default::<Gated>();
    clone::<Audit>();
    default::<Audit>();
    deserialize::<Audit>();
}

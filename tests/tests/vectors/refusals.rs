//! Bytes that are no manifest.

use super::foreign::{self, Fields, Foreign};
use super::write::{Writer, int, string};
use ipld_core::ipld::Ipld;
use manifest_core::NodeManifest;

pub(super) fn refusals(writer: &mut Writer, leaf: &NodeManifest, node: &NodeManifest) {
    // Bytes that are not the one writing of anything: on their own, and inside a section that no version knows.
    let nested = |n: usize| [vec![0x81; n], vec![0x00]].concat();
    for (name, item) in [
        ("nothing", vec![]),
        ("a number in more bytes than it needs", vec![0x18, 0x17]),
        ("a number of two bytes for one", vec![0x19, 0x00, 0xff]),
        ("a number of four bytes for two", vec![0x1a, 0x00, 0x00, 0xff, 0xff]),
        ("a number of eight bytes for four", vec![0x1b, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]),
        ("a length in more bytes than it needs", vec![0x78, 0x01, b'a']),
        ("a list without its length", vec![0x9f, 0xff]),
        ("a map without its length", vec![0xbf, 0xff]),
        ("a text without its length", vec![0x7f, 0x61, b'a', 0xff]),
        ("a half float", vec![0xf9, 0x3c, 0x00]),
        ("a float", vec![0xfb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0]),
        ("null", vec![0xf6]),
        ("undefined", vec![0xf7]),
        ("a simple value", vec![0xe0]),
        ("a tag", vec![0xc0, 0x60]),
        ("a link", vec![0xd8, 0x2a, 0x41, 0x00]),
        ("a reserved head", vec![0x1c]),
        ("keys in another order", vec![0xa2, 0x61, b'b', 0x00, 0x61, b'a', 0x00]),
        ("a longer key first", vec![0xa2, 0x62, b'a', b'a', 0x00, 0x61, b'b', 0x00]),
        ("a key twice", vec![0xa2, 0x61, b'a', 0x00, 0x61, b'a', 0x01]),
        ("a key that is a number", vec![0xa1, 0x00, 0x00]),
        ("a key that is bytes", vec![0xa1, 0x41, b'a', 0x00]),
        ("a text that is not UTF-8", vec![0x61, 0xff]),
        ("half of a surrogate pair", vec![0x63, 0xed, 0xa0, 0x80]),
        ("a text that ends too soon", vec![0x62, b'a']),
        ("a list that ends too soon", vec![0x82, 0x00]),
        ("a list that claims more than memory", vec![0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        ("a map that claims more than memory", vec![0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        ("bytes that claim more than memory", vec![0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        ("something behind it", vec![0xa0, 0x00]),
        ("lists 65 deep", nested(65)),
    ] {
        writer.refused(name, "bytes", &item);
    }
    meanings(writer, leaf, node);
}

/// Canonical bytes that say something else than a manifest does.
fn meanings(writer: &mut Writer, leaf: &NodeManifest, node: &NodeManifest) {
    let nested = |n: usize| [vec![0x81; n], vec![0x00]].concat();
    writer.refused("a number, not a map", "meaning", &[0x00]);
    writer.refused("lists 64 deep", "meaning", &nested(64));
    writer.refused("an empty map", "meaning", &[0xa0]);
    let mut change = |name: &str, of: &NodeManifest, rehash: bool, change: &dyn Fn(&mut Foreign)| {
        let mut foreign = Foreign::of(of.bytes());
        change(&mut foreign);
        let bytes = if rehash { foreign.finish() } else { foreign::encode(&Ipld::Map(foreign.top)) };
        writer.refused(name, "meaning", &bytes);
    };
    let set = |key: &'static str, value: Ipld| {
        move |f: &mut Foreign| drop(f.body().insert(key.to_owned(), value.clone()))
    };
    change("the version after this one", leaf, true, &set("v", int(2)));
    change("no version", leaf, true, &|f| drop(f.body().remove("v")));
    change("another kind", leaf, true, &set("k", string("tree")));
    change("a leaf with a level", leaf, true, &set("level", int(1)));
    change("a leaf without an origin", leaf, true, &|f| drop(f.body().remove("from")));
    change("a node without a level", node, true, &|f| drop(f.body().remove("level")));
    change(
        "a critical section that is not there",
        leaf,
        true,
        &set("crit", Ipld::List(vec![string("x.future")])),
    );
    change("a key beside body and sections", leaf, true, &|f| drop(f.top.insert("note".to_owned(), int(1))));
    change("a changed item", leaf, false, &|f| {
        f.section("facts")[0] = Ipld::List(vec![int(2), string("shard-12"), int(0)]);
    });
    change("an item left out", leaf, false, &|f| drop(f.section("facts").pop()));
    change("two items in another order", leaf, false, &|f| f.section("facts").swap(0, 1));
    change("a section that the body does not list", leaf, false, &|f| f.section("x.more").push(int(1)));
    change("a section left out", node, false, &|f| {
        let Some(Ipld::Map(sections)) = f.top.get_mut("sections") else { panic!() };
        sections.remove("drops");
    });
    change("a section under another name", node, false, &|f| {
        let Some(Ipld::Map(sections)) = f.top.get_mut("sections") else { panic!() };
        let drops = sections.remove("drops").unwrap();
        sections.insert("drop2".to_owned(), drops);
    });
    change("a decision about another body", node, false, &set("at", string("2026-05-03T00:00:00Z")));
    change("changed evidence", node, false, &|f| {
        drop(f.top.insert("evidence".to_owned(), Ipld::List(vec![int(1)])));
    });
    change("no evidence", node, true, &|f| drop(f.top.insert("evidence".to_owned(), Ipld::List(vec![]))));
    change("evidence without a decision", node, false, &|f| drop(f.top.remove("decision")));
    change("a leaf with the sections of a node", leaf, true, &|f| {
        f.section("drops").push(Ipld::List(vec![string("observed")]));
    });
    change("a fact beyond its text", leaf, true, &|f| {
        f.section("facts").push(Ipld::List(vec![int(2), string("x"), int(100_000)]));
    });
    change("a fact at one place twice", leaf, true, &|f| {
        *f.section("facts") = vec![Ipld::List(vec![int(2), string("x"), int(0), int(0)])];
    });
    change("a fact of a class that is not there", leaf, true, &|f| {
        *f.section("facts") = vec![Ipld::List(vec![int(28), string("x"), int(0)])];
    });
    change("a known class by its name", leaf, true, &|f| {
        *f.section("facts") = vec![Ipld::List(vec![string("path"), string("x"), int(0)])];
    });
    change("a secret with its value", leaf, true, &|f| {
        let fields = Fields::from([("n".to_owned(), int(1))]);
        *f.section("facts") = vec![Ipld::List(vec![int(27), string("x"), int(0), Ipld::Map(fields)])];
    });
    change("facts that do not stand by their first place", leaf, true, &|f| f.section("facts").reverse());
    change("fewer fates than children", node, true, &|f| drop(f.section("fates").pop()));
}

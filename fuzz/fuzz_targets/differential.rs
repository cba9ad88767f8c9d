//! The check of bytes against a codec of others: both take the same bytes, but for the types that manifests do not have.
#![no_main]

use ipld_core::ipld::Ipld;
use libfuzzer_sys::fuzz_target;
use manifest_core::NodeManifest;

fn is_of_the_format(item: &Ipld, depth: usize) -> bool {
    match item {
        Ipld::Null | Ipld::Float(_) | Ipld::Link(_) => false,
        Ipld::List(items) => depth > 0 && items.iter().all(|item| is_of_the_format(item, depth - 1)),
        Ipld::Map(fields) => depth > 0 && fields.values().all(|item| is_of_the_format(item, depth - 1)),
        _ => true,
    }
}

fuzz_target!(|data: &[u8]| {
    let read: Result<Ipld, _> = serde_ipld_dagcbor::from_slice(data);
    let theirs = read.is_ok_and(|item| {
        is_of_the_format(&item, 64) && serde_ipld_dagcbor::to_vec(&item).is_ok_and(|bytes| bytes == data)
    });
    let ours = NodeManifest::parse(data).map_or_else(|error| !manifest_fuzz::is_of_bytes(&error), |_| true);
    assert_eq!(ours, theirs);
});

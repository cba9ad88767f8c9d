"""Reads every vector of tests/vectors with the example reader, and expects what the index says of it."""
import json
import sys
from pathlib import Path

root = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "examples"))
sys.dont_write_bytecode = True
from blake3 import blake3  # noqa: E402
from read_manifests import BytesError, Manifest, Refused, hash_of, prove, read_store  # noqa: E402


def refuses(what, row, kind, read):
    try:
        read()
    except (BytesError, Refused) as error:
        assert kind is None or isinstance(error, kind), f"{what}: {row['name']}: {error!r}"
        return
    raise AssertionError(f"{what} was not refused: {row['name']}")


folder = root / "tests" / "vectors"
index, digits = json.loads((folder / "vectors.json").read_text()), bytes.fromhex
for row in index["hashes"]:
    data = b"".join(map(digits, row["parts"]))
    found = blake3(data).digest() if row["object"] == "text" else hash_of(row["object"], data)
    assert found.hex() == row["digest"], row
manifests = {}
for row in index["manifests"]:
    manifest = Manifest((folder / row["file"]).read_bytes())
    assert (manifest.id.hex(), len(manifest.facts)) == (row["id"], row["facts"]), row
    assert manifest.body["text"].hex() == row["text_digest"], row
    manifests[manifest.id] = manifest
for manifest in manifests.values():
    manifest.account([manifests[child] for child in manifest.children])
for row in index["refused"]:
    kind = BytesError if row["layer"] == "bytes" else Refused
    refuses("a manifest", row, kind, lambda: Manifest(digits(row["hex"])))
for row in index["proofs"]:
    data = (folder / row["file"]).read_bytes()
    fact, stated, way = prove(data, digits(row["root"]))
    value = None if isinstance(fact.value, bytes) or fact.kind == "secret" else fact.value
    assert (fact.kind, value, way[0].hex()) == (row["class"], row["value"], row["stated_by"]), row
    assert stated["text"].hex() == row["text_digest"], row
    # No bit of a proof is free.
    for bit in range(8 * len(data)):
        other = bytearray(data)
        other[bit // 8] ^= 1 << bit % 8
        refuses("a proof", {"name": f"bit {bit}"}, None, lambda: prove(bytes(other), digits(row["root"])))
for row in index["proofs_refused"]:
    refuses("a proof", row, None, lambda: prove(digits(row["hex"]), digits(row["root"])))
heads = {name: (root.hex(), count, gone) for name, root, count, gone in read_store(folder / index["store"]["folder"])}
assert heads == {row["name"]: (row["root"], row["manifests"], row["reclaimed"]) for row in index["store"]["heads"]}, heads
count = sum(len(index[name]) for name in ("hashes", "manifests", "refused", "proofs", "proofs_refused"))
print(f"python: {count} vectors and a store, as their index says")

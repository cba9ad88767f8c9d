#!/usr/bin/env python3
"""Reads manifests of format 1 (docs/format.md) without any code of this project: the standard library, `blake3`, `cbor2`.

    read_manifests.py STORE [ROOT]      verify every head of a store, or what stands below one root
"""
import sys
from pathlib import Path

import cbor2
from blake3 import blake3

DEPTH, LONGEST_NAME, MOST_SECTIONS, MOST_STEPS = 64, 64, 256, 64
CLASSES = ("number symbol identifier path quantity time date instant name flag money command quote digest location url "
           "ticket error_code percentage version address env_var range email uuid relative_time payload secret").split()
OF_A_NODE = {"facts", "children", "ledger", "carried", "fates", "drops", "conflicts", "claims", "signals", "required", "recall"}


class BytesError(ValueError):
    """Bytes that are not the one writing of anything."""


class Refused(ValueError):
    """Sound bytes that do not say what they must."""


def need(condition, what):
    if not condition:
        raise Refused(what)


def refusing(read):
    """What has not even the shape that is read is refused too."""
    def reading(*args):
        try:
            return read(*args)
        except (TypeError, KeyError, IndexError, AttributeError, ValueError, OverflowError) as error:
            raise error if isinstance(error, (BytesError, Refused)) else Refused(f"the shape: {error}") from None
    return reading


def is_count(n, least=0):
    return type(n) is int and n >= least


def check(data):
    """The strict check of the whole input: it is what a canonical writer writes of what it says. Gives what it says."""
    try:
        value = cbor2.loads(data)
        written = cbor2.dumps(value, canonical=True)
    except (cbor2.CBORError, ValueError, RecursionError, TypeError, OverflowError, MemoryError) as error:
        raise BytesError(str(error)) from None
    if written != data:
        raise BytesError("not the one writing: heads, lengths, the order of keys, or something behind it")
    todo = [(value, 0)]
    while todo:
        item, depth = todo.pop()
        if isinstance(item, (list, dict)):
            if depth == DEPTH:
                raise BytesError("too deep")
            todo += [(part, depth + 1) for part in (item if isinstance(item, list) else item.values())]
            if isinstance(item, dict) and not all(type(key) is str for key in item):
                raise BytesError("a key that is no text")
        elif type(item) not in (int, bytes, str, bool) or type(item) is int and not -1 << 64 <= item < 1 << 64:
            raise BytesError(f"a {type(item).__name__}, which manifests do not have")
    return value


def raw(value):  # the whole was checked, so that these are the bytes that stand there
    return cbor2.dumps(value, canonical=True)


def hash_of(kind, *pieces):
    return blake3(b"".join(pieces), derive_key_context=f"manifest 2026-11 v1 {kind}").digest()


def named(name):
    return len(name.encode()).to_bytes(2, "big") + name.encode()


def item_hash(kind, item):
    return hash_of("list-leaf", b"\0", named(kind), raw(item))


def tree(hashes):
    if len(hashes) < 2:
        return hashes[0] if hashes else hash_of("list-empty")
    split = 1 << ((len(hashes) - 1).bit_length() - 1)
    return hash_of("list-inner", b"\1", tree(hashes[:split]), tree(hashes[split:]))


def list_root(count, over):
    return hash_of("list-root", count.to_bytes(8, "little"), over)


def root_of(kind, items):
    return list_root(len(items), tree([item_hash(kind, item) for item in items]))


def section_digest(name, root):
    return hash_of("section", named(name), root)


def node_id(body, decision):
    return hash_of("node", hash_of("body", raw(body)), *([decision] if decision else []))


class Fact:
    def __init__(self, fields, limit):
        need(isinstance(fields, list) and len(fields) >= 3, "a fact")
        kind, value, *rest = fields
        need(is_count(kind) and kind < len(CLASSES) or isinstance(kind, str) and kind not in CLASSES, "a class")
        kind = CLASSES[kind] if is_count(kind) else kind
        more = rest.pop() if isinstance(rest[-1], dict) else {}
        need(more or {} not in fields, "no empty map")
        need(rest and all(map(is_count, rest)) and all(rest[1:]), "places in ascending order")
        need(more.get("m", True) is True, "`true`, or no key")
        text, length, secret = more.get("t"), more.get("n"), kind == "secret"
        if isinstance(value, bytes):
            need(not secret and len(value) == 32 and text is None and is_count(length), "a value by its id")
        elif secret:
            need(value == "" and text is None and is_count(length), "a secret without its value")
        else:
            need(isinstance(value, str) and length is None and text != value, "a value with its text")
            length = len((value if text is None else text).encode())
        self.kind, self.value, self.starts = kind, value, [sum(rest[:n + 1]) for n in range(len(rest))]
        self.text, self.bytes = (None if secret or isinstance(value, bytes) else text or value), length
        need(self.starts[-1] + length <= limit, "a fact within its text")

    def same(self, other):
        return self.kind != "secret" and (self.kind, self.value) == (other.kind, other.value)


def read_body(body):
    need(body["v"] == 1 and is_count(body["v"]), "version 1")
    need(body.get("k") in ("leaf", "node"), "`leaf` or `node`")
    need(isinstance(body.get("text"), bytes) and len(body["text"]) == 32 and is_count(body["bytes"]), "a text")
    leaf, listed = body["k"] == "leaf", body.get("s", {})
    need(leaf == ("from" in body) and leaf == ("level" not in body) and is_count(body.get("level", 1), 1), "`from` or `level`")
    need("s" not in body or 1 <= len(listed) <= MOST_SECTIONS and all(1 <= len(name.encode()) <= LONGEST_NAME and len(digest) == 32 for name, digest in listed.items()), "sections")
    need(all(name in listed for name in body.get("crit", [])), "a critical section that is there")
    return body


class Manifest:
    @refusing
    def __init__(self, data):
        top = check(data)
        need({"body"} <= set(top) <= {"body", "decision", "evidence", "sections"}, "nothing outside of the id")
        self.body, self.decision, evidence = read_body(top["body"]), top.get("decision"), top.get("evidence")
        listed, sections = self.body.get("s", {}), top.get("sections", {})
        need(set(sections) == set(listed) and (sections or "sections" not in top), "the sections that are listed")
        for name, items in sections.items():
            need(section_digest(name, root_of(name, items)) == listed[name], f"section {name}")
            need(items or name not in OF_A_NODE, "no empty section")
        need((self.decision is None) == (evidence is None), "decision and evidence")
        if self.decision is not None:
            need({"body", "verdict", "gate", "evidence", "policy"} <= set(self.decision), "a decision")
            need(evidence and self.decision["evidence"] == root_of("evidence", evidence), "evidence")
            need(self.decision["body"] == hash_of("body", raw(self.body)), "a decision about this body")
        self.leaf, self.level = self.body["k"] == "leaf", self.body.get("level", 0)
        self.id = node_id(self.body, self.decision and hash_of("decision", raw(self.decision)))
        need(not self.leaf or not self.decision and not (OF_A_NODE - {"facts"}) & set(sections), "a leaf alone")
        self.children, self.drops = sections.get("children", []), sections.get("drops", [])
        self.fates = [self.fates_of(item) for item in sections.get("fates", [])]
        need(self.leaf or self.children and len(self.children) == len(self.fates), "children with their fates")
        ledger = "\n".join(sections.get("ledger", [])).encode()
        own = [[Fact(item, limit) for item in sections.get(name, [])]
               for name, limit in (("facts", self.body["bytes"]), ("carried", len(ledger)))]
        firsts = [[fact.starts[0] for fact in facts] for facts in own]
        need(all(places == sorted(places) for places in firsts), "facts by their first place")
        self.facts, self.of_text = own[0] + own[1], len(own[0])

    @staticmethod
    def fates_of(item):
        """What became of each fact of a child: (list, where it lives on or why it ended) by its index."""
        stated, carried, merged, dropped = item
        out, count = [], 0
        for kind, numbers, size in (("stated", stated, 2), ("carried", carried, 2), ("merged", merged, 3)):
            fact = -1
            for n in range(0, len(numbers), size):
                fact += numbers[n] + 1
                out.append((fact, (kind, *numbers[n + 1:n + size])))
        for reason, *runs in dropped:
            fact = 0
            for gap, run in zip(runs[::2], runs[1::2], strict=True):
                count += run
                need(count < 1 << 24, "no more facts than any child has")
                out += [(fact + gap + n, ("dropped", reason)) for n in range(run)]
                fact += gap + run
        need(len(dict(out)) == len(out), "no fact twice")
        return dict(out)

    @refusing
    def account(self, below):
        """The rule that no re-hashing gets around: each fact of each child is accounted for exactly once."""
        need([child.id for child in below] == self.children, "the children that are listed")
        need(self.level == (max(child.level for child in below) + 1 if below else 0), "one level above its children")
        for place, (child, fates) in enumerate(zip(below, self.fates)):
            need(sorted(fates) == list(range(len(child.facts))), f"every fact of child {place}")
            for number, (kind, *of) in fates.items():
                fact = child.facts[number]
                if kind == "dropped":
                    need(of[0] < len(self.drops), "a reason that is there")
                elif kind == "merged":
                    before, earlier = of
                    need((before, earlier) < (place, number) and earlier < len(below[before].facts), "an earlier fact")
                    need(below[before].facts[earlier].same(fact) and self.fates[before][earlier][0] != "merged", "its equal")
                elif of[0]:
                    low, high = (0, self.of_text) if kind == "stated" else (self.of_text, len(self.facts))
                    need(low <= of[0] - 1 < high and self.facts[of[0] - 1].same(fact), "its equal in this node")


def climb(item, index, count, siblings):
    """The root of a list of `count` items in which one of this hash stands at `index`."""
    need(is_count(index) and is_count(count) and index < count, "a place in the list")
    last, siblings = count - 1, list(siblings)
    while last:
        if index % 2 or index < last:
            need(siblings, "as many siblings as the place has")
            other = siblings.pop(0)
            item = hash_of("list-inner", b"\1", *((other, item) if index % 2 else (item, other)))
        index, last = index // 2, last // 2
    need(not siblings, "no more siblings than the place has")
    return list_root(count, item)


@refusing
def prove(data, pinned):
    """Checks an inclusion proof against a pinned root. Gives the fact, the body that states it, and the ids on the way."""
    proof = check(data)
    need(set(proof) == {"in", "item", "proof", "steps"} and proof["proof"] == 1 and is_count(proof["proof"]), "version 1 of a proof")
    section, item, steps = proof["in"], proof["item"], proof["steps"]
    need(section in ("facts", "carried") and 1 <= len(steps) <= MOST_STEPS, "a section of facts, and steps")
    way, stated, level = [], None, -1
    for (index, count, *siblings), body, *decision in steps:
        need(read_body(body) and len(decision) <= 1 and body.get("level", 0) > level, "a step above the one before it")
        need(body["k"] == "node" or not way and not decision and section == "facts", "a leaf alone, and first")
        level, stated = body.get("level", 0), stated or body
        found = section_digest(section, climb(item_hash(section, item), index, count, siblings))
        need(found == body.get("s", {}).get(section), f"an item of the section {section}")
        way.append(node_id(body, decision[0] if decision else None))
        section, item = "children", way[-1]
    need(way[-1] == pinned, "the pinned root")
    return Fact(proof["item"], stated["bytes"] if proof["in"] == "facts" else 1 << 32), stated, way


def history(folder):
    """The generations of a ref, each the hash of the one before it."""
    parent, out = bytes(32), []
    for number, file in enumerate(sorted(f for f in folder.iterdir() if f.name != "hint"), 1):
        data = file.read_bytes()
        need(data[:5] == b"mref\1" and file.name == f"{number:020}" and data[6:14] == number.to_bytes(8, "little"), "a generation")
        need(data[14:46] == parent, "a generation after the one before it")
        name, message = int.from_bytes(data[102:104], "little"), 104 + int.from_bytes(data[102:104], "little")
        need(str(folder).endswith("/refs/" + data[104:104 + name].decode()), "the name of its ref")
        parent = blake3(data).digest()
        out.append((data[5], data[46:78], data[message + 2:].decode()))
    return out


def read_store(store, root=None):
    need((store / "store-version").read_bytes() == b"manifest store 1\n", "a store of version 1")
    blob = lambda space, digest: store / space / digest.hex()[:2] / digest.hex()[2:]
    folders = sorted({f.parent for f in (store / "refs").rglob("0000000000*") if "memo" not in f.relative_to(store / "refs").parts[:1]})
    heads, reclaimed = {}, set()
    for folder in folders:
        entries = history(folder)
        heads[str(folder.relative_to(store / "refs"))] = entries[-1][1]
        for record in (entry[2] for entry in entries if entry[0] == 2):
            digest = bytes.fromhex(record.removeprefix("reclaimed, record "))
            data = blob("text", digest).read_bytes()
            need(blake3(data).digest() == digest, "the record of a sweep")
            reclaimed |= {bytes.fromhex(line.split()[2]) for line in data.decode().splitlines() if line.startswith("leaf ")}
    for name, target in heads.items() if root is None else [("root", root)]:
        found, todo, gone = {}, [target], 0
        while todo:
            id = todo.pop()
            if id not in found:
                found[id] = Manifest(blob("node", id).read_bytes())
                need(found[id].id == id, f"the node {id.hex()}")
                todo += found[id].children
        for manifest in found.values():
            manifest.account([found[child] for child in manifest.children])
            digest, file = manifest.body["text"], blob("text", manifest.body["text"])
            need(file.exists() or manifest.leaf and digest in reclaimed, f"the text {digest.hex()}")
            gone += not file.exists()
            if not file.exists():
                continue
            text = file.read_bytes()
            need(blake3(text).digest() == digest and len(text) == manifest.body["bytes"], f"the text {digest.hex()}")
            for fact in manifest.facts[:manifest.of_text]:
                there = [text[at:at + fact.bytes].decode() for at in fact.starts]  # on character boundaries
                need(fact.text is None or set(there) == {fact.text}, f"{fact.text!r} at {fact.starts}")
        yield name, target, len(found), gone


if __name__ == "__main__":
    for name, root, count, gone in read_store(Path(sys.argv[1]).resolve(), *map(bytes.fromhex, sys.argv[2:])) if sys.argv[1:] else sys.exit(__doc__):
        print(f"{name}: {root.hex()}, {count} manifests intact and accounted for, {gone} texts reclaimed")

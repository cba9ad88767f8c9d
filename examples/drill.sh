#!/bin/sh
# A recovery drill: the exact code, its leaf, its place, its digest and the nodes on its way, from the id of a root alone.
#
# usage: examples/drill.sh [MANIFEST]     the program; `manifest` by default. Needs python3.
#
# Two shards stopped with two codes that differ in one digit pair. Three trees are asked: one whose gate kept the code, the same one
# after its leaves were reclaimed, and one that was committed under --observe by a summary that merged both codes into "a related
# error". Exit status 0: every question was answered, byte for byte.
set -eu
manifest=${1:-manifest}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

say() { printf '\n%s\n' "$*"; }

cat > session.jsonl <<'SESSION'
{"role": "user", "content": "Import the missing entries of both shards and tell me what stops you."}
{"role": "assistant", "content": "Both imports run since 06:10 on node db-7. The archive holds 39 entries for them."}
{"role": "tool", "content": "error: shard-06 aborted by applier: LDG-4417 apply gap at fork segment; 17 entries wait."}
{"role": "tool", "content": "error: shard-11 aborted by applier: LDG-4471 duplicate range after replay; 22 entries wait."}
{"role": "assistant", "content": "Both shards are held. The next window is on Friday at 06:30, and Dov has to be there."}
SESSION

# What an answer must say. The leaf is read from the session itself, and its digest where b3sum is installed.
cat > expect.py <<'PYTHON'
import json, shutil, subprocess, sys

answer, code, ends, kept = json.load(sys.stdin), sys.argv[1], sys.argv[2], sys.argv[3] == "kept"
number, leaf = next((n, line["content"]) for n, line in enumerate(map(json.loads, open("session.jsonl")), 1) if code in line["content"])
found = answer["answers"][0]["found"]
assert len(found) == 1, f"{len(found)} places for {code}"
found = found[0]
start, end = found["span"]
assert found["text"] == code, found
assert leaf.encode()[start:end].decode() == code, (found["span"], leaf)
assert found["source"] == f"line {number}, output", found["source"]
assert len(found["leaf"]) == 64 and len(found["text_digest"]) == 64, found
if shutil.which("b3sum"):
    digest = subprocess.run(["b3sum", "--no-names"], input=leaf.encode(), capture_output=True).stdout.decode().strip()
    assert digest == found["text_digest"], (digest, found["text_digest"])
assert (leaf in found["around"]) if kept else found["around"] is None, found["around"]
assert found["ends"] == ends, found
if ends == "root":
    assert found["path"][-1]["node"] == answer["root"] and found["path"][-1]["fate"] in ("stated", "carried"), found
else:
    assert found["path"][-1]["node"] == found["at"] and found["path"][-1]["fate"] == "dropped", found
    assert found["reason"], found
way = " -> ".join(f"level {hop['level']} {hop['node'][:12]} {hop['fate']}" for hop in found["path"])
print(f"  {found['text']}  leaf {found['leaf'][:12]} ({found['source']}) bytes {start}..{end}  digest {found['text_digest'][:12]}")
print(f"  {way}; ends at {'the root' if ends == 'root' else found['at'][:12] + ': ' + found['reason']}")
PYTHON

root_of() { python3 -c 'import json, sys; print(json.load(sys.stdin)["root"])'; }
ask() { # store root code ends kept|gone
  "$manifest" recover --store "$1" --root "$2" --json "$3" | python3 expect.py "$3" "$4" "$5"
}

say "1. A gated tree: the root answers, and the leaf speaks for itself"
root=$("$manifest" run session.jsonl --store gated --group-bytes 200 --json | root_of)
echo "  root $root"
ask gated "$root" LDG-4471 root kept
ask gated "$root" LDG-4417 root kept

# The summary of the third line is that line, so that its bytes are needed as a node's text and stay.
say "2. The same root after its leaves were reclaimed: the code, its place and its digest are still there"
"$manifest" gc --store gated --grace 0 > swept.txt
sed 's/^/  /' swept.txt
ask gated "$root" LDG-4471 root gone
ask gated "$root" LDG-4417 root kept
"$manifest" verify --store gated --root "$root" > verified.txt
sed 's/^/  /' verified.txt

say "3. A gate that only observed: the summary lost both codes, and the tree says at which node"
root=$("$manifest" run session.jsonl --store observed --observe --json \
  --summarizer cmd "echo 'Both shards stopped with a related error, and the importer is held until Friday.'" | root_of)
echo "  root $root"
ask observed "$root" LDG-4471 dropped kept
ask observed "$root" LDG-4417 dropped kept
if "$manifest" gc --store observed --grace 0 > refused.txt; then
  echo "drill: leaves were reclaimed that the root does not answer for" >&2
  exit 1
fi
sed 's/^/  /' refused.txt

say "Every question was answered."

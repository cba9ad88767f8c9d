"""Validates what `manifest export` writes: check_exports.py PROGRAM STORE. Needs `in-toto-attestation`, `prov`, `jsonschema`."""
import base64
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import jsonschema
from google.protobuf import json_format
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement
from prov.model import ProvDocument, ProvDerivation, ProvEntity, ProvInvalidation

program, store = sys.argv[1:]
root = Path(__file__).resolve().parent.parent


def export(form):
    return subprocess.run([program, "export", "--as", form, "--store", store], check=True, capture_output=True).stdout


raw = export("in-toto").rstrip(b"\n")
document = json.loads(raw)
parsed = statement_pb2.Statement()
json_format.ParseDict(document, parsed)
Statement.copy_from_pb(parsed).validate()
schema = json.loads((root / "docs" / "summary-tree-1.schema.json").read_text())
validator = jsonschema.Draft202012Validator(schema)
validator.validate(document["predicate"])
# A schema that takes anything would show nothing.
assert not validator.is_valid({**document["predicate"], "root": "no digest"})
digest = document["subject"][0]["digest"]
text = Path(store) / "text" / digest["blake3"][:2] / digest["blake3"][2:]
assert hashlib.sha256(text.read_bytes()).hexdigest() == digest["sha256"]

envelope = json.loads(export("dsse"))
kind = envelope["payloadType"]
assert base64.b64decode(envelope["payload"], validate=True) == raw and envelope["signatures"] == []
assert export("dsse-pae") == b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(raw), raw)

written = export("prov").decode()
prov = ProvDocument.deserialize(content=written, format="json")
entities = {str(entity.identifier) for entity in prov.get_records(ProvEntity)}
for relation in prov.get_records(ProvDerivation):
    ends = {str(value) for name, value in relation.formal_attributes if str(name) in ("prov:generatedEntity", "prov:usedEntity")}
    assert len(ends) == 2 and ends <= entities, ends
leaves = [leaf["id"] for leaf in document["predicate"]["leaves"]]
assert {f"leaf:{leaf}" for leaf in leaves} <= entities
invalidated = {str(dict((str(n), v) for n, v in r.formal_attributes)["prov:entity"]) for r in prov.get_records(ProvInvalidation)}
assert invalidated <= {f"leaf:{leaf}" for leaf in leaves}
assert len(invalidated) == document["predicate"]["verification"]["reclaimed"]

summary = json.loads(export("agentcontext"))
for key in ("summary_id", "summary_kind", "content", "source_item_refs", "coverage", "loss_notes", "open_questions", "freshness",
            "validation", "refresh_policy"):
    assert key in summary, key
assert [source["source_id"] for source in summary["source_item_refs"]] == leaves
assert all({"schema_version", "source_id", "uri", "source_kind"} <= set(source) for source in summary["source_item_refs"])
print(f"exports of {store}: a statement over {len(leaves)} leaves, {len(entities)} PROV entities, {len(invalidated)} invalidated")

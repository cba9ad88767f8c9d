// Computes the id of every manifest of the vectors and of the frozen store, from the sections up.
// Needs the npm packages `@ipld/dag-cbor` and `@noble/hashes` beside it: node ids.mjs FOLDER
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { decode, encode } from "@ipld/dag-cbor";
import { blake3 } from "@noble/hashes/blake3.js";

const text = (string) => new TextEncoder().encode(string);
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const hash = (kind, ...parts) => blake3(Buffer.concat(parts), { context: text(`manifest 2026-11 v1 ${kind}`) });
const named = (name) => Buffer.concat([Uint8Array.of(text(name).length >> 8, text(name).length & 255), text(name)]);
const item = (kind, value) => hash("list-leaf", Uint8Array.of(0), named(kind), encode(value));

const tree = (hashes) => {
  if (hashes.length < 2) return hashes[0] ?? hash("list-empty");
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  return hash("list-inner", Uint8Array.of(1), tree(hashes.slice(0, split)), tree(hashes.slice(split)));
};
const root = (kind, values) => {
  const count = Buffer.alloc(8);
  count.writeBigUInt64LE(BigInt(values.length));
  return hash("list-root", count, tree(values.map((value) => item(kind, value))));
};
const section = (name, values) => hash("section", named(name), root(name, values));

const id = (bytes) => {
  const { body, decision, evidence, sections = {} } = decode(bytes);
  deepStrictEqual(Buffer.from(encode(decode(bytes))), Buffer.from(bytes), "one writing");
  deepStrictEqual(Object.keys(sections).sort(), Object.keys(body.s ?? {}).sort());
  for (const [name, values] of Object.entries(sections)) strictEqual(hex(section(name, values)), hex(body.s[name]), name);
  const bodyId = hash("body", encode(body));
  if (!decision) return hex(hash("node", bodyId));
  strictEqual(hex(decision.body), hex(bodyId));
  strictEqual(hex(decision.evidence), hex(root("evidence", evidence)));
  return hex(hash("node", bodyId, hash("decision", encode(decision))));
};

const folder = process.argv[2];
const { manifests, hashes } = JSON.parse(readFileSync(join(folder, "vectors.json")));
for (const { object, parts, digest } of hashes) {
  const bytes = Buffer.from(parts.join(""), "hex");
  strictEqual(hex(object === "text" ? blake3(bytes) : hash(object, bytes)), digest);
}
for (const row of manifests) strictEqual(id(readFileSync(join(folder, row.file))), row.id, row.file);
let nodes = 0;
for (const shard of readdirSync(join(folder, "store", "node"))) {
  for (const rest of readdirSync(join(folder, "store", "node", shard))) {
    const file = join(folder, "store", "node", shard, rest);
    ok(statSync(file).isFile());
    strictEqual(id(readFileSync(file)), shard + rest);
    nodes += 1;
  }
}
ok(manifests.length > 9 && nodes > 5);
console.log(`javascript: ${hashes.length} hashes and the ids of ${manifests.length + nodes} manifests, as their index and names say`);

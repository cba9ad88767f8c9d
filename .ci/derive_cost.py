#!/usr/bin/env python3
"""What the derive costs a build: 100 structs with `Manifest` against the same 100 with serde's `Serialize`.

    python3 .ci/derive_cost.py [ROUNDS]

Three crates of the same structs (no derive, `Serialize`, `Manifest`) are compiled in turn, ROUNDS times (5 by default), after
one round that builds their dependencies. Shown are the medians of the rounds, and the median of each round's ratio of what
the two derives add to the crate without one. Exits with 1 where `Manifest` adds more.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACE = ROOT / "target" / "derive-cost"
STRUCTS = 100
FIELDS = [
    ("narrative: String", "text"),
    ("error_codes: Vec<String>", 'fact, required, kind = "error_code"'),
    ("paths: Vec<std::path::PathBuf>", "fact"),
    ("retries: Option<u32>", 'fact, subject = "retries"'),
    ("owner: Option<String>", "fact"),
    ("model: String", "skip"),
]
CRATES = {"plain": "", "serialize": "#[derive(serde::Serialize)]", "manifest": "#[derive(manifest_core::Manifest)]"}


def write(name: str, derive: str) -> None:
    crate = PLACE / name
    (crate / "src").mkdir(parents=True, exist_ok=True)
    core = ROOT / "manifest-core"
    (crate / "Cargo.toml").write_text(
        f'[package]\nname = "cost-{name}"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n[dependencies]\n'
        f'serde = {{ version = "1", features = ["derive"] }}\nmanifest-core = {{ path = "{core}" }}\n'
    )
    lines = []
    for number in range(STRUCTS):
        attribute = "#[manifest(floor = 0.85)]\n" if name == "manifest" else ""
        lines.append(f"{derive}\n{attribute}pub struct Summary{number} {{")
        for field, words in FIELDS:
            lines.append(f"    #[manifest({words})]" if name == "manifest" else "")
            lines.append(f"    pub {field},")
        lines.append("}\n")
    (crate / "src" / "lib.rs").write_text("\n".join(lines))
    lock = ROOT / "Cargo.lock"
    (crate / "Cargo.lock").write_bytes(lock.read_bytes())


def build(name: str, verb: str) -> float:
    source = PLACE / name / "src" / "lib.rs"
    os.utime(source)
    variables = dict(os.environ, CARGO_INCREMENTAL="0", CARGO_TARGET_DIR=str(PLACE / "target"))
    command = ["cargo", verb, "--quiet", "--offline", "--manifest-path", str(PLACE / name / "Cargo.toml")]
    begun = time.perf_counter()
    subprocess.run(command, check=True, env=variables)
    return time.perf_counter() - begun


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for name, derive in CRATES.items():
        write(name, derive)
    dearer = False
    for verb in ("check", "build"):
        for name in CRATES:
            build(name, verb)
        times = [{name: build(name, verb) for name in CRATES} for _ in range(rounds)]
        middle = {name: statistics.median(t[name] for t in times) for name in CRATES}
        ratios = [(t["manifest"] - t["plain"]) / max(t["serialize"] - t["plain"], 1e-6) for t in times]
        ratio = statistics.median(ratios)
        whole = statistics.median(t["manifest"] / t["serialize"] for t in times)
        shown = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in middle.items())
        print(f"cargo {verb}, {STRUCTS} structs, {rounds} rounds: {shown}")
        print(f"  manifest / serialize: {ratio:.2f} of what the derives add, {whole:.2f} of the whole")
        dearer |= ratio >= 1
    return int(dearer)


if __name__ == "__main__":
    sys.exit(main())

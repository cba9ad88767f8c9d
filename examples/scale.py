#!/usr/bin/env python3
"""What a tree costs as it grows: time for each leaf, bytes on disk, the times and the memory of the questions.

    cargo build --release && python3 examples/scale.py [--leaves 10000] [--manifest target/release/manifest] [--keep]

A session of 100 leaves and one of `--leaves` (each about 1 KiB, from a fixed seed) become trees with fan-in 8, by the built-in summarizer,
in a folder of files on the disk of TMPDIR. Times are those of the processes as a user waits for them (CPU seconds beside them), memory is
the largest that the process held. Nothing is judged: the figures hang on the machine and on its disk.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FEW = 100
FAN_IN = 8
SUBJECTS = ["ingest worker", "ledger applier", "cache node", "lock server", "queue broker", "index builder", "mail relay"]
VERBS = ["restarted", "drained", "patched", "probed", "rebooted", "resized", "moved", "audited"]
CAUSES = ["because the lease had expired", "after the quota alarm", "while the backup ran", "as the runbook says"]


def leaf(number, dice):
    """Eight sentences with some three exact facts each, and in every fifth leaf an order."""
    said = []
    for _ in range(8):
        subject, place = dice.choice(SUBJECTS), dice.randrange(16**6)
        said.append(
            f"The {subject} on host-{dice.randrange(400)} was {dice.choice(VERBS)} at {dice.randrange(24):02}:{dice.randrange(60):02} "
            f"{dice.choice(CAUSES)}; the log says E_{dice.randrange(1000, 9999)} in /srv/{subject.split()[0]}/{place:06x}.log."
        )
    if number % 5 == 0:
        said.append(f"Do not delete shard-{number} until ticket OPS-{10_000 + number} is closed.")
    return " ".join(said)


def session(path, leaves):
    """Writes a session; answers the bytes that were said."""
    dice, sizes = random.Random(7), []
    with path.open("w", encoding="utf-8") as out:
        for number in range(leaves):
            text = leaf(number, dice)
            sizes.append(len(text))
            print(json.dumps({"role": "tool" if number % 3 else "assistant", "content": text}), file=out)
    return sum(sizes)


def call(args, ends=(0, 1)):
    """Runs the program: seconds waited, seconds of CPU, MiB at most, bytes printed. The system counts this script's own memory as held by
    what it starts, so that nothing large is read here."""
    with tempfile.TemporaryFile() as out:
        begun = time.monotonic()
        process = subprocess.Popen(args, stdout=out)
        _, status, used = os.wait4(process.pid, 0)
        waited = time.monotonic() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in ends:
            sys.exit(f"{' '.join(map(str, args))} ended with {process.returncode}")
        # Kilobytes everywhere but on macOS, which counts bytes.
        held = used.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
        return waited, used.ru_utime + used.ru_stime, held, out.seek(0, os.SEEK_END)


def ask(args):
    """What the program answers as JSON."""
    return json.loads(subprocess.run([*args, "--json"], stdout=subprocess.PIPE, check=True).stdout)


def bytes_of(folder):
    """Bytes of the files below, and of the blocks that they take."""
    files = blocks = 0
    for place, _, names in os.walk(folder):
        for name in names:
            file = os.stat(os.path.join(place, name))
            files, blocks = files + file.st_size, blocks + file.st_blocks * 512
    return files, blocks


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leaves", type=int, default=10_000, help="leaves of the larger tree")
    parser.add_argument("--manifest", default=ROOT / "target" / "release" / "manifest", help="the program")
    parser.add_argument("--keep", action="store_true", help="leave the stores where they are")
    args = parser.parse_args()
    if args.leaves <= FEW:
        parser.error(f"--leaves must be more than {FEW}")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="manifest-scale-"))
    try:
        measure(args, folder)
    finally:
        if args.keep:
            print(f"kept: {folder}")
        else:
            shutil.rmtree(folder)


def measure(args, folder):
    each = {}
    print(f"{'leaves':>8} {'text MB':>8} {'s':>8} {'CPU s':>8} {'ms a leaf':>10} {'CPU ms':>8} {'MiB held':>9}")
    for leaves in (FEW, args.leaves):
        file, store = folder / f"{leaves}.jsonl", folder / f"store-{leaves}"
        said = session(file, leaves)
        # Groups of eight leaves, by their bytes.
        group = FAN_IN * said // leaves + said // leaves // 2
        build = [args.manifest, "run", file, "--store", store, "--observe", "--json", "--fan-in", str(FAN_IN)]
        waited, cpu, held, _ = call(build + ["--group-bytes", str(group)])
        each[leaves] = (waited / leaves, cpu / leaves)
        print(
            f"{leaves:>8} {said / 1e6:>8.2f} {waited:>8.2f} {cpu:>8.2f} {1e3 * waited / leaves:>10.2f} {1e3 * cpu / leaves:>8.2f} {held:>9.0f}"
        )
    waited, cpu = (many / few for many, few in zip(each[args.leaves], each[FEW]))
    print(f"a leaf of {args.leaves} against one of {FEW}: {waited:.2f} of the time, {cpu:.2f} of the CPU\n")

    in_files, in_blocks = bytes_of(store)
    texts = bytes_of(store / "text")[0]
    print(f"on disk: {in_files / said:.2f} of the text in bytes of files, {in_blocks / said:.2f} in blocks of the disk")
    print(f"  texts of leaves and nodes {texts / said:.2f}, manifests {bytes_of(store / 'node')[0] / said:.2f}, heads and memos {bytes_of(store / 'refs')[0] / said:.3f}\n")

    lost = ask([args.manifest, "recover", "--store", store])["lost"]
    code = next(fact["text"] for fact in lost if fact["kind"] == "error_code")
    top = ask([args.manifest, "history", "--limit", "1", "--store", store])["generations"][0]["root"]
    sentence = ask([args.manifest, "show", top, "--store", store])["text"].split("\n")[0].split(";")[0]
    print(f"{'':<34} {'s':>8} {'CPU s':>8} {'MiB held':>9} {'MB printed':>11}")
    for name, words in [
        ("the same run again", ["run", file, "--observe", "--json", "--fan-in", str(FAN_IN), "--group-bytes", str(group)]),
        (f"trace of a lost code ({code})", ["trace", code]),
        ("trace of what nobody said", ["trace", "E_NOBODY_0"]),
        ("recover of a lost code", ["recover", code]),
        ("lost", ["lost"]),
        ("lost --json", ["lost", "--json"]),
        ("origin of a sentence of the root", ["origin", sentence]),
        ("verify, texts too", ["verify"]),
    ]:
        waited, cpu, held, printed = call([args.manifest, *words, "--store", store])
        print(f"{name:<34} {waited:>8.2f} {cpu:>8.2f} {held:>9.0f} {printed / 1e6:>11.2f}")


if __name__ == "__main__":
    main()

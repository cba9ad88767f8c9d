#!/usr/bin/env python3
"""Holds the README against what it shows.

usage: readme_output.py README.md OUTPUT [--write]   the block of the first command against what the command printed
       readme_output.py README.md --python FOLDER    runs the Python block with FOLDER first on the PATH
"""
import os
import re
import subprocess
import sys

FIRST = re.compile(r"^(```console\n\$ cargo run[^\n]*\n)(.*?)^```", re.M | re.S)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def output(readme_path: str, output_path: str, write: bool) -> int:
    readme, printed = (open(p, encoding="utf-8").read() for p in (readme_path, output_path))
    block = FIRST.search(readme)
    if not block:
        print("readme: no block that begins with the first command")
        return 1
    if write:
        with open(readme_path, "w", encoding="utf-8") as f:
            f.write(readme[: block.end(1)] + "\n".join(lines(printed)) + "\n" + readme[block.end(2) :])
        return 0
    shown, real = lines(block.group(2)), lines(printed)
    if shown == real:
        print(f"readme: {len(shown)} lines, as printed")
        return 0
    for a, b in zip(shown, real):
        if a != b:
            print(f"readme shows:   {a}\ncommand prints: {b}")
            break
    else:
        print(f"readme shows {len(shown)} lines, the command prints {len(real)}")
    print("readme: run .ci/readme_output.py README.md OUTPUT --write")
    return 1


def python(readme_path: str, folder: str) -> int:
    block = PYTHON.search(open(readme_path, encoding="utf-8").read())
    if not block:
        print("readme: no Python block")
        return 1
    env = dict(os.environ, PATH=os.path.abspath(folder) + os.pathsep + os.environ["PATH"])
    run = subprocess.run([sys.executable, "-c", block.group(1)], env=env, capture_output=True, text=True)
    print(run.stdout, run.stderr, sep="", end="")
    wanted = ("reject", "E_QUOTA_4417")
    return run.returncode or any(word not in run.stdout for word in wanted)


if __name__ == "__main__":
    if sys.argv[2:3] == ["--python"]:
        sys.exit(python(sys.argv[1], sys.argv[3]))
    sys.exit(output(sys.argv[1], sys.argv[2], "--write" in sys.argv))

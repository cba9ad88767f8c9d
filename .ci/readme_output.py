#!/usr/bin/env python3
"""Checks that what the README shows of its first command is what the command prints.

usage: readme_output.py README.md OUTPUT
"""
import re
import sys


def main() -> int:
    readme, output = (open(p, encoding="utf-8").read() for p in sys.argv[1:3])
    block = re.search(r"^```(?:console|text)?\n\$ cargo run[^\n]*\n(.*?)^```", readme, re.M | re.S)
    if not block:
        print("readme: no block that begins with the first command")
        return 1
    shown = [line.rstrip() for line in block.group(1).splitlines()]
    printed = [line.rstrip() for line in output.splitlines()]
    missing = [line for line in shown if line and line != "…" and line not in printed]
    for line in missing:
        print(f"readme: shows a line that the command does not print: {line!r}")
    if not missing:
        print(f"readme: {len(shown)} lines, all printed by the command")
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())

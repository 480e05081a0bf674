#!/usr/bin/env python3
"""Cost of watching: a plain test command against the same command under `jury test`.

Both are run alternately, in pairs whose order changes from pair to pair, so that a machine that
gets slower or faster meanwhile favours neither. Prints every pair and the median ratio.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("project", type=Path, help="a project that has been built once")
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--collect", default="always", choices=["always", "never"],
                        help="whether `jury test` finds out what tests use")
    parser.add_argument("--jury", type=Path, default=ROOT / "target/release/jury")
    parser.epilog = "The test command stands after `--`; without one it is `mvn -B -o test`."
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    chosen = parser.parse_args(words[:end])
    chosen.command = words[end + 1:] or ["mvn", "-B", "-o", "test"]
    if not chosen.jury.is_file():
        parser.error(f"found no `{chosen.jury}`; run `cargo build --release` or pass --jury")
    return chosen


def seconds(command, directory):
    """How long the command takes. One that fails measures nothing."""
    begin = time.perf_counter()
    ran = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    end = time.perf_counter()
    if ran.returncode != 0:
        sys.stdout.buffer.write(ran.stdout[-4000:])
        sys.exit(f"`{' '.join(map(str, command))}` ended with {ran.returncode}")
    return end - begin


def main():
    chosen = arguments()
    state = tempfile.mkdtemp(prefix="jury-bench-")
    watched = [chosen.jury.resolve(), "--state-dir", state, "test", "--all",
               "--collect", chosen.collect, "--", *chosen.command]
    commands = {"plain": chosen.command, "watched": watched}
    try:
        for command in commands.values():
            seconds(command, chosen.project)
        ratios = []
        print(f"{'pair':>4} {'plain s':>9} {'watched s':>9} {'ratio':>7}", flush=True)
        for pair in range(1, chosen.pairs + 1):
            order = ["plain", "watched"] if pair % 2 else ["watched", "plain"]
            took = {name: seconds(commands[name], chosen.project) for name in order}
            ratios.append(took["watched"] / took["plain"])
            print(f"{pair:>4} {took['plain']:>9.2f} {took['watched']:>9.2f} {ratios[-1]:>7.3f}",
                  flush=True)
        print(f"median ratio {statistics.median(ratios):.3f} "
              f"({min(ratios):.3f} to {max(ratios):.3f}, {chosen.pairs} pairs, "
              f"{os.cpu_count()} processors)")
    finally:
        shutil.rmtree(state, ignore_errors=True)


main()

#!/usr/bin/env python3
"""Cost of watching: a plain test command against the same command under `jury test`.

They run in turn, in an order that changes from round to round, so that a machine that gets slower or
faster meanwhile favours none. Prints every round, and the median ratio of wall and processor time.
"""

import argparse
import os
import resource
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
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--collect", default=["never", "always"], nargs="+",
                        choices=["never", "always"],
                        help="whether `jury test` finds out what tests use; both unless told")
    parser.add_argument("--cold", action="store_true", help="no run of each beforehand")
    parser.add_argument("--jury", type=Path, default=ROOT / "target/release/jury")
    parser.epilog = "The test command stands after `--`; without one it is `mvn -B -o test`."
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    chosen = parser.parse_args(words[:end])
    chosen.command = words[end + 1:] or ["mvn", "-B", "-o", "test"]
    if not chosen.jury.is_file():
        parser.error(f"found no `{chosen.jury}`; run `cargo build --release` or pass --jury")
    return chosen


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cost(command, directory):
    """Wall and processor time of the command. One that fails measures nothing."""
    wall, processor = time.perf_counter(), processor_seconds()
    ran = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    taken = time.perf_counter() - wall, processor_seconds() - processor
    if ran.returncode != 0:
        sys.stdout.buffer.write(ran.stdout[-4000:])
        sys.exit(f"`{' '.join(map(str, command))}` ended with {ran.returncode}")
    return taken


def main():
    chosen = arguments()
    state = tempfile.mkdtemp(prefix="jury-bench-")
    commands = {"plain": chosen.command}
    for collect in chosen.collect:
        commands[f"collect {collect}"] = [
            chosen.jury.resolve(), "--state-dir", Path(state) / collect, "test", "--all",
            "--collect", collect, "--", *chosen.command]
    watched = [name for name in commands if name != "plain"]
    try:
        if not chosen.cold:
            for command in commands.values():
                cost(command, chosen.project)
        ratios = {name: [] for name in watched}
        for round in range(1, chosen.rounds + 1):
            order = list(commands) if round % 2 else list(reversed(commands))
            took = {name: cost(commands[name], chosen.project) for name in order}
            line = f"round {round}: plain {took['plain'][0]:.1f} s"
            for name in watched:
                ratio = [mine / plain for mine, plain in zip(took[name], took["plain"])]
                ratios[name].append(ratio)
                line += f"; {name} {ratio[0]:.3f} wall, {ratio[1]:.3f} processor"
            print(line, flush=True)
        for name in watched:
            walls, processors = zip(*ratios[name])
            print(f"{name}: median ratio {statistics.median(walls):.3f} "
                  f"({min(walls):.3f} to {max(walls):.3f}) of wall time, "
                  f"{statistics.median(processors):.3f} of processor time; "
                  f"{chosen.rounds} rounds, {os.cpu_count()} processors")
    finally:
        shutil.rmtree(state, ignore_errors=True)


main()

#!/usr/bin/env python3
"""What a shared cache saves a second clone of a project.

Clones a project twice, to different directories. The first clone learns with an empty cache; then the
second one runs its tests plainly, and under `jury test` with what the first has published.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("project", type=Path, help="a git repository")
    parser.add_argument("--jury", type=Path, default=ROOT / "target/release/jury")
    parser.add_argument("--cache", help="an address; a temporary directory if none is given")
    parser.add_argument("command", nargs="*", default=["mvn", "-q", "-o", "test"])
    return parser.parse_args()


def run(command, directory):
    begin = time.perf_counter()
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.perf_counter() - begin, done.stdout


def main():
    chosen = arguments()
    place = Path(tempfile.mkdtemp(prefix="jury-sharing-"))
    try:
        first, second = place / "first", place / "elsewhere" / "second"
        for clone in (first, second):
            run(["git", "clone", "-q", chosen.project.resolve(), clone], place)
        cache = chosen.cache or f"file://{place / 'cache'}"
        jury = [chosen.jury.resolve(), "test", "--format", "json", "--cache", cache, "--",
                *chosen.command]
        learning, answer = run(jury, first)
        print(f"first clone: {learning:.1f} s, {json.loads(answer)['counts']['total']} tests")
        if not chosen.cache:
            files = [path for path in (place / "cache").rglob("*") if path.is_file()]
            size = sum(path.stat().st_size for path in files)
            print(f"cache: {len(files)} files, {size / 1e6:.1f} MB")
        plain, _ = run(chosen.command, second)
        shutil.rmtree(second / "target", ignore_errors=True)
        spared, answer = run(jury, second)
        answer = json.loads(answer)
        selection = answer["selection"]
        print(f"second clone: plain {plain:.1f} s, with the cache {spared:.1f} s "
              f"({spared / plain:.2f}); {len(selection['run'])} test classes ran, "
              f"{selection['left_out_classes']} were left out; "
              f"analysis {selection['analysis_millis']} ms; {answer['notices']}")
    finally:
        shutil.rmtree(place)


if __name__ == "__main__":
    main()

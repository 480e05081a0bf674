#!/usr/bin/env python3
"""What another tool selects over a history, for comparison with `bench/revisions.py`.

A clone of the project walks through the revisions, oldest first. At each one the command runs that has
the other tool select tests, and the names of the selected classes are read from what it prints. At the
first revision nothing is known, so everything must be selected: that is what shares are shares of.
"""

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("project", type=Path, help="a git clone whose libraries have been fetched")
    parser.add_argument("revisions", type=int, help="how many, not counting the first")
    parser.add_argument("--from", dest="tip", default="HEAD", help="the newest revision")
    parser.add_argument("--selected", required=True, metavar="REGEX",
                        help="finds the name of a selected class, its first group, in the output")
    parser.epilog = "The command stands after `--`."
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    chosen = parser.parse_args(words[:end])
    chosen.command = words[end + 1:]
    if not chosen.command:
        parser.error("no command")
    return chosen


def git(directory, *words):
    return subprocess.run(
        ["git", "-C", directory, *words], check=True, capture_output=True, text=True
    ).stdout


def main():
    chosen = arguments()
    with tempfile.TemporaryDirectory(prefix="jury-shares-") as place:
        clone = Path(place) / "clone"
        subprocess.run(["git", "clone", "-q", chosen.project, clone], check=True)
        revisions = git(clone, "log", "--first-parent", "--format=%H",
                        f"-{chosen.revisions + 1}", chosen.tip).split()[::-1]
        known, shares = set(), []
        for number, revision in enumerate(revisions):
            git(clone, "checkout", "-q", "--force", revision)
            begin = time.perf_counter()
            ran = subprocess.run(chosen.command, cwd=clone, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True)
            if ran.returncode != 0:
                sys.exit(f"{revision[:10]}: the command ended with {ran.returncode}\n{ran.stdout[-2000:]}")
            selected = set(re.findall(chosen.selected, ran.stdout, re.MULTILINE))
            known |= selected
            took = time.perf_counter() - begin
            print(f"{revision[:10]} {len(selected):4}/{len(known):<4} {took:6.1f} s", flush=True)
            if number:
                shares.append(len(selected) / max(len(known), 1))
    print(f"classes selected {statistics.mean(shares):.0%} (mean of {len(shares)}, first revision apart)")


if __name__ == "__main__":
    main()

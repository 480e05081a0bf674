"""What each option selects at merges of a real project: S1, Sk, S0 and evidence.

Takes the newest commits of a Maven project that touch Java sources and lets each two neighbours part
at the commit before them: one branch has the first, the other the second, and the merge has both. Where
git cannot pick or merge without help, the pair is left out. Every revision is compiled once, in one
warm JVM, and noted; tests are not run. Works in the clone it is given, which it spoils.

    python3 bench/merges.py --jury JURY --class-path FILE --merges 20 CLONE

FILE holds the libraries of the tests as a class path. Prints the answer of `jury history` as a table.
"""

import argparse
import json
import os
import shutil
import subprocess
from pathlib import Path

IDENTITY = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"]
# The same commits whenever they are made: what was noted before an interruption is found again.
DATE = "2026-01-01T00:00:00Z"


def git(clone, *arguments, check=True):
    done = subprocess.run(
        ["git", "-C", clone, *IDENTITY, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "GIT_COMMITTER_DATE": DATE, "GIT_AUTHOR_DATE": DATE},
    )
    if check and done.returncode != 0:
        raise SystemExit(f"git {arguments}: {done.stderr}")
    return done.stdout.strip() if done.returncode == 0 else None


class Notes:
    """Compiles and notes revisions, each tree once."""

    def __init__(self, clone, jury, class_path):
        self.clone, self.jury = clone, jury
        self.state = Path(clone) / ".jury"
        self.trees = {}
        compiler = Path(__file__).parent / "Compiler.java"
        self.javac = subprocess.Popen(
            ["java", compiler, clone, class_path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def add(self, commit):
        tree = git(self.clone, "rev-parse", f"{commit}:src")
        notes = self.state / "revisions"
        if (notes / commit).exists():
            self.trees.setdefault(tree, commit)
            return True
        if tree in self.trees:
            known = self.trees[tree]
            if known and known != commit:
                shutil.copy(notes / known, notes / commit)
            return known is not None
        git(self.clone, "checkout", "-q", "-f", "--detach", commit)
        self.javac.stdin.write("compile\n")
        self.javac.stdin.flush()
        compiled = self.javac.stdout.readline().strip() == "ok"
        if compiled:
            command = [self.jury, "-C", self.clone, "history", "--note"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        self.trees[tree] = commit if compiled else None
        print(commit[:10], "noted" if compiled else "does not compile", flush=True)
        return compiled


def diamond(clone, notes, base, one, other):
    """A merge of `one` and of `other` picked onto `base`; none if git needs help."""
    git(clone, "checkout", "-q", "-f", "--detach", base)
    if git(clone, "cherry-pick", "--allow-empty", other, check=False) is None:
        git(clone, "cherry-pick", "--abort", check=False)
        return None
    picked = git(clone, "rev-parse", "HEAD")
    git(clone, "checkout", "-q", "-f", "--detach", one)
    if git(clone, "merge", "-q", "--no-edit", "--no-ff", picked, check=False) is None:
        git(clone, "merge", "--abort", check=False)
        return None
    merge = git(clone, "rev-parse", "HEAD")
    return merge if all(notes.add(commit) for commit in (base, one, picked, merge)) else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("clone")
    parser.add_argument("--jury", required=True)
    parser.add_argument("--class-path", required=True)
    parser.add_argument("--merges", type=int, default=20)
    parser.add_argument("--tip", default="origin/HEAD", help="the newest revision")
    options = parser.parse_args()
    notes = Notes(options.clone, options.jury, Path(options.class_path).read_text().strip())
    tip = git(options.clone, "rev-parse", options.tip)
    sources = ["--", "src/main/java", "src/test/java"]
    log = git(options.clone, "log", "--no-merges", "--first-parent", "--format=%H", tip, *sources)
    line = log.split()
    made = []
    for one, other in zip(line[1:], line):
        if len(made) == options.merges:
            break
        merge = diamond(options.clone, notes, git(options.clone, "rev-parse", f"{one}^"), one, other)
        if merge:
            made.append(merge)
    notes.javac.stdin.close()

    print("| merge | " + " | ".join(["S1", "Sk", "S0", "evidence", "test classes", "S0 misses"]) + " |")
    print("|---|---|---|---|---|---|---|")
    sums = {}
    for merge in made:
        command = [options.jury, "-C", options.clone, "history", f"{merge}^!", "--format", "json"]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        event = answer["events"][0]
        figures = {one["option"]: one["selected"] for one in event["options"]}
        figures["tests"], figures["missed"] = event["tests"], len(event["missed_by_s0"])
        print(f"| {merge[:10]} | " + " | ".join(str(figure) for figure in figures.values()) + " |")
        for name, figure in figures.items():
            sums[name] = sums.get(name, 0) + (figure or 0)
    print("| all | " + " | ".join(str(figure) for figure in sums.values()) + " |")


if __name__ == "__main__":
    main()

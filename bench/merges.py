"""What each option selects at merges of a real project: S1, Sk, S0 and evidence.

Takes the newest commits of a Maven project that touch Java sources and lets each two neighbours part
at the commit before them: one branch has the first, the other the second, and the merge has both. Where
git cannot pick or merge without help, the pair is left out. Every revision is compiled once, in one
warm JVM, and noted; tests are not run. Works in the clone it is given, which it spoils.

    python3 bench/merges.py --jury JURY --class-path FILE --merges 20 CLONE

FILE holds the libraries of the tests as a class path, a JUnit Platform launcher among them. Prints the
answer of `jury history` as a table.

With `--check N`, runs at each merge the test classes that evidence leaves out and S1 selects, N of them
drawn by lot if there are more, in one JVM. One that is red there, and green at the revision that
evidence relies on, is an outcome that evidence has missed.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import tempfile
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

    def __init__(self, clone, jury, class_path, release):
        self.clone, self.jury = clone, jury
        self.state = Path(clone) / ".jury"
        self.trees = {}
        compiler = Path(__file__).parent / "Compiler.java"
        self.javac = subprocess.Popen(
            ["java", compiler, clone, class_path, release],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def compile(self, commit):
        git(self.clone, "checkout", "-q", "-f", "--detach", commit)
        self.javac.stdin.write("compile\n")
        self.javac.stdin.flush()
        return self.javac.stdout.readline().strip() == "ok"

    def reaches(self, commit):
        """What each test class leads to: behind magic and checksum, a map of texts to optional hashes."""
        note = (self.state / "revisions" / commit).read_bytes()
        place = 24

        def number():
            nonlocal place
            value = shift = 0
            while True:
                byte = note[place]
                place += 1
                value |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    return value

        def take(length):
            nonlocal place
            place += length
            return note[place - length:place]

        return {take(number()).decode(): take(16) if take(1) == b"\1" else None
                for _ in range(number())}

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
        compiled = self.compile(commit)
        if compiled:
            command = [self.jury, "-C", self.clone, "history", "--note"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        self.trees[tree] = commit if compiled else None
        print(commit[:10], "noted" if compiled else "does not compile", flush=True)
        return compiled


class Check:
    """Whether tests that evidence leaves out come out as before."""

    def __init__(self, notes, class_path, most):
        self.notes, self.class_path, self.most = notes, class_path, most

    def red(self, commit, classes):
        """How many tests there are, and which are red."""
        assert self.notes.compile(commit)
        parts = ["target/test-classes", "target/classes", "src/test/resources", "src/main/resources"]
        packages = ["lang", "lang.reflect", "util", "net", "time", "math", "text", "io", "nio.file"]
        opens = [f"--add-opens=java.base/java.{name}=ALL-UNNAMED" for name in packages]
        with tempfile.TemporaryDirectory() as place:
            outcomes = Path(place) / "outcomes"
            command = ["java", *opens, f"-Doutcomes={outcomes}", "-cp",
                       ":".join([*parts, self.class_path]), Path(__file__).parent / "Outcomes.java"]
            with open(Path(place) / "log", "w") as log:
                subprocess.run([*command, *classes], cwd=self.notes.clone, stdout=log, stderr=log,
                               stdin=subprocess.DEVNULL)
            tests, *red = outcomes.read_text().split()
        return int(tests), set(red)

    def __call__(self, merge, base):
        """Test classes left out, those run, tests in them, red ones, and of these the flaky ones and those that
        are green where evidence is from."""
        now, before = self.notes.reaches(merge), self.notes.reaches(base)
        parents = git(self.notes.clone, "rev-parse", f"{merge}^1", f"{merge}^2").split()
        known = {commit: self.notes.reaches(commit) for commit in parents}
        origin = {}
        for test, reach in now.items():
            if before.get(test) != reach:
                matching = [commit for commit in parents if known[commit].get(test) == reach]
                origin.update({test: commit for commit in matching[:1] if reach})
        left_out = sorted(origin)
        drawn = random.Random(merge).sample(left_out, min(self.most, len(left_out)))
        tests, red = self.red(merge, drawn) if drawn else (0, set())
        missed = set()
        for commit in parents:
            here = {one for one in red if origin.get(one.split("#")[0].split("$")[0]) == commit}
            classes = {one.split("#")[0].split("$")[0] for one in here}
            missed |= here - self.red(commit, sorted(classes))[1] if here else set()
        # What is green at the next try tells nothing about the merge.
        again = sorted({one.split("#")[0].split("$")[0] for one in missed})
        flaky = missed - self.red(merge, again)[1] if again else set()
        return len(left_out), len(drawn), tests, len(red), sorted(flaky), sorted(missed - flaky)


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
    parser.add_argument("--check", type=int, metavar="N", help="run what evidence alone leaves out")
    parser.add_argument("--release", default="8", help="of Java, for the compiler")
    parser.add_argument("--tip", default="origin/HEAD", help="the newest revision")
    options = parser.parse_args()
    class_path = Path(options.class_path).read_text().strip()
    notes = Notes(options.clone, options.jury, class_path, options.release)
    check = Check(notes, class_path, options.check)
    tip = git(options.clone, "rev-parse", options.tip)
    sources = ["--", "src/main/java", "src/test/java"]
    log = git(options.clone, "log", "--no-merges", "--first-parent", "--format=%H", tip, *sources)
    line = log.split()
    made = []
    for one, other in zip(line[1:], line):
        if len(made) == options.merges:
            break
        base = git(options.clone, "rev-parse", f"{one}^")
        merge = diamond(options.clone, notes, base, one, other)
        if merge:
            made.append(merge)
            if options.check:
                left_out, classes, tests, red, flaky, missed = check(merge, base)
                print(f"{merge[:10]}: evidence alone leaves {left_out} classes out; ran {classes} with "
                      f"{tests} tests, {red} red, flaky: {flaky}, missed: {missed}", flush=True)
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

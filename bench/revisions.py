#!/usr/bin/env python3
"""Selection over a history: plain test command against `jury test`, revision by revision.

Two clones of the project walk through the same revisions, oldest first. In one the plain command
runs, in the other the same command under `jury test`. For every test the outcome that Jury stands
for, run or carried over, is compared with the plain one: a difference is a miss. Prints the share of
test classes that ran, the ratio of end-to-end times and Jury's own phases.

With `--static`, class files alone are asked at each revision, too: `jury impact`, by types and by
methods, against the classes of the revision before. With E for the classes that ran and T for those
that class files select, |E - T| / |E + T| is missing and |T - E| / |E + T| is too much.

With `--answer`, a third clone takes the two passes of `--collect later` one by one, and the time of the
first, which is the answer, is set against the plain one, too. Stopped early, it sums up what it has.
"""

import argparse
import json
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("project", type=Path, help="a git clone whose libraries have been fetched")
    parser.add_argument("revisions", type=int, help="how many, not counting the first")
    parser.add_argument("--from", dest="tip", default="HEAD", help="the newest revision")
    parser.add_argument("--jury", type=Path, default=ROOT / "target/release/jury")
    parser.add_argument("--static", action="store_true", help="compare with `jury impact`, too")
    parser.add_argument("--answer", action="store_true", help="time an answer without collection, too")
    parser.add_argument("--keep", type=Path, help="work here, and keep it")
    parser.epilog = "The test command stands after `--`; without one it is `mvn -B -o test`."
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    chosen = parser.parse_args(words[:end])
    chosen.command = words[end + 1:] or ["mvn", "-B", "-o", "test"]
    return chosen


def git(directory, *words):
    return subprocess.run(
        ["git", "-C", directory, *words], check=True, capture_output=True, text=True
    ).stdout


def outcomes(directory):
    """Every test that the last build reported, with how it ended."""
    found = {}
    for report in directory.glob("**/target/surefire-reports/TEST-*.xml"):
        for case in ElementTree.parse(report).iter("testcase"):
            red = case.find("failure") is not None or case.find("error") is not None
            skipped = case.find("skipped") is not None
            name = (case.get("classname", "").split("$")[0], case.get("name"))
            ended = "red" if red else "skipped" if skipped else "passed"
            # Several cases of one name count as the worst of them.
            found[name] = max(found.get(name, ""), ended, key=["", "skipped", "passed", "red"].index)
    return found


def forget_reports(directory):
    for reports in directory.glob("**/target/surefire-reports"):
        shutil.rmtree(reports)


def timed(command, directory, **options):
    forget_reports(directory)
    begin = time.perf_counter()
    ran = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, **options)
    return time.perf_counter() - begin, ran


def compare(plain, known, left_out):
    """Tests for which Jury stands for another outcome than the plain run showed."""
    misses = []
    for (name, ended) in plain.items():
        if name[0] in left_out and known.get(name) != ended:
            misses.append((*name, ended, known.get(name)))
    return misses


class Answering:
    """`jury test` that collects nothing, with collection behind it, in a clone of its own."""

    def __init__(self, jury, clone, place, command):
        self.clone, self.ratios = clone, []
        jury = [jury, "--state-dir", place / "answer-state", "test"]
        self.answer = [*jury, "--collect", "never", "--", *command]
        self.collect = [*jury, "--collect-only", "--", *command]

    def take(self, plain, counts):
        took, _ = timed(self.answer, self.clone)
        timed(self.collect, self.clone)
        if counts:
            self.ratios.append(took / plain)
        print(f"  without collection {took:.1f} s, {took / plain:.2f}", flush=True)

    def report(self):
        print(f"without collection {statistics.mean(self.ratios):.2f} of plain")


class Statically:
    """What class files alone select from one revision to the next."""

    def __init__(self, jury, clone, place):
        self.jury, self.clone, self.place = jury, clone, place
        self.old, self.figures = place / "old-classes", {"types": [], "methods": []}

    def outputs(self):
        names = ("target/classes", "target/test-classes")
        return [path for name in names for path in sorted(self.clone.glob(f"**/{name}"))]

    def ask(self, ran, count):
        outputs = self.outputs()
        if self.old.exists():
            since = [word for path in sorted(self.old.iterdir()) for word in ("--since", path)]
            command = [self.jury, "--state-dir", self.place / "static", "impact", "--methods",
                       "--format", "json", *since, "--classes", *outputs]
            answer = json.loads(subprocess.run(command, cwd=self.clone, check=True,
                                               capture_output=True).stdout)
            for name, part in (("types", answer), ("methods", answer["methods"])):
                chosen = {test["name"] for test in part["tests"]}
                either = max(len(ran | chosen), 1)
                self.figures[name].append((len(chosen) / count, len(ran - chosen) / either,
                                           len(chosen - ran) / either))
                if ran - chosen:
                    print(f"  not by {name}:", *sorted(ran - chosen), flush=True)
            shutil.rmtree(self.old)
        for number, path in enumerate(outputs):
            shutil.copytree(path, self.old / str(number))

    def report(self):
        for name, figures in self.figures.items():
            share, missing, excess = (statistics.mean(column) for column in zip(*figures))
            print(f"by {name}: {share:.0%} selected, {missing:.1%} missing, {excess:.1%} too much")


def main():
    chosen = arguments()
    place = chosen.keep or Path(tempfile.mkdtemp(prefix="jury-revisions-"))
    place.mkdir(parents=True, exist_ok=True)
    names = ("plain", "jury", "answer") if chosen.answer else ("plain", "jury")
    clones = {name: place / name for name in names}
    for clone in clones.values():
        if not clone.exists():
            subprocess.run(["git", "clone", "-q", chosen.project, clone], check=True)
    revisions = git(clones["plain"], "log", "--first-parent", "--format=%H",
                    f"-{chosen.revisions + 1}", chosen.tip).split()[::-1]
    watched = [chosen.jury.resolve(), "--state-dir", place.resolve() / "state", "test",
               "--format", "json", "--", *chosen.command]
    known, ratios, shares, misses = {}, [], [], []
    statically = Statically(chosen.jury.resolve(), clones["jury"], place.resolve())
    answering = chosen.answer and Answering(chosen.jury.resolve(), clones["answer"],
                                            place.resolve(), chosen.command)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    print(f"{'revision':>10} {'plain s':>8} {'jury s':>7} {'ratio':>6} {'classes':>9} "
          f"{'analysis ms':>11} {'collection ms':>13}  build", flush=True)
    try:
        for number, revision in enumerate(revisions):
            for clone in clones.values():
                git(clone, "checkout", "-q", "--force", revision)
            took = {}
            for name in ("plain", "jury") if number % 2 else ("jury", "plain"):
                command = chosen.command if name == "plain" else watched
                took[name], ran = timed(command, clones[name])
                if name == "jury":
                    answer = json.loads(ran.stdout)
                else:
                    built = ran.returncode
            selection = answer["selection"]
            left_out = {unit["class"] for unit in selection["left_out"]}
            if not selection["build_started"]:
                left_out = {name for name, _ in known}
            ran_now = outcomes(clones["jury"])
            known.update(ran_now)
            plain = outcomes(clones["plain"])
            if not plain:
                sys.exit(f"{revision[:10]}: the plain command reports no tests (it ended with {built})")
            missed = compare(plain, known, left_out)
            unseen = {name for name, _ in plain} - {name for name, _ in ran_now} - left_out
            misses += missed + [(name, "not run", "", "") for name in unseen]
            ran_classes, all_classes = len(selection["run"]), len({name for name, _ in plain})
            ratio = took["jury"] / took["plain"]
            if number:
                ratios.append(ratio)
                shares.append(ran_classes / max(all_classes, 1))
            print(f"{revision[:10]:>10} {took['plain']:8.1f} {took['jury']:7.1f} {ratio:6.2f} "
                  f"{ran_classes:4}/{all_classes:<4} {selection['analysis_millis']:11} "
                  f"{selection['collection_millis']:13}  {built}/{answer['exit_code']}", flush=True)
            if answering:
                answering.take(took["plain"], counts=number > 0)
            if chosen.static:
                ran = {unit["class"] for unit in selection["run"]}
                statically.ask(ran, max(all_classes, 1))
            for miss in missed:
                print("  MISS", *miss, flush=True)
            for name in sorted(unseen):
                print("  NOT RUN", name, flush=True)
    except KeyboardInterrupt:
        print("stopped")
    if not ratios:
        sys.exit("nothing to sum up")
    print(f"classes selected {statistics.mean(shares):.0%}, end to end {statistics.mean(ratios):.2f} "
          f"of plain (mean of {len(ratios)}, first revision apart), {len(misses)} misses")
    if answering and answering.ratios:
        answering.report()
    if chosen.static:
        statically.report()
    if not chosen.keep:
        shutil.rmtree(place)
    sys.exit(1 if misses else 0)


if __name__ == "__main__":
    main()

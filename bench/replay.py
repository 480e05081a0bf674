#!/usr/bin/env python3
"""Warm replay of one test against a cold JVM process for it.

Warm is what one more execution costs in a worker: the difference between many rounds and one,
divided by the rounds between. Cold is a plain `java` with the class path of the recipe, no agent,
and a main class that runs the one test through the JUnit Platform.
"""

import argparse
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BENCH = Path(__file__).resolve().parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("project", type=Path)
    parser.add_argument("test", nargs="?", help="label of a test (default: the quickest one)")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=7, help="measurements of each kind")
    parser.add_argument("--jury", type=Path, default=BENCH.parent / "target/release/jury")
    chosen = parser.parse_args()
    if not chosen.jury.is_file():
        parser.error(f"found no `{chosen.jury}`; run `cargo build --release` or pass --jury")
    return chosen


def output_of(command, **options):
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if ran.returncode != 0:
        sys.stderr.buffer.write(ran.stdout[-2000:] + ran.stderr[-2000:])
        sys.exit(f"`{command[0]}` ended with {ran.returncode}")
    return ran.stdout


class Jury:
    def __init__(self, program, project, state):
        self.base = [str(program.resolve()), "-C", str(project), "--state-dir", state,
                     "--format", "json"]

    def __call__(self, *words):
        return json.loads(output_of([*self.base, *words]))


def choose(jury, label):
    known = jury("tests", *([label] if label else []))["tests"]
    fitting = [test for test in known
               if test["outcome"] == "passed" and test["id"].startswith("[engine:")]
    if not fitting:
        sys.exit("found no passing test of the JUnit Platform")
    return min(fitting, key=lambda test: test["micros"])


def warm_millis(jury, label, rounds):
    def wall(count):
        return jury("replay", label, "-j", "1", "--repeat", str(count))["wall_millis"]

    return (wall(rounds + 1) - wall(1)) / rounds


def recipe_of(state, test):
    database = sqlite3.connect(os.path.join(state, "evidence.db"))
    row = database.execute(
        "SELECT content FROM recipes JOIN tests ON tests.recipe = recipes.id"
        " WHERE tests.module = ? AND tests.test_id = ?", [test["module"], test["id"]]).fetchone()
    return json.loads(row[0])


def cold_command(recipe, test, classes):
    java = Path(recipe["java_home"], "bin")
    path = os.pathsep.join([*recipe["class_path"], classes])
    output_of([java / "javac", "-cp", path, "-d", classes, BENCH / "ColdRun.java"])
    return [java / "java", *recipe["jvm_flags"], "-cp", path, "ColdRun", test["id"]]


def cold_millis(command, recipe):
    begin = time.perf_counter()
    output_of(command, cwd=recipe["working_directory"])
    return (time.perf_counter() - begin) * 1000


def main():
    chosen = arguments()
    state = tempfile.mkdtemp(prefix="jury-bench-")
    classes = tempfile.mkdtemp(prefix="jury-bench-")
    try:
        jury = Jury(chosen.jury, chosen.project, state)
        jury("test")
        test = choose(jury, chosen.test)
        recipe = recipe_of(state, test)
        command = cold_command(recipe, test, classes)
        warm, cold = [], []
        for _ in range(chosen.repeat):
            warm.append(warm_millis(jury, test["label"], chosen.rounds))
            cold.append(cold_millis(command, recipe))
        warm, cold = statistics.median(warm), statistics.median(cold)
        print(f"{test['label']} on JDK {recipe['java_version']}")
        print(f"warm {warm:.2f} ms, cold {cold:.0f} ms, {cold / warm:.0f} times faster "
              f"(medians of {chosen.repeat}, {chosen.rounds} rounds each)")
    finally:
        shutil.rmtree(state, ignore_errors=True)
        shutil.rmtree(classes, ignore_errors=True)


main()

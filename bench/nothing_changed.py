#!/usr/bin/env python3
"""How long `jury test` takes to say that nothing has changed, in a large project.

Makes a project of 5,000 classes and 5,000 test classes with a test each, runs its tests once under
`jury test` by JUnit's console launcher, and measures further calls.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAUNCHER = "org/junit/platform/junit-platform-console-standalone"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--classes", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--jury", type=Path, default=ROOT / "target/release/jury")
    return parser.parse_args()


def console_launcher():
    jars = sorted((Path.home() / ".m2/repository" / LAUNCHER).glob("*/*.jar"))
    if not jars:
        sys.exit("found no console launcher; compile samples/console once to fetch it")
    return jars[-1]


def write(project, count):
    for number in range(count):
        package = f"p{number // 100}"
        main = project / "src/main/java" / package
        test = project / "src/test/java" / package
        for directory in (main, test):
            directory.mkdir(parents=True, exist_ok=True)
        (main / f"C{number}.java").write_text(
            f"package {package}; public class C{number} {{ "
            f"public static int twice(int x) {{ return 2 * x; }} }}")
        (test / f"C{number}Test.java").write_text(
            f"package {package}; class C{number}Test {{ @org.junit.jupiter.api.Test void doubles() {{ "
            f"org.junit.jupiter.api.Assertions.assertEquals(4, C{number}.twice(2)); }} }}")


def compile_all(project, launcher):
    for kind in ("main", "test"):
        sources = project / f"{kind}.txt"
        paths = sorted((project / "src" / kind).glob("**/*.java"))
        sources.write_text("\n".join(map(str, paths)))
        output = project / "out" / kind
        class_path = f"{launcher}:{project / 'out/main'}"
        subprocess.run(["javac", "-nowarn", "-d", output, "-cp", class_path, f"@{sources}"],
                       check=True)


def main():
    chosen = arguments()
    launcher = console_launcher()
    project = Path(tempfile.mkdtemp(prefix="jury-large-"))
    try:
        write(project, chosen.classes)
        compile_all(project, launcher)
        command = [
            chosen.jury.resolve(), "test", "--format", "json", "--", "java", "-cp",
            f"{launcher}:{project / 'out/main'}:{project / 'out/test'}",
            "org.junit.platform.console.ConsoleLauncher", "execute", "--details=none",
            f"--scan-class-path={project / 'out/test'}"]
        took = []
        for number in range(chosen.rounds + 1):
            begin = time.perf_counter()
            ran = subprocess.run(command, cwd=project, capture_output=True, text=True)
            elapsed = time.perf_counter() - begin
            answer = json.loads(ran.stdout)
            selection = answer["selection"]
            if number == 0:
                print(f"first run {elapsed:.1f} s, {answer['counts']['total']} tests, "
                      f"collection {selection['collection_millis']} ms", flush=True)
            elif selection["build_started"]:
                sys.exit("the tests were started again")
            else:
                took.append(elapsed)
        print(f"nothing changed: median {statistics.median(took) * 1000:.0f} ms, "
              f"slowest {max(took) * 1000:.0f} ms of {len(took)}")
    finally:
        shutil.rmtree(project)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compares the verdicts of `jury mutate --format json` with those of PIT's `mutations.xml`.

Mutants are the same if class, method, descriptor and operator are, and for single instructions the
line too; several on one line are paired in the order in which they stand. Prints how many both have,
how many have equal verdicts, and every one that differs.
"""

import argparse
import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict

PIT_VERDICTS = {"KILLED": "killed", "SURVIVED": "survived", "NO_COVERAGE": "not-covered",
                "TIMED_OUT": "timed-out", "MEMORY_ERROR": "out-of-memory", "RUN_ERROR": "crashed",
                "NON_VIABLE": "crashed"}
# Names that the two do not share.
OPERATORS = {"primitive_return_vals": "primitive_returns", "null_return_vals": "null_returns",
             "empty_object_return_vals": "empty_returns",
             "boolean_true_return_vals": "true_returns",
             "boolean_false_return_vals": "false_returns", "void_method_call": "void_calls",
             "invert_negs": "invert_negatives"}


def jury_mutants(path, engine):
    mutants = defaultdict(list)
    with open(path, encoding="utf-8") as file:
        methods = json.load(file)["methods"]
    for method in methods:
        for mutant in method["mutants" if engine == "extreme" else "classic"]:
            if mutant["verdict"] == "skipped":
                continue
            line = mutant["line"] if engine == "classic" else 0
            key = (method["class"], method["method"], method["descriptor"], mutant["operator"], line)
            mutants[key].append(mutant["verdict"])
    return mutants


def operator_of(mutator, engine):
    if engine == "extreme":
        return mutator
    name = re.sub(r"Mutator.*$", "", mutator.rsplit(".", 1)[-1])
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    return OPERATORS.get(name, name)


def pit_mutants(path, engine):
    mutants = defaultdict(list)
    found = ElementTree.parse(path).getroot().findall("mutation")
    found.sort(key=lambda one: int((one.findtext("index") or one.findtext(".//index")).split(",")[0]))
    for one in found:
        line = int(one.findtext("lineNumber")) if engine == "classic" else 0
        key = (one.findtext("mutatedClass"), one.findtext("mutatedMethod"),
               one.findtext("methodDescription"), operator_of(one.findtext("mutator"), engine), line)
        mutants[key].append(PIT_VERDICTS[one.get("status")])
    return mutants


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("jury", help="what `jury mutate --format json` wrote")
    parser.add_argument("pit", help="PIT's mutations.xml")
    parser.add_argument("--engine", choices=["extreme", "classic"], default="extreme")
    chosen = parser.parse_args()
    ours, theirs = jury_mutants(chosen.jury, chosen.engine), pit_mutants(chosen.pit, chosen.engine)
    pairs, only_ours, only_theirs = Counter(), Counter(), Counter()
    differing = []
    for key in sorted(set(ours) | set(theirs)):
        for verdicts in zip(ours[key], theirs[key]):
            pairs[verdicts] += 1
            if verdicts[0] != verdicts[1]:
                differing.append((key, verdicts))
        surplus = len(ours[key]) - len(theirs[key])
        if surplus > 0:
            only_ours[key[3]] += surplus
        elif surplus < 0:
            only_theirs[key[3]] -= surplus
    both, equal = sum(pairs.values()), sum(n for (a, b), n in pairs.items() if a == b)
    slow = sum(n for (a, b), n in pairs.items() if a != b and "timed-out" in (a, b))
    for key, verdicts in differing:
        print(f"{'.'.join(key[:2])}{key[2]} {key[3]}{f' line {key[4]}' if key[4] else ''}: "
              f"jury {verdicts[0]}, pit {verdicts[1]}")
    print(f"{both} mutants of both, {equal} with equal verdicts ({equal / max(both, 1):.2%}); "
          f"time-outs apart {equal / max(both - slow, 1):.2%}")
    for (mine, other), count in sorted(pairs.items()):
        print(f"  jury {mine:12} pit {other:12} {count}")
    print(f"only jury: {dict(only_ours)}\nonly pit: {dict(only_theirs)}")


main()

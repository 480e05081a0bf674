#!/usr/bin/env python3
"""Sums up answers of `jury explain`: symptoms, proven assertions, time for each mutant.

    jury explain --format json --output one.json
    jury explain --format json --output two.json
    bench/explain.py one.json [two.json]

Given two answers, it also says whether they agree in all but the time, and in what they do not.
"""

import collections
import json
import statistics
import sys


def differences(one, two):
    """Names of what differs, with in how many mutants; the time apart."""
    fields = collections.Counter()
    others = {explanation["mutant"]: explanation for explanation in two}
    for explanation in one:
        other = others.pop(explanation["mutant"], {})
        for name in explanation.keys() | other.keys():
            if name != "millis" and explanation.get(name) != other.get(name):
                fields[name] += 1
    fields["mutants"] += len(others)
    return +fields


def main():
    answers = []
    for path in sys.argv[1:3]:
        with open(path, encoding="utf-8") as file:
            answers.append(json.load(file))
    if not answers:
        sys.exit(__doc__)
    first = answers[0]
    reached = [e for e in first["explanations"] if e["symptom"] != "not-reached"]
    millis = [e["millis"] for e in reached]
    for symptom, count in first["counts"].items():
        print(f"{symptom:16} {count}")
    print(f"proven           {first['proven_assertions']} of {first['weak_oracles']}")
    if millis:
        print(f"median           {statistics.median(millis):.0f} ms for each mutant")
        print(f"in all           {first['explain_millis'] / len(millis):.0f} ms for each, with proofs")
    if len(answers) == 2:
        different = differences(first["explanations"], answers[1]["explanations"])
        listed = ", ".join(f"{name} in {count}" for name, count in different.most_common())
        print(f"equal runs       {listed or 'same'}")


main()

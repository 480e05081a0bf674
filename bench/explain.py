#!/usr/bin/env python3
"""Sums up answers of `jury explain`: symptoms, proven assertions, time for each mutant.

    jury explain --format json --output one.json
    jury explain --format json --output two.json
    bench/explain.py one.json [two.json]

Given two answers, it also says whether they agree in all but the time.
"""

import json
import statistics
import sys


def without_time(answer):
    kept = []
    for explanation in answer["explanations"]:
        explanation = dict(explanation)
        explanation.pop("millis")
        kept.append(explanation)
    return kept


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
        same = without_time(first) == without_time(answers[1])
        print(f"equal runs       {'same' if same else 'DIFFERENT'}")


main()

"""Fits how much each finding of the rules counts beside the judge's probabilities, on lines by writers the judge did not learn from.

    python3 tools/train-judge/fit_weights.py --findings FINDINGS --data DATA --scores SCORES [--development DEV.jsonl --judged DEV.npz] [--out WEIGHTS.ts]

FINDINGS holds SET.jsonl of bench/src/understanding/write-findings.ts for each training set in DATA, SCORES the NAME.npz of `train.py --leave-out`. The result is one
weight per finding: the score of an answer (or of "no answer") is the sum of its findings times their weights, and the probabilities are the softmax of the scores.
"""

import argparse
import glob
import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from build_pairs import index_of, read_sets
from measure import EXITS_MAX, read_findings

PROBABILITY_MIN = 0.001
# Pulls weights to 0, that of the judge to 1.
PULL = 3.0


def softmax(scores):
    scores = scores - scores.max(1, keepdims=True)
    values = np.exp(scores)
    return values / values.sum(1, keepdims=True)


def names_of(rows):
    names = {"judge"}
    for row in rows:
        for each in row["evidence"]["answers"]:
            names.update(each)
        names.update(f"none_{name}" for name in row["evidence"]["none"])
    return sorted(names - {"none_judge"})


def tensor_of(rows, probabilities, names):
    """[row, answer or none, finding]; answers that do not exist are marked apart."""
    place = {name: at for at, name in enumerate(names)}
    values = np.zeros((len(rows), EXITS_MAX + 1, len(names)))
    exists = np.zeros((len(rows), EXITS_MAX + 1), bool)
    for number, row in enumerate(rows):
        for at, each in enumerate(row["evidence"]["answers"]):
            exists[number, at] = True
            for name, value in each.items():
                if name in place:
                    values[number, at, place[name]] = value
            values[number, at, place["judge"]] = np.log(max(PROBABILITY_MIN, probabilities[number, at]))
        exists[number, EXITS_MAX] = True
        for name, value in row["evidence"]["none"].items():
            if f"none_{name}" in place:
                values[number, EXITS_MAX, place[f"none_{name}"]] = value
        values[number, EXITS_MAX, place["judge"]] = np.log(max(PROBABILITY_MIN, probabilities[number, EXITS_MAX]))
    return values, exists


def probabilities_of(values, exists, weights):
    return softmax(np.where(exists, values @ weights, -1e9))


def fit(values, exists, targets, names, steps=400):
    """Maximum likelihood with a pull towards "only the judge counts", by gradient descent with momentum."""
    start = np.array([1.0 if name == "judge" else 0.0 for name in names])
    weights, velocity, squares = start.copy(), np.zeros(len(names)), np.zeros(len(names))
    chosen = np.zeros(exists.shape)
    chosen[np.arange(len(targets)), targets] = 1
    for step in range(1, steps + 1):
        error = probabilities_of(values, exists, weights) - chosen
        slope = np.einsum("rk,rkf->f", error, values) / len(targets) + PULL * (weights - start) / len(targets)
        velocity = 0.9 * velocity + 0.1 * slope
        squares = 0.99 * squares + 0.01 * slope**2
        weights = weights - 0.05 * (velocity / (1 - 0.9**step)) / (np.sqrt(squares / (1 - 0.99**step)) + 1e-8)
    return weights


def targets_of(rows):
    return np.array([EXITS_MAX if row["right"][0] is None else row["right"][0] for row in rows])


def temperature_for(scores, targets):
    losses = {}
    for temperature in np.arange(0.6, 3.01, 0.05):
        losses[float(temperature)] = -np.log(softmax(scores / temperature)[np.arange(len(targets)), targets] + 1e-9).mean()
    return min(losses, key=losses.get)


def read_opinions(data, scores):
    """What networks think of the lines of writers they had not learned from, by set, question and words."""
    questions, lines = read_sets(data)
    opinions = {}
    for path in sorted(glob.glob(os.path.join(scores, "*.npz"))):
        saved = np.load(path)
        if "lines" not in saved.files:
            continue
        own = [lines[number] for number in saved["lines"]]
        values = saved["line_scores"].astype(np.float64)
        targets = np.array([target_of(questions[line["question"]], line) for line in own])
        for line, opinion in zip(own, softmax(values / temperature_for(values, targets))):
            opinions.setdefault((line["question"], line["say"]), opinion)
    return opinions


def target_of(question, line):
    try:
        index = index_of(question, line["expect"])
    except ValueError:
        index = None
    return EXITS_MAX if index is None else index


def read_training(findings, opinions):
    """The lines of all sets that were judged, and the judgements."""
    rows, judged = [], []
    for path in sorted(glob.glob(os.path.join(findings, "train-*.jsonl"))):
        name = os.path.basename(path)[: -len(".jsonl")]
        for row in read_findings(path):
            opinion = opinions.get((f"{name}:{row['id']}", row["said"]))
            if opinion is not None:
                rows.append(row)
                judged.append(opinion)
    return rows, np.array(judged)


def outcome(rows, probabilities, act, reserved=True):
    """Shares in percent of all lines when the likeliest answer is acted on from this probability."""
    best = probabilities[:, :EXITS_MAX].argmax(1)
    sure = probabilities[np.arange(len(rows)), best]
    fine = np.array([int(at) in row["right"] for at, row in zip(best, rows)])
    answer = np.array([row["right"][0] is not None for row in rows])
    held = np.array([reserved and is_reserved(row) for row in rows])
    acted = (sure >= act) & ~held & (sure > probabilities[:, EXITS_MAX])
    return 100 * (acted & ~fine).mean(), 100 * (acted & fine)[answer].mean(), 100 * (acted & ~fine)[~answer].mean()


def is_reserved(row):
    return any(name in row["evidence"]["none"] for name in ("condition", "hearsay", "fragment"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--findings", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--scores", required=True)
    parser.add_argument("--development")
    parser.add_argument("--judged")
    parser.add_argument("--out")
    options = parser.parse_args()
    rows, judged = read_training(options.findings, read_opinions(options.data, options.scores))
    names = names_of(rows)
    values, exists = tensor_of(rows, judged, names)
    weights = fit(values, exists, targets_of(rows), names)
    for name, weight in sorted(zip(names, weights), key=lambda each: -abs(each[1])):
        print(f"{weight:7.2f} {name}")
    sets = [("held-out writers", rows, judged, probabilities_of(values, exists, weights))]
    if options.development:
        own = read_findings(options.development)
        own_judged = np.load(options.judged)["probabilities"].astype(np.float64)
        sets.append(("development", own, own_judged, probabilities_of(*tensor_of(own, own_judged, names), weights)))
    for name, own, alone, together in sets:
        for title, probabilities in (("judge alone", alone), ("with the rules", together)):
            print(f"{name}, {title}, {len(own)} lines: act from / wrong / clear answers taken / no answers taken, in percent")
            for act in (0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97):
                print("   %.2f  %5.2f %5.1f %5.2f" % (act, *outcome(own, probabilities, act)))
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.write(written(dict(zip(names, weights))))


def written(weights):
    """The weights as the program reads them."""
    answer = {name: weight for name, weight in weights.items() if not name.startswith("none_")}
    none = {"judge": weights["judge"], **{name[len("none_") :]: weight for name, weight in weights.items() if name.startswith("none_")}}
    lines = [
        "/**",
        " * How much each finding counts, as the logarithm of a factor on the odds: 0.69 makes an answer twice as likely, -0.69",
        " * half as likely. Fitted by tools/train-judge/fit_weights.py on lines by writers the judge had not learned from.",
        " * Generated.",
        " */",
        "export const WEIGHTS: Readonly<Record<\"answer\" | \"none\", Readonly<Record<string, number>>>> = {",
    ]
    for group, own in (("answer", answer), ("none", none)):
        lines.append(f"  {group}: {{")
        lines += [f"    {name}: {weight:.2f}," for name, weight in sorted(own.items())]
        lines.append("  },")
    return "\n".join([*lines, "};", ""])


if __name__ == "__main__":
    main()

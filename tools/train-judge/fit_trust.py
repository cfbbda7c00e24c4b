"""Fits how far an answer can be trusted, on lines by writers the judge did not learn from.

    python3 tools/train-judge/fit_trust.py opinions --data tools/train-judge/data --scores FOLDER --out OPINIONS
    python3 tools/train-judge/fit_trust.py fit --findings FINDINGS [--development DEV.jsonl] [--out trust-weights.ts]

`opinions` writes SET.json with what the networks of `train.py --leave-out` (SCORES) think of each line of the sets they did not learn from. FINDINGS holds SET.jsonl
of bench/src/understanding/write-findings.ts with those opinions. `fit` trains a network with one hidden layer that says how likely it is right to act on the likeliest
answer, prints how many clear answers can be acted on at a given share of wrong ones, for writers left out of the fit, and writes its weights.
"""

import argparse
import glob
import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from build_pairs import index_of, read_sets
from fit_weights import softmax, temperature_for
from measure import EXITS_MAX

HIDDEN = 16
EPOCHS = 14
BATCH = 256
RATE = 3e-3
DECAY = 1e-4
MEMBERS = 2
# To act where no answer was given is worse than to take one answer for another, which the callee hears at once.
NONE_WEIGHT = 2.0
DEVIATION_MAX = 4
RESERVED = ("condition", "hearsay", "fragment")
WRONG = (0.5, 1, 1.5, 2, 3, 4)


def write_opinions(options):
    questions, lines = read_sets(options.data)
    sets = {}
    for path in sorted(glob.glob(os.path.join(options.scores, "*.npz"))):
        saved = np.load(path)
        if "lines" not in saved.files:
            continue
        own = [lines[number] for number in saved["lines"]]
        scores = saved["line_scores"].astype(np.float64)
        targets = np.array([target_of(questions[line["question"]], line) for line in own])
        probabilities = softmax(scores / temperature_for(scores, targets))
        for line, each in zip(own, probabilities):
            name, _, question = line["question"].partition(":")
            count = len(questions[line["question"]]["exits"])
            values = [round(float(value), 4) for value in (*each[:count], each[EXITS_MAX])]
            sets.setdefault(name, {}).setdefault(f"{question} {line['say']}", values)
    os.makedirs(options.out, exist_ok=True)
    for name, own in sets.items():
        with open(os.path.join(options.out, f"{name}.json"), "w", encoding="utf-8") as file:
            json.dump(own, file, ensure_ascii=False)


def target_of(question, line):
    try:
        index = index_of(question, line["expect"])
    except ValueError:
        index = None
    return EXITS_MAX if index is None else index


def read_rows(path):
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(text) for text in file]
    return [row for row in rows if row.get("trust") is not None]


def values_of(rows, names):
    return np.array([[row["trust"]["findings"].get(name, 0.0) for name in names] for row in rows], np.float64)


def right_of(rows):
    return np.array([row["trust"]["best"] in row["right"] for row in rows])


def train(values, right, weights, seed):
    """Logistic regression over one hidden layer, by Adam."""
    random = np.random.default_rng(seed)
    width = values.shape[1]
    parameters = [random.normal(0, width**-0.5, (width, HIDDEN)), np.zeros(HIDDEN), random.normal(0, HIDDEN**-0.5, HIDDEN), np.zeros(1)]
    means = [np.zeros_like(each) for each in parameters]
    squares = [np.zeros_like(each) for each in parameters]
    step = 0
    for epoch in range(EPOCHS):
        order = random.permutation(len(right))
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            inputs = values[chosen]
            hidden = np.maximum(0, inputs @ parameters[0] + parameters[1])
            error = (1 / (1 + np.exp(-(hidden @ parameters[2] + parameters[3]))) - right[chosen]) * weights[chosen] / len(chosen)
            back = np.outer(error, parameters[2]) * (hidden > 0)
            slopes = [inputs.T @ back, back.sum(0), hidden.T @ error, np.array([error.sum()])]
            step += 1
            rate = RATE * (1 - epoch / EPOCHS)
            for at, slope in enumerate(slopes):
                slope = slope + DECAY * parameters[at]
                means[at] = 0.9 * means[at] + 0.1 * slope
                squares[at] = 0.999 * squares[at] + 0.001 * slope**2
                parameters[at] = parameters[at] - rate * (means[at] / (1 - 0.9**step)) / (np.sqrt(squares[at] / (1 - 0.999**step)) + 1e-8)
    return parameters


def joined(members):
    """Several networks as one: their hidden units side by side, the mean of what they say before the last step."""
    count = len(members)
    return [np.concatenate([each[0] for each in members], 1), np.concatenate([each[1] for each in members]), np.concatenate([each[2] for each in members]) / count, sum(each[3] for each in members) / count]


def trust_of(parameters, values):
    return 1 / (1 + np.exp(-(np.maximum(0, values @ parameters[0] + parameters[1]) @ parameters[2] + parameters[3])))


def show(title, rows, trust):
    """Lines that are never acted on count as such."""
    right = right_of(rows)
    answers = np.array([row["right"][0] is not None for row in rows])
    weighed = np.array([row["trust"]["weighed"]["exits"][row["trust"]["best"]] for row in rows])
    none = np.array([row["trust"]["weighed"]["none"] for row in rows])
    held = np.array([any(name in row["evidence"]["none"] for name in RESERVED) for row in rows]) | (weighed <= none)
    parts = []
    for name, score in (("weighed", weighed), ("trust", trust)):
        order = np.argsort(-np.where(held, -1, score), kind="stable")
        wrong = np.cumsum(~right[order]) * 100 / len(rows)
        for share in WRONG:
            count = min(int(np.searchsorted(wrong, share, side="right")), int((~held).sum()))
            taken = 100 * (right & answers)[order[:count]].sum() / max(1, answers.sum())
            without = 100 * (~right & ~answers)[order[:count]].sum() / max(1, (~answers).sum())
            parts.append(f"{name} {share} %: {taken:.1f}, without an answer {without:.1f} (from {score[order[count - 1]]:.3f})")
    print(f"{title}, {len(rows)} lines, wrong: clear answers taken, and lines without an answer, in percent\n   " + "\n   ".join(parts))


def fit(options):
    sets = [read_rows(path) for path in sorted(glob.glob(os.path.join(options.findings, "train-*.jsonl")))]
    rows = [row for own in sets for row in own]
    names = sorted({name for row in rows for name in row["trust"]["findings"]})
    values = values_of(rows, names)
    middle, spread = values.mean(0), values.std(0) + 1e-6
    scale = lambda raw: np.clip((raw - middle) / spread, -DEVIATION_MAX, DEVIATION_MAX)
    right = right_of(rows).astype(np.float64)
    weights = np.array([NONE_WEIGHT if row["right"][0] is None else 1.0 for row in rows])
    place = np.concatenate([[number] * len(own) for number, own in enumerate(sets)])
    scaled = scale(values)
    trust = np.zeros(len(rows))
    for group in range(3):
        out = place % 3 == group
        trust[out] = trust_of(train(scaled[~out], right[~out], weights[~out], 1), scaled[out])
    show("writers left out", rows, trust)
    parameters = joined([train(scaled, right, weights, seed) for seed in range(MEMBERS)])
    if options.development:
        own = read_rows(options.development)
        show("development", own, trust_of(parameters, scale(values_of(own, names))))
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            file.write(written(names, middle, spread, parameters))


def written(names, middle, spread, parameters):
    """The weights as the program reads them."""
    numbers = lambda values: "[" + ", ".join(f"{value:.4g}" for value in values) + "]"
    weights, biases, out, bias = parameters
    lines = [
        "/**",
        " * How far an answer can be trusted, by what was found: one hidden layer over the normalized findings. Fitted by",
        " * tools/train-judge/fit_trust.py on lines by writers the judge had not learned from. Generated.",
        " */",
        "interface TrustWeights {",
        "  readonly names: readonly string[];",
        "  readonly means: readonly number[];",
        "  readonly deviations: readonly number[];",
        "  readonly hidden: readonly { readonly weights: readonly number[]; readonly bias: number }[];",
        "  readonly out: readonly number[];",
        "  readonly bias: number;",
        "}",
        "",
        "export const TRUST: TrustWeights = {",
        f"  names: {json.dumps(names)},",
        f"  means: {numbers(middle)},",
        f"  deviations: {numbers(spread)},",
        "  hidden: [",
        *(f"    {{ weights: {numbers(weights[:, unit])}, bias: {biases[unit]:.4g} }}," for unit in range(weights.shape[1])),
        "  ],",
        f"  out: {numbers(out)},",
        f"  bias: {bias[0]:.4g},",
        "};",
        "",
    ]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    opinions = commands.add_parser("opinions")
    opinions.add_argument("--data", required=True)
    opinions.add_argument("--scores", required=True)
    opinions.add_argument("--out", required=True)
    opinions.set_defaults(run=write_opinions)
    fitting = commands.add_parser("fit")
    fitting.add_argument("--findings", required=True)
    fitting.add_argument("--development")
    fitting.add_argument("--out")
    fitting.set_defaults(run=fit)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()

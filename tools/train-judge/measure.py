"""Reads a set of phrasings and says how well probabilities of a judge decide it."""

import json
import os

import numpy as np

EXITS_MAX = 8
SHARES = (0.01, 0.02)


def read_validation(folder):
    """The lines with exits of `agents.json` and `phrasings.jsonl`, as rows for training, with `right`: the indexes that are fine, None for no answer."""
    if folder.endswith(".jsonl"):
        return read_findings(folder)
    agents = json.load(open(os.path.join(folder, "agents.json"), encoding="utf-8"))
    questions = {}
    for agent in agents:
        for question in agent["questions"]:
            exits = question.get("exits") or []
            if question["answer"] == "yes_no":
                phrases = {exit["when"]: exit.get("phrases") or [] for exit in exits}
                exits = [{"when": when, "phrases": phrases.get(when, [])} for when in ("yes", "no")]
            questions[f"{agent['id']}/{question['id']}"] = {**question, "exits": exits}
    rows = []
    with open(os.path.join(folder, "phrasings.jsonl"), encoding="utf-8") as file:
        for line in (json.loads(text) for text in file if text.strip()):
            question = questions.get(line["question"])
            if question is None or question["answer"] not in ("yes_no", "choice"):
                continue
            names = [exit["when"] for exit in question["exits"]]

            def index(expected):
                if "answer" not in expected:
                    return None
                answer = expected["answer"]
                return (0 if answer else 1) if question["answer"] == "yes_no" else names.index(answer)

            right = [index(expected) for expected in [line["expect"], *(line.get("accept") or [])]]
            target = [0.0] * len(names)
            if right[0] is not None:
                target[right[0]] = 1.0
            rows.append(
                {
                    "before": question.get("before") or "", "question": question["text"], "answer": question["answer"], "exits": question["exits"], "said": line["say"], "target": target,
                    "right": right, "class": line["class"], "id": line["question"],
                }
            )
    return rows


def read_findings(path):
    """The same from a file of bench/src/understanding/write-findings.ts, without the lines that the rules settle alone."""
    rows = []
    with open(path, encoding="utf-8") as file:
        for line in (json.loads(text) for text in file):
            judged = line.get("judged")
            if judged is None or len(judged["exits"]) > EXITS_MAX:
                continue
            target = [0.0] * len(judged["exits"])
            if line["right"][0] is not None:
                target[line["right"][0]] = 1.0
            rows.append(
                {
                    "before": "", "question": judged["question"], "answer": judged["answerKind"], "exits": judged["exits"], "said": line["say"], "target": target,
                    "right": line["right"], "class": line["class"], "id": line["question"], "line": line["line"], "type": line["type"], "found": line["found"], "evidence": line["evidence"], "why": line["why"],
                }
            )
    return rows


def decide(rows, probabilities):
    """Per row: the best exit, its probability, whether taking it is right, whether it is an answer at all."""
    best = probabilities[:, :EXITS_MAX].argmax(1)
    sure = probabilities[np.arange(len(rows)), best]
    fine = np.array([int(at) in row["right"] for at, row in zip(best, rows)])
    answer = np.array([row["right"][0] is not None for row in rows])
    return best, sure, fine, answer


def figures(rows, probabilities):
    best, sure, fine, answer = decide(rows, probabilities)
    is_none = probabilities[:, EXITS_MAX] >= sure
    none_fine = np.array([None in row["right"] for row in rows])
    correct = np.where(is_none, none_fine, fine)
    result = {"accuracy": float(correct.mean()), "taken": {}}
    for share in SHARES:
        threshold = threshold_for(sure, fine, share)
        taken = sure >= threshold
        result["taken"][share] = {
            "threshold": float(threshold), "clear": float((taken & fine)[answer].mean()), "none": float(taken[~answer & ~fine].mean()), "wrong": float((taken & ~fine).mean()),
        }
    parts = [f"accuracy {result['accuracy']:.3f}"]
    for share, each in result["taken"].items():
        parts.append(f"at {share:.0%} wrong: clear {each['clear']:.3f} none taken {each['none']:.3f} (p>={each['threshold']:.3f})")
    result["line"] = "; ".join(parts)
    return result


def threshold_for(sure, fine, share):
    """The lowest threshold at which at most this share of all rows is taken wrongly."""
    order = np.argsort(-sure)
    wrong = np.cumsum(~fine[order])
    allowed = int(share * len(sure))
    over = np.flatnonzero(wrong > allowed)
    return float(sure[order[over[0]]]) + 1e-6 if len(over) else 0.0


def temperature_for(rows, scores):
    """The temperature that makes the probabilities true on this set."""
    targets = np.array([row["right"][0] if row["right"][0] is not None else EXITS_MAX for row in rows])
    best, found = 1e9, 1.0
    for temperature in np.arange(0.5, 4.01, 0.05):
        scaled = scores / temperature
        scaled = scaled - scaled.max(1, keepdims=True)
        logs = scaled - np.log(np.exp(scaled).sum(1, keepdims=True))
        loss = -logs[np.arange(len(rows)), targets].mean()
        if loss < best:
            best, found = loss, float(temperature)
    return found


def by_class(rows, probabilities, threshold):
    _, sure, fine, answer = decide(rows, probabilities)
    taken = sure >= threshold
    lines = []
    for name in sorted({row["class"] for row in rows}):
        own = np.array([row["class"] == name for row in rows])
        clear, none = own & answer, own & ~answer
        lines.append(
            f"{name:15s} {int(own.sum()):5d} lines  clear taken {share_of(taken & fine, clear)}  clear wrong {share_of(taken & ~fine, clear)}  none taken {share_of(taken & ~fine, none)}"
        )
    return lines


def share_of(what, among):
    return f"{100 * what[among].mean():5.1f} %" if among.any() else "      -"

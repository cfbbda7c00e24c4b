"""Teaches a trained judge which of the values that a callee named is offered as the answer, and keeps what it knows about exits.

    python3 tools/train-judge/train_values.py JUDGE.onnx --values VALUES.jsonl --pairs PAIRS.jsonl.gz --vocabulary VOCABULARY.txt --out OUT.onnx

VALUES.jsonl comes from bench/src/understanding/write-values.ts: at a question for a number, a day or a time each value that was named is an "exit" in the
callee's words; of a dictated number the only one is "an answer". Only the upper half of the layers and the scores change, so that the network of requests,
which reads the third layer, still fits. On the pairs of build_pairs.py the judge is its own teacher.
"""

import argparse
import gzip
import json
import math
import multiprocessing
import os
import random
import re
import sys
import time

import numpy as np
import onnx
import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from build_pairs import PREFIXES, QUESTION_LEADS, SUFFIXES, lower_first, recognized
from judge import EXITS_MAX, Judge
from network import build_network, read_network
from pieces import WordPieces
from tensors import batch_of, batches_of, tensors_of
from train import scores_of

FROZEN_LAYERS = 3
COPIES = 6
_pieces = None


def read_values(path):
    rows = []
    with open(path, encoding="utf-8") as file:
        for line in (json.loads(text) for text in file):
            if len(line["exits"]) > EXITS_MAX:
                continue
            target = [0.0] * len(line["exits"])
            main, *others = line["right"]
            others = [other for other in others if other != main]
            share = 0.4 / len(others) if others else 0.0
            for at, value in [(main, 1.0 - share * len(others)), *((other, share) for other in others)]:
                if at is not None:
                    target[at] += value
            rows.append({**line, "before": "", "answer": "choice", "target": target})
    return rows


def words_by_kind(rows):
    """What values were called, at questions of each kind."""
    found = {}
    for row in rows:
        if row["kind"] != "free_text":
            found.setdefault(row["kind"], set()).update(exit["when"].lower() for exit in row["exits"])
    return {kind: sorted(words) for kind, words in found.items()}


def replaced(row, words, rng):
    """The same said of other values of the kind. None if a value cannot be found in what was said."""
    said, exits = row["said"], []
    for exit in row["exits"]:
        place = re.search(rf"(?<!\w){re.escape(exit['when'])}(?!\w)", said, re.I)
        if place is None:
            return None
        other = rng.choice(words)
        if any(other == each["when"] for each in exits):
            return None
        said = said[: place.start()] + other + said[place.end() :]
        exits.append({**exit, "when": other})
    return {**row, "said": said, "exits": exits}


def varied(row, words, rng):
    """The same in other words around the value, at the same question."""
    row = dict(row)
    if row["kind"] in words and rng.random() < 0.5:
        row = replaced(row, words[row["kind"]], rng) or row
    said, chance = row["said"], rng.random()
    if chance < 0.35:
        said = recognized(said)
        row["exits"] = [{**exit, "when": exit["when"] if row["kind"] == "free_text" else recognized(exit["when"])} for exit in row["exits"]]
    elif chance < 0.6:
        said = f"{rng.choice(PREFIXES)}{rng.choice([' ', ', '])}{lower_first(said)}"
    elif chance < 0.75 and not said.rstrip().endswith(("?", "...", "…")):
        said = f"{said.rstrip('.! ')}{rng.choice([' ', ', '])}{rng.choice(SUFFIXES)}"
    if rng.random() < 0.2:
        lead = rng.choice(QUESTION_LEADS)
        row["question"] = f"{lead}{row['question']}"
    elif rng.random() < 0.4:
        row["question"] = re.split(r"(?<=[.!?])\s+", row["question"])[-1]
    order = list(range(len(row["exits"])))
    rng.shuffle(order)
    return {**row, "said": said, "exits": [row["exits"][at] for at in order], "target": [row["target"][at] for at in order], "weight": 0.6}


def read_pairs(path, every):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for number, line in enumerate(file) if number % every == 0]


def _work(rows):
    return {name: value.numpy() for name, value in tensors_of(rows, _pieces).items()}


def as_tensors(rows):
    for row in rows:
        row["writers"] = []
    torch.set_num_threads(1)
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        parts = pool.map(_work, [rows[at : at + 1000] for at in range(0, len(rows), 1000)])
    torch.set_num_threads(os.cpu_count())
    return {name: torch.from_numpy(np.concatenate([part[name] for part in parts])) for name in parts[0]}


def report(name, rows, probabilities):
    """How well a probability tells values that were offered from others, by what the rules made of them."""
    print(f"{name}: {len(rows)} lines")
    groups = {}
    for row, each in zip(rows, probabilities):
        for at in range(len(row["exits"])):
            groups.setdefault((row["kind"], row["type"]), []).append((float(each[at]), at in row["right"]))
    for key in sorted(groups):
        good = [value for value, is_right in groups[key] if is_right]
        bad = [value for value, is_right in groups[key] if not is_right]
        share = lambda values, limit: f"{100 * sum(value >= limit for value in values) / max(1, len(values)):.0f}"
        print(f"  {key[0]:9} {key[1]:7} offered {len(good):4}, others {len(bad):4}; at least .1 .2 .5 .8 .9 .95: " + ", ".join(f"{share(good, limit)}/{share(bad, limit)}" for limit in (0.1, 0.2, 0.5, 0.8, 0.9, 0.95)), flush=True)


def main():
    global _pieces
    parser = argparse.ArgumentParser()
    parser.add_argument("network")
    parser.add_argument("--values", required=True)
    parser.add_argument("--held", nargs="*", default=[], help="sets of VALUES.jsonl that are not trained on but judged")
    parser.add_argument("--pairs", required=True)
    parser.add_argument("--every", type=int, default=4, help="one of this many pairs is kept in mind")
    parser.add_argument("--vocabulary", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--temperature", type=float, default=1.12, help="what the scores are divided by: the most likely one for the development set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=2400)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--seconds", type=float, default=0, help="end the schedule after this time at the latest")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    started = time.time()
    rng = random.Random(options.seed)
    torch.manual_seed(options.seed)
    _pieces = WordPieces(options.vocabulary)
    written = read_values(options.values)
    held_rows = [row for row in written if row["set"] in options.held]
    own = [row for row in written if row["set"] not in options.held]
    words = words_by_kind(own)
    rows = [row for row in own for row in (row, *(varied(row, words, rng) for _ in range(COPIES)))]
    pairs = read_pairs(options.pairs, options.every)
    kept = as_tensors(pairs[::20])
    values, data = as_tensors(rows), as_tensors([pair for at, pair in enumerate(pairs) if at % 20 != 0])
    held = as_tensors(held_rows) if held_rows else None
    print(f"{len(own)} lines, {len(rows)} with variations, {len(pairs)} pairs, {time.time() - started:.0f} s", flush=True)

    state, layers = read_network(options.network)
    model = Judge(len(_pieces.numbers), layers, is_student=True)
    missing = model.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in state.items()}, strict=False)
    assert not missing.unexpected_keys and all(name.startswith("notes.") for name in missing.missing_keys), missing
    model.compute_coarsely()
    model.to(device)
    move = lambda tensors: {name: tensor.to(device) for name, tensor in tensors.items()}
    lengths = [tensors["length"].long() for tensors in (values, data)]
    values, data, kept = move(values), move(data), move(kept)
    taught, known = scores_of(model, data, device).softmax(1), scores_of(model, kept, device).softmax(1)
    if held is not None:
        held = move(held)
        report("before", held_rows, scores_of(model, held, device).softmax(1).cpu().numpy())
    learning = [parameter for part in (*model.layers[FROZEN_LAYERS:], model.read, model.score) for parameter in part.parameters()]
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    for parameter in learning:
        parameter.requires_grad_(True)
    optimizer = torch.optim.AdamW(learning, lr=options.rate, weight_decay=0.02)
    average = {name: value.detach().clone() for name, value in model.state_dict().items()}
    generator = torch.Generator().manual_seed(options.seed)
    half = options.batch // 2

    def endless(which):
        while True:
            yield from batches_of(lengths[which], half, generator)

    streams = (endless(0), endless(1))
    model.train()
    began = time.time()
    for step in range(options.steps):
        progress = step / options.steps
        if options.seconds:
            progress = max(progress, (time.time() - began) / options.seconds)
        if progress >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = options.rate * (min(1.0, progress / 0.06 + 0.01) * 0.5 * (1 + math.cos(math.pi * progress)) + 0.01)
        loss = 0.0
        for which, tensors in enumerate((values, data)):
            chosen, length = next(streams[which])
            chosen = chosen.to(device)
            batch = batch_of(tensors, chosen, length, 0.04)
            with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
                scores, _ = model(batch)
            target = batch["target"] if which == 0 else 0.2 * batch["target"] + 0.8 * taught[chosen]
            if which == 0:
                possible = torch.cat([batch["has_exit"], torch.ones_like(batch["has_exit"][:, :1])], 1)
                target = 0.97 * target + 0.03 * possible / possible.sum(1, keepdim=True)
            each = -(target * scores.float().log_softmax(1)).sum(1)
            loss = loss + (each * batch["weight"]).sum() / batch["weight"].sum()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimizer.step()
        if step % 10 == 9:
            decay = min(0.95, (step + 1) / (step + 101))
            with torch.no_grad():
                for name, value in model.state_dict().items():
                    if value.dtype.is_floating_point:
                        average[name].mul_(decay).add_(value, alpha=1 - decay)
        if step % 100 == 0:
            print(f"step {step} loss {float(loss.detach()):.3f} {time.time() - started:.0f} s", flush=True)
    model.load_state_dict(average)
    now = scores_of(model, kept, device).softmax(1)
    print(f"pairs: {100 * float((now.argmax(1) == known.argmax(1)).float().mean()):.1f} % judged as before, mean difference {float((now - known).abs().sum(1).mean() / 2):.4f}")
    if held is not None:
        report("after", held_rows, scores_of(model, held, device).softmax(1).cpu().numpy())
    state = {name: value.float().cpu().numpy() for name, value in model.state_dict().items()}
    onnx.save(build_network(state, layers, options.temperature), options.out)
    print(f"{options.out}: {os.path.getsize(options.out)} bytes, {time.time() - started:.0f} s")


if __name__ == "__main__":
    main()

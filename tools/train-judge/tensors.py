"""Pairs as tensors, so that several trainings can share them.

    python3 tools/train-judge/tensors.py PAIRS.jsonl.gz OUT.pt --vocabulary VOCABULARY.txt
"""

import argparse
import gzip
import json
import multiprocessing
import os
import re
import sys

import numpy as np
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from judge import EXIT, EXITS_MAX, PROBE, QUESTION, SAID, TOKENS_MAX, lay_out
from pieces import END, UNKNOWN, WordPieces

_pieces = None


def tensors_of(rows, pieces):
    """Rows as arrays. `matches`: whether a word of what was said occurs in the question and in an exit; for a probe, which share of them occurs in its exit."""
    count = len(rows)
    arrays = {
        "ids": np.zeros((count, TOKENS_MAX), np.int16), "kinds": np.zeros((count, TOKENS_MAX), np.int8), "slots": np.zeros((count, TOKENS_MAX), np.int8),
        "positions": np.zeros((count, TOKENS_MAX), np.int8), "matches": np.zeros((count, TOKENS_MAX, 3), np.float16),
        "has_exit": np.zeros((count, EXITS_MAX), np.int8), "answer_kind": np.zeros(count, np.int8), "length": np.zeros(count, np.int16),
        "target": np.zeros((count, EXITS_MAX + 1), np.float32), "weight": np.ones(count, np.float32), "polarity": np.full(count, -1, np.int8), "conditional": np.full(count, -1, np.int8), "group": np.full(count, -1, np.int8),
        "line": np.full(count, -1, np.int32), "writers": np.zeros(count, np.int64),
    }
    for row, each in enumerate(rows):
        question = f"{each['before']} {each['question']}".strip()
        blocks = lay_out(pieces, question, each["exits"], each["said"])
        said = [piece for kind, _, ids in blocks if kind == SAID for piece in ids[1:-1]]
        asked = {piece for kind, _, ids in blocks if kind == QUESTION for piece in ids[1:-1]}
        offered = [set() for _ in range(1 + EXITS_MAX)]
        for kind, slot, ids in blocks:
            if kind == EXIT:
                offered[slot].update(ids[1:-1])
                offered[0].update(ids[1:-1])
        at = 0
        for kind, slot, ids in blocks:
            for position, piece in enumerate(ids):
                arrays["ids"][row, at], arrays["kinds"][row, at], arrays["slots"][row, at], arrays["positions"][row, at] = piece, kind, slot, position
                if kind == SAID and piece > END:
                    arrays["matches"][row, at, :2] = piece in asked, piece in offered[0]
                if kind == PROBE:
                    arrays["matches"][row, at, 2] = sum(piece in offered[slot] for piece in said) / max(1, len(said))
                at += 1
        arrays["length"][row] = at
        arrays["has_exit"][row, : len(each["exits"])] = 1
        arrays["answer_kind"][row] = 0 if each["answer"] == "yes_no" else 1
        target = each["target"]
        if target is None:
            # Only a teacher knows.
            arrays["target"][row] = np.nan
        else:
            arrays["target"][row, : len(target)] = target
            arrays["target"][row, EXITS_MAX] = max(0.0, 1.0 - sum(target))
        arrays["weight"][row] = each.get("weight", 1.0)
        for name in ("polarity", "conditional", "group", "line"):
            if each.get(name) is not None:
                arrays[name][row] = int(each[name])
        for writer in each.get("writers", []):
            arrays["writers"][row] |= writer_bit(writer)
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def writer_bit(writer):
    return 1 << int(re.sub(r"\D", "", writer))


def batch_of(data, rows, length, piece_dropout=0.0):
    """These rows, as long as the longest of them is."""
    batch = {name: data[name][rows] for name in data}
    for name in ("ids", "kinds", "slots", "positions"):
        batch[name] = batch[name][:, :length].long()
    batch["matches"] = batch["matches"][:, :length].float()
    batch["answer_kind"] = batch["answer_kind"].long()
    batch["has_exit"] = batch["has_exit"].float()
    if piece_dropout > 0:
        lost = (torch.rand(batch["ids"].shape, device=batch["ids"].device) < piece_dropout) & (batch["ids"] > END)
        batch["ids"] = batch["ids"].masked_fill(lost, UNKNOWN)
    return batch


def batches_of(lengths, size, generator, pool=64):
    """All rows in random order, those of about the same length together."""
    order = torch.randperm(len(lengths), generator=generator)
    batches = []
    for start in range(0, len(order), size * pool):
        part = order[start : start + size * pool]
        part = part[torch.argsort(lengths[part])]
        batches += [part[at : at + size] for at in range(0, len(part), size)]
    places = torch.randperm(len(batches), generator=generator)
    # Few different lengths: a GPU is set up again for each.
    return [(batches[place], -(-int(lengths[batches[place]].max()) // 16) * 16) for place in places.tolist()]


def _work(rows):
    return tensors_of(rows, _pieces)


def main():
    global _pieces
    parser = argparse.ArgumentParser()
    parser.add_argument("pairs")
    parser.add_argument("out")
    parser.add_argument("--vocabulary", required=True)
    options = parser.parse_args()
    _pieces = WordPieces(options.vocabulary)
    with gzip.open(options.pairs, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    step = 2000
    torch.set_num_threads(1)
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        parts = [{name: value.numpy() for name, value in part.items()} for part in pool.imap(_work, [rows[at : at + step] for at in range(0, len(rows), step)])]
    data = {name: torch.from_numpy(np.concatenate([part[name] for part in parts])) for name in parts[0]}
    torch.save(data, options.out)
    print(f"{len(rows)} pairs, mean length {data['length'].float().mean():.1f}")


if __name__ == "__main__":
    main()

"""Trains the judge on built pairs and measures it on a set that was written by other people.

    python3 tools/train-judge/train.py --pairs PAIRS.jsonl.gz --encoder FOLDER --validation FOLDER --out OUT --name NAME

Writes OUT/NAME.pt, OUT/NAME.npz (the scores of the validation set) and prints the figures. With --teachers it learns from the averaged scores of other
runs (their .pt files) more than from the targets.
"""

import argparse
import gzip
import json
import math
import os
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from judge import EXIT, EXITS_MAX, Judge, QUESTION, SAID, TOKENS_MAX, lay_out
from measure import figures, read_validation
from pieces import WordPieces

BLOCKS_MAX = 64


def tensors_of(rows, pieces):
    """Rows as arrays. `matches`: whether a token occurs in what was said, in the question, in an exit, elsewhere than where it stands."""
    count = len(rows)
    arrays = {
        "ids": np.zeros((count, TOKENS_MAX), np.int16), "kinds": np.zeros((count, TOKENS_MAX), np.int8), "slots": np.zeros((count, TOKENS_MAX), np.int8),
        "blocks": np.zeros((count, TOKENS_MAX), np.int8), "positions": np.zeros((count, TOKENS_MAX), np.int8), "matches": np.zeros((count, TOKENS_MAX, 3), np.int8),
        "block_slots": np.full((count, BLOCKS_MAX), -1, np.int8), "has_exit": np.zeros((count, EXITS_MAX), np.int8), "answer_kind": np.zeros(count, np.int8), "length": np.zeros(count, np.int16),
        "target": np.zeros((count, EXITS_MAX + 1), np.float32), "weight": np.ones(count, np.float32), "polarity": np.full(count, -1, np.int8), "conditional": np.full(count, -1, np.int8), "group": np.full(count, -1, np.int8),
    }
    for row, each in enumerate(rows):
        question = f"{each['before']} {each['question']}".strip()
        blocks = lay_out(pieces, question, each["exits"], each["said"])
        sets = [set(), set(), set()]
        for kind, _, ids in blocks:
            sets[{SAID: 0, QUESTION: 1, EXIT: 2}[kind]].update(ids)
        at, number = 0, 1
        for kind, slot, ids in blocks:
            own = {SAID: 0, QUESTION: 1, EXIT: 2}[kind]
            block = 1 if kind == SAID else (number := number + 1)
            arrays["block_slots"][row, block] = -1 if kind == SAID else slot
            for position, piece in enumerate(ids):
                arrays["ids"][row, at], arrays["kinds"][row, at], arrays["slots"][row, at] = piece, kind, slot
                arrays["blocks"][row, at], arrays["positions"][row, at] = block, position
                for other in range(3):
                    if other != own and piece in sets[other]:
                        arrays["matches"][row, at, other] = 1
                at += 1
        arrays["length"][row] = at
        arrays["has_exit"][row, : len(each["exits"])] = 1
        arrays["answer_kind"][row] = 0 if each["answer"] == "yes_no" else 1
        target = each["target"]
        arrays["target"][row, : len(target)] = target
        arrays["target"][row, EXITS_MAX] = max(0.0, 1.0 - sum(target))
        arrays["weight"][row] = each.get("weight", 1.0)
        for name in ("polarity", "conditional", "group"):
            if each.get(name) is not None:
                arrays[name][row] = int(each[name])
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def batch_of(data, rows, piece_dropout=0.0):
    length = int(data["length"][rows].max())
    batch = {name: data[name][rows] for name in data}
    for name in ("ids", "kinds", "slots", "blocks", "positions"):
        batch[name] = batch[name][:, :length].long()
    batch["matches"] = batch["matches"][:, :length].float()
    batch["blocks_max"] = int(batch["blocks"].max())
    batch["block_slots"] = batch["block_slots"].long()
    batch["answer_kind"] = batch["answer_kind"].long()
    batch["has_exit"] = batch["has_exit"].float()
    if piece_dropout > 0:
        lost = torch.rand(batch["ids"].shape, device=batch["ids"].device) < piece_dropout
        batch["ids"] = batch["ids"].masked_fill(lost, 0)
    return batch


def loss_of(scores, notes, batch, taught, smoothing, note_weight):
    target = batch["target"]
    if taught is not None:
        target = 0.3 * target + 0.7 * taught
    if smoothing > 0:
        possible = torch.cat([batch["has_exit"], torch.ones_like(batch["has_exit"][:, :1])], 1)
        target = (1 - smoothing) * target + smoothing * possible / possible.sum(1, keepdim=True)
    scores, notes = scores.float(), notes.float()
    loss = -(target * scores.log_softmax(1)).sum(1)
    weight = batch["weight"]
    total = (loss * weight).sum() / weight.sum()

    def noted(values, labels, kind):
        known = labels >= 0
        if not bool(known.any()):
            return 0.0
        if kind == "binary":
            return F.binary_cross_entropy_with_logits(values[known].squeeze(1), labels[known].float())
        return F.cross_entropy(values[known], labels[known].long())

    notes_loss = noted(notes[:, :3], batch["polarity"], "class") + noted(notes[:, 3:4], batch["conditional"], "binary") + noted(notes[:, 4:], batch["group"], "class")
    return total + note_weight * notes_loss


@torch.no_grad()
def scores_of(model, data, device, batch_size=512):
    model.eval()
    parts = []
    for start in range(0, len(data["length"]), batch_size):
        rows = torch.arange(start, min(start + batch_size, len(data["length"])), device=device)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            scores, _ = model(batch_of(data, rows))
        parts.append(scores.float())
    return torch.cat(parts)


def train(options):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    pieces = WordPieces(os.path.join(options.encoder, "vocab.json"))
    with gzip.open(options.pairs, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    if options.limit:
        rows = rows[: options.limit]
    validation = read_validation(options.validation)
    data = {name: tensor.to(device) for name, tensor in tensors_of(rows, pieces).items()}
    held = {name: tensor.to(device) for name, tensor in tensors_of(validation, pieces).items()}
    started = time.time()
    model = Judge(options.width, options.layers, options.heads, options.dropout, options.encoder_dropout)
    if not options.from_scratch:
        model.encoder.load_published(options.encoder)
    model.to(device)
    average = {name: value.detach().clone() for name, value in model.state_dict().items()}
    taught = None
    if options.teachers:
        taught = torch.zeros_like(data["target"])
        for path in options.teachers:
            teacher = load(path, device)
            taught += scores_of(teacher, data, device).softmax(1) / len(options.teachers)
    encoder = list(model.encoder.parameters())
    known = {id(parameter) for parameter in encoder}
    rest = [parameter for parameter in model.parameters() if id(parameter) not in known]
    encoder_rate = options.rate if options.from_scratch else options.encoder_rate
    optimizer = torch.optim.AdamW([{"params": encoder, "lr": encoder_rate, "peak": encoder_rate}, {"params": rest, "lr": options.rate, "peak": options.rate}], weight_decay=0.02)
    count = len(rows)
    steps = options.steps or math.ceil(count / options.batch) * options.epochs
    generator = torch.Generator().manual_seed(options.seed)
    step = 0
    epochs = math.ceil(steps * options.batch / count)
    for epoch in range(epochs):
        model.train()
        order = torch.randperm(count, generator=generator).to(device)
        total = 0.0
        for start in range(0, count, options.batch):
            chosen = order[start : start + options.batch]
            batch = batch_of(data, chosen, options.piece_dropout)
            progress = step / steps
            if options.seconds:
                progress = max(progress, (time.time() - started) / options.seconds)
            if progress >= 1:
                break
            factor = min(1.0, progress / 0.06 + 0.01) * 0.5 * (1 + math.cos(math.pi * progress)) + 0.01
            for group in optimizer.param_groups:
                group["lr"] = group["peak"] * factor
            with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
                scores, notes = model(batch)
            loss = loss_of(scores, notes, batch, None if taught is None else taught[chosen], options.smoothing, options.note_weight)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step % 10 == 0:
                decay = min(0.99, step / (step + 100))
                with torch.no_grad():
                    for name, value in model.state_dict().items():
                        if value.dtype.is_floating_point:
                            average[name].mul_(decay).add_(value, alpha=1 - decay)
                total += float(loss.detach()) * 10
        is_last = epoch == epochs - 1 or progress >= 1
        if is_last:
            model.load_state_dict(average)
        scores = scores_of(model, held, device)
        summary = figures(validation, scores.softmax(1).cpu().numpy())
        print(f"{options.name} epoch {epoch + 1} {time.time() - started:.0f}s step {step} loss {total / max(1, count // options.batch):.3f} {summary['line']}", flush=True)
        if is_last:
            break
    os.makedirs(options.out, exist_ok=True)
    scores = scores_of(model, held, device).cpu().numpy()
    np.savez_compressed(os.path.join(options.out, f"{options.name}.npz"), scores=scores.astype(np.float16))
    shape = {"width": options.width, "layers": options.layers, "heads": options.heads}
    torch.save({"shape": shape, "state": {name: value.half() if value.dtype.is_floating_point else value for name, value in model.cpu().state_dict().items()}}, os.path.join(options.out, f"{options.name}.pt"))


def load(path, device):
    saved = torch.load(path, map_location="cpu")
    model = Judge(**saved["shape"])
    model.load_state_dict({name: value.float() if value.dtype.is_floating_point else value for name, value in saved["state"].items()})
    return model.to(device).eval()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", required=True)
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--validation", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--steps", type=int, default=0, help="end the schedule after so many steps instead of epochs")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--dropout", type=float, default=0.15)
    parser.add_argument("--encoder-dropout", type=float, default=0.1)
    parser.add_argument("--piece-dropout", type=float, default=0.04)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--encoder-rate", type=float, default=1e-4)
    parser.add_argument("--smoothing", type=float, default=0.03)
    parser.add_argument("--note-weight", type=float, default=0.15)
    parser.add_argument("--seconds", type=float, default=0, help="end the schedule after this time at the latest")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--from-scratch", action="store_true")
    parser.add_argument("--teachers", nargs="*", default=[])
    train(parser.parse_args())


if __name__ == "__main__":
    main()

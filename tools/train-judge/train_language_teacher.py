"""Trains the large teacher: a language model that reads a question, its exits and what was said as text, and scores each exit by its name said once more.

    python3 tools/train-judge/train_language_teacher.py TINYLLAMA.gguf --pairs PAIRS.jsonl.gz --validation DEVELOPMENT.jsonl --out OUT --name NAME

Writes OUT/NAME.opinions.npz, what it thinks of the pairs in their order (see opinions.py): of those that were written, and of as many of the others as the
time allows. With --prepare it only cuts the pairs into word pieces and keeps them in --tensors, for which the weights are not needed, only what GGUF says before them.
"""

import argparse
import gzip
import json
import math
import multiprocessing
import os
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from judge import EXITS_MAX, PHRASES_MAX
from language_model import LINE, START, WIDTH, GgufFile, LanguageModel, Words
from measure import figures, read_validation
from opinions import write_opinions

QUESTION_PIECES_MAX, EXITS_PIECES_MAX, PHRASE_PIECES_MAX, SAID_PIECES_MAX, NAME_PIECES_MAX = 72, 120, 16, 64, 9
PIECES_MAX = 432
ASKED, OFFERED, SAID = "A phone agent asked:", "Possible answers:", "The person said:"
HEAD_RATE = 3e-4
SMOOTHING = 0.02
# In the order of labelling: what was written comes first, then what was varied from it.
WRITTEN, VARIED, OTHER = 0, 1, 2
_words = None


def lay_out(words, row):
    """(pieces, probes, positions, ends, said): 0 for what all read, and a number for each probe, which reads that and itself. The first probe is that of no answer.
    `said` is where what was said starts, and the piece that ends it."""
    ids = [START, *words.encode(ASKED), *words.encode(f"{row['before']} {row['question']}".strip())[-QUESTION_PIECES_MAX:], LINE, *words.encode(OFFERED)]
    texts = [[exit["when"], *(exit.get("phrases") or [])[:PHRASES_MAX]] for exit in row["exits"]]
    own = [[] for _ in texts]
    left = EXITS_PIECES_MAX
    for rank in range(1 + PHRASES_MAX):
        for slot, phrases in enumerate(texts):
            if rank < len(phrases):
                pieces = words.encode(phrases[rank])[:PHRASE_PIECES_MAX]
                if rank > 0:
                    pieces = [*words.encode("(" if rank == 1 else ";"), *pieces]
                if rank == 0 or len(pieces) <= left:
                    own[slot] += pieces
                    left -= len(pieces)
    for pieces in own:
        ids += [LINE, *words.encode("-"), *pieces]
    ids += [LINE, *words.encode(SAID)]
    said = [len(ids)]
    ids += words.encode(row["said"])[:SAID_PIECES_MAX]
    said.append(len(ids))
    ids += [LINE, *words.encode("So they mean:")]
    read = len(ids)
    probes, positions, ends = [0] * read, list(range(read)), [0] * (1 + EXITS_MAX)
    for slot, pieces in enumerate([words.encode("none of these"), *(words.encode(phrases[0])[:NAME_PIECES_MAX] for phrases in texts)]):
        ids += pieces
        probes += [slot + 1] * len(pieces)
        positions += range(read, read + len(pieces))
        ends[slot] = len(ids) - 1
    return ids, probes, positions, ends, said


def arrays_of(rows):
    count = len(rows)
    arrays = {
        "ids": np.zeros((count, PIECES_MAX), np.int16), "probes": np.full((count, PIECES_MAX), -1, np.int8), "positions": np.zeros((count, PIECES_MAX), np.int16), "ends": np.zeros((count, 1 + EXITS_MAX), np.int16), "said": np.zeros((count, 2), np.int16),
        "length": np.zeros(count, np.int16), "target": np.zeros((count, EXITS_MAX + 1), np.float32), "weight": np.ones(count, np.float32), "has_exit": np.zeros((count, EXITS_MAX), np.int8), "origin": np.full(count, OTHER, np.int8),
    }
    for at, row in enumerate(rows):
        ids, probes, positions, ends, arrays["said"][at] = lay_out(_words, row)
        length = len(ids)
        arrays["ids"][at, :length], arrays["probes"][at, :length], arrays["positions"][at, :length], arrays["ends"][at], arrays["length"][at] = ids, probes, positions, ends, length
        target = row["target"] or []
        arrays["target"][at, : len(target)] = target
        arrays["target"][at, EXITS_MAX] = max(0.0, 1.0 - sum(target))
        arrays["weight"][at] = row.get("weight", 1.0)
        arrays["has_exit"][at, : len(row["exits"])] = 1
        arrays["origin"][at] = {"written": WRITTEN, "varied": VARIED}.get(row.get("origin"), OTHER)
    return arrays


def tensors_of(rows, processes):
    parts = [rows[at : at + 2000] for at in range(0, len(rows), 2000)]
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        done = list(pool.imap(arrays_of, parts))
    data = {name: torch.from_numpy(np.concatenate([part[name] for part in done])) for name in done[0]}
    longest = int(data["length"].max())
    return {name: tensor[:, : -(-longest // 16) * 16].contiguous() if name in ("ids", "probes", "positions") else tensor for name, tensor in data.items()}


def batch_of(data, rows):
    """These rows, as long as the longest of them is. The lengths are not on the GPU."""
    length = -(-int(data["length"][rows].max()) // 16) * 16
    rows = rows.to(data["ids"].device)
    return {name: tensor[rows, :length] if name in ("ids", "probes", "positions") else tensor[rows] for name, tensor in data.items() if name != "length"}


def by_length(data, rows, size):
    """Batches of about the same length, from pools of a few dozen batches."""
    for start in range(0, len(rows), size * 32):
        pool = rows[start : start + size * 32]
        pool = pool[torch.argsort(data["length"][pool].int())]
        yield from pool.split(size)


class Teacher(nn.Module):
    def __init__(self, layers, writes=False):
        super().__init__()
        self.model = LanguageModel(layers, writes=writes)
        self.score = nn.Linear(WIDTH, 2)
        nn.init.zeros_(self.score.weight)
        nn.init.zeros_(self.score.bias)

    def forward(self, batch):
        return self.scores(self.read(batch), batch)

    def read(self, batch):
        probes = batch["probes"]
        places = torch.arange(probes.shape[1], device=probes.device)
        earlier = places.view(1, -1, 1) >= places.view(1, 1, -1)
        shared = (probes.unsqueeze(1) == 0) | (probes.unsqueeze(1) == probes.unsqueeze(2))
        dtype = self.model.pieces.weight.dtype
        bias = torch.zeros(shared.shape, device=probes.device, dtype=dtype).masked_fill_(~(earlier & shared), -1e4).unsqueeze(1)
        return self.model(batch["ids"].int() & 0xFFFF, batch["positions"].long(), bias)

    def scores(self, x, batch):
        dtype = x.dtype
        ends = x.gather(1, batch["ends"].long().unsqueeze(-1).expand(-1, -1, WIDTH))
        values = F.linear(ends, self.score.weight.to(dtype), self.score.bias.to(dtype)).float()
        exits = values[:, 1:, 0] - (1.0 - batch["has_exit"].float()) * 1e4
        return torch.cat([exits, values[:, :1, 1]], 1)

    def surprise(self, x, batch, asking):
        """How little it expected the pieces of what was said, as far as that was written or varied from it, and of some questions with their exits."""
        places = torch.arange(1, x.shape[1], device=x.device).unsqueeze(0)
        start = torch.where(torch.rand(len(x), device=x.device) < asking, 1, batch["said"][:, 0].long())
        chosen = (places >= start.unsqueeze(1)) & (places <= batch["said"][:, 1:].long()) & (batch["origin"] != OTHER).unsqueeze(1)
        return F.cross_entropy(self.model.head(x[:, :-1][chosen]).float(), batch["ids"][:, 1:][chosen].long(), reduction="sum") / chosen.sum().clamp(min=1)


def load_teacher(path, device):
    saved = torch.load(path, map_location="cpu")
    teacher = Teacher(saved["layers"], writes=True)
    teacher.model.to(torch.bfloat16 if device == "cuda" else torch.float32)
    teacher.load_state_dict(saved["state"])
    return teacher.to(device).eval()


@torch.no_grad()
def judge(model, data, rows, size, seconds=math.inf):
    """The probabilities of as many of the rows as the time allows, and not a number for the others."""
    model.eval()
    result = torch.full((len(data["length"]), EXITS_MAX + 1), math.nan)
    until = time.time() + seconds
    for chosen in by_length(data, rows, size):
        if time.time() > until:
            break
        result[chosen] = model(batch_of(data, chosen)).softmax(1).cpu()
    return result


def train(options):
    global _words
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    file = GgufFile(options.model)
    _words = Words(file)
    if options.tensors and os.path.exists(options.tensors):
        data = torch.load(options.tensors)
    else:
        with gzip.open(options.pairs, "rt", encoding="utf-8") as lines:
            data = tensors_of([json.loads(line) for line in lines], options.processes)
    if options.prepare:
        torch.save(data, options.tensors)
        print(f"{len(data['length'])} pairs, mean length {data['length'].float().mean():.1f}")
        return
    if options.weights:
        data = {name: tensor if name == "length" else tensor.to(device) for name, tensor in data.items()}
        write(options, judge(load_teacher(options.weights, device), data, torch.arange(len(data["length"])), 256, options.label_seconds))
        return
    validation = read_validation(options.validation)
    held = tensors_of(validation, options.processes)
    model = Teacher(options.layers, writes=options.writing > 0).to(device)
    model.model.read(file)
    # It computes in 16 bits; its exact weights are kept beside it.
    exact = [parameter.detach().clone() for parameter in model.model.parameters()]
    model.model.to(torch.bfloat16)
    coarse, head = list(model.model.parameters()), list(model.score.parameters())
    groups = [{"params": exact, "lr": 0.0, "peak": options.rate, "weight_decay": 0.01}, {"params": head, "lr": 0.0, "peak": HEAD_RATE, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), **({"fused": True} if device == "cuda" else {}))
    written, others = torch.nonzero(data["origin"] == WRITTEN).squeeze(1), torch.nonzero(data["origin"] != WRITTEN).squeeze(1)
    data, held = ({name: tensor if name == "length" else tensor.to(device) for name, tensor in each.items()} for each in (data, held))
    generator = torch.Generator().manual_seed(options.seed)

    def batches():
        while True:
            chosen = torch.cat([written, others[torch.randperm(len(others), generator=generator)[: options.others]]])
            ordered = list(by_length(data, chosen[torch.randperm(len(chosen), generator=generator)], options.batch))
            for at in torch.randperm(len(ordered), generator=generator).tolist():
                yield ordered[at]

    started = reported = time.time()
    for step, rows in enumerate(batches()):
        progress = (time.time() - started) / options.seconds
        if progress >= 1:
            break
        factor = min(1.0, step / 100 + 0.01) * (0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * progress)))
        for group in optimizer.param_groups:
            group["lr"] = group["peak"] * factor
        batch = batch_of(data, rows)
        x = model.read(batch)
        scores = model.scores(x, batch)
        possible = torch.cat([batch["has_exit"].float(), torch.ones_like(batch["has_exit"][:, :1]).float()], 1)
        target = (1 - SMOOTHING) * batch["target"] + SMOOTHING * possible / possible.sum(1, keepdim=True)
        loss = (-(target * scores.log_softmax(1)).sum(1) * batch["weight"]).sum() / batch["weight"].sum()
        if options.writing > 0:
            loss = loss + options.writing * model.surprise(x, batch, options.asking)
        loss.backward()
        for own, parameter in zip(exact, coarse):
            own.grad, parameter.grad = parameter.grad.float(), None
        torch.nn.utils.clip_grad_norm_([*exact, *head], 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        with torch.no_grad():
            for own, parameter in zip(exact, coarse):
                parameter.copy_(own)
        if time.time() - reported > 100:
            reported = time.time()
            print(f"{time.time() - started:.0f}s step {step} {measured(model, validation, held)}", flush=True)
            model.train()
    print(f"{time.time() - started:.0f}s step {step} {measured(model, validation, held)}", flush=True)
    del optimizer, exact
    if options.keep:
        torch.save({"layers": options.layers, "state": model.state_dict()}, options.keep)
    if options.label_seconds <= 0:
        return
    # Variations of what was written are asked about sooner than the rest.
    late = torch.rand(len(data["length"]), generator=generator) * torch.where(data["origin"].cpu() == VARIED, 0.4, 1.0)
    taught = judge(model, data, torch.cat([written, others[torch.argsort(late[others])]]), 256, options.label_seconds)
    write(options, taught)


def write(options, taught):
    os.makedirs(options.out, exist_ok=True)
    write_opinions(os.path.join(options.out, f"{options.name}.opinions.npz"), taught.numpy())
    print(f"{int((~taught[:, 0].isnan()).sum())} of {len(taught)} pairs judged")


def measured(model, validation, held):
    return figures(validation, judge(model, held, torch.arange(len(validation)), 128).numpy())["line"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--pairs", required=True)
    parser.add_argument("--validation")
    parser.add_argument("--out", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--tensors", help="where the pairs are kept once they were cut into word pieces")
    parser.add_argument("--prepare", action="store_true", help="only write --tensors")
    parser.add_argument("--writing", type=float, default=0.0, help="how much it also learns to write questions, exits and what is said, beside judging it")
    parser.add_argument("--asking", type=float, default=0.06, help="the share of pairs of which it learns to write the question and the exits too")
    parser.add_argument("--keep", help="where its weights are kept, for write_answers.py and --weights")
    parser.add_argument("--weights", help="weights that were kept: only judge the pairs")
    parser.add_argument("--layers", type=int, default=18)
    parser.add_argument("--seconds", type=float, default=460)
    parser.add_argument("--label-seconds", type=float, default=270)
    parser.add_argument("--rate", type=float, default=2.5e-5)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--others", type=int, default=250000, help="how many pairs that were not written are trained on beside each round of the written ones")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    train(parser.parse_args())


if __name__ == "__main__":
    main()

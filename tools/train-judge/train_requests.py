"""Trains the network that tells requests ("Who is this?", "Call me later.") apart, on what the exported judge makes of the words.

    python3 tools/train-judge/train_requests.py JUDGE.onnx --vocabulary VOCABULARY.txt --validation FOLDER --out REQUESTS.onnx [--data FOLDER] [--leave-out train-3]

It learns from all lines of the training sets: those that are a request, and those that are an answer or neither, at every kind of question. It prints how
many requests of a set by other people it finds, and how many other lines it takes for one.
"""

import argparse
import json
import math
import multiprocessing
import os
import random
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from build_pairs import read_sets, vary_said
from export import open_network
from judge import QUESTION, QUESTION_TOKENS_MAX, SAID, SAID_TOKENS_MAX
from network import OPSET, REQUEST_WIDTH, Reader
from pieces import END, START, WordPieces

# In the order of CALLEE_REQUESTS in voice/src/ports/answer-judge.ts, then "none".
REQUESTS = """stop_calling deceased wrong_number not_person other_language child human scam number_source is_machine who_calls why driving call_later how_long how_much
speak_up slower repeat wait anybody_there insult goodbye""".split()
NONE = len(REQUESTS)
WIDTH = 128
POOLS = 4
# How often a line is varied on average.
COPIES = 0.35
REQUEST_COPIES = 3
_reader = None
_pieces = None


class Requests(nn.Module):
    """Pools the words of what was said in several ways, and sees the question as a whole."""

    def __init__(self, temperature=1.0):
        super().__init__()
        self.temperature = temperature
        self.look = nn.Sequential(nn.Linear(REQUEST_WIDTH, 64), nn.Tanh(), nn.Linear(64, POOLS))
        self.words = nn.Linear(REQUEST_WIDTH, WIDTH)
        self.said = nn.Linear(REQUEST_WIDTH, WIDTH)
        self.asked = nn.Linear(REQUEST_WIDTH, WIDTH // 2)
        self.read = nn.Linear(POOLS * WIDTH + WIDTH + WIDTH // 2, 2 * WIDTH)
        self.decide = nn.Linear(2 * WIDTH, NONE + 1)

    def scores(self, tokens, sentence, question_sentence, bias=None, dropout=0.0):
        looks = self.look(tokens)
        if bias is not None:
            looks = looks + bias.unsqueeze(-1)
        pooled = looks.softmax(1).transpose(1, 2) @ F.relu(self.words(tokens))
        # Sentence vectors have length 1: their parts are small.
        x = torch.cat([pooled.flatten(1), F.relu(self.said(8.0 * sentence)), F.relu(self.asked(8.0 * question_sentence))], 1)
        x = F.dropout(x, dropout, self.training)
        return self.decide(F.dropout(F.relu(self.read(x)), dropout, self.training))

    def forward(self, tokens, sentence, question_sentence):
        return (self.scores(tokens, sentence, question_sentence) / self.temperature).softmax(1)


def target_of(line):
    """The share of each request and of none; None where even the writer would accept a request beside an answer."""
    expected = line["expect"].get("request")
    accepted = [each["request"] for each in line.get("accept") or [] if "request" in each]
    if expected is None:
        return None if accepted else {NONE: 1.0}
    if expected not in REQUESTS:
        return None
    others = [REQUESTS.index(each) for each in accepted if each in REQUESTS and each != expected]
    open_to_none = any("request" not in each for each in line.get("accept") or [])
    others += [NONE] if open_to_none else []
    target = {REQUESTS.index(expected): 1.0 if not others else 0.65}
    for other in others:
        target[other] = 0.35 / len(others)
    return target


def rows_of(questions, lines, rng, copies=COPIES, request_copies=REQUEST_COPIES):
    """(what was said, the question, target, weight), with variations. A request fits every question, so that it is also put to others."""
    texts = [f"{question['before']} {question['text']}".strip() for question in questions.values()]
    rows = []
    for line in lines:
        target = target_of(line)
        if target is None:
            continue
        question = questions[line["question"]]
        asked = f"{question['before']} {question['text']}".strip()
        rows.append((line["say"], asked, target, 1.0))
        is_request = NONE not in target
        wanted = request_copies if is_request else copies
        for _ in range(int(wanted) + (rng.random() < wanted % 1)):
            varied = vary_said(line["say"], rng)
            rows.append((varied, rng.choice(texts) if is_request and rng.random() < 0.6 else asked, target, 0.6))
    return rows


def _open(path, vocabulary):
    global _reader, _pieces
    session = open_network(path)
    layers = next(each.shape[0] for each in session.get_inputs() if each.name == "earlier") // 2
    _reader, _pieces = Reader(session, layers), WordPieces(vocabulary)


def _encode(job):
    text, limit = job
    ids = _pieces.encode(text)
    ids = ids[-QUESTION_TOKENS_MAX:] if limit == "question" else ids[:SAID_TOKENS_MAX]
    if not ids:
        return None
    tokens, sentence = _reader.encode([START, *ids, END], QUESTION if limit == "question" else SAID)
    return (tokens.astype(np.float16) if limit == "said" else None), sentence.astype(np.float16)


def encode_all(texts, limit, pool):
    unique = list(dict.fromkeys(texts))
    return dict(zip(unique, pool.imap(_encode, [(text, limit) for text in unique], chunksize=256)))


def tensors_of(rows, pool, device):
    said = encode_all([row[0] for row in rows], "said", pool)
    asked = encode_all([row[1] for row in rows], "question", pool)
    rows = [row for row in rows if said[row[0]] is not None and asked[row[1]] is not None]
    questions = {text: number for number, text in enumerate(asked)}
    flat = np.concatenate([said[row[0]][0] for row in rows])
    lengths = np.array([len(said[row[0]][0]) for row in rows])
    target = np.zeros((len(rows), NONE + 1), np.float32)
    for number, row in enumerate(rows):
        for request, share in row[2].items():
            target[number, request] = share
    return rows, {
        "flat": torch.from_numpy(flat).to(device),
        "starts": torch.from_numpy(np.concatenate([[0], np.cumsum(lengths)[:-1]])).to(device),
        "lengths": torch.from_numpy(lengths).to(device),
        "sentence": torch.from_numpy(np.stack([said[row[0]][1] for row in rows])).to(device),
        "question": torch.from_numpy(np.array([questions[row[1]] for row in rows])).to(device),
        "questions": torch.from_numpy(np.stack([asked[text][1] for text in asked])).to(device),
        "target": torch.from_numpy(target).to(device),
        "weight": torch.tensor([row[3] for row in rows], device=device),
    }


def inputs_of(data, chosen):
    lengths = data["lengths"][chosen]
    length = int(lengths.max())
    places = torch.arange(length, device=lengths.device)
    inside = places < lengths.unsqueeze(1)
    at = (data["starts"][chosen].unsqueeze(1) + places).clamp(max=len(data["flat"]) - 1)
    bias = torch.where(inside, 0.0, -1e4)
    return data["flat"][at].float() * inside.unsqueeze(-1), data["sentence"][chosen].float(), data["questions"][data["question"][chosen]].float(), bias


def train(data, options, device):
    torch.manual_seed(options.seed)
    model = Requests().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.05)
    count = len(data["lengths"])
    steps = options.epochs * math.ceil(count / options.batch)
    generator = torch.Generator(device=device).manual_seed(options.seed)
    step = 0
    for _ in range(options.epochs):
        model.train()
        order = torch.randperm(count, generator=generator, device=device)
        for start in range(0, count, options.batch):
            chosen = order[start : start + options.batch]
            tokens, sentence, question, bias = inputs_of(data, chosen)
            for group in optimizer.param_groups:
                group["lr"] = 1e-3 * min(1.0, 20 * step / steps + 0.01) * 0.5 * (1 + math.cos(math.pi * step / steps))
            target = 0.98 * data["target"][chosen] + 0.02 / (NONE + 1)
            each = -(target * model.scores(tokens, sentence, question, bias, 0.25).log_softmax(1)).sum(1)
            weight = data["weight"][chosen]
            loss = (each * weight).sum() / weight.sum()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            step += 1
    return model.eval()


@torch.no_grad()
def scores_of(model, data):
    rows = torch.arange(len(data["lengths"]), device=data["lengths"].device)
    return torch.cat([model.scores(*inputs_of(data, part)) for part in rows.split(1024)]).cpu()


def temperature_for(scores, target):
    """The one that makes the probabilities fit best."""
    candidates = [0.5 + 0.05 * step for step in range(50)]
    losses = [float(-(target * (scores / each).log_softmax(1)).sum(1).mean()) for each in candidates]
    return candidates[int(np.argmin(losses))]


def report(rows, probabilities):
    best = probabilities.argmax(1)
    shares = probabilities.max(1)
    lines = []
    for limit in (0.4, 0.5, 0.6, 0.7, 0.8):
        found = wrong = requests = taken = others = 0
        for row, choice, share in zip(rows, best, shares):
            acts = choice != NONE and share >= limit
            if NONE in row[2]:
                others += 1
                taken += acts
            else:
                requests += 1
                found += acts and choice in row[2]
                wrong += acts and choice not in row[2]
        lines.append(f"from {limit}: {100 * found / max(1, requests):.1f} % of {requests} requests found, {100 * wrong / max(1, requests):.1f} % taken for another, {100 * taken / max(1, others):.2f} % of {others} other lines taken for one")
    missed = {}
    for row, choice in zip(rows, best):
        if NONE not in row[2]:
            name = REQUESTS[max(row[2], key=row[2].get)]
            right, count = missed.get(name, (0, 0))
            missed[name] = (right + (choice in row[2]), count + 1)
    lines.append(", ".join(f"{name} {right}/{count}" for name, (right, count) in sorted(missed.items())))
    return "\n".join(lines)


def read_validation(folder):
    agents = json.load(open(os.path.join(folder, "agents.json"), encoding="utf-8"))
    questions = {f"{agent['id']}/{question['id']}": f"{question.get('before') or ''} {question['text']}".strip() for agent in agents for question in agent["questions"]}
    rows = []
    with open(os.path.join(folder, "phrasings.jsonl"), encoding="utf-8") as file:
        for line in (json.loads(text) for text in file if text.strip()):
            target = target_of(line)
            if target is not None and line["question"] in questions:
                rows.append((line["say"], questions[line["question"]], target, 1.0))
    return rows


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser()
    parser.add_argument("network", help="judge.onnx of export.py")
    parser.add_argument("--vocabulary", required=True)
    parser.add_argument("--validation", required=True)
    parser.add_argument("--data", default=os.path.join(here, "data"))
    parser.add_argument("--out", required=True)
    parser.add_argument("--leave-out", help="a training set that is not trained on but measured")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch", type=int, default=512)
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    rng = random.Random(options.seed)
    questions, lines = read_sets(options.data)
    kept = [line for line in lines if line["question"].split(":")[0] != options.leave_out]
    started = time.time()
    with multiprocessing.get_context("spawn").Pool(os.cpu_count(), _open, (options.network, options.vocabulary)) as pool:
        rows, data = tensors_of(rows_of(questions, kept, rng), pool, device)
        held_rows, held = tensors_of(read_validation(options.validation), pool, device)
        left_rows, left = [], None
        if options.leave_out:
            own = [line for line in lines if line["question"].split(":")[0] == options.leave_out]
            left_rows, left = tensors_of(rows_of(questions, own, rng, 0, 0), pool, device)
    print(f"{len(rows)} rows, {sum(NONE not in row[2] for row in rows)} requests, encoded in {time.time() - started:.0f} s", flush=True)
    model = train(data, options, device)
    print(f"trained after {time.time() - started:.0f} s")
    scores = scores_of(model, held)
    model.temperature = temperature_for(scores, held["target"].cpu())
    print(f"temperature {model.temperature:.2f}\n{report(held_rows, (scores / model.temperature).softmax(1).numpy())}")
    if left is not None:
        print(f"left out:\n{report(left_rows, (scores_of(model, left) / model.temperature).softmax(1).numpy())}")
    model = model.cpu()
    inputs = (torch.randn(1, 6, REQUEST_WIDTH), torch.randn(1, REQUEST_WIDTH), torch.randn(1, REQUEST_WIDTH))
    old = {"dynamo": False} if "dynamo" in torch.onnx.export.__code__.co_varnames else {}
    names = ["tokens", "sentence", "question_sentence"]
    torch.onnx.export(model.eval(), inputs, options.out, input_names=names, output_names=["probabilities"], dynamic_axes={"tokens": {1: "length"}}, opset_version=OPSET, **old)
    network = open_network(options.out)
    with torch.no_grad():
        difference = float(np.abs(network.run(None, dict(zip(["tokens", "sentence", "question_sentence"], [each.numpy() for each in inputs])))[0] - model(*inputs).numpy()).max())
    print(f"{os.path.getsize(options.out)} bytes, largest difference to PyTorch {difference:.6f}")


if __name__ == "__main__":
    main()

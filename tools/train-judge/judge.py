"""The judge: a published encoder that reads what was said beside a question and its exits, and gives a score to each exit and to "no answer".

A student reads in one direction: the question reads itself and the exits read each other, so that a program reads both before anybody has spoken and keeps
the keys and values of every layer. What was said reads all of them. So does a probe for each exit, which is its name once more, and one for "no answer":
from these the scores are made. A teacher reads everything together.
"""

import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

from pieces import END, START
from pretrained import FEED, HEADS, POSITIONS, WIDTH

EXITS_MAX = 8
QUESTION_TOKENS_MAX = 40
SAID_TOKENS_MAX = 48
# Of all exits together, whatever the question and the answer are, so that what was made of them fits every time.
EXITS_TOKENS_MAX = 80
PHRASE_TOKENS_MAX = 12
EXIT_TOKENS_MAX = 60
PHRASES_MAX = 8
PROBE_TOKENS_MAX = 6
SEPARATOR = ";"
# With the start and the end of what was said and of the question, and the start of the probes.
TOKENS_MAX = QUESTION_TOKENS_MAX + 2 + SAID_TOKENS_MAX + 2 + EXITS_TOKENS_MAX + 1 + EXITS_MAX * (1 + PROBE_TOKENS_MAX)
PADDING, QUESTION, SAID, EXIT, PROBE = 0, 1, 2, 3, 4
GROUPS = 5
# Which kind (row) reads which (column) in a student. Padding reads padding: attention over nothing is not a number.
READS = [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 1, 0], [0, 1, 1, 1, 1]]
# 7 bits: the products of eight overflow where a processor has no instruction of its own for them.
WEIGHT_MAX = 63


def lay_out(pieces, question, exits, said):
    """The texts of one judgement as blocks of word pieces: (kind, slot, pieces), with slot 0 for what belongs to no exit."""
    blocks = [(SAID, 0, pieces.encode(said)[:SAID_TOKENS_MAX]), (QUESTION, 0, pieces.encode(question)[-QUESTION_TOKENS_MAX:])]
    separator = pieces.encode(SEPARATOR)
    texts = [[exit["when"], *(exit.get("phrases") or [])[:PHRASES_MAX]] for exit in exits]
    own = [[] for _ in exits]
    left = EXITS_TOKENS_MAX - 2 * len(exits)
    for rank in range(1 + PHRASES_MAX):
        for slot, phrases in enumerate(texts):
            ids = pieces.encode(phrases[rank])[:PHRASE_TOKENS_MAX] if rank < len(phrases) else []
            if own[slot] and ids:
                ids = [*separator, *ids]
            if ids and len(ids) <= left and len(own[slot]) + len(ids) <= EXIT_TOKENS_MAX:
                own[slot] += ids
                left -= len(ids)
    blocks += [(EXIT, slot, ids) for slot, ids in enumerate(own, 1)]
    probes = [[], *(pieces.encode(exit["when"])[:PROBE_TOKENS_MAX] for exit in exits)]
    return [(PROBE, slot, [START, *ids]) for slot, ids in enumerate(probes)] + [(kind, slot, [START, *ids, END]) for kind, slot, ids in blocks]


class Linear(nn.Linear):
    """Once `is_coarse`, it computes with 7-bit weights and 8-bit inputs, as the exported network does."""

    is_coarse = False

    def forward(self, x):
        if not self.is_coarse:
            return super().forward(x)
        scale = (self.weight.abs().amax(1, keepdim=True) / WEIGHT_MAX).clamp(min=1e-8)
        weight = straight(self.weight, (self.weight / scale).round() * scale)
        with torch.no_grad():
            low, high = x.amin((1, 2), keepdim=True).clamp(max=0), x.amax((1, 2), keepdim=True).clamp(min=0)
            step = ((high - low) / 255).clamp(min=1e-8)
            coarse = ((x / step).round().clamp((low / step).round(), (low / step).round() + 255)) * step
        return F.linear(straight(x, coarse), weight, self.bias)


def straight(value, coarse):
    """The coarse value, with the gradient of the exact one."""
    return value + (coarse - value).detach()


class Layer(nn.Module):
    """A layer of BERT."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.out = (Linear(WIDTH, WIDTH) for _ in range(4))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.feed_in = Linear(WIDTH, FEED)
        self.feed_out = Linear(FEED, WIDTH)
        self.feed_norm = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x, bias, dropout=0.0):
        rows, length, _ = x.shape
        heads = lambda linear: linear(x).view(rows, length, HEADS, WIDTH // HEADS).transpose(1, 2)
        drop = dropout if self.training else 0.0
        mixed = attend(heads(self.query), heads(self.key), heads(self.value), bias, drop).transpose(1, 2).reshape(rows, length, WIDTH)
        x = self.norm(x + F.dropout(self.out(mixed), drop, self.training))
        return self.feed_norm(x + F.dropout(self.feed_out(F.gelu(self.feed_in(x))), drop, self.training))


def attend(q, k, v, bias, dropout):
    if q.is_cuda:
        return F.scaled_dot_product_attention(q, k, v, bias.to(q.dtype), dropout)
    weights = ((q @ k.transpose(-1, -2)) * q.shape[-1] ** -0.5 + bias).softmax(-1)
    return F.dropout(weights, dropout, dropout > 0) @ v


def mean_of(tokens, member):
    """tokens [B,T,W], member [B,N,T] -> [B,N,W]."""
    member = member.to(tokens.dtype)
    return (member @ tokens) / member.sum(2, keepdim=True).clamp(min=1.0)


class Judge(nn.Module):
    def __init__(self, pieces, layers=6, is_student=True, dropout=0.1):
        super().__init__()
        self.dropout = dropout
        self.is_student = is_student
        self.pieces = nn.Embedding(pieces, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList([Layer() for _ in range(layers)])
        self.kinds = nn.Embedding(5, WIDTH)
        self.slots = nn.Embedding(1 + EXITS_MAX, WIDTH)
        self.answer_kinds = nn.Embedding(2, WIDTH)
        self.matches = nn.Linear(3, WIDTH, bias=False)
        for added in (self.kinds, self.slots, self.answer_kinds, self.matches):
            nn.init.normal_(added.weight, std=0.02)
        self.read = Linear(WIDTH, WIDTH)
        self.score = nn.Linear(WIDTH, 2)
        self.notes = nn.Linear(WIDTH, 3 + 1 + GROUPS)
        self.register_buffer("reads", torch.tensor(READS, dtype=torch.bool), persistent=False)

    def load_published(self, path):
        saved = np.load(path)
        state = self.state_dict()
        for name in saved.files:
            target = f"{name}.weight" if name in ("pieces", "positions") else name
            if target in state:
                state[target] = torch.from_numpy(saved[name].astype(np.float32))
        self.load_state_dict(state)

    def compute_coarsely(self):
        for module in self.modules():
            if isinstance(module, Linear):
                module.is_coarse = True

    def bias_of(self, kinds, slots):
        """[B,1,T,T], 0 where the token of a row reads that of a column."""
        if not self.is_student:
            return (kinds == PADDING).view(kinds.shape[0], 1, 1, -1).float() * -1e4
        reads = self.reads[kinds.unsqueeze(2), kinds.unsqueeze(1)]
        own, other = slots.unsqueeze(2), slots.unsqueeze(1)
        foreign = (kinds.unsqueeze(2) == PROBE) & (kinds.unsqueeze(1) == EXIT) & (own > 0) & (own != other)
        return (~(reads & ~foreign)).float().unsqueeze(1) * -1e4

    def embed(self, batch):
        kinds, slots = batch["kinds"], batch["slots"]
        x = self.pieces(batch["ids"]) + self.positions(batch["positions"]) + self.kinds(kinds) + self.slots(slots) + self.matches(batch["matches"])
        return self.norm(x + (kinds == PROBE).unsqueeze(-1) * self.answer_kinds(batch["answer_kind"]).unsqueeze(1))

    def forward(self, batch):
        kinds, slots = batch["kinds"], batch["slots"]
        bias = self.bias_of(kinds, slots)
        x = F.dropout(self.embed(batch), self.dropout if self.training else 0.0, self.training)
        for layer in self.layers:
            x = layer(x, bias, self.dropout)
        scored = (kinds == PROBE) | ((kinds == EXIT) & (not self.is_student))
        places = torch.arange(1 + EXITS_MAX, device=slots.device).view(1, -1, 1)
        pooled = mean_of(x, (slots.unsqueeze(1) == places) & scored.unsqueeze(1))
        values = self.score(F.gelu(self.read(pooled)))
        exits = values[:, 1:, 0] - (1.0 - batch["has_exit"].to(values.dtype)) * 1e4
        said = mean_of(x, (kinds == SAID).unsqueeze(1)).squeeze(1)
        return torch.cat([exits, values[:, :1, 1]], 1), self.notes(said)

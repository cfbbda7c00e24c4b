"""The judge: an encoder that reads every text alone, and a reader that sees all of them together and scores the exits.

The encoder starts from the published Universal Sentence Encoder lite. What it makes of questions and exits does not depend on what was
said, so that a program keeps it; providers/src/local/judge/ runs the two halves as two networks.
"""

import torch
from torch import nn
import torch.nn.functional as F

from sentence_encoder import SentenceEncoder, WIDTH, attend

EXITS_MAX = 8
TOKENS_MAX = 112
QUESTION_TOKENS_MAX = 40
SAID_TOKENS_MAX = 48
PHRASE_TOKENS_MAX = 12
PHRASES_MAX = 8
PADDING, QUESTION, SAID, EXIT = 0, 1, 2, 3
GROUPS = 5


def lay_out(pieces, question, exits, said):
    """The texts of one judgement as blocks of word pieces: (kind, slot, pieces with their words), with slot 0 for what belongs to no exit."""
    blocks = [(QUESTION, 0, pieces.encode(question)[-QUESTION_TOKENS_MAX:]), (SAID, 0, pieces.encode(said)[:SAID_TOKENS_MAX])]
    left = TOKENS_MAX - sum(len(ids) for _, _, ids in blocks)
    texts = [[exit["when"], *(exit.get("phrases") or [])[:PHRASES_MAX]] for exit in exits]
    for rank in range(1 + PHRASES_MAX):
        for slot, own in enumerate(texts, 1):
            ids = pieces.encode(own[rank])[:PHRASE_TOKENS_MAX] if rank < len(own) else []
            if ids and len(ids) <= left:
                blocks.append((EXIT, slot, ids))
                left -= len(ids)
    return [block for block in blocks if block[2]]


class ReaderLayer(nn.Module):
    def __init__(self, width, heads, feed):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.feed_norm = nn.LayerNorm(width)
        self.feed_in = nn.Linear(width, feed)
        self.feed_out = nn.Linear(feed, width)

    def forward(self, x, bias, dropout):
        rows, length, width = x.shape
        q, k, v = self.qkv(self.norm(x)).view(rows, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        mixed = attend(q, k, v, bias, dropout if self.training else 0.0).transpose(1, 2).reshape(rows, length, width)
        x = x + F.dropout(self.out(mixed), dropout, self.training)
        return x + F.dropout(self.feed_out(F.relu(self.feed_in(self.feed_norm(x)))), dropout, self.training)


class Reader(nn.Module):
    """Scores the exits and "no answer" from the encoded tokens of all texts."""

    def __init__(self, width, layers, heads=4, feed=None, dropout=0.1):
        super().__init__()
        self.dropout = dropout
        self.kinds = nn.Embedding(4, width)
        self.slots = nn.Embedding(1 + EXITS_MAX, width)
        self.matches = nn.Linear(3, width)
        self.nearness = nn.Linear(2, width)
        self.exit = nn.Parameter(torch.randn(width) * 0.02)
        self.none = nn.Parameter(torch.randn(width) * 0.02)
        self.answer_kinds = nn.Embedding(2, width)
        self.layers = nn.ModuleList([ReaderLayer(width, heads, feed or 3 * width) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.score = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.score_none = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))
        self.notes = nn.Linear(width, 3 + 1 + GROUPS)

    def forward(self, tokens, kinds, slots, matches, nearness, has_exit, answer_kind):
        """tokens [B,T,W]; kinds, slots [B,T]; matches [B,T,3]; nearness [B,1+E]: said to the question and to each exit; has_exit [B,E]."""
        rows = tokens.shape[0]
        x = tokens + self.kinds(kinds) + self.slots(slots) + self.matches(matches)
        ask = nearness[:, :1]
        near = nearness[:, 1:]
        exits = self.exit + self.slots.weight[1:].unsqueeze(0) + self.nearness(torch.stack([near, ask.expand_as(near)], -1))
        best = (near * has_exit).amax(1, keepdim=True)
        none = self.none + self.answer_kinds(answer_kind) + self.nearness(torch.cat([best, ask], 1))
        x = torch.cat([none.unsqueeze(1), exits, x], 1)
        seen = torch.cat([torch.ones_like(ask), has_exit, (kinds > 0).to(has_exit.dtype)], 1)
        bias = (1.0 - seen).view(rows, 1, 1, -1) * -1e4
        for layer in self.layers:
            x = layer(x, bias, self.dropout)
        x = self.norm(x)
        exits = self.score(x[:, 1 : 1 + EXITS_MAX]).squeeze(-1) - (1.0 - has_exit) * 1e4
        return torch.cat([exits, self.score_none(x[:, 0])], 1), self.notes(x[:, 0])


class Judge(nn.Module):
    def __init__(self, width=256, layers=3, heads=4, dropout=0.1, encoder_dropout=0.05, words=0):
        super().__init__()
        self.encoder_dropout = encoder_dropout
        self.encoder = SentenceEncoder(words)
        self.project = nn.Linear(WIDTH, width)
        self.reader = Reader(width, layers, heads, dropout=dropout)

    def encode(self, ids, words, positions, bias):
        return self.encoder(ids, words, positions, bias, self.encoder_dropout if self.training else 0.0)

    def forward(self, batch):
        """All texts of a row side by side; `blocks` numbers them, 0 is padding and 1 what was said."""
        ids, kinds, slots, blocks = batch["ids"], batch["kinds"], batch["slots"], batch["blocks"]
        apart = (blocks.unsqueeze(1) != blocks.unsqueeze(2)).to(torch.float32).unsqueeze(1) * -1e9
        states = self.encode(ids, batch["words"], batch["positions"], apart)
        count = batch["block_slots"].shape[1]
        member = F.one_hot(blocks, count).transpose(1, 2).to(states.dtype)
        sentences = self.encoder.sentence_of((member @ states) / member.sum(2, keepdim=True).clamp(min=1.0))
        said = sentences[:, 1:2]
        near = (sentences * said).sum(-1)
        exit_of = batch["block_slots"]
        by_exit = torch.where(
            exit_of.unsqueeze(1) == torch.arange(EXITS_MAX + 1, device=ids.device).view(1, -1, 1), near.unsqueeze(1), torch.full_like(near.unsqueeze(1), -1.0)
        ).amax(2)
        # Slot 0 of `block_slots` marks the question; what was said and padding are -1.
        nearness = torch.where(by_exit < -0.999, torch.zeros_like(by_exit), by_exit)
        return self.reader(self.project(states), kinds, slots, batch["matches"].to(states.dtype), nearness, batch["has_exit"].to(states.dtype), batch["answer_kind"])


class EncoderNetwork(nn.Module):
    """One text: its tokens as the reader wants them, and its sentence vector."""

    def __init__(self, judge):
        super().__init__()
        self.judge = judge

    def forward(self, ids):
        positions = torch.cumsum(torch.ones_like(ids), 1) - 1
        states = self.judge.encoder(ids, None, positions, torch.zeros(1, 1, 1, 1))
        return self.judge.project(states), self.judge.encoder.sentence_of(states.mean(1))


class ReaderNetwork(nn.Module):
    def __init__(self, judge, temperature):
        super().__init__()
        self.reader = judge.reader
        self.temperature = temperature

    def forward(self, tokens, kinds, slots, matches, nearness, has_exit, answer_kind):
        scores, _ = self.reader(tokens, kinds, slots, matches, nearness, has_exit, answer_kind)
        return (scores / self.temperature).softmax(1)

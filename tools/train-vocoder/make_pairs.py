"""Lets the teacher speak the corpus and keeps, in memory, what the decoder learns from: features, F0, style and audio."""

import time

import numpy as np
import torch
import torchaudio.functional as AF

STYLE_LENGTHS = 200
VALIDATION = 500


def read_corpus(folder):
    """[(voice, speed, symbols)]: the last VALIDATION of them are not for training."""
    data = np.fromfile(f"{folder}/corpus.bin", np.uint8)
    sentences, at = [], 0
    while at < len(data):
        voice, speed, length = (int(value) for value in data[at : at + 3])
        sentences.append((voice, speed / 100, data[at + 3 : at + 3 + length].astype(np.int64)))
        at += 3 + length
    styles = np.fromfile(f"{folder}/styles.bin", np.float16).reshape(-1, STYLE_LENGTHS, 256)
    return sentences, torch.from_numpy(styles.astype(np.float32))


def batches(keys, cost_max, cost):
    """Groups positions with the same key into batches of bounded cost."""
    groups = {}
    for position, key in enumerate(keys):
        groups.setdefault(key, []).append(position)
    found = []
    for key, members in groups.items():
        size = max(1, int(cost_max // cost(key)))
        found += [members[start : start + size] for start in range(0, len(members), size)]
    return found


def make_pairs(teacher, sentences, styles, device, seconds_max, half, rng):
    """A list of dictionaries, one per sentence that was reached within the time given."""
    started = time.time()
    style_of = lambda chosen: torch.stack([styles[sentences[i][0], len(sentences[i][2])] for i in chosen]).to(device)
    encoded = [None] * len(sentences)
    for chosen in batches([len(symbols) for _, _, symbols in sentences], 24_000, lambda length: length + 2):
        ids = torch.from_numpy(np.stack([np.pad(sentences[i][2], 1) for i in chosen])).to(device)
        speed = torch.tensor([sentences[i][1] for i in chosen], device=device)
        style = style_of(chosen)
        durations, spread, text = teacher.encode(ids, style, speed)
        for row, i in enumerate(chosen):
            encoded[i] = (durations[row], spread[row].half(), text[row].half(), style[row])
    frames = torch.stack([durations.sum() for durations, *_ in encoded]).tolist()
    print(f"encoded {len(encoded)} in {time.time() - started:.1f} s, {sum(frames) / 40 / 3600:.1f} h", flush=True)
    pairs = []
    groups = [group for group in batches(frames, 12_000, lambda length: length) if 48 <= frames[group[0]] <= 600]
    rng.shuffle(groups)
    for chosen in groups:
        if time.time() - started > seconds_max:
            break
        style = torch.stack([encoded[i][3] for i in chosen])
        spread = torch.stack([encoded[i][1].repeat_interleave(encoded[i][0], 0) for i in chosen]).float()
        text = torch.stack([encoded[i][2].repeat_interleave(encoded[i][0], 0) for i in chosen]).float().transpose(1, 2)
        f0, energy = teacher.prosody(spread, style)
        features = teacher.features(text, f0, energy, style)
        with torch.autocast(device, torch.float16, enabled=half):
            audio = teacher.generate(features, f0, style)
        audio = AF.resample(audio.float(), 24_000, 16_000, lowpass_filter_width=32, rolloff=0.97)
        phase = torch.cumsum(f0.double() / 80, 1)
        phase = (phase - torch.floor(phase)).float()
        for row, i in enumerate(chosen):
            pairs.append(
                dict(index=i, features=features[row].to(torch.bfloat16), f0=f0[row], phase=phase[row], style=style[row, :128],
                     audio=(audio[row].clamp(-1, 1) * 32767).to(torch.int16))
            )
    hours = sum(pair["f0"].shape[0] for pair in pairs) / 80 / 3600
    print(f"{len(pairs)} pairs, {hours:.2f} h, in {time.time() - started:.1f} s", flush=True)
    return pairs


class Pairs:
    """All pairs laid end to end, from which crops of one length are taken at random."""

    def __init__(self, pairs, crop, device):
        pairs = [pair for pair in pairs if pair["f0"].shape[0] >= crop]
        self.crop = crop
        self.features = torch.cat([pair["features"].T for pair in pairs])
        self.f0 = torch.cat([pair["f0"] for pair in pairs])
        self.phase = torch.cat([pair["phase"] for pair in pairs])
        self.audio = torch.cat([pair["audio"][: 200 * pair["f0"].shape[0]] for pair in pairs])
        self.style = torch.stack([pair["style"] for pair in pairs])
        lengths = torch.tensor([pair["f0"].shape[0] for pair in pairs], device=device)
        self.starts = torch.cumsum(lengths, 0) - lengths
        self.choices = lengths - crop + 1
        self.ends = torch.cumsum(self.choices, 0)
        self.total = int(self.ends[-1])

    def sample(self, batch):
        device = self.f0.device
        drawn = torch.randint(0, self.total, (batch,), device=device)
        row = torch.searchsorted(self.ends, drawn, right=True)
        start = self.starts[row] + drawn - (self.ends[row] - self.choices[row])
        at = start[:, None] + torch.arange(self.crop, device=device)
        samples = 200 * start[:, None] + torch.arange(200 * self.crop, device=device)
        return (
            self.features[at].transpose(1, 2), self.f0[at], self.phase[start], self.style[row], self.audio[samples].float() / 32767,
        )

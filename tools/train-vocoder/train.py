"""Trains the decoder on what the teacher says. Everything happens on one GPU, in one process, within a given time.

  python3 train.py --data DIR --teacher teacher.npz... --out DIR --seconds 560 [--resume DIR] [--pairs FILE]
"""

import argparse
import copy
import math
import random
import time
import wave

import numpy as np
import torch
import torch.nn.functional as F
import torchaudio
from torch import nn

from decoder import Decoder, harmonic_source
from make_pairs import VALIDATION, Pairs, make_pairs, read_corpus
from teacher import Teacher

CROP = 96


class PeriodDiscriminator(nn.Module):
    def __init__(self, period):
        super().__init__()
        self.period = period
        widths = (1, 32, 64, 128, 256, 256)
        self.layers = nn.ModuleList(
            nn.utils.parametrizations.weight_norm(nn.Conv2d(a, b, (5, 1), (3 if i < 4 else 1, 1), (2, 0)))
            for i, (a, b) in enumerate(zip(widths, widths[1:]))
        )
        self.last = nn.utils.parametrizations.weight_norm(nn.Conv2d(256, 1, (3, 1), 1, (1, 0)))

    def forward(self, x):
        x = F.pad(x, (0, -x.shape[-1] % self.period), mode="reflect")
        x = x.view(x.shape[0], 1, -1, self.period).contiguous(memory_format=torch.channels_last)
        maps = []
        for layer in self.layers:
            x = F.leaky_relu(layer(x), 0.1)
            maps.append(x)
        return self.last(x), maps


class SpectrumDiscriminator(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.register_buffer("window", torch.hann_window(size), persistent=False)
        conv = lambda a, b, kernel, stride: nn.utils.parametrizations.weight_norm(
            nn.Conv2d(a, b, kernel, stride, (kernel[0] // 2, kernel[1] // 2))
        )
        self.layers = nn.ModuleList(
            [conv(2, 32, (3, 9), (1, 1)), conv(32, 32, (3, 9), (1, 2)), conv(32, 32, (3, 9), (1, 2)), conv(32, 32, (3, 9), (1, 2)), conv(32, 32, (3, 3), (1, 1))]
        )
        self.last = conv(32, 1, (3, 3), (1, 1))

    def forward(self, x):
        with torch.autocast("cuda", enabled=False):
            s = torch.stft(x.float(), self.size, self.size // 4, window=self.window, return_complex=True)
            s = s / self.window.sum() * 8
            magnitude = s.abs().clamp(min=1e-6)
            s = s * magnitude ** -0.5
            x = torch.stack([s.real, s.imag], 1).transpose(2, 3).contiguous(memory_format=torch.channels_last)
        maps = []
        for layer in self.layers:
            x = F.leaky_relu(layer(x), 0.1)
            maps.append(x)
        return self.last(x), maps


class Discriminators(nn.Module):
    def __init__(self):
        super().__init__()
        self.narrow = nn.ModuleList(PeriodDiscriminator(period) for period in (2, 3, 5, 7, 11))
        self.narrow_spectra = nn.ModuleList(SpectrumDiscriminator(size) for size in (512, 128))
        self.wide = nn.ModuleList(SpectrumDiscriminator(size) for size in (1024, 256))

    def forward(self, audio_8k, audio_16k):
        found = [part(audio_8k) for part in (*self.narrow, *self.narrow_spectra)] + [part(audio_16k) for part in self.wide]
        return [score for score, _ in found], [features for _, features in found]


class MelLoss(nn.Module):
    """Distances of log-mel spectra and of magnitude spectra over several window sizes."""

    def __init__(self, rate, sizes):
        super().__init__()
        self.sizes = sizes
        for size, mels in sizes:
            bank = torchaudio.functional.melscale_fbanks(size // 2 + 1, 0, rate / 2, mels, rate, norm="slaney", mel_scale="slaney")
            self.register_buffer(f"bank{size}", bank, persistent=False)
            self.register_buffer(f"window{size}", torch.hann_window(size), persistent=False)

    def forward(self, made, wanted):
        mel, stft, exact = 0, 0, 0
        for size, _ in self.sizes:
            window, bank = getattr(self, f"window{size}"), getattr(self, f"bank{size}")
            a, b = (torch.stft(x, size, size // 4, window=window, return_complex=True) / window.sum() for x in (made, wanted))
            difference = (a - b).abs()
            a, b = (torch.sqrt(x.real**2 + x.imag**2 + 1e-12) for x in (a, b))
            mel = mel + F.l1_loss(torch.log((a.transpose(1, 2) @ bank).clamp(min=2e-5)), torch.log((b.transpose(1, 2) @ bank).clamp(min=2e-5)))
            stft = stft + torch.norm(a - b) / torch.norm(b)
            exact = exact + difference.mean() / b.mean()
        count = len(self.sizes)
        return mel / count, stft / count, exact / count


def write_wave(path, samples, rate):
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((samples.clamp(-1, 1) * 32767).to(torch.int16).cpu().numpy().tobytes())


def narrowed(decoder, audio):
    """The telephone band of a recording, with the same end of the band as the decoder's own."""
    return decoder.audio(decoder.spectra["16000"](audio), 8_000)


@torch.no_grad()
def decode(decoder, pair, device):
    """One whole sentence, in float32."""
    f0, style = pair["f0"][None], pair["style"][None]
    harmonic = harmonic_source(f0, pair["phase"][:1], 16_000)
    noise = torch.randn(harmonic.shape, device=device, generator=torch.Generator(device).manual_seed(1))
    spectrum = decoder(pair["features"][None].float(), f0, style, harmonic, noise)
    return decoder.audio(spectrum, 16_000), decoder.audio(spectrum, 8_000)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--data", required=True)
    options.add_argument("--teacher", nargs="+", required=True)
    options.add_argument("--out", required=True)
    options.add_argument("--seconds", type=float, required=True)
    options.add_argument("--pair-seconds", type=float, default=100)
    options.add_argument("--sentences", type=int, default=0)
    options.add_argument("--batch", type=int, default=64)
    options.add_argument("--warm-up", type=int, default=1200)
    options.add_argument("--rate", type=float, default=4e-4)
    options.add_argument("--full", action="store_true", help="teacher in float32 rather than half precision")
    options.add_argument("--pairs", help="keep the pairs in this file, and read them when it is there")
    options.add_argument("--resume", help="a file written by an earlier run")
    options.add_argument("--progress", type=float, nargs=2, default=(0, 1), help="which part of the learning-rate schedule this run covers")
    options.add_argument("--keep", help="where the whole state goes at the end")
    o = options.parse_args()
    started = time.time()
    device = "cuda"
    torch.manual_seed(20_261_116)
    rng = random.Random(20_261_116)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True

    try:
        pairs = torch.load(o.pairs, weights_only=False, map_location=device) if o.pairs else None
    except FileNotFoundError:
        pairs = None
    if pairs is None:
        teacher = Teacher(o.teacher, device)
        sentences, styles = read_corpus(o.data)
        if o.sentences:
            sentences = sentences[-o.sentences :]
        pairs = make_pairs(teacher, sentences, styles, device, o.pair_seconds, not o.full, rng)
        first_validation = len(sentences) - min(VALIDATION, len(sentences) // 4)
        for pair in pairs:
            pair["validation"] = pair["index"] >= first_validation
        del teacher
        torch.cuda.empty_cache()
        if o.pairs:
            torch.save(pairs, o.pairs)
    validation = sorted((pair for pair in pairs if pair["validation"]), key=lambda pair: pair["index"])[:24]
    data = Pairs([pair for pair in pairs if not pair["validation"]], CROP, device)
    del pairs
    print(f"data ready at {time.time() - started:.1f} s, {data.f0.shape[0] / 80 / 3600:.2f} h, {torch.cuda.memory_allocated() / 1e9:.1f} GB", flush=True)

    # Shapes are fixed from here on.
    torch.backends.cudnn.benchmark = True
    decoder, judges = Decoder().to(device), Discriminators().to(device, memory_format=torch.channels_last)
    some = data.features[torch.randint(0, data.features.shape[0], (200_000,), device=device)].float()
    decoder.mean.copy_(some.mean(0))
    decoder.scale.copy_(1 / (some.std(0) + 1e-3))
    print(f"{sum(p.numel() for p in decoder.parameters()) / 1e6:.2f} M parameters, judges {sum(p.numel() for p in judges.parameters()) / 1e6:.2f} M", flush=True)
    average = copy.deepcopy(decoder).requires_grad_(False)
    # Rates live on the device, because the recorded steps read them there.
    rates = {"make": torch.tensor(o.rate, device=device), "judge": torch.tensor(o.rate / 2, device=device)}
    adam = lambda module, rate: torch.optim.AdamW(module.parameters(), rate, betas=(0.8, 0.99), weight_decay=0.01, fused=True, capturable=True)
    make, judge = adam(decoder, rates["make"]), adam(judges, rates["judge"])
    step = 0
    if o.resume:
        state = torch.load(o.resume, weights_only=False, map_location=device)
        for part, name in ((decoder, "decoder"), (average, "average"), (judges, "judges")):
            part.load_state_dict(state[name])
        for part, name in ((make, "make"), (judge, "judge")):
            part.load_state_dict(state[name])
            for group in part.param_groups:
                group["lr"] = rates[name]
        step = state["step"]
    wide_loss = MelLoss(16_000, ((2048, 128), (1024, 100), (512, 64), (256, 40), (128, 20))).to(device)
    narrow_loss = MelLoss(8_000, ((1024, 80), (512, 64), (256, 40), (128, 20))).to(device)
    spread = 1 / decoder.scale[:, None]
    amp = lambda: torch.autocast(device, torch.bfloat16, cache_enabled=False)

    def train_step(adversarial):
        features, f0, phase, style, audio = data.sample(o.batch)
        harmonic = harmonic_source(f0, phase, 16_000)
        noise = torch.randn_like(harmonic)
        # The quantised front differs from the teacher's by a few per cent.
        features = features.float()
        features = features + 0.04 * torch.randn_like(features) * spread
        with torch.no_grad():
            audio_8k = narrowed(decoder, audio)
        with amp():
            spectrum = decoder(features, f0, style, harmonic, noise)
        made_16k, made_8k = decoder.audio(spectrum, 16_000), decoder.audio(spectrum, 8_000)
        # The first and last frames of a crop lack their neighbours.
        cut = lambda x, hop: x[:, 6 * hop : -6 * hop]
        made_16k, wanted_16k, made_8k, wanted_8k = cut(made_16k, 200), cut(audio, 200), cut(made_8k, 100), cut(audio_8k, 100)
        # The judges cost ten times as much as the rest of a step: they see the middle of the crop.
        middle = lambda x, hop: x[:, 24 * hop : 60 * hop]
        made_mid, wanted_mid = (middle(made_8k, 100), middle(made_16k, 200)), (middle(wanted_8k, 100), middle(wanted_16k, 200))
        judge_loss = score = matching = torch.zeros((), device=device)
        if adversarial:
            with amp():
                real, real_maps = judges(*wanted_mid)
                fake, _ = judges(*(x.detach() for x in made_mid))
                judge_loss = sum(F.relu(1 - r).mean() + F.relu(1 + f).mean() for r, f in zip(real, fake)) / len(real)
            judge.zero_grad(set_to_none=True)
            judge_loss.backward()
            nn.utils.clip_grad_norm_(judges.parameters(), 10)
            judge.step()
        wide, narrow = wide_loss(made_16k, wanted_16k), narrow_loss(made_8k, wanted_8k)
        loss = 15 * (wide[0] + narrow[0]) + 2 * (wide[1] + narrow[1]) + (wide[2] + narrow[2])
        if adversarial:
            judges.requires_grad_(False)
            with amp():
                fake, fake_maps = judges(*made_mid)
                score = sum(-f.mean() for f in fake) / len(fake)
                matching = sum(
                    F.l1_loss(f, r.detach()) / r.detach().abs().mean().clamp(min=1e-3) for rs, fs in zip(real_maps, fake_maps) for r, f in zip(rs, fs)
                ) / sum(len(rs) for rs in real_maps)
            judges.requires_grad_(True)
            loss = loss + 2 * score.float() + 8 * matching.float()
        make.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(decoder.parameters(), 20)
        make.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(average.parameters()), list(decoder.parameters()), 0.001)
        return [x.detach().float() for x in (wide[0], narrow[0], narrow[1], narrow[2], score, matching, judge_loss, norm)]

    def recorded(adversarial):
        """The step as one CUDA graph: thousands of small kernels otherwise wait for Python."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                train_step(adversarial)
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        make.zero_grad(set_to_none=True)
        judge.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            figures = train_step(adversarial)
        return graph, figures

    log = open(f"{o.out}/log.txt", "a")
    training_from = last_save = last_report = time.time()
    last_step = first_step = step
    print(f"recording at {training_from - started:.1f} s", flush=True)
    graph, figures = recorded(step >= o.warm_up)

    def save():
        weights = {name: value.half().cpu().numpy() for name, value in average.state_dict().items() if "window" not in name}
        np.savez(f"{o.out}/decoder.npz", step=step, **weights)

    while True:
        now = time.time()
        elapsed = (now - training_from) / (o.seconds - (training_from - started) - 12)
        if elapsed >= 1:
            break
        progress = o.progress[0] + (o.progress[1] - o.progress[0]) * elapsed
        scale = min(1, (step - first_step + 1) / 100) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * progress)))
        rates["make"].fill_(o.rate * scale)
        rates["judge"].fill_(o.rate * scale / 2)
        graph.replay()
        step += 1
        if step == o.warm_up:
            average.load_state_dict(decoder.state_dict())
            graph, figures = recorded(True)
        if step % 50 == 0:
            torch.cuda.synchronize()
            if now - last_report > 10:
                names = ("mel16", "mel8", "sc8", "exact8", "adv", "fm", "judge", "norm")
                shown = " ".join(f"{name} {value.item():.3f}" for name, value in zip(names, figures))
                line = f"{step} {now - started:.0f}s {(step - last_step) / (now - last_report):.1f}/s {shown}"
                last_report, last_step = now, step
                print(line, flush=True)
                log.write(line + "\n")
                log.flush()
            if now - last_save > 120:
                last_save = now
                save()

    average.eval()
    sums = torch.zeros(4, device=device)
    for number, pair in enumerate(validation):
        made_16k, made_8k = decode(average, pair, device)
        wanted = pair["audio"][None, : made_16k.shape[1]].float() / 32767
        wide, narrow = wide_loss(made_16k, wanted), narrow_loss(made_8k, narrowed(average, wanted))
        sums += torch.stack([wide[0], narrow[0], narrow[1], narrow[2]]) / len(validation)
        if number < 3:
            write_wave(f"{o.out}/made{number}.wav", torch.cat([made_16k[0], wanted[0]]), 16_000)
    line = f"validation at {step}: mel16 {sums[0]:.3f} mel8 {sums[1]:.3f} sc8 {sums[2]:.3f} exact8 {sums[3]:.3f}"
    print(line, flush=True)
    log.write(line + "\n")
    save()
    if o.keep:
        parts = dict(decoder=decoder, average=average, judges=judges, make=make, judge=judge)
        torch.save({**{name: part.state_dict() for name, part in parts.items()}, "step": step}, o.keep)
    half = {name: value.half() if value.is_floating_point() else value for name, value in judges.state_dict().items()}
    torch.save(half, f"{o.out}/judges.pt")
    print(f"finished at {time.time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()

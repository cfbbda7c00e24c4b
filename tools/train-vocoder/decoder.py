"""The telephone-band decoder: Kokoro's features in, audio at 16 or 8 kHz out.

Each feature frame (80 per second) predicts one short-time spectrum of 50 ms: a complex filter on the spectrum of a
harmonic source made from F0, plus one on the spectrum of white noise. Bins are 20 Hz apart at both rates, so that 8 kHz
audio is the lower half of the same prediction.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn

FRAMES_PER_SECOND = 80
FEATURES = 512
STYLE = 128
BINS_16K = 401
BINS_8K = 201
WIDTH = 320
INNER = 960
BLOCKS = 8
KERNEL = 7
VOICED_MIN_HZ = 10
# Ola of squared Hann windows at a quarter of their length.
WINDOW_GAIN = 1.5


def bins_at(rate):
    return BINS_16K if rate == 16_000 else BINS_8K


def harmonic_source(f0, first_phase, rate):
    """A band-limited pulse train, (batch, samples). Phase runs from frame centre to frame centre as in Kokoro's generator.

    f0 is in hertz per frame; first_phase, in turns, belongs to the centre of the first frame.
    """
    hop = rate // FRAMES_PER_SECOND
    steps = f0 / FRAMES_PER_SECOND
    turns = torch.cumsum(torch.cat([first_phase[:, None], steps[:, 1:]], 1).double(), 1)
    # Kokoro's own samples, at 24 kHz, stand half a sample after the beginning of their interval.
    at = torch.arange(f0.shape[1] * hop, device=f0.device, dtype=torch.float64) / hop + FRAMES_PER_SECOND / 48_000 - 0.5
    at = at.clamp(0, f0.shape[1] - 1)
    left = at.floor().long().clamp(max=max(0, f0.shape[1] - 2))
    right = (left + 1).clamp(max=f0.shape[1] - 1)
    turns = turns[:, left] + (at - left) * (turns[:, right] - turns[:, left])
    turns = (turns - torch.round(turns)).float()
    pitch = f0.repeat_interleave(hop, 1)
    voiced = pitch > VOICED_MIN_HZ
    pitch = pitch.clamp(min=40)
    count = torch.floor(0.485 * rate / pitch)
    half = math.pi * turns
    near = turns.abs() < 1e-4
    ratio = torch.sin((2 * count + 1) * half) / torch.sin(torch.where(near, torch.ones_like(half), half))
    pulses = 0.5 * (torch.where(near, 2 * count + 1, ratio) - 1)
    return torch.where(voiced, pulses * torch.sqrt(pitch / 4000), torch.zeros_like(pulses))


class Spectrum(nn.Module):
    """Short-time spectra whose frames are centred on the feature frames, and their inverse."""

    def __init__(self, rate):
        super().__init__()
        self.hop = rate // FRAMES_PER_SECOND
        self.size = 4 * self.hop
        self.bins = bins_at(rate)
        self.register_buffer("window", torch.hann_window(self.size), persistent=False)

    def forward(self, wave):
        pad = (self.size - self.hop) // 2
        frames = F.pad(wave, (pad, pad)).unfold(1, self.size, self.hop)
        spectrum = torch.fft.rfft(frames * self.window, dim=-1) / self.window.sum()
        return spectrum[..., : self.bins]

    def inverse(self, spectrum):
        frames = torch.fft.irfft(spectrum * self.window.sum(), n=self.size, dim=-1) * self.window / WINDOW_GAIN
        batch, count, _ = frames.shape
        total = (count - 1) * self.hop + self.size
        wave = F.fold(frames.transpose(1, 2), (1, total), (1, self.size), stride=(1, self.hop))[:, 0, 0]
        pad = (self.size - self.hop) // 2
        return wave[:, pad : total - pad]


class Block(nn.Module):
    """A ConvNeXt block whose norm follows the style."""

    def __init__(self):
        super().__init__()
        self.depthwise = nn.Conv1d(WIDTH, WIDTH, KERNEL, padding=KERNEL // 2, groups=WIDTH)
        self.style = nn.Linear(STYLE, 2 * WIDTH)
        self.widen = nn.Linear(WIDTH, INNER)
        self.narrow = nn.Linear(INNER, WIDTH)
        nn.init.zeros_(self.style.weight)
        nn.init.zeros_(self.style.bias)
        nn.init.normal_(self.narrow.weight, std=0.02 / math.sqrt(BLOCKS))
        nn.init.zeros_(self.narrow.bias)

    def forward(self, x, style):
        y = self.depthwise(x.transpose(1, 2)).transpose(1, 2)
        gamma, beta = self.style(style)[:, None].chunk(2, -1)
        y = (1 + gamma) * F.layer_norm(y, (WIDTH,)) + beta
        return x + self.narrow(F.gelu(self.widen(y)))


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(FEATURES))
        self.register_buffer("scale", torch.ones(FEATURES))
        self.enter = nn.Conv1d(FEATURES, WIDTH, 3, padding=1)
        # Real and imaginary parts of both sources below 4 kHz, F0 and whether the frame is voiced.
        self.enter_source = nn.Linear(4 * BINS_8K + 2, WIDTH)
        self.enter_style = nn.Linear(STYLE, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))
        self.head = nn.Linear(WIDTH, 4 * BINS_16K)
        with torch.no_grad():
            self.head.weight.mul_(0.2)
            self.head.bias.zero_()
            self.head.bias.view(4, BINS_16K)[0] = -3.0
            self.head.bias.view(4, BINS_16K)[2] = -5.0
        self.spectra = nn.ModuleDict({"16000": Spectrum(16_000), "8000": Spectrum(8_000)})

    def forward(self, features, f0, style, harmonic, noise):
        """The spectrum at 16 kHz, (batch, frames, bins), from sources at 16 kHz."""
        spectrum = self.spectra["16000"]
        with torch.autocast(features.device.type, enabled=False):
            pulses, hiss = spectrum(harmonic.float()), spectrum(noise.float())
        low_pulses, low_hiss = pulses[..., :BINS_8K], hiss[..., :BINS_8K]
        voiced = (f0 > VOICED_MIN_HZ).float()
        pitch = torch.log(f0.clamp(min=40) / 150) * voiced
        side = torch.cat(
            [8 * low_pulses.real, 8 * low_pulses.imag, 20 * low_hiss.real, 20 * low_hiss.imag, pitch[..., None], voiced[..., None]], -1
        )
        x = self.enter((features - self.mean[:, None]) * self.scale[:, None]).transpose(1, 2)
        x = x + self.enter_source(side) + self.enter_style(style)[:, None]
        x = F.layer_norm(x, (WIDTH,))
        for block in self.blocks:
            x = block(x, style)
        with torch.autocast(features.device.type, enabled=False):
            gain, phase, hiss_gain, hiss_phase = self.head(F.layer_norm(x.float(), (WIDTH,))).chunk(4, -1)
            voice = torch.polar(torch.exp(gain.clamp(max=5)), phase) * pulses
            return voice + torch.polar(torch.exp(hiss_gain.clamp(max=5)), hiss_phase) * hiss

    def audio(self, spectrum, rate):
        if rate == 8_000:
            spectrum = spectrum[..., :BINS_8K] * taper(spectrum.device)
        return self.spectra[str(rate)].inverse(spectrum)


def taper(device):
    """Ends the narrow band softly between 3.7 and 4 kHz, as a resampling filter would."""
    ramp = 0.5 + 0.5 * torch.cos(math.pi * torch.linspace(0, 1, 16, device=device))
    return torch.cat([torch.ones(BINS_8K - 16, device=device), ramp])

"""Kokoro in PyTorch, in float, for batches of texts of equal length: the teacher whose audio the decoder learns.

Layers carry the names of the shipped ONNX graph. Batches hold texts with the same number of symbols (front) or of frames
(decoder), because the instance norms take their statistics over the whole utterance and padding would change them.
"""

import math
import re

import numpy as np
import torch
import torch.nn.functional as F

SAMPLE_RATE = 24_000
HOP = 300  # samples per feature frame: 80 frames per second
ALBERT = "/encoder/bert/encoder/albert_layer_groups.0/albert_layers.0/"


class Teacher:
    def __init__(self, paths, device="cpu"):
        self.device = device
        raw = {}
        for path in paths:
            raw.update(np.load(path))
        self.w = {}
        for name, value in raw.items():
            if name.endswith(("|s", "|z")):
                continue
            if name.endswith("|q"):
                base = name[:-2]
                scale, zero = raw[base + "|s"].astype(np.float32), raw[base + "|z"].astype(np.float32)
                shape = (-1,) + (1,) * (value.ndim - 1) if scale.size > 1 and value.ndim == 3 else (-1,) if scale.size > 1 else ()
                value = (value.astype(np.float32) - zero.reshape(shape)) * scale.reshape(shape)
                name = base
            self.w[name] = torch.from_numpy(np.ascontiguousarray(value)).float().to(device)
        self.snake = torch.compile(snake, dynamic=True) if device == "cuda" else snake
        self.lstms = {name[:-2]: self._lstm(name[:-2]) for name in list(self.w) if name.endswith("#W")}

    def _lstm(self, name):
        weights, recurrent, biases = self.w[name + "#W"], self.w[name + "#R"], self.w[name + "#B"]
        size = recurrent.shape[1]
        lstm = torch.nn.LSTM(weights.shape[1], size, batch_first=True, bidirectional=True).to(self.device)
        # ONNX orders the gates input, output, forget, cell; PyTorch input, forget, cell, output.
        order = torch.cat([torch.arange(size) + size * gate for gate in (0, 2, 3, 1)]).to(self.device)
        with torch.no_grad():
            for direction, suffix in enumerate(("", "_reverse")):
                getattr(lstm, "weight_ih_l0" + suffix).copy_(weights[direction].T[order])
                getattr(lstm, "weight_hh_l0" + suffix).copy_(recurrent[direction].T[order])
                getattr(lstm, "bias_ih_l0" + suffix).copy_(biases[direction][: 4 * size][order])
                getattr(lstm, "bias_hh_l0" + suffix).copy_(biases[direction][4 * size :][order])
        lstm.flatten_parameters()
        return lstm

    def bias(self, layer):
        name = layer[1:].replace("/", ".")
        # `cnn.0.cnn.0.0` in the graph is `cnn.0.0` among the parameters.
        name = re.sub(r"(cnn\.\d|asr_res)\.\1", r"\1", name)
        for candidate in (name, name.replace("encoder.", "encoder.predictor.", 1)):
            if "=" + candidate + ".bias" in self.w:
                return self.w["=" + candidate + ".bias"]
        return None

    def linear(self, layer, x):
        bias = self.bias(layer)
        y = x @ self.w[layer]
        return y if bias is None else y + bias

    def conv(self, layer, x, **options):
        return F.conv1d(x, self.w[layer], self.bias(layer), **options)

    def albert(self, ids):
        w = self.w
        e = "/encoder/bert/embeddings/"
        x = w[e + "word_embeddings"][ids] + w[e + "position_embeddings"][: ids.shape[1]] + w[e + "token_type_embeddings"][0]
        x = F.layer_norm(x, (128,), w["=encoder.bert.embeddings.LayerNorm.weight"], w["=encoder.bert.embeddings.LayerNorm.bias"], 1e-12)
        x = self.linear("/encoder/bert/encoder/embedding_hidden_mapping_in", x)
        n = "=" + ALBERT[1:].replace("/", ".")
        batch, length, _ = x.shape
        for _ in range(12):
            q, k, v = (
                self.linear(ALBERT + "attention/" + part, x).view(batch, length, 12, 64).transpose(1, 2)
                for part in ("query", "key", "value")
            )
            scores = torch.softmax(q @ k.transpose(-1, -2) / 8, dim=-1)
            mixed = self.linear(ALBERT + "attention/dense", (scores @ v).transpose(1, 2).reshape(batch, length, 768))
            x = F.layer_norm(x + mixed, (768,), w[n + "attention.LayerNorm.weight"], w[n + "attention.LayerNorm.bias"], 1e-12)
            h = self.linear(ALBERT + "ffn", x)
            h = 0.5 * h * (1 + torch.tanh(math.sqrt(2 / math.pi) * (h + 0.044715 * h**3)))
            h = self.linear(ALBERT + "ffn_output", h)
            x = F.layer_norm(x + h, (768,), w[n + "full_layer_layer_norm.weight"], w[n + "full_layer_layer_norm.bias"], 1e-12)
        return x

    @torch.no_grad()
    def encode(self, ids, style, speed):
        """Durations, and what the prosody and the decoder read per symbol. All texts have the same number of symbols."""
        prosody = style[:, 128:]
        x = self.linear("/encoder/bert_encoder", self.albert(ids))
        wide = prosody[:, None].expand(-1, ids.shape[1], -1)
        x = torch.cat([x, wide], -1)
        for block in (0, 2, 4):
            x, _ = self.lstms[f"/encoder/predictor/text_encoder/lstms.{block}"](x)
            gamma, beta = self.linear(f"/encoder/predictor/text_encoder/lstms.{block + 1}/fc", prosody)[:, None].chunk(2, -1)
            x = (1 + gamma) * F.layer_norm(x, (512,), eps=1e-5) + beta
            x = torch.cat([x, wide], -1)
        y, _ = self.lstms["/encoder/predictor/lstm"](x)
        y = torch.sigmoid(self.linear("/encoder/predictor/duration_proj/linear_layer", y)).sum(-1)
        durations = torch.round(y / speed[:, None]).clamp(min=1).long()
        text = self.w["/encoder/text_encoder/embedding"][ids].transpose(1, 2)
        for layer in range(3):
            text = self.conv(f"/encoder/text_encoder/cnn.{layer}/cnn.{layer}.0", text, padding=2)
            text = F.layer_norm(
                text.transpose(1, 2), (512,), self.w[f"=encoder.text_encoder.cnn.{layer}.1.gamma"],
                self.w[f"=encoder.text_encoder.cnn.{layer}.1.beta"], 1e-5,
            ).transpose(1, 2)
            text = F.leaky_relu(text, 0.2)
        text, _ = self.lstms["/encoder/text_encoder/lstm"](text.transpose(1, 2))
        return durations, x, text

    def norm(self, layer, x, style):
        gamma, beta = self.linear(layer + "/fc", style)[:, :, None].chunk(2, 1)
        batch, channels, length = x.shape
        weight, bias = (1 + gamma).float().reshape(-1), beta.float().reshape(-1)
        return F.batch_norm(x.reshape(1, -1, length), None, None, weight, bias, True, 0.0, 1e-5).view(batch, channels, length)

    def block(self, layer, x, style):
        y = F.leaky_relu(self.norm(layer + "/norm1", x, style), 0.2)
        if layer + "/pool" in self.w:
            pool = self.w[layer + "/pool"]
            y = F.conv_transpose1d(y, pool, self.bias(layer + "/pool"), stride=2, padding=1, output_padding=1, groups=pool.shape[0])
            x = x.repeat_interleave(2, -1)
        y = self.conv(layer + "/conv1", y, padding=1)
        y = F.leaky_relu(self.norm(layer + "/norm2", y, style), 0.2)
        y = self.conv(layer + "/conv2", y, padding=1)
        if layer + "/conv1x1" in self.w:
            x = F.conv1d(x, self.w[layer + "/conv1x1"])
        return (x + y) / math.sqrt(2)

    @torch.no_grad()
    def prosody(self, spread, style):
        """F0 in hertz and energy, 80 per second, from what `encode` gave, spread over the frames: (batch, frames, 640)."""
        x, _ = self.lstms["/encoder/shared"](spread)
        curves = []
        for name in ("F0", "N"):
            y = x.transpose(1, 2)
            for layer in range(3):
                y = self.block(f"/encoder/{name}.{layer}", y, style[:, 128:])
            curves.append(self.conv(f"/encoder/{name}_proj", y)[:, 0])
        return curves

    @torch.no_grad()
    def features(self, text, f0, energy, style):
        """What Kokoro hands to its generator: (batch, 512, 2 x frames)."""
        style = style[:, :128]
        f0_low = self.conv("/decoder/decoder/F0_conv", f0[:, None], stride=2, padding=1)
        energy_low = self.conv("/decoder/decoder/N_conv", energy[:, None], stride=2, padding=1)
        x = self.block("/decoder/decoder/encode", torch.cat([text, f0_low, energy_low], 1), style)
        residual = self.conv("/decoder/decoder/asr_res/asr_res.0", text)
        for layer in range(4):
            x = self.block(f"/decoder/decoder/decode.{layer}", torch.cat([x, residual, f0_low, energy_low], 1), style)
        return x

    def source(self, f0):
        """The nine harmonics that the generator starts from, as magnitude and phase of a short-time spectrum."""
        g = "/decoder/decoder/generator/"
        harmonics = torch.arange(1, 10, device=f0.device, dtype=torch.float32)[None, :, None]
        turns = f0[:, None] * harmonics / SAMPLE_RATE
        turns = (turns - torch.floor(turns)).double()
        phase = torch.cumsum(turns, -1) * (2 * math.pi * HOP)
        phase = F.interpolate(phase, scale_factor=HOP, mode="linear")
        voiced = (f0 > 10).float().repeat_interleave(HOP, -1)[:, None]
        sines = 0.1 * torch.sin(phase).float() * voiced
        wave = torch.tanh(sines.transpose(1, 2) @ self.w[g + "m_source/l_linear"] + self.w["=decoder.decoder.generator.m_source.l_linear.bias"])[..., 0]
        window = torch.hann_window(20, device=f0.device)
        spectrum = torch.stft(wave, 20, 5, 20, window, center=True, pad_mode="reflect", return_complex=True)
        return torch.cat([spectrum.abs(), torch.angle(spectrum)], 1)

    def residual(self, layer, x, style, dilations=(1, 3, 5)):
        n = "=" + layer[1:].replace("/", ".")
        for index, dilation in enumerate(dilations):
            kernel = self.w[f"{layer}/convs1.{index}"].shape[-1]
            y = self.snake(self.norm(f"{layer}/adain1.{index}", x, style), self.w[f"{n}.alpha1.{index}"])
            y = self.conv(f"{layer}/convs1.{index}", y, dilation=dilation, padding=dilation * (kernel - 1) // 2)
            y = self.snake(self.norm(f"{layer}/adain2.{index}", y, style), self.w[f"{n}.alpha2.{index}"])
            x = x + self.conv(f"{layer}/convs2.{index}", y, padding=(kernel - 1) // 2)
        return x

    @torch.no_grad()
    def generate(self, features, f0, style):
        """Audio at 24 kHz: (batch, samples)."""
        style = style[:, :128]
        g = "/decoder/decoder/generator/"
        with torch.autocast(f0.device.type, enabled=False):
            source = self.source(f0)
        x = features
        for stage, (stride, pad, noise) in enumerate(((10, 5, dict(stride=6, padding=3)), (6, 3, {}))):
            x = F.leaky_relu(x, 0.1)
            side = self.residual(f"{g}noise_res.{stage}", self.conv(f"{g}noise_convs.{stage}", source, **noise), style)
            x = F.conv_transpose1d(x, self.w[f"{g}ups.{stage}"], self.bias(f"{g}ups.{stage}"), stride=stride, padding=pad)
            if stage == 1:
                x = F.pad(x, (1, 0), mode="reflect")
            x = x + side
            x = sum(self.residual(f"{g}resblocks.{stage * 3 + index}", x, style) for index in range(3)) / 3
        x = self.conv(g + "conv_post", F.leaky_relu(x, 0.01), padding=3).float()
        spectrum = torch.polar(torch.exp(x[:, :11]), torch.sin(x[:, 11:]))
        return torch.istft(spectrum, 20, 5, 20, torch.hann_window(20, device=x.device), center=True)


def snake(x, alpha):
    return x + torch.sin(alpha * x) ** 2 / alpha

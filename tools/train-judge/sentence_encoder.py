"""The Universal Sentence Encoder lite as a PyTorch module: two transformer layers over word pieces, with its published weights."""

import json
import os

import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

WIDTH = 512
HEADS = 4
SHARDS = 7
PREFIX = "module_apply_default/Encoder_en/KonaTransformer/Encode/"
VARIABLES = "module/Encoder_en/KonaTransformer/Encode/"


def read_weights(folder):
    with open(os.path.join(folder, "model.json"), encoding="utf-8") as file:
        manifest = json.load(file)["weightsManifest"]
    data = b"".join(open(os.path.join(folder, f"group1-shard{n}of{SHARDS}"), "rb").read() for n in range(1, SHARDS + 1))
    kinds = {"float32": np.float32, "int32": np.int32, "bool": np.uint8}
    weights, at = {}, 0
    for weight in (weight for group in manifest for weight in group["weights"]):
        count = int(np.prod(weight["shape"])) if weight["shape"] else 1
        array = np.frombuffer(data, kinds[weight["dtype"]], count, at).reshape(weight["shape"])
        weights[weight["name"]] = array.copy()
        at += array.nbytes
    return weights


def attend(q, k, v, bias, dropout=0.0):
    if q.is_cuda:
        return F.scaled_dot_product_attention(q, k, v, bias.to(q.dtype), dropout)
    weights = ((q @ k.transpose(-1, -2)) * q.shape[-1] ** -0.5 + bias).softmax(-1)
    return F.dropout(weights, dropout, dropout > 0) @ v


class EncoderLayer(nn.Module):
    def __init__(self, width_in):
        super().__init__()
        self.norm = nn.LayerNorm(width_in, eps=1e-6)
        self.qkv = nn.Linear(width_in, 3 * width_in)
        self.out = nn.Linear(width_in, WIDTH)
        self.residual = nn.Linear(width_in, WIDTH) if width_in != WIDTH else None
        self.feed_norm = nn.LayerNorm(WIDTH, eps=1e-6)
        self.feed_in = nn.Linear(WIDTH, 1536)
        self.feed_out = nn.Linear(1536, WIDTH)

    def forward(self, x, bias, dropout=0.0):
        rows, length, width = x.shape
        q, k, v = self.qkv(self.norm(x)).view(rows, length, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4).unbind(0)
        mixed = attend(q, k, v, bias).transpose(1, 2).reshape(rows, length, width)
        x = (x if self.residual is None else self.residual(x)) + F.dropout(self.out(mixed), dropout, self.training)
        return x + F.dropout(self.feed_out(F.relu(self.feed_in(self.feed_norm(x)))), dropout, self.training)


class SentenceEncoder(nn.Module):
    """`bias` keeps each token to its own text, where a row holds several."""

    def __init__(self, words=0):
        super().__init__()
        self.words = nn.Embedding(1 + words, 100) if words else None
        self.from_words = nn.Linear(100, 256, bias=False) if words else None
        self.pieces = nn.Embedding(8002, 256)
        self.layers = nn.ModuleList([EncoderLayer(256), EncoderLayer(WIDTH)])
        self.sentence = nn.Linear(WIDTH, WIDTH)
        self.register_buffer("rates", torch.zeros(1, 128))

    def forward(self, ids, words, positions, bias, dropout=0.0):
        angles = positions.unsqueeze(-1).float() * self.rates
        x = 2 * self.pieces(ids) + torch.cat([angles.sin(), angles.cos()], -1)
        if self.words is not None:
            x = x + self.from_words(self.words(words))
        for layer in self.layers:
            x = layer(x, bias, dropout)
        return x

    def sentence_of(self, mean):
        return F.normalize(torch.tanh(self.sentence(mean)), dim=-1)

    def load_words(self, path):
        """Vectors of whole words, which stay as they are; what the network makes of them is learned from nothing."""
        saved = np.load(path)
        self.words.weight.data[0] = 0
        self.words.weight.data[1:] = torch.from_numpy(saved["vectors"].astype(np.float32) * saved["scale"].astype(np.float32))
        self.words.weight.requires_grad_(False)
        self.from_words.weight.data.mul_(0.1)

    def load_published(self, folder):
        weights = read_weights(folder)

        def tensor(name, transpose=False):
            array = torch.from_numpy(weights[name]).squeeze()
            return array.t().contiguous() if transpose else array

        def linear(module, kernel, bias):
            module.weight.data.copy_(tensor(kernel, True))
            module.bias.data.copy_(tensor(bias))

        def norm(module, name):
            module.weight.data.copy_(tensor(f"{name}/layer_norm/layer_norm_scale/ConcatPartitions/concat"))
            module.bias.data.copy_(tensor(f"{name}/layer_norm/layer_norm_bias/ConcatPartitions/concat"))

        self.pieces.weight.data.copy_(tensor("module/Embeddings_en"))
        self.rates.copy_(tensor(f"{PREFIX}TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1").view(1, 128))
        for number, layer in enumerate(self.layers):
            own = f"Layer_{number}/TransformerLayer/"
            stack = f"{PREFIX}TransformerStack/{own}"
            norm(layer.norm, f"{PREFIX}{own}layer_prepostprocess")
            norm(layer.feed_norm, f"{PREFIX}{own}FFN/layer_prepostprocess")
            attention = f"{own}MultiheadAttention/"
            for module, name in ((layer.qkv, "qkv_transform_single"), (layer.out, "output_transform_single")):
                linear(module, f"{VARIABLES}{attention}{name}/kernel/part_0", f"{PREFIX}{attention}{name}/bias/ConcatPartitions/concat")
            for module, name in ((layer.feed_in, "conv1"), (layer.feed_out, "conv2")):
                linear(module, f"{stack}FFN/{name}/Tensordot/Reshape_1", f"{PREFIX}{own}FFN/{name}/bias/ConcatPartitions/concat")
            if layer.residual is not None:
                linear(layer.residual, f"{PREFIX}{own}dense/kernel/ConcatPartitions/concat", f"{PREFIX}{own}dense/bias/ConcatPartitions/concat")
        linear(self.sentence, "module/Encoder_en/hidden_layers/tanh_layer_0/weights", "module/Encoder_en/hidden_layers/tanh_layer_0/bias")
        return self

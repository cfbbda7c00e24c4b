"""Published BERT-like encoders (all-MiniLM-L6-v2, gte-small) as PyTorch layers, and as one file of 16-bit weights with the kept word pieces only.

    python3 tools/train-judge/pretrained.py MODEL_FOLDER VOCABULARY.txt OUT.npz

MODEL_FOLDER holds tokenizer.json and either model.fp16.safetensors or onnx/model.onnx.
"""

import json
import os
import re
import struct
import sys

import numpy as np

WIDTH = 384
HEADS = 12
FEED = 1536
POSITIONS = 80


def read_tensors(folder):
    path = os.path.join(folder, "model.fp16.safetensors")
    if os.path.exists(path):
        with open(path, "rb") as file:
            header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
            data = file.read()
        kinds = {"F16": np.float16, "F32": np.float32, "I64": np.int64}
        tensors = {}
        for name, entry in header.items():
            if name != "__metadata__":
                start, end = entry["data_offsets"]
                tensors[name] = np.frombuffer(data[start:end], kinds[entry["dtype"]]).reshape(entry["shape"])
        return tensors
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(os.path.join(folder, "onnx", "model.onnx")).graph
    stored = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    tensors = {name: value for name, value in stored.items() if not name.startswith("onnx::")}
    for node in graph.node:
        # Weights of products have lost their names; the node tells whose they are.
        if node.op_type == "MatMul" and node.input[1] in stored:
            scope = node.name.strip("/").removesuffix("/MatMul").replace("/", ".")
            tensors[f"{scope}.weight"] = stored[node.input[1]].T
    return tensors


def write_kept(folder, vocabulary, out):
    tensors = {name.removeprefix("bert."): value for name, value in read_tensors(folder).items()}
    with open(os.path.join(folder, "tokenizer.json"), encoding="utf-8") as file:
        known = json.load(file)["model"]["vocab"]
    with open(vocabulary, encoding="utf-8") as file:
        kept = [known[piece] for piece in file.read().split("\n") if piece]
    embeddings = tensors["embeddings.word_embeddings.weight"][kept]
    positions = tensors["embeddings.position_embeddings.weight"][:POSITIONS] + tensors["embeddings.token_type_embeddings.weight"][:1]
    result = {"pieces": embeddings, "positions": positions, "norm.weight": tensors["embeddings.LayerNorm.weight"], "norm.bias": tensors["embeddings.LayerNorm.bias"]}
    names = {
        "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value", "out": "attention.output.dense", "norm": "attention.output.LayerNorm",
        "feed_in": "intermediate.dense", "feed_out": "output.dense", "feed_norm": "output.LayerNorm",
    }
    count = 1 + max(int(found.group(1)) for name in tensors if (found := re.match(r"encoder\.layer\.(\d+)\.", name)))
    for layer in range(count):
        for own, published in names.items():
            for part in ("weight", "bias"):
                result[f"layers.{layer}.{own}.{part}"] = tensors[f"encoder.layer.{layer}.{published}.{part}"]
    np.savez_compressed(out, **{name: value.astype(np.float16) for name, value in result.items()})
    print(f"{count} layers, {len(kept)} pieces, {sum(value.size for value in result.values()):,} numbers, {os.path.getsize(out):,} bytes")


if __name__ == "__main__":
    write_kept(*sys.argv[1:4])

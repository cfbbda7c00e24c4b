"""Writes a trained judge as two ONNX networks with 8-bit weights, and checks them against PyTorch.

    python3 tools/train-judge/export.py NAME.pt --encoder FOLDER --validation FOLDER --out FOLDER
"""

import argparse
import json
import os
import sys

import numpy as np
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from judge import EXITS_MAX, EncoderNetwork, ReaderNetwork
from measure import by_class, figures, read_validation, temperature_for
from pieces import WordPieces
from tensors import tensors_of
from train import load, scores_of

OPSET = 17


def export(network, inputs, path, names_in, names_out, axes):
    old = {"dynamo": False} if "dynamo" in torch.onnx.export.__code__.co_varnames else {}
    torch.onnx.export(network.eval(), inputs, path, input_names=names_in, output_names=names_out, dynamic_axes=axes, opset_version=OPSET, **old)


def quantize(path, out):
    quantize_dynamic(path, out, weight_type=QuantType.QInt8, per_channel=True)


def open_network(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def judge_rows(rows, pieces, encoder, reader):
    """The networks as the program runs them, text by text."""
    data = tensors_of(rows, pieces)
    cache, result = {}, []
    for row in range(len(rows)):
        length = int(data["length"][row])
        ids, blocks = data["ids"][row, :length].numpy(), data["blocks"][row, :length].numpy()
        tokens, sentences = [], {}
        for block in dict.fromkeys(blocks.tolist()):
            own = ids[blocks == block].astype(np.int64)
            key = own.tobytes()
            if key not in cache:
                cache[key] = encoder.run(None, {"ids": own[None]})
            tokens.append(cache[key][0][0])
            sentences[block] = cache[key][1][0]
        nearness = np.full(1 + EXITS_MAX, -np.inf, np.float32)
        for block, sentence in sentences.items():
            slot = int(data["block_slots"][row, block])
            if slot >= 0:
                nearness[slot] = max(nearness[slot], float(sentence @ sentences[1])) if 1 in sentences else 0
        nearness[~np.isfinite(nearness)] = 0
        result.append(
            reader.run(
                None,
                {
                    "tokens": np.concatenate(tokens)[None], "kinds": data["kinds"][row, :length].numpy().astype(np.int64)[None], "slots": data["slots"][row, :length].numpy().astype(np.int64)[None],
                    "matches": data["matches"][row, :length].numpy().astype(np.float32)[None], "nearness": nearness[None], "has_exit": data["has_exit"][row].numpy().astype(np.float32)[None],
                    "answer_kind": np.array([int(data["answer_kind"][row])], np.int64),
                },
            )[0][0]
        )
    return np.array(result)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trained")
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--validation", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    model = load(options.trained, "cpu")
    pieces = WordPieces(os.path.join(options.encoder, "vocab.json"))
    rows = read_validation(options.validation)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    held = {name: tensor.to(device) for name, tensor in tensors_of(rows, pieces).items()}
    scores = scores_of(model.to(device), held, device).cpu().numpy()
    model = model.cpu()
    temperature = temperature_for(rows, scores)
    exact = torch.from_numpy(scores / temperature).softmax(1).numpy()
    print(f"temperature {temperature:.2f}")
    print("PyTorch:", figures(rows, exact)["line"])
    width = model.project.out_features
    encoder_path, reader_path = os.path.join(options.out, "encoder-float.onnx"), os.path.join(options.out, "reader-float.onnx")
    export(EncoderNetwork(model), (torch.tensor([[103, 49, 27, 92]]),), encoder_path, ["ids"], ["tokens", "sentence"], {"ids": {1: "length"}, "tokens": {1: "length"}})
    count = 20
    kinds = torch.tensor([[1] * 8 + [2] * 6 + [3] * 6])
    inputs = (torch.randn(1, count, width), kinds, torch.zeros(1, count, dtype=torch.long), torch.zeros(1, count, 3), torch.zeros(1, 1 + EXITS_MAX), torch.ones(1, EXITS_MAX), torch.tensor([1]))
    names = ["tokens", "kinds", "slots", "matches", "nearness", "has_exit", "answer_kind"]
    export(ReaderNetwork(model, temperature), inputs, reader_path, names, ["probabilities"], {name: {1: "length"} for name in names[:4]})
    report = {"temperature": temperature}
    for kind in ("float", "int8"):
        paths = [encoder_path, reader_path]
        if kind == "int8":
            paths = [os.path.join(options.out, "encoder.onnx"), os.path.join(options.out, "reader.onnx")]
            quantize(encoder_path, paths[0])
            quantize(reader_path, paths[1])
        found = judge_rows(rows, pieces, open_network(paths[0]), open_network(paths[1]))
        result = figures(rows, found)
        report[kind] = {name: value for name, value in result.items() if name != "line"}
        print(f"{kind}: {result['line']}; largest difference to PyTorch {np.abs(found - exact).max():.3f}, bytes {[os.path.getsize(path) for path in paths]}")
    np.savez_compressed(os.path.join(options.out, "validation.npz"), probabilities=found.astype(np.float16))
    for line in by_class(rows, found, report["int8"]["taken"][0.01]["threshold"]):
        print(line)
    with open(os.path.join(options.out, "report.json"), "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)


if __name__ == "__main__":
    main()

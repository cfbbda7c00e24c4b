"""Writes a trained judge as an ONNX network with 8-bit numbers, and checks it against PyTorch.

    python3 tools/train-judge/export.py NAME.pt --vocabulary VOCABULARY.txt --validation FOLDER --out FOLDER
"""

import argparse
import json
import os
import sys

import numpy as np
import onnx
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from measure import by_class, figures, read_validation, temperature_for
from network import Reader, build_network
from pieces import WordPieces
from tensors import tensors_of
from train import load, scores_of


def open_network(path):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def judge_rows(rows, pieces, reader):
    data = tensors_of(rows, pieces)
    result = []
    for row in range(len(rows)):
        length = int(data["length"][row])
        tokens = list(zip(*(data[name][row, :length].tolist() for name in ("ids", "positions", "kinds", "slots"))))
        result.append(reader.judge(tokens, data["matches"][row, :length].float().numpy(), int(data["answer_kind"][row])))
    return np.array(result)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trained")
    parser.add_argument("--vocabulary", required=True)
    parser.add_argument("--validation", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    model = load(options.trained, "cpu")
    pieces = WordPieces(options.vocabulary)
    rows = read_validation(options.validation)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    held = {name: tensor.to(device) for name, tensor in tensors_of(rows, pieces).items()}
    scores = scores_of(model.to(device), held, device).cpu().numpy()
    temperature = temperature_for(rows, scores)
    exact = torch.from_numpy(scores / temperature).softmax(1).numpy()
    print(f"temperature {temperature:.2f}")
    print("PyTorch:", figures(rows, exact)["line"])
    state = {name: value.float().cpu().numpy() for name, value in model.state_dict().items()}
    path = os.path.join(options.out, "judge.onnx")
    onnx.save(build_network(state, len(model.layers), temperature), path)
    found = judge_rows(rows, pieces, Reader(open_network(path), len(model.layers)))
    result = figures(rows, found)
    print(f"network: {result['line']}; largest difference to PyTorch {np.abs(found - exact).max():.3f}, bytes {os.path.getsize(path)}")
    np.savez_compressed(os.path.join(options.out, "validation.npz"), probabilities=found.astype(np.float16))
    for line in by_class(rows, found, result["taken"][0.01]["threshold"]):
        print(line)
    with open(os.path.join(options.out, "report.json"), "w", encoding="utf-8") as file:
        json.dump({"temperature": temperature, **{name: value for name, value in result.items() if name != "line"}}, file, indent=1)


if __name__ == "__main__":
    main()

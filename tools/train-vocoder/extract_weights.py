"""Reads Kokoro's shipped ONNX file into one .npz with a name per layer, as teacher.py expects it.

Quantised weights stay as they are (q), with their scale (s) and zero point (z): the file must be small enough to travel.
Usage: extract_weights.py kokoro-quantized.onnx teacher.npz
"""

import re
import sys

import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper

LAYER_SUFFIX = re.compile(r"/(Conv_quant|MatMul_quant|Gemm_MatMul_quant|ConvTranspose|Conv|LSTM_quant|MatMul|Gather_quant)$")
# ALBERT runs one layer twelve times; the graph repeats its nodes with a number at the end.
REPEATED = re.compile(r"albert_layers\.0/.*_\d+(/|$)")


def main(model_path: str, out_path: str) -> None:
    graph = onnx.load(model_path).graph
    initial = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
    arrays: dict[str, np.ndarray] = {}

    def put_quantised(name: str, weight: str, scale: np.ndarray, zero: np.ndarray) -> None:
        arrays[name + "|q"], arrays[name + "|s"], arrays[name + "|z"] = initial[weight], scale, zero

    for node in graph.node:
        name = LAYER_SUFFIX.sub("", node.name)
        if REPEATED.search(name):
            continue
        if node.op_type in ("ConvInteger", "MatMulInteger") and node.input[1] in initial:
            scale = initial[re.sub("_quantized$", "_scale", node.input[1])]
            put_quantised(name, node.input[1], scale, initial[node.input[3]])
        elif node.op_type in ("Conv", "ConvTranspose", "MatMul") and node.input[1] in initial:
            arrays[name] = initial[node.input[1]]
        elif node.op_type == "DynamicQuantizeLSTM":
            put_quantised(name + "#W", node.input[1], initial[node.input[8]], initial[node.input[9]])
            put_quantised(name + "#R", node.input[2], initial[node.input[10]], initial[node.input[11]])
            arrays[name + "#B"] = initial[node.input[3]]
        elif node.op_type == "Gather" and node.input[0].endswith("weight_quantized"):
            base = node.input[0].removesuffix("_quantized")
            zero = initial.get(base + "_zero_point", np.zeros((), np.int8))
            put_quantised(name, node.input[0], initial[base + "_scale"], zero)
    for name, value in initial.items():
        if value.dtype == np.float32 and name.split(".")[0] in ("encoder", "decoder") and not name.endswith("_scale"):
            arrays["=" + name] = value
    np.savez(out_path, **arrays)


if __name__ == "__main__":
    main(*sys.argv[1:])

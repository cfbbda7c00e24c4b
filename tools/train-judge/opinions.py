"""What a teacher thinks of the training pairs, in their order and small enough to be kept: the square root of each probability in eight bits. A pair that it was not asked about has no numbers."""

import numpy as np

STEPS = 255


def write_opinions(path, probabilities):
    asked = ~np.isnan(probabilities[:, 0])
    np.savez_compressed(path, asked=np.packbits(asked), count=len(asked), roots=np.rint(np.sqrt(probabilities[asked].clip(0, 1)) * STEPS).astype(np.uint8))


def read_opinions(path):
    saved = np.load(path)
    asked = np.unpackbits(saved["asked"], count=int(saved["count"])).astype(bool)
    found = (saved["roots"].astype(np.float32) / STEPS) ** 2
    result = np.full((len(asked), found.shape[1]), np.nan, np.float32)
    result[asked] = found / found.sum(1, keepdims=True).clip(min=1e-6)
    return result

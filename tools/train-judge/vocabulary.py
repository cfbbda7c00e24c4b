"""Chooses the word pieces of BERT that the judge keeps: those of the training data, and the most frequent of English.

    python3 tools/train-judge/vocabulary.py TOKENIZER.json DATA_FOLDER OUT.txt
"""

import collections
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from build_pairs import read_sets
from pieces import WordPieces

KEPT = 20_000
SIGNS = "\u00a3\u20ac\u00b0\u00bd"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def main():
    tokenizer, data, out = sys.argv[1:4]
    with open(tokenizer, encoding="utf-8") as file:
        known = json.load(file)["model"]["vocab"]
    # BERT numbers its pieces by frequency, so the first are the most frequent.
    usable = [piece for piece in sorted(known, key=known.get) if (piece.isascii() or piece in SIGNS) and not (piece.startswith("[") and len(piece) > 1)]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join([*SPECIAL, *usable]) + "\n")
    pieces = WordPieces(out)
    questions, lines = read_sets(data)
    counts = collections.Counter()
    for line in lines:
        counts.update(pieces.encode(line["say"]))
    for question in questions.values():
        for text in [question["before"], question["text"], *(text for exit in question["exits"] for text in [exit["when"], *(exit.get("phrases") or [])])]:
            counts.update(pieces.encode(text or ""))
    single = {number for piece, number in pieces.numbers.items() if len(piece.removeprefix("##")) == 1}
    used = set(counts) | single | set(range(len(SPECIAL)))
    for number in range(len(SPECIAL), len(SPECIAL) + len(usable)):
        if len(used) >= KEPT:
            break
        used.add(number)
    everything = [*SPECIAL, *usable]
    kept = [everything[number] for number in sorted(used)]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(kept) + "\n")
    print(f"{len(kept)} of {len(known)} pieces, {len(counts)} of them in the data")


if __name__ == "__main__":
    main()

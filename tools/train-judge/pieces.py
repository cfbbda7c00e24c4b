"""Cuts text into the word pieces of the Universal Sentence Encoder lite. providers/src/local/judge/word-pieces.ts does the same."""

import json
import math
import unicodedata

UNKNOWN = 0
RESERVED = 6
UNKNOWN_SCORE = -20.0


class WordPieces:
    """`encode` gives each piece with the number of the whole word's vector, 0 where it has none."""

    def __init__(self, vocabulary_path, words_path=None):
        with open(vocabulary_path, encoding="utf-8") as file:
            vocabulary = json.load(file)
        self.pieces = {piece: (score, index) for index, (piece, score) in enumerate(vocabulary) if index >= RESERVED and score is not None}
        self.longest = max(len(piece) for piece in self.pieces)
        self.known = {}
        self.words = {}
        if words_path:
            import numpy

            self.words = {str(word): number for number, word in enumerate(numpy.load(words_path)["words"], 1)}

    def encode(self, text):
        return [piece for word in normalize(text).split() for piece in self._encode_word(word)]

    def _encode_word(self, word):
        if word not in self.known:
            number = self.words.get(word.strip(".,;:!?\"()"), 0)
            self.known[word] = [(piece, number) for piece in self._best_path("\u2581" + word)]
        return self.known[word]

    def _best_path(self, symbols):
        best = [0.0] + [-math.inf] * len(symbols)
        came = [(0, UNKNOWN)] * (len(symbols) + 1)
        for start in range(len(symbols)):
            for end in range(start + 1, min(len(symbols), start + self.longest) + 1):
                found = self.pieces.get(symbols[start:end])
                if found is None and end > start + 1:
                    continue
                score, index = found if found is not None else (UNKNOWN_SCORE, UNKNOWN)
                if best[start] + score > best[end]:
                    best[end] = best[start] + score
                    came[end] = (start, index)
        path = []
        at = len(symbols)
        while at > 0:
            at, index = came[at]
            path.append(index)
        return path[::-1]


def normalize(text):
    return unicodedata.normalize("NFKC", text).replace("\u2019", "'").lower()

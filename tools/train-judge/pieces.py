"""Cuts text into the word pieces of BERT, those of them that the judge keeps. providers/src/local/judge/word-pieces.ts does the same."""

import re
import unicodedata

PADDING, UNKNOWN, START, END = 0, 1, 2, 3
WORD_LENGTH_MAX = 40
PLAIN_MARKS = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2026": "."})


class WordPieces:
    """`path` is a text file with one piece per line; its line is its number."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.numbers = {piece: number for number, piece in enumerate(file.read().split("\n")) if piece}
        self.known = {}

    def encode(self, text):
        return [piece for word in words_of(text) for piece in self._encode_word(word)]

    def _encode_word(self, word):
        if word not in self.known:
            self.known[word] = self._longest_first(word)
        return self.known[word]

    def _longest_first(self, word):
        if len(word) > WORD_LENGTH_MAX:
            return [UNKNOWN]
        found, start = [], 0
        while start < len(word):
            end = len(word)
            while end > start and (piece := ("##" if start > 0 else "") + word[start:end]) not in self.numbers:
                end -= 1
            if end == start:
                return [UNKNOWN]
            found.append(self.numbers[piece])
            start = end
        return found


def words_of(text):
    """Lower case without accents; every punctuation mark is a word of its own."""
    plain = unicodedata.normalize("NFKD", text.translate(PLAIN_MARKS).lower())
    plain = "".join(char for char in plain if unicodedata.category(char) != "Mn")
    return re.findall(r"[^\W_]+|[^\w\s]|_", plain)

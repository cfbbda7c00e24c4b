"""Lets the large teacher write: more questions with exits, and what people might say to these and to the questions of the training sets.

    python3 tools/train-judge/write_answers.py TINYLLAMA.gguf --teacher LANGUAGE-TEACHER.pt --pairs PAIRS.jsonl.gz --out written-answers.jsonl.xz

It learned to write beside judging (`train_language_teacher.py --writing`). Nobody was trained on what it writes, so what the teacher thinks of that is honest. Each line of
the result is a question with its exits, and everything that was said to it; unfold_answers.py makes pairs of them.
"""

import argparse
import gzip
import json
import lzma
import os
import random
import re
import sys
import time

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from build_pairs import recognized
from judge import EXITS_MAX
from language_model import LINE, START, GgufFile, Words
from train_language_teacher import ASKED, OFFERED, SAID, lay_out, load_teacher

QUESTION_PIECES_MAX = 224
SAID_PIECES_MAX = 44
SAID_WORDS_MAX = 34


def read_known(path):
    """The questions of the pairs, each with some of the forms in which it was laid out, and everything that was said."""
    layouts, said = {}, set()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            said.add(recognized(row["said"]))
            if row["origin"] in ("written", "varied"):
                form = {name: row[name] for name in ("before", "question", "answer", "exits")}
                # A lead-in does not make another question.
                layouts.setdefault(row["question"][-40:], {})[json.dumps(form)] = form
    return [list(forms.values()) for forms in layouts.values()], said


def read_question(text):
    """A question with its exits as the teacher writes it, or None if it is none."""
    question, found, rest = text.partition(f"\n{OFFERED}")
    exits = []
    for line in rest.split("\n"):
        if not line.strip():
            continue
        if not line.startswith("- "):
            return None
        when, *phrases = [part.strip() for part in re.split(r" \( | ; ", line[2:])]
        if not re.search(r"\w", when) or len(when.split()) > 8:
            return None
        exits.append({"when": when, "phrases": [phrase for phrase in phrases if phrase]})
    names = [exit["when"].lower() for exit in exits]
    if not found or len(question.split()) < 3 or not 2 <= len(exits) <= EXITS_MAX or len(set(names)) < len(names):
        return None
    return {"before": "", "question": question.strip(), "answer": "yes_no" if names == ["yes", "no"] else "choice", "exits": exits}


def write_questions(model, words, count, batch, seconds):
    end = words.encode(SAID)[-2:]
    prompt = [START, *words.encode(ASKED)]
    questions, until = {}, time.time() + seconds
    tried = 0
    while tried < count and time.time() < until:
        for _, pieces in model.write([prompt], min(batch, count - tried), QUESTION_PIECES_MAX, end):
            lines, line = [], []
            for piece in [*pieces, LINE]:
                if piece == LINE:
                    lines.append(words.decode(line))
                    line = []
                else:
                    line.append(piece)
            # The last line is the beginning of the one that ends the text.
            question = read_question("\n".join(lines[:-1]))
            if question is not None:
                questions[question["question"]] = question
        tried += batch
    return list(questions.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--teacher", required=True)
    parser.add_argument("--pairs", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--questions", type=int, default=20000, help="how many new questions are tried")
    parser.add_argument("--questions-max", type=int, default=12000, help="how many of them are used")
    parser.add_argument("--layouts", type=int, default=2, help="in how many forms each known question is asked")
    parser.add_argument("--copies", type=int, default=16, help="how many times each form is answered")
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--seconds", type=float, default=200, help="end writing answers after this time at the latest")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started = time.time()
    torch.manual_seed(options.seed)
    rng = random.Random(options.seed)
    words = Words(GgufFile(options.model))
    model = load_teacher(options.teacher, "cuda" if torch.cuda.is_available() else "cpu").model
    known, old = read_known(options.pairs)
    asked = [(form, True) for forms in known for form in rng.sample(forms, min(options.layouts, len(forms)))]
    print(f"{len(known)} questions, {len(asked)} forms, {len(old)} lines, {time.time() - started:.0f} s", flush=True)
    fresh = write_questions(model, words, options.questions, options.batch, options.seconds / 3)
    old_questions = {form["question"] for forms in known for form in forms}
    fresh = [question for question in fresh if question["question"] not in old_questions]
    print(f"{len(fresh)} new questions, {time.time() - started:.0f} s", flush=True)
    for question in fresh[:12]:
        print(json.dumps(question))
    asked += [(question, False) for question in fresh[: options.questions_max]]
    prompts = []
    for form, _ in asked:
        ids, _, _, _, said = lay_out(words, {**form, "said": ""})
        prompts.append(ids[: said[0]])
    order = sorted(range(len(asked)), key=lambda at: len(prompts[at]))
    size = max(1, options.batch // options.copies)
    batches = [order[at : at + size] for at in range(0, len(order), size)]
    rng.shuffle(batches)
    results, count = [], 0
    until = time.time() + options.seconds
    for batch in batches:
        if time.time() > until:
            break
        found = {at: {} for at in batch}
        for place, pieces in model.write([prompts[at] for at in batch], options.copies, SAID_PIECES_MAX, [LINE]):
            said = re.sub(r"\s+", " ", words.decode(pieces)).strip()
            plain = recognized(said)
            _, is_known = asked[batch[place]]
            # Where the question is known, only what nobody wrote.
            if re.search(r"\w", said) and len(said.split()) <= SAID_WORDS_MAX and not (is_known and plain in old):
                found[batch[place]].setdefault(plain, said)
        for at, texts in found.items():
            if texts:
                results.append({**asked[at][0], "said": list(texts.values())})
                count += len(texts)
    with lzma.open(options.out, "wt", encoding="utf-8", preset=6) as file:
        for result in results:
            file.write(json.dumps(result, ensure_ascii=False, separators=(",", ":")) + "\n")
    print(f"{len(results)} of {len(asked)} forms answered, {count} answers, {time.time() - started:.0f} s", flush=True)
    for result in results[:12]:
        print(json.dumps([result["question"], [exit["when"] for exit in result["exits"]], result["said"][:6]], ensure_ascii=False))


if __name__ == "__main__":
    main()

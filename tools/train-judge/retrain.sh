#!/bin/sh
# From the data to the weights of the judge: retrain.sh WORK_FOLDER DEVELOPMENT.jsonl VALUES.jsonl MINILM_FOLDER GTE_FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
validation=$2
values=$3
minilm=$4
gte=$5
mkdir -p "$work"

vocabulary=$work/vocabulary.txt
python3 "$here/vocabulary.py" "$minilm/tokenizer.json" "$here/data" "$vocabulary"
python3 "$here/pretrained.py" "$minilm" "$vocabulary" "$work/minilm.npz"
python3 "$here/pretrained.py" "$gte" "$vocabulary" "$work/gte.npz"
python3 "$here/build_pairs.py" "$work/pairs.jsonl.gz" --data "$here/data" --seed 1 --copies 3
python3 "$here/tensors.py" "$work/pairs.jsonl.gz" "$work/pairs.pt" --vocabulary "$vocabulary"

# train NAME PUBLISHED OPTIONS...
train() {
  name=$1
  published=$work/$2.npz
  shift 2
  python3 "$here/train.py" --tensors "$work/pairs.pt" --vocabulary "$vocabulary" --validation "$validation" --published "$published" --out "$work" --name "$name" "$@"
}

# As many steps as the shipped weights got. Three teachers that differ, and a student of all of them.
train teacher-1 minilm --teach --seed 1 --rate 1e-4 --smoothing 0.02 --dropout 0.15 --steps 6500
train teacher-2 gte --layers 12 --teach --seed 2 --rate 8e-5 --smoothing 0.02 --steps 5000
train teacher-3 gte --layers 12 --teach --seed 3 --rate 1.2e-4 --smoothing 0.02 --dropout 0.15 --piece-dropout 0.08 --steps 5000
train judge minilm --teachers "$work"/teacher-[1-3].pt --seed 11 --rate 1.5e-4 --smoothing 0 --steps 9000

python3 "$here/export.py" "$work/judge.pt" --vocabulary "$vocabulary" --validation "$validation" --out "$work/network"
python3 "$here/train_requests.py" "$work/network/judge.onnx" --vocabulary "$vocabulary" --validation "$here/../../bench/src/understanding/sets/development" --data "$here/data" --out "$work/network/requests.onnx"
mv "$work/network/judge.onnx" "$work/network/exits.onnx"
python3 "$here/train_values.py" "$work/network/exits.onnx" --values "$values" --pairs "$work/pairs.jsonl.gz" --vocabulary "$vocabulary" --out "$work/network/judge.onnx"
sha256sum "$work/network/judge.onnx" "$work/network/requests.onnx" "$vocabulary"

# Networks that did not learn from a third of the writers, for fit_weights.py.
leave_out() {
  name=$1
  shift
  train "$name" minilm --rate 1.2e-4 --smoothing 0.02 --dropout 0.15 --steps 4500 "$@"
}
leave_out others-1 --seed 5 --leave-out train-1 train-4 train-7 train-10 train-13
leave_out others-2 --seed 6 --leave-out train-2 train-5 train-8 train-11
leave_out others-3 --seed 7 --leave-out train-3 train-6 train-9 train-12

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

# train NAME OPTIONS...
train() {
  name=$1
  shift
  python3 "$here/train.py" --tensors "$work/pairs.pt" --vocabulary "$vocabulary" --validation "$validation" --out "$work" --name "$name" "$@"
}

# As many steps as the shipped weights got. Four teachers that differ, a student of all of them, and more of the same with those that understand most.
train teacher-1 --published "$work/minilm.npz" --teach --seed 1 --rate 1e-4 --smoothing 0.02 --dropout 0.15 --steps 10000
train teacher-2 --published "$work/gte.npz" --layers 12 --teach --seed 2 --rate 8e-5 --smoothing 0.02 --steps 6100
train teacher-3 --published "$work/gte.npz" --layers 12 --teach --seed 3 --rate 1.2e-4 --smoothing 0.02 --dropout 0.15 --piece-dropout 0.08 --steps 6100
train teacher-4 --published "$work/gte.npz" --layers 12 --teach --seed 4 --rate 1e-4 --smoothing 0.02 --consistency 0.5 --steps 3200
train student --published "$work/minilm.npz" --teachers "$work"/teacher-[1-4].pt --seed 11 --rate 1.5e-4 --smoothing 0 --steps 6300
train judge --resume "$work/student.pt" --teachers "$work"/teacher-[2-4].pt --seed 21 --rate 1e-4 --added-rate 1e-4 --smoothing 0 --coarse-from 0.3 --steps 8500

python3 "$here/export.py" "$work/judge.pt" --vocabulary "$vocabulary" --validation "$validation" --out "$work/network"
python3 "$here/train_requests.py" "$work/network/judge.onnx" --vocabulary "$vocabulary" --validation "$here/../../bench/src/understanding/sets/development" --data "$here/data" --out "$work/network/requests.onnx"
mv "$work/network/judge.onnx" "$work/network/exits.onnx"
python3 "$here/train_values.py" "$work/network/exits.onnx" --values "$values" --pairs "$work/pairs.jsonl.gz" --vocabulary "$vocabulary" --temperature 1.05 --steps 1100 --out "$work/network/judge.onnx"
mv "$work/network/judge.onnx" "$work/network/first.onnx"

# The same trained further with what the language model thinks of the pairs, and the average of both.
zcat "$work/pairs.jsonl.gz" | sha256sum | grep -q "^48ec374326d7b4550422947dc33c446cf91cfb55986859bc609f2b9099c8f531 " || { echo "the opinions are about other pairs" >&2; exit 1; }
train further --resume "$work/network/first.onnx" --teachers "$here/language-teacher.opinions.npz" --seed 11 --rate 1.5e-4 --added-rate 1.5e-4 --smoothing 0 --dropout 0.06 --batch 512 --coarse-from 0.35 --steps 5913
python3 "$here/export.py" "$work/further.pt" --vocabulary "$vocabulary" --validation "$validation" --out "$work/further"
python3 "$here/train_values.py" "$work/further/judge.onnx" --values "$values" --pairs "$work/pairs.jsonl.gz" --every 5 --vocabulary "$vocabulary" --temperature 1.05 --steps 1100 --out "$work/further/values.onnx"
python3 "$here/average.py" "$work/network/first.onnx" "$work/further/values.onnx" "$work/network/second.onnx"

# Further again, with what a language model wrote and thinks of that, and the average of both.
python3 "$here/unfold_answers.py" "$here/written-answers.jsonl.xz" "$work/written-answers.jsonl.gz"
python3 "$here/tensors.py" "$work/written-answers.jsonl.gz" "$work/written-answers.pt" --vocabulary "$vocabulary"
train third --resume "$work/network/second.onnx" --teachers "$here/language-teacher.opinions.npz" --beside "$work/written-answers.pt" "$here/written-answers.opinions.npz" --seed 13 --rate 3e-4 --added-rate 3e-4 --smoothing 0 --dropout 0.06 --batch 512 --coarse-from 0.35 --steps 4910
python3 "$here/export.py" "$work/third.pt" --vocabulary "$vocabulary" --validation "$validation" --out "$work/third"
python3 "$here/average.py" "$work/network/second.onnx" "$work/third/judge.onnx" "$work/network/judge.onnx" --share 0.55
sha256sum "$work/network/judge.onnx" "$work/network/requests.onnx" "$vocabulary"

# Networks that did not learn from a third of the writers, for fit_weights.py.
leave_out() {
  name=$1
  shift
  train "$name" --published "$work/minilm.npz" --rate 1.2e-4 --smoothing 0.02 --dropout 0.15 --steps 7000 "$@"
}
leave_out others-1 --seed 5 --leave-out train-1 train-4 train-7 train-10 train-13 train-16 train-19 train-21 train-24 train-27
leave_out others-2 --seed 6 --leave-out train-2 train-5 train-8 train-11 train-14 train-17 train-20 train-22 train-25
leave_out others-3 --seed 7 --leave-out train-3 train-6 train-9 train-12 train-15 train-18 train-23 train-26

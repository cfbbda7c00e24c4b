import type { WordTime } from "@parley/voice/ports/speech-synthesizer";
import { LRUCache } from "lru-cache";
import type { ClipSource } from "../../clips/clip-source.ts";
import { kokoroKey } from "../kokoro-clips.ts";
import type { ScheduledSpeech, SpeechScheduler, Urgency } from "./speech-scheduler.ts";
import type { Clause } from "./voice-process.ts";

export interface LibraryOptions {
  /** One for each speaking process. */
  readonly schedulers: readonly Pick<SpeechScheduler, "speak" | "size">[];
  /** Clips that were rendered before. */
  readonly store: ClipSource;
  /** Stores what was rendered for later. False when it could not. */
  readonly keep: (key: string, samples: Int16Array) => Promise<boolean>;
  /** For recently said clauses, in bytes of audio. A second of it is 16,000. */
  readonly memoryBytesMax?: number;
}

/** A piece of a clause. */
export interface SpeechPiece {
  readonly samples: Int16Array;
  /** With the first piece, if they are known. */
  readonly wordTimes: readonly WordTime[] | null;
}

export interface SpeakOptions {
  readonly urgency: Urgency;
  readonly dueInMs: number;
  readonly signal: AbortSignal;
  readonly onPiece: (piece: SpeechPiece) => void;
  /** Called with a function that makes the clause more urgent, while it is being spoken. */
  readonly onBegun?: (hasten: (urgency: Urgency, dueInMs: number) => void) => void;
}

/** A clause that is being rendered, for everyone who requested it. */
interface Flight {
  readonly speech: ScheduledSpeech;
  readonly pieces: SpeechPiece[];
  readonly followers: Set<(piece: SpeechPiece) => void>;
}

const MEMORY_BYTES_MAX = 32 * 1024 * 1024;
/** The overhead of a map entry and an array. */
const OVERHEAD_BYTES = 400;

/**
 * Everything that the natural voices say: from memory if it was said recently, from a file if it was rendered ahead,
 * otherwise as it is rendered. Calls that request the same clause at the same time share it. Names of callees stay in
 * memory: only what is rendered ahead is written to files.
 */
export class SpeechLibrary {
  readonly #options: LibraryOptions;
  readonly #memory: LRUCache<string, SpeechPiece>;
  readonly #flights = new Map<string, Flight>();

  constructor(options: LibraryOptions) {
    this.#options = options;
    this.#memory = new LRUCache({
      maxSize: options.memoryBytesMax ?? MEMORY_BYTES_MAX,
      sizeCalculation: ({ samples }) => samples.byteLength + OVERHEAD_BYTES,
    });
  }

  /** Returns all pieces of a clause. Rejects with a ProviderError, or the signal's reason. */
  async speak(clause: Clause, options: SpeakOptions): Promise<void> {
    const { signal, onPiece } = options;
    const key = kokoroKey(clause.text, clause.voiceId);
    const known = this.#memory.get(key) ?? (await this.#stored(key));
    signal.throwIfAborted();
    if (known !== null) return onPiece(known);
    await this.#follow(this.#flights.get(key) ?? this.#begin(key, clause, options), options);
  }

  /** Renders a clause for later calls unless it exists. False when it could not be stored. */
  async renderAhead(clause: Clause, signal: AbortSignal): Promise<boolean> {
    const { keep, store } = this.#options;
    const key = kokoroKey(clause.text, clause.voiceId);
    await store.refresh();
    if (store.has(key)) return true;
    const pieces: Int16Array[] = [];
    const onPiece = ({ samples }: SpeechPiece) => pieces.push(samples);
    await this.speak(clause, { urgency: "spare", dueInMs: 0, signal, onPiece });
    return keep(key, joinAudio(pieces));
  }

  async #stored(key: string): Promise<SpeechPiece | null> {
    const { store } = this.#options;
    const samples = store.has(key) ? await store.read(key) : null;
    if (samples === null) return null;
    const piece = { samples, wordTimes: null };
    this.#memory.set(key, piece);
    return piece;
  }

  #begin(key: string, clause: Clause, { urgency, dueInMs }: SpeakOptions): Flight {
    const pieces: SpeechPiece[] = [];
    const followers: Flight["followers"] = new Set();
    const onAudio = (samples: Int16Array, wordTimes: SpeechPiece["wordTimes"]) => {
      const piece = { samples, wordTimes };
      pieces.push(piece);
      for (const give of followers) give(piece);
    };
    const speech = this.#idlest().speak(clause, { urgency, dueInMs, onAudio });
    const flight: Flight = { speech, pieces, followers };
    this.#flights.set(key, flight);
    const land = () => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    };
    speech.done.then(() => {
      land();
      this.#memory.set(key, {
        samples: joinAudio(pieces.map(({ samples }) => samples)),
        wordTimes: pieces[0]?.wordTimes ?? null,
      });
    }, land);
    return flight;
  }

  /** A caller who leaves does not end it for the others; the last one to leave does. */
  async #follow(flight: Flight, { urgency, dueInMs, signal, onPiece, onBegun }: SpeakOptions): Promise<void> {
    const { speech, pieces, followers } = flight;
    for (const piece of pieces) onPiece(piece);
    const follower = (piece: SpeechPiece) => onPiece(piece);
    followers.add(follower);
    const left = Promise.withResolvers<never>();
    const onAbort = () => left.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    onBegun?.((wanted, inMs) => speech.hasten(wanted, inMs));
    speech.hasten(urgency, dueInMs);
    try {
      await Promise.race([speech.done, left.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
      followers.delete(follower);
      if (followers.size === 0) this.#abandon(flight);
    }
  }

  #abandon(flight: Flight): void {
    for (const [key, each] of this.#flights) if (each === flight) this.#flights.delete(key);
    flight.speech.cancel();
  }

  #idlest(): LibraryOptions["schedulers"][number] {
    const [first, ...others] = this.#options.schedulers;
    if (first === undefined) throw new Error("there is no speaking process");
    return others.reduce((best, each) => (each.size < best.size ? each : best), first);
  }
}

function joinAudio(pieces: readonly Int16Array[]): Int16Array {
  const joined = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

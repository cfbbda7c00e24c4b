import { samplesIn } from "@parley/audio/frame";
import type { CalleeVoice } from "../ports/callee-voice.ts";
import { renderBabble } from "./babble.ts";
import { joinWithPauses, piecesOf } from "./pauses.ts";

/** What a callee says, and in which voice. */
export interface SpokenLine {
  readonly text: string;
  readonly voice: string;
}

/** Some seven minutes of speech, 7 MB. The lines of the network's own callees take less than half of it. */
const KEPT_SAMPLES_MAX = samplesIn(420_000);
/** A voice that produces more than this for one line is cut off. */
const LINE_SAMPLES_MAX = samplesIn(120_000);

/**
 * The rendered lines of all callees of a network. What one call needed is there for the next; beyond its limit the lines
 * that were not used for longest are forgotten.
 */
export class LineBook {
  readonly #voice: CalleeVoice | null;
  /** In the order of their last use. */
  readonly #kept = new Map<string, Int16Array>();
  readonly #underWay = new Map<string, Promise<void>>();
  #keptSamples = 0;
  #hasWarned = false;

  constructor(voice: CalleeVoice | null) {
    this.#voice = voice;
  }

  /** The voice for all lines of a speaker with `voice`. */
  cast(texts: readonly string[], voice: string): string {
    return this.#voice?.cast?.(texts.flatMap(piecesOf), voice) ?? voice;
  }

  /** Renders what is missing, one line after the other. Never rejects: a line that fails is babbled when it is said. */
  async prepare(lines: readonly SpokenLine[]): Promise<void> {
    for (const line of lines) if (!this.isReady([line])) await this.#rendered(line);
  }

  /** Without a voice there is nothing to wait for. */
  isReady(lines: readonly SpokenLine[]): boolean {
    return this.#voice === null || lines.every((line) => this.#kept.has(keyOf(line)));
  }

  /** The audio of a line: rendered by the voice, or babble where it has not. */
  find(line: SpokenLine): Int16Array {
    const key = keyOf(line);
    const kept = this.#kept.get(key);
    if (kept === undefined) return joinWithPauses(piecesOf(line.text).map((piece) => renderBabble(piece, line.voice)));
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  #rendered(line: SpokenLine): Promise<void> {
    const key = keyOf(line);
    const underWay = this.#underWay.get(key) ?? this.#render(line).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, underWay);
    return underWay;
  }

  async #render(line: SpokenLine): Promise<void> {
    const voice = this.#voice;
    if (voice === null) return;
    try {
      const pieces: Int16Array[] = [];
      for (const piece of piecesOf(line.text)) pieces.push(await voice.render(piece, line.voice));
      this.#keep(keyOf(line), joinWithPauses(pieces).subarray(0, LINE_SAMPLES_MAX));
    } catch (error) {
      this.#warn(error);
    }
  }

  /** Once: a voice that is broken fails for every line of every call. */
  #warn(error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const detail = error instanceof Error ? error.message : String(error);
    process.emitWarning("The voice of a simulated callee failed.", { type: "CalleeVoiceWarning", detail });
  }

  #keep(key: string, samples: Int16Array): void {
    this.#kept.set(key, samples);
    this.#keptSamples += samples.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#keptSamples <= KEPT_SAMPLES_MAX || oldest === key) return;
      this.#kept.delete(oldest);
      this.#keptSamples -= length;
    }
  }
}

function keyOf({ text, voice }: SpokenLine): string {
  return `${voice}\n${text}`;
}

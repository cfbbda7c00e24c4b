import { readFileSync } from "node:fs";
import { decodeMulaw } from "@parley/audio/g711";
import { piecesOf } from "@parley/telephony/simulated-network/audio/pauses";
import { CALLEE_BY_LAST_DIGITS } from "@parley/telephony/simulated-network/callee-behaviours";
import { PHRASE_BOOK } from "@parley/telephony/simulated-network/callees/phrase-book";

/** The position of each line in the audio: G.711 mu-law at 8 kHz, one byte per sample. */
export interface LinePlace {
  readonly text: string;
  readonly start: number;
  readonly length: number;
}

export const PLACES_FILE = new URL("./lines.json", import.meta.url);
export const SOUND_FILE = new URL("./lines.ulaw", import.meta.url);

/** Lines shipped with the installation, rendered by a voice that is too slow to use during a call. */
export class CalleeLines {
  readonly #sound: Uint8Array;
  readonly #places: ReadonlyMap<string, LinePlace>;

  constructor(sound: Uint8Array, places: readonly LinePlace[]) {
    const cut = places.find(({ start, length }) => start + length > sound.length);
    if (cut !== undefined) throw new Error(`the sound of ${JSON.stringify(cut.text)} is cut off`);
    this.#sound = sound;
    this.#places = new Map(places.map((place) => [place.text, place]));
  }

  /** Reads the files that came with the installation, which is done once, when it starts. */
  static read(): CalleeLines {
    return new CalleeLines(readFileSync(SOUND_FILE), JSON.parse(readFileSync(PLACES_FILE, "utf8")) as LinePlace[]);
  }

  has(text: string): boolean {
    return this.#places.has(text);
  }

  /** The caller's own copy; null for a line that did not come with the installation. */
  find(text: string): Int16Array | null {
    const place = this.#places.get(text);
    if (place === undefined) return null;
    const samples = new Int16Array(place.length);
    decodeMulaw(this.#sound.subarray(place.start, place.start + place.length), samples);
    return samples;
  }
}

/** All that people of the simulated network say of themselves, and what scripts often let them say, piece by piece. */
export function linesToRender(): readonly string[] {
  const callees = [...CALLEE_BY_LAST_DIGITS.values()].filter((callee) => callee.does === "answers");
  const own = callees.flatMap(({ profile }) => profile.callee().lines);
  const spoken = own.filter(({ by }) => by !== "machine").map(({ text }) => text);
  // Whole lines first: they are needed most.
  const lines = [...spoken, ...PHRASE_BOOK].toSorted((one, other) => piecesOf(one).length - piecesOf(other).length);
  return [...new Set(lines.flatMap(piecesOf))];
}

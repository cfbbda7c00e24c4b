import { durationMsOf } from "@parley/audio/frame";
import { levelDbfsOf, SILENCE_DBFS } from "@parley/audio/level";
import { RingReader } from "@parley/audio/ring-reader";
import type { ActivityWindow } from "../ports/voice-activity-detector.ts";
import { EchoPath, type EchoReading } from "../turns/echo/echo-path.ts";
import { tonalityOf } from "../turns/hearing/tonality.ts";
import type { WindowJudged } from "../turns/turn-events.ts";

/** Below this level, music is not considered. */
const SOUNDING_DBFS = -45;

/** Determines for each window of a call how loud it is, whether it has a pitch, and how much of it is our own voice. */
export class WindowJudge {
  readonly #heardRing: RingReader;
  readonly #playedRing: RingReader;
  readonly #heard: Int16Array;
  readonly #played: Int16Array;
  readonly #echoPath: EchoPath;
  #lastReading: EchoReading = { lineEchoes: null, mark: null };

  constructor(rings: { readonly heard: SharedArrayBuffer; readonly played: SharedArrayBuffer }, windowSamples: number) {
    this.#heardRing = new RingReader(rings.heard);
    this.#playedRing = new RingReader(rings.played);
    this.#heard = new Int16Array(windowSamples);
    this.#played = new Int16Array(windowSamples);
    this.#echoPath = new EchoPath(windowSamples);
  }

  judge({ endPosition, probability }: ActivityWindow): WindowJudged {
    const count = this.#heard.length;
    const start = endPosition - count;
    // A window that is no longer in the ring was processed too late to be examined again.
    const isThere =
      this.#heardRing.peek(start, count, this.#heard) && this.#playedRing.peek(start, count, this.#played);
    if (isThere) this.#lastReading = this.#echoPath.hear(this.#heard, this.#played);
    const levelDbfs = isThere ? levelDbfsOf(this.#heard) : SILENCE_DBFS;
    return {
      type: "window.judged",
      endMs: durationMsOf(endPosition),
      durationMs: durationMsOf(count),
      probability,
      levelDbfs,
      tonality: levelDbfs > SOUNDING_DBFS ? tonalityOf(this.#heard) : 0,
      lineEchoes: this.#lastReading.lineEchoes,
      echo: isThere ? this.#lastReading.mark : null,
    };
  }
}

import { createFrame, FRAME_SAMPLES, samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { createPlayout } from "@parley/audio/playout-layout";
import { PlayoutPlayer } from "@parley/audio/playout-player";
import { Resampler } from "@parley/audio/resample";
import type { SampleRateHz } from "@parley/audio/resample-filter";
import { createRing, RingWriter } from "@parley/audio/ring";
import type { LineMedia } from "../../../speech/conversations/conversation-messages.ts";

/** A microphone that is further ahead of us than this lost time somewhere; what is older is not waited out. */
const AHEAD_MAX_SAMPLES = samplesIn(600);
/** So much is gathered before it is listened to, so that a late piece leaves no hole. */
const CUSHION_SAMPLES = samplesIn(60);

/**
 * A line whose far end is a microphone and a loudspeaker. One tick writes what is heard and what is played, as on a leg, so
 * that whoever holds the conversation notices no difference.
 */
export class TryLine {
  readonly media: LineMedia = { heard: createRing(), played: createRing(), playout: createPlayout() };
  readonly #heardRing = new RingWriter(this.media.heard);
  readonly #playedRing = new RingWriter(this.media.played);
  readonly #player = new PlayoutPlayer(this.media.playout);
  readonly #resampler: Resampler | null;
  readonly #heard = createFrame();
  readonly #played = createFrame();
  #waiting: Int16Array = new Int16Array(0);
  #isFlowing = false;
  #position = 0;
  #isClosed = false;

  constructor(microphoneRateHz: SampleRateHz) {
    this.#resampler =
      microphoneRateHz === TELEPHONE_RATE_HZ ? null : new Resampler(microphoneRateHz, TELEPHONE_RATE_HZ);
  }

  /** Samples since it began. */
  get position(): number {
    return this.#position;
  }

  /** Takes sound of the microphone: 16-bit little-endian mono. Half a sample at its end is left out. */
  hear(bytes: Buffer): void {
    const samples = new Int16Array(Math.floor(bytes.length / 2));
    for (let index = 0; index < samples.length; index += 1) samples[index] = bytes.readInt16LE(index * 2);
    const slow = this.#slowDown(samples);
    const all = new Int16Array(this.#waiting.length + slow.length);
    all.set(this.#waiting);
    all.set(slow, this.#waiting.length);
    this.#waiting = all.subarray(Math.max(0, all.length - AHEAD_MAX_SAMPLES));
  }

  /** One step of 20 ms. Returns what is played in it, as bytes for a loudspeaker. */
  tick(): Buffer {
    if (this.#isClosed) return Buffer.alloc(0);
    this.#takeHeard();
    this.#player.pull(this.#played, this.#position);
    this.#heardRing.write(this.#heard);
    this.#playedRing.write(this.#played);
    this.#position += FRAME_SAMPLES;
    const bytes = Buffer.alloc(FRAME_SAMPLES * 2);
    for (let index = 0; index < FRAME_SAMPLES; index += 1) bytes.writeInt16LE(this.#played[index] as number, index * 2);
    return bytes;
  }

  /** Tells the readers of the rings that nothing more comes. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#heardRing.close();
    this.#playedRing.close();
  }

  #slowDown(samples: Int16Array): Int16Array {
    if (this.#resampler === null) return samples;
    const slow = new Int16Array(this.#resampler.outputSamplesFor(samples.length));
    return slow.subarray(0, this.#resampler.process(samples, slow));
  }

  #takeHeard(): void {
    this.#isFlowing = this.#waiting.length >= (this.#isFlowing ? FRAME_SAMPLES : CUSHION_SAMPLES);
    const count = this.#isFlowing ? FRAME_SAMPLES : 0;
    this.#heard.fill(0);
    this.#heard.set(this.#waiting.subarray(0, count));
    this.#waiting = this.#waiting.subarray(count);
  }
}

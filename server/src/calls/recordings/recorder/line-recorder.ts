import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import { type WavSink, WavWriter } from "@parley/audio/wav-writer";
import { WaveformPeaks } from "@parley/audio/waveform-peaks";
import { RECORDING_GAPS_MAX } from "@parley/contract/calls";
import type { RecordingPeaks } from "./recording-outcome.ts";

/** What is read at once. */
const PIECE_SAMPLES = samplesIn(500);
/**
 * What is gathered before it goes to the file and its header follows. A crash costs this and what came since the last
 * look at the rings, which together stay below a second.
 */
const PATCH_EVERY_SAMPLES = samplesIn(500);
/** Who was overtaken goes on this far behind the writer, so as not to be overtaken again at once. */
const CATCH_UP_SAMPLES = samplesIn(1_000);

interface SampleGap {
  readonly start: number;
  end: number;
}

export interface LineRings {
  readonly heard: SharedArrayBuffer;
  readonly played: SharedArrayBuffer;
}

/**
 * Takes down both sides of a line from its two rings, the callee on the left and the agent on the right. Equal positions
 * of the rings are equal instants; what could not be read in time is silence of the same length, so they stay so.
 */
export class LineRecorder {
  readonly #heard: RingReader;
  readonly #played: RingReader;
  readonly #writer: WavWriter;
  readonly #left = new Int16Array(PIECE_SAMPLES);
  readonly #right = new Int16Array(PIECE_SAMPLES);
  readonly #calleePeaks = new WaveformPeaks();
  readonly #agentPeaks = new WaveformPeaks();
  readonly #fromPosition: number;
  readonly #gaps: SampleGap[] = [];
  #position: number;

  constructor({ heard, played }: LineRings, fromPosition: number, sink: WavSink) {
    this.#heard = new RingReader(heard, fromPosition);
    this.#played = new RingReader(played, fromPosition);
    this.#fromPosition = fromPosition;
    this.#position = fromPosition;
    this.#writer = new WavWriter(sink, {
      sampleRateHz: TELEPHONE_RATE_HZ,
      channels: 2,
      patchEverySamples: PATCH_EVERY_SAMPLES,
    });
  }

  get samples(): number {
    return this.#writer.samples;
  }

  /** Where it is silent because nobody read in time, in samples from its beginning. */
  get gaps(): readonly SampleGap[] {
    return this.#gaps;
  }

  /** What the first so many samples look like. */
  peaks(samples: number): RecordingPeaks {
    return {
      samplesPerPeak: this.#calleePeaks.samplesPerPeak,
      callee: this.#calleePeaks.take(samples),
      agent: this.#agentPeaks.take(samples),
    };
  }

  /** Takes down all that was written to both rings so far. */
  advance(): void {
    for (let count = this.#ready(); count > 0; count = this.#ready()) {
      const isRead =
        this.#heard.peek(this.#position, count, this.#left) && this.#played.peek(this.#position, count, this.#right);
      if (isRead) this.#take(count);
      else this.#skip();
    }
  }

  /** Writes the rest. */
  close(): void {
    this.advance();
    this.#writer.close();
  }

  #writtenPosition(): number {
    return Math.min(this.#heard.writtenPosition, this.#played.writtenPosition);
  }

  #ready(): number {
    return Math.min(PIECE_SAMPLES, this.#writtenPosition() - this.#position);
  }

  #take(count: number): void {
    const [left, right] = [this.#left.subarray(0, count), this.#right.subarray(0, count)];
    this.#writer.write(left, right);
    this.#calleePeaks.add(left);
    this.#agentPeaks.add(right);
    this.#position += count;
  }

  #skip(): void {
    const target = Math.max(this.#position + 1, this.#writtenPosition() - CATCH_UP_SAMPLES);
    this.#addGap(this.#position - this.#fromPosition, target - this.#fromPosition);
    this.#left.fill(0);
    this.#right.fill(0);
    while (this.#position < target) this.#take(Math.min(PIECE_SAMPLES, target - this.#position));
  }

  /** Where there are more than can be told, the last one is stretched over what follows. */
  #addGap(start: number, end: number): void {
    const last = this.#gaps.at(-1);
    if (last !== undefined && (last.end >= start || this.#gaps.length >= RECORDING_GAPS_MAX)) last.end = end;
    else this.#gaps.push({ start, end });
  }
}

import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import { type WavSink, WavWriter } from "@parley/audio/wav-writer";
import { WaveformPeaks } from "@parley/audio/waveform-peaks";
import { RECORDING_GAPS_MAX } from "@parley/contract/calls";
import type { RecordingPeaks } from "./recording-outcome.ts";

/** How much is read per pass. */
const PIECE_SAMPLES = samplesIn(500);
/**
 * How much is gathered before it is written to the file and the header updated. A crash loses this and what arrived
 * since the rings were last read, together less than a second.
 */
const PATCH_EVERY_SAMPLES = samplesIn(500);
/** A reader that was overtaken continues this far behind the writer, so as not to be overtaken again immediately. */
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
 * Records both sides of a line from its two rings, the callee on the left and the agent on the right. Equal positions
 * in the rings are equal instants; audio that could not be read in time becomes silence of the same length, so that
 * they stay aligned.
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

  /** Where it is silent because the rings were not read in time, in samples from its beginning. */
  get gaps(): readonly SampleGap[] {
    return this.#gaps;
  }

  /** The waveform of the first so many samples. */
  peaks(samples: number): RecordingPeaks {
    return {
      samplesPerPeak: this.#calleePeaks.samplesPerPeak,
      callee: this.#calleePeaks.take(samples),
      agent: this.#agentPeaks.take(samples),
    };
  }

  /** Records everything written to both rings so far. */
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

  /** Beyond the maximum number of gaps, the last one is extended over those that follow. */
  #addGap(start: number, end: number): void {
    const last = this.#gaps.at(-1);
    if (last !== undefined && (last.end >= start || this.#gaps.length >= RECORDING_GAPS_MAX)) last.end = end;
    else this.#gaps.push({ start, end });
  }
}

import { createFrame, FRAME_MS, FRAME_SAMPLES, samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { decodeMulaw, encodeMulaw } from "@parley/audio/g711";
import { openPlayout, PLAYOUT_GENERATION_WORD, type PlayoutMemory } from "@parley/audio/playout-layout";
import { PlayoutPlayer } from "@parley/audio/playout-player";
import { RingWriter } from "@parley/audio/ring";
import type { LegEvent, LegMedia, LegStatistics } from "../carrier.ts";
import { PlayedAudio } from "../rtp/media/media-leg.ts";
import { type MediaAlarm, MediaWatch } from "../rtp/media/media-watch.ts";
import { JitterBuffer } from "../rtp/playout/jitter-buffer.ts";
import { estimateMos } from "../rtp/statistics.ts";

/** The connected stream of a leg. */
export interface StreamSink {
  sendMedia(payload: Uint8Array): void;
  sendMark(name: string): void;
  sendClear(): void;
  /** Bytes that were sent and have not left this machine. */
  readonly unsentBytes: number;
}

export interface StreamMediaDeps {
  readonly media: LegMedia;
  readonly now: () => number;
  readonly onAlarm: (alarm: MediaAlarm) => void;
  readonly onReception: (event: Extract<LegEvent, { type: "not_heard" | "heard_again" }>) => void;
}

/** How often we ask what was played. */
const MARK_EVERY_FRAMES = 25;
/** A mark that has not returned by then was not played: the vendor or the way there has a problem. */
const MARK_OVERDUE_MS = 5_000;
/** About four seconds of audio. What is sent beyond it would arrive too late to be of use. */
const UNSENT_MAX_BYTES = 64 * 1_024;
/** The vendor plays everything it is sent: silence is left out until a delay that built up is below this. */
const FAR_DELAY_MAX_MS = 250;
/** A tick that is later than this catches up, and need not send its silence. */
const LATE_TICK_MS = 40;

interface SentMark {
  readonly name: string;
  readonly position: number;
  readonly sentAtMs: number;
  isCleared: boolean;
}

/**
 * The audio of one call over a media stream. One tick writes the heard and the played frame, so that equal positions in the two rings
 * are equal instants, and sends the latter. Marks report what was played at the far end; a clear of the playout queue is passed on.
 */
export class StreamMedia {
  readonly #deps: StreamMediaDeps;
  readonly #heardRing: RingWriter;
  readonly #playedRing: RingWriter;
  readonly #playout: PlayoutMemory;
  readonly #audio: PlayedAudio;
  readonly #jitter = new JitterBuffer();
  readonly #watch = new MediaWatch();
  readonly #heard = createFrame();
  readonly #played = createFrame();
  readonly #codes = new Uint8Array(FRAME_SAMPLES);
  readonly #received = new Int16Array(TELEPHONE_RATE_HZ);
  #stream: StreamSink | null = null;
  #generation: number;
  #position = 0;
  #framesSent = 0;
  #packetsReceived = 0;
  #jitterMs = 0;
  #lastTransitMs: number | null = null;
  #marks: SentMark[] = [];
  #farDelayMs: number | null = null;
  #confirmedPosition = 0;
  #isUnheard = false;
  #isClosed = false;

  constructor(deps: StreamMediaDeps) {
    this.#deps = deps;
    this.#heardRing = new RingWriter(deps.media.heard);
    this.#playedRing = new RingWriter(deps.media.played);
    this.#playout = openPlayout(deps.media.playout);
    this.#audio = new PlayedAudio(new PlayoutPlayer(deps.media.playout));
    this.#generation = Atomics.load(this.#playout.words, PLAYOUT_GENERATION_WORD);
  }

  /** Everything before this position of the played stream was played at the far end. */
  get confirmedPosition(): number {
    return this.#confirmedPosition;
  }

  /** Audio is exchanged over this stream from now on. */
  attach(stream: StreamSink): void {
    this.#stream = stream;
    this.#marks = [];
    this.#lastTransitMs = null;
    this.#jitter.restart();
    this.#watch.expect(true, this.#deps.now());
  }

  /** There is no stream, as during a transfer; the positions go on and queued audio waits. */
  detach(): void {
    this.#stream = null;
    this.#marks = [];
    this.#watch.expect(false, this.#deps.now());
  }

  receive(timestampMs: number, payload: Uint8Array): void {
    if (this.#isClosed || this.#stream === null) return;
    const nowMs = this.#deps.now();
    const samples = this.#received.subarray(0, payload.length);
    decodeMulaw(payload, samples);
    this.#jitter.push(samplesIn(timestampMs), samples, samples.length, nowMs);
    this.#packetsReceived += 1;
    this.#noteTransit(nowMs - timestampMs);
    this.#raise(this.#watch.noteReception(nowMs, false));
  }

  /** The vendor returned a mark: what was sent before it was played, or cleared. */
  takeMark(name: string): void {
    const index = this.#marks.findIndex((mark) => mark.name === name);
    if (index < 0) return;
    const returned = this.#marks.splice(0, index + 1);
    const mark = returned.at(-1);
    if (mark === undefined || mark.isCleared) return;
    this.#farDelayMs = this.#deps.now() - mark.sentAtMs;
    this.#confirmedPosition = Math.max(this.#confirmedPosition, mark.position);
    if (!this.#isUnheard) return;
    this.#isUnheard = false;
    this.#deps.onReception({ type: "heard_again" });
  }

  /** As tones: a media stream has no message that presses keys. */
  pressKeys(keys: string): void {
    this.#audio.pressKeys(keys);
  }

  tick(dueMs: number): void {
    if (this.#isClosed) return;
    this.#jitter.pull(this.#heard, dueMs);
    this.#play(dueMs);
    this.#heardRing.write(this.#heard);
    this.#playedRing.write(this.#played);
    this.#position += FRAME_SAMPLES;
    this.#raise(this.#watch.tick(dueMs));
    this.#watchMarks(dueMs);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stream = null;
    this.#heardRing.close();
    this.#playedRing.close();
  }

  /** Null before there was audio. Unchanged after the end. */
  statistics(): LegStatistics | null {
    if (this.#framesSent === 0 && this.#packetsReceived === 0) return null;
    const delayMs = this.#jitter.meanDelayMs + FRAME_MS;
    return {
      packetsSent: this.#framesSent,
      packetsReceived: this.#packetsReceived,
      // The stream is a TCP connection: what is late is waited for, and nothing is lost.
      packetsLost: 0,
      jitterMs: this.#jitterMs,
      roundTripMs: this.#farDelayMs === null ? null : Math.max(0, this.#farDelayMs - FRAME_MS),
      isHeard: this.#confirmedPosition === 0 ? null : !this.#isUnheard,
      mos: this.#packetsReceived === 0 ? null : estimateMos({ lossShare: 0, delayMs }),
    };
  }

  #play(dueMs: number): void {
    const frame = this.#played;
    const stream = this.#stream;
    if (stream === null || stream.unsentBytes > UNSENT_MAX_BYTES) {
      frame.fill(0);
      return;
    }
    this.#followClear(stream);
    this.#audio.fill(frame, this.#position, null);
    if (this.#mayLeaveOut(frame, dueMs)) return;
    encodeMulaw(frame, this.#codes);
    stream.sendMedia(this.#codes);
    this.#framesSent += 1;
    if (this.#framesSent % MARK_EVERY_FRAMES === 0) this.#sendMark(stream);
  }

  /** Barge-in: what the vendor has not played yet is dropped there too. */
  #followClear(stream: StreamSink): void {
    const generation = Atomics.load(this.#playout.words, PLAYOUT_GENERATION_WORD);
    if (generation === this.#generation) return;
    this.#generation = generation;
    for (const mark of this.#marks) mark.isCleared = true;
    stream.sendClear();
  }

  /** Silence that would only add to the delay at the far end. */
  #mayLeaveOut(frame: Int16Array, dueMs: number): boolean {
    const isLate = this.#deps.now() - dueMs > LATE_TICK_MS;
    const isFarBehind = (this.#farDelayMs ?? 0) > FAR_DELAY_MAX_MS && this.#position % (2 * FRAME_SAMPLES) === 0;
    return (isLate || isFarBehind) && frame.every((sample) => sample === 0);
  }

  #sendMark(stream: StreamSink): void {
    const position = this.#position + FRAME_SAMPLES;
    const name = String(position);
    stream.sendMark(name);
    this.#marks.push({ name, position, sentAtMs: this.#deps.now(), isCleared: false });
  }

  #watchMarks(nowMs: number): void {
    const [oldest] = this.#marks;
    if (oldest === undefined || this.#isUnheard) return;
    const forMs = nowMs - oldest.sentAtMs;
    if (forMs < MARK_OVERDUE_MS) return;
    this.#isUnheard = true;
    this.#deps.onReception({ type: "not_heard", wasHeard: this.#confirmedPosition > 0, forMs });
  }

  /** RFC 3550 section 6.4.1, with the timestamps of the stream. */
  #noteTransit(transitMs: number): void {
    if (this.#lastTransitMs !== null) {
      this.#jitterMs += (Math.abs(transitMs - this.#lastTransitMs) - this.#jitterMs) / 16;
    }
    this.#lastTransitMs = transitMs;
  }

  #raise(alarm: MediaAlarm | null): void {
    if (alarm !== null) this.#deps.onAlarm(alarm);
  }
}

import { FRAME_SAMPLES, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { encodeAlaw, encodeMulaw } from "@parley/audio/g711";
import { G722Encoder } from "@parley/audio/g722";
import { OPUS_CLOCK_RATE_HZ, OpusEncoder } from "./codec/opus.ts";
import type { DtmfPacket } from "./dtmf/dtmf-sender.ts";
import { TELEPHONE_EVENT_BYTES, writeTelephoneEvent } from "./dtmf/telephone-event.ts";
import type { MediaAddress } from "./media/media-address.ts";
import type { MediaSetup } from "./media/media-setup.ts";
import { RTP_HEADER_BYTES, writeRtpHeader } from "./packet.ts";
import type { DatagramSink } from "./sockets/media-sockets.ts";
import { SrtpSender } from "./srtp/srtp.ts";
import { isSameKeying, type SrtpKeying } from "./srtp/srtp-keys.ts";

export interface StreamStart {
  ssrc: number;
  firstSequence: number;
  firstTimestamp: number;
}

const DURATION_MAX = 0xffff;

/** The one stream of a leg. Its source, sequence and timestamps continue through every renegotiation. */
export class RtpSender {
  readonly #sink: DatagramSink;
  readonly #start: StreamStart;
  #sequence: number;
  #setup: MediaSetup | null = null;
  #keying: SrtpKeying | null = null;
  #srtp: SrtpSender | null = null;
  #g722: G722Encoder | null = null;
  #opus: OpusEncoder | null = null;
  /** Timestamps count from here on, this many for each sample. */
  #anchor: { readonly timestamp: number; readonly position: number };
  #timestampsPerSample = 1;
  #lastPosition = 0;
  #marksNext = true;
  packets = 0;
  octets = 0;
  /** Of the last audio frame. */
  lastTimestamp = 0;

  constructor(start: StreamStart, sink: DatagramSink) {
    this.#start = start;
    this.#anchor = { timestamp: start.firstTimestamp, position: 0 };
    this.#sequence = start.firstSequence & 0xffff;
    this.#sink = sink;
  }

  get ssrc(): number {
    return this.#start.ssrc;
  }

  /** The number of the newest packet. */
  get lastSequence(): number {
    return (this.#sequence - 1) & 0xffff;
  }

  configure(setup: MediaSetup): void {
    this.#setup = setup;
    if (setup.codec !== "G722") this.#g722 = null;
    else this.#g722 ??= new G722Encoder();
    this.#useOpus(setup.codec === "OPUS");
    const keying = setup.srtp?.send ?? null;
    if (keying === null) this.#srtp = null;
    else if (this.#keying === null || this.#srtp === null || !isSameKeying(this.#keying, keying)) {
      this.#srtp = new SrtpSender(keying, this.#srtp?.state);
    }
    this.#keying = keying;
  }

  /** Timestamps go by the position of the played stream, which is wall time, whether or not anything was sent. */
  timestampAt(position: number): number {
    const { timestamp, position: start } = this.#anchor;
    return (timestamp + (position - start) * this.#timestampsPerSample) >>> 0;
  }

  sendFrame(frame: Int16Array, position: number, to: MediaAddress): void {
    const setup = this.#setup;
    if (setup === null) return;
    const bytes = this.#sink.takeBuffer();
    this.#lastPosition = position;
    this.lastTimestamp = this.timestampAt(position);
    writeRtpHeader(bytes, setup.payloadType, this.#marksNext, this.#sequence, this.lastTimestamp, this.#start.ssrc);
    let payloadBytes = FRAME_SAMPLES;
    if (this.#opus !== null) payloadBytes = this.#opus.encode(frame, bytes, RTP_HEADER_BYTES);
    else if (this.#g722 !== null) this.#g722.encode(frame, bytes, RTP_HEADER_BYTES);
    else if (setup.codec === "PCMA") encodeAlaw(frame, bytes, RTP_HEADER_BYTES);
    else encodeMulaw(frame, bytes, RTP_HEADER_BYTES);
    if (payloadBytes === 0) return;
    this.#marksNext = false;
    this.#finish(bytes, payloadBytes, to);
  }

  sendEvent(event: DtmfPacket, payloadType: number, to: MediaAddress): void {
    const bytes = this.#sink.takeBuffer();
    writeRtpHeader(bytes, payloadType, event.marker, this.#sequence, event.timestamp, this.#start.ssrc);
    const rate = (this.#setup?.dtmfRateHz ?? TELEPHONE_RATE_HZ) / TELEPHONE_RATE_HZ;
    // RFC 4733 section 2.5.1.3 would begin a new segment; no key is held for so long.
    const durationSamples = Math.min(DURATION_MAX, event.durationSamples * rate);
    writeTelephoneEvent(bytes, RTP_HEADER_BYTES, rate === 1 ? event : { ...event, durationSamples });
    this.#finish(bytes, TELEPHONE_EVENT_BYTES, to);
  }

  /** RFC 3551 section 4.1: the first packet after a time in which nothing was sent is marked. */
  pause(): void {
    this.#marksNext = true;
  }

  close(): void {
    this.#opus?.close();
    this.#opus = null;
  }

  /** Where the clock rate changes, timestamps go on from the last one (RFC 7160 section 4.1 wants them never to jump). */
  #useOpus(isUsed: boolean): void {
    if (isUsed === (this.#opus !== null)) return;
    this.#anchor = { timestamp: this.timestampAt(this.#lastPosition), position: this.#lastPosition };
    this.#timestampsPerSample = isUsed ? OPUS_CLOCK_RATE_HZ / TELEPHONE_RATE_HZ : 1;
    this.#opus?.close();
    this.#opus = isUsed ? new OpusEncoder() : null;
  }

  #finish(bytes: Uint8Array, payloadBytes: number, to: MediaAddress): void {
    const length = RTP_HEADER_BYTES + payloadBytes;
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.packets += 1;
    this.octets += payloadBytes;
    this.#sink.send(bytes, this.#srtp === null ? length : this.#srtp.protect(bytes, length), to);
  }
}

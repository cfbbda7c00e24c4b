import { FRAME_SAMPLES, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import {
  Application,
  createDecoder,
  createEncoder,
  isOpusError,
  type OpusDecoderHandle,
  type OpusEncoderHandle,
  Signal,
} from "libopus-wasm";

/** RFC 7587 section 4.1: timestamps of Opus always count at this rate, whatever the rate of the audio. */
export const OPUS_CLOCK_RATE_HZ = 48_000;

/** Narrow-band speech with room for the copies that error correction sends along; about half of what G.711 needs. */
const BITRATE = 20_000;
/** Of 0 to 10. More costs a third of a percent of a core per call and is hardly heard in telephone speech. */
const COMPLEXITY = 2;
/** The loss that the encoder prepares for: each packet then carries a coarse copy of the one before it. */
const EXPECTED_LOSS_PERCENT = 10;
/** A packet of 20 ms is far shorter; this is what fits a datagram with its headers. */
const PACKET_BYTES_MAX = 400;
/** Longer gaps are left to the jitter buffer, which fades into silence. */
const CONCEALED_PACKETS_MAX = 5;

/** The encoder of one stream, between 20 ms of 8 kHz audio and a packet. The library is loaded with the first. */
export class OpusEncoder {
  #handle: OpusEncoderHandle | null = null;
  #isClosed = false;
  /** Resolves when packets can be made. */
  readonly ready: Promise<void>;

  constructor() {
    this.ready = this.#open();
  }

  /** Writes a packet to `out` from `at` on and returns its length; 0 while the library is being loaded. */
  encode(frame: Int16Array, out: Uint8Array, at: number): number {
    if (this.#handle === null) return 0;
    const packet = this.#handle.encode(frame, { maxPacketBytes: PACKET_BYTES_MAX });
    out.set(packet, at);
    return packet.length;
  }

  close(): void {
    this.#isClosed = true;
    this.#handle?.free();
    this.#handle = null;
  }

  async #open(): Promise<void> {
    const handle = await createEncoder({
      sampleRate: TELEPHONE_RATE_HZ,
      channels: 1,
      application: Application.Voip,
      signal: Signal.Voice,
      bitrate: BITRATE,
      complexity: COMPLEXITY,
      fec: true,
      packetLossPercent: EXPECTED_LOSS_PERCENT,
      frameSize: FRAME_SAMPLES,
    });
    if (this.#isClosed) handle.free();
    else this.#handle = handle;
  }
}

/** Audio of a packet, or made up for one that is missing. Valid until the next is decoded. */
export type OpusOutput = (samples: Int16Array, timestamp: number) => void;

/** The decoder of one stream. Any Opus packet is decoded to 8 kHz and one channel, whatever its own rate and channels are. */
export class OpusDecoder {
  #handle: OpusDecoderHandle | null = null;
  #isClosed = false;
  #endTimestamp: number | null = null;
  #packetSamples = FRAME_SAMPLES;
  /** Resolves when packets can be decoded. */
  readonly ready: Promise<void>;

  constructor() {
    this.ready = this.#open();
  }

  /**
   * Decodes a packet before which `lostBefore` packets are missing; timestamps are those of 8 kHz audio. The last missing one is
   * restored from the copy that the packet may contain, those before it are made up from what was heard. False if it is not Opus.
   */
  decode(payload: Uint8Array, timestamp: number, lostBefore: number, output: OpusOutput): boolean {
    const decoder = this.#handle;
    // Until the library is loaded, which happens once in a thread, there is nothing to hear.
    if (decoder === null) return true;
    try {
      this.#conceal(decoder, payload, timestamp, lostBefore, output);
      const samples = decoder.decode(payload);
      this.#packetSamples = samples.length;
      this.#endTimestamp = (timestamp + samples.length) >>> 0;
      output(samples, timestamp);
      return true;
    } catch (error) {
      // What arrives may be anything; the library checks it and throws one of these.
      if (isOpusError(error) || error instanceof RangeError) return false;
      throw error;
    }
  }

  /** Another stream begins. */
  restart(): void {
    this.#endTimestamp = null;
  }

  close(): void {
    this.#isClosed = true;
    this.#handle?.free();
    this.#handle = null;
  }

  #conceal(
    decoder: OpusDecoderHandle,
    payload: Uint8Array,
    timestamp: number,
    lostBefore: number,
    output: OpusOutput,
  ): void {
    if (this.#endTimestamp === null || lostBefore === 0 || lostBefore > CONCEALED_PACKETS_MAX) return;
    const frameSize = this.#packetSamples;
    const missing = Math.min(lostBefore, Math.floor(((timestamp - this.#endTimestamp) | 0) / frameSize));
    for (let left = missing; left > 0; left -= 1) {
      const isRestored = left === 1;
      const samples = isRestored
        ? decoder.decode(payload, { decodeFec: true, frameSize })
        : decoder.decodePacketLoss(frameSize);
      output(samples, (timestamp - left * frameSize) >>> 0);
    }
  }

  async #open(): Promise<void> {
    const handle = await createDecoder({ sampleRate: TELEPHONE_RATE_HZ, channels: 1 });
    if (this.#isClosed) handle.free();
    else this.#handle = handle;
  }
}

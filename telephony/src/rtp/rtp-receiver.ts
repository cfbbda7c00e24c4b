import { FRAME_SAMPLES, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { decodeAlaw, decodeMulaw } from "@parley/audio/g711";
import { G722Decoder } from "@parley/audio/g722";
import { OPUS_CLOCK_RATE_HZ, OpusDecoder } from "./codec/opus.ts";
import { type OrderedPacket, OrderedPackets } from "./codec/ordered-packets.ts";
import { DtmfReceiver, type ReceivedKey } from "./dtmf/dtmf-receiver.ts";
import { type MediaSetup, PAYLOAD_COMFORT_NOISE, PAYLOAD_PCMA, PAYLOAD_PCMU } from "./media/media-setup.ts";
import { createRtpHeader, readRtpPacket } from "./packet.ts";
import { JitterBuffer } from "./playout/jitter-buffer.ts";
import { SrtpReceiver } from "./srtp/srtp.ts";
import { isSameKeying, type SrtpKeying } from "./srtp/srtp-keys.ts";
import { ReceptionStatistics } from "./statistics.ts";

/** What a datagram was. `noise` announces silence; `dropped` is counted by its reason. */
export type Reception = "audio" | "noise" | "event" | "dropped";

/** Longer packets are cut: 100 ms, far beyond what is ever negotiated. */
const PACKET_SAMPLES_MAX = 800;

const SAMPLES_PER_MS = TELEPHONE_RATE_HZ / 1000;

/** All receivers of a thread decode into the same memory, which the jitter buffer copies from immediately. */
const decodedPacket = new Int16Array(PACKET_SAMPLES_MAX);
/** Nearly all packets have this length, and a whole array is copied for less than a part of one. */
const decodedFrame = new Int16Array(FRAME_SAMPLES);

/** The stream that the far end sends: unprotected, judged, decoded, and put into the jitter buffer. */
export class RtpReceiver {
  readonly jitterBuffer = new JitterBuffer();
  readonly statistics = new ReceptionStatistics(TELEPHONE_RATE_HZ);
  readonly #dtmf: DtmfReceiver;
  readonly #header = createRtpHeader();
  #setup: MediaSetup | null = null;
  #keying: SrtpKeying | null = null;
  #srtp: SrtpReceiver | null = null;
  /** Of codecs whose packets depend on those before them; null for the others. */
  #ordered: OrderedPackets | null = null;
  #g722: G722Decoder | null = null;
  #opus: OpusDecoder | null = null;
  /** The last timestamp of Opus, and the same instant at the rate of a telephone. */
  #opusClock: { raw: number; scaled: number } | null = null;
  #ssrc: number | null = null;
  #suspectSsrc: number | null = null;
  invalidPackets = 0;
  sourceChanges = 0;

  constructor(reportKey: (key: ReceivedKey) => void) {
    this.#dtmf = new DtmfReceiver(({ key, durationMs }) => {
      reportKey({ key, durationMs: (durationMs * TELEPHONE_RATE_HZ) / (this.#setup?.dtmfRateHz ?? TELEPHONE_RATE_HZ) });
    });
  }

  get ssrc(): number | null {
    return this.#ssrc;
  }

  get unauthenticPackets(): number {
    return this.#srtp?.counts.unauthentic ?? 0;
  }

  get replayedPackets(): number {
    return this.#srtp?.counts.replayed ?? 0;
  }

  configure(setup: MediaSetup): void {
    this.#setup = setup;
    this.#chooseDecoder(setup);
    const keying = setup.srtp?.receive ?? null;
    if (keying === null) this.#srtp = null;
    else if (this.#keying === null || this.#srtp === null || !isSameKeying(this.#keying, keying)) {
      this.#srtp = new SrtpReceiver(keying, this.#srtp ?? undefined);
    }
    this.#keying = keying;
  }

  /** Takes one datagram, whose bytes are changed when they are encrypted. */
  receive(bytes: Uint8Array, length: number, nowMs: number): Reception {
    const plainLength = this.#srtp === null ? length : this.#srtp.unprotect(bytes, length);
    if (plainLength < 0) return "dropped";
    const header = this.#header;
    if (this.#setup === null || !readRtpPacket(bytes, plainLength, header)) {
      this.invalidPackets += 1;
      return "dropped";
    }
    if (header.ssrc !== this.#ssrc && !this.#changeSource(header.ssrc, header.sequence)) return "dropped";
    this.#suspectSsrc = null;
    const isEvent = header.payloadType === this.#setup.dtmfPayloadType;
    if (this.#opus !== null) header.timestamp = this.#atTelephoneRate(header.timestamp, isEvent);
    const status = this.statistics.observe(header.sequence, header.timestamp, nowMs, !isEvent);
    if (status === "suspect") return "dropped";
    const isOtherThanAudio = isEvent || header.payloadType === PAYLOAD_COMFORT_NOISE;
    if (isOtherThanAudio) this.#ordered?.push({ ...this.#place(nowMs), payload: null });
    if (isEvent) return this.#takeEvent(bytes, nowMs);
    if (isOtherThanAudio) {
      this.jitterBuffer.pushQuiet(header.timestamp);
      return "noise";
    }
    return this.#takeAudio(bytes, this.#setup, nowMs);
  }

  tick(nowMs: number): void {
    this.#dtmf.tick(nowMs);
  }

  /** How many timestamps of the stream one sample at 8 kHz is. */
  get clockFactor(): number {
    return this.#opus === null ? 1 : OPUS_CLOCK_RATE_HZ / TELEPHONE_RATE_HZ;
  }

  close(): void {
    this.#opus?.close();
    this.#opus = null;
  }

  /** Wraps at 2^32 as timestamps do. An event may count at another rate, and does not move the clock of the audio. */
  #atTelephoneRate(timestamp: number, isEvent: boolean): number {
    const last = this.#opusClock ?? { raw: timestamp, scaled: timestamp };
    const scaled = (last.scaled + Math.round(((timestamp - last.raw) | 0) / this.clockFactor)) >>> 0;
    if (!isEvent) this.#opusClock = { raw: timestamp, scaled };
    return scaled;
  }

  #takeEvent(bytes: Uint8Array, nowMs: number): Reception {
    const { payloadStart, payloadLength, timestamp } = this.#header;
    if (!this.#dtmf.receive(bytes, payloadStart, payloadLength, timestamp, nowMs)) {
      this.invalidPackets += 1;
      return "dropped";
    }
    this.jitterBuffer.pushQuiet(timestamp);
    return "event";
  }

  #place(arrivalMs: number): Omit<OrderedPacket, "payload"> {
    const { sequence, timestamp } = this.#header;
    return { sequence, timestamp, arrivalMs };
  }

  #chooseDecoder({ codec }: MediaSetup): void {
    const isSame = (codec === "G722") === (this.#g722 !== null) && (codec === "OPUS") === (this.#opus !== null);
    if (isSame) return;
    // Timestamps at another rate are another stream to the buffer.
    if ((codec === "OPUS") !== (this.#opus !== null)) this.jitterBuffer.restart();
    this.#opus?.close();
    this.#opusClock = null;
    this.#opus = codec === "OPUS" ? new OpusDecoder() : null;
    this.#g722 = codec === "G722" ? new G722Decoder() : null;
    const hasMemory = this.#opus !== null || this.#g722 !== null;
    const decode = (packet: OrderedPacket, lostBefore: number) => this.#decode(packet, lostBefore);
    this.#ordered = hasMemory ? new OrderedPackets(decode, { waits: this.#opus === null }) : null;
  }

  /** What is missing and not restored by the codec is concealed by the jitter buffer. */
  #decode({ timestamp, payload, arrivalMs }: OrderedPacket, lostBefore: number): void {
    if (payload === null) return;
    if (this.#opus !== null) {
      const isValid = this.#opus.decode(payload, timestamp, lostBefore, (samples, at) =>
        this.jitterBuffer.push(at, samples, samples.length, arrivalMs - ((timestamp - at) | 0) / SAMPLES_PER_MS),
      );
      if (!isValid) this.invalidPackets += 1;
      return;
    }
    this.#g722?.decode(payload, decodedPacket, 0, payload.length);
    this.jitterBuffer.push(timestamp, decodedPacket, payload.length, arrivalMs);
  }

  /** Either law is accepted at any time: packets of the old one are still on their way when the codec changes. */
  #takeAudio(bytes: Uint8Array, setup: MediaSetup, nowMs: number): Reception {
    const { payloadType, payloadStart, payloadLength, timestamp } = this.#header;
    const count = Math.min(payloadLength, PACKET_SAMPLES_MAX);
    const isNegotiated = payloadType === setup.payloadType;
    if (isNegotiated && count > 0 && this.#ordered !== null) {
      const payload = bytes.subarray(payloadStart, payloadStart + count);
      this.#ordered.push({ ...this.#place(nowMs), payload });
      return "audio";
    }
    const decoded = count === FRAME_SAMPLES ? decodedFrame : decodedPacket;
    if (count > 0 && (payloadType === PAYLOAD_PCMA || (isNegotiated && setup.codec === "PCMA"))) {
      decodeAlaw(bytes, decoded, payloadStart, count);
    } else if (count > 0 && (payloadType === PAYLOAD_PCMU || (isNegotiated && setup.codec === "PCMU"))) {
      decodeMulaw(bytes, decoded, payloadStart, count);
    } else {
      this.invalidPackets += 1;
      return "dropped";
    }
    this.jitterBuffer.push(timestamp, decoded, count, nowMs);
    return "audio";
  }

  /** The first source is accepted immediately; another one has to send twice in a row, which a straggler does not. */
  #changeSource(ssrc: number, sequence: number): boolean {
    if (this.#ssrc !== null) {
      if (this.#suspectSsrc !== ssrc) {
        this.#suspectSsrc = ssrc;
        return false;
      }
      this.sourceChanges += 1;
      this.statistics.restart(sequence);
      this.jitterBuffer.restart();
      this.#ordered?.restart();
      this.#opus?.restart();
      this.#opusClock = null;
      this.#dtmf.restart();
    }
    this.#ssrc = ssrc;
    return true;
  }
}

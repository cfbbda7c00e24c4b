import { FarReception, type ReceptionAlarm } from "./far-reception.ts";
import type { MediaAddress } from "./media/media-address.ts";
import { type MediaSetup, sendsAudio } from "./media/media-setup.ts";
import { readUint32, writeUint32 } from "./packet.ts";
import { middleOfNtp, ntpOf, readRtcp, writeRtcp } from "./rtcp-packet.ts";
import type { RtpReceiver } from "./rtp-receiver.ts";
import type { RtpSender } from "./rtp-sender.ts";
import type { DatagramSink } from "./sockets/media-sockets.ts";
import { PROTECTED_BYTES_MAX } from "./srtp/key-stream.ts";
import { ReplayWindow } from "./srtp/replay-window.ts";
import { SrtpCipher, tagMatches } from "./srtp/srtp-cipher.ts";
import { deriveRtcpKeys, isSameKeying, SRTCP_TAG_BYTES, type SrtpKeying } from "./srtp/srtp-keys.ts";
import { roundTripMsOf } from "./statistics.ts";

/** RFC 3550 section 6.2: five seconds at least, and half to one and a half of it, so that legs are not synchronized. */
const INTERVAL_MS = 5_000;

export interface RtcpExchangeDeps {
  sender: RtpSender;
  receiver: RtpReceiver;
  cname: string;
  /** What to add to the leg's clock for the time of day. */
  wallOffsetMs: number;
  /** The socket for reports depends on the negotiation. */
  sink: () => DatagramSink;
  /** The far end's reports say that it does not receive us, or that it does again. */
  onReception: (alarm: ReceptionAlarm) => void;
  random: () => number;
}

/** Reports both ways: what we sent and heard, and what the far end says about us. */
export class RtcpExchange {
  readonly #deps: RtcpExchangeDeps;
  readonly #reception = new FarReception();
  #dueMs: number | null = null;
  #keying: { send: SrtpKeying; receive: SrtpKeying } | null = null;
  #protection: { sender: SrtcpSender; receiver: SrtcpReceiver } | null = null;
  #lastSenderReport = 0;
  #lastSenderReportMs = 0;
  #packetsAtLastReport = 0;
  roundTripMs: number | null = null;
  /** Our packets lost according to the far end's last report. */
  farLossShare: number | null = null;
  farSaidGoodbye = false;

  constructor(deps: RtcpExchangeDeps) {
    this.#deps = deps;
  }

  /** Whether our audio arrives, according to the far end's reports; null without reports. */
  get isHeard(): boolean | null {
    return this.#reception.isHeard;
  }

  configure({ srtp, isFinal, direction }: MediaSetup): void {
    this.#reception.expect(isFinal && sendsAudio(direction), this.#deps.sender);
    const before = this.#keying;
    const isSame =
      srtp !== null &&
      before !== null &&
      isSameKeying(srtp.send, before.send) &&
      isSameKeying(srtp.receive, before.receive);
    if (!isSame) {
      this.#protection =
        srtp === null
          ? null
          : {
              sender: new SrtcpSender(srtp.send, this.#protection?.sender.nextIndex),
              receiver: new SrtcpReceiver(srtp.receive),
            };
    }
    this.#keying = srtp;
  }

  tick(nowMs: number, to: MediaAddress): void {
    // The first one comes after half the time, as section 6.2 says, so that the round trip is known early.
    this.#dueMs ??= nowMs + (INTERVAL_MS / 2) * (0.5 + this.#deps.random());
    if (nowMs < this.#dueMs) return;
    this.#dueMs = nowMs + INTERVAL_MS * (0.5 + this.#deps.random());
    this.send(nowMs, to, false);
  }

  send(nowMs: number, to: MediaAddress, saysGoodbye: boolean): void {
    const { sender, receiver, cname, wallOffsetMs } = this.#deps;
    const hasSent = sender.packets > this.#packetsAtLastReport;
    this.#packetsAtLastReport = sender.packets;
    const block = receiver.ssrc === null ? null : receiver.statistics.takeReport(receiver.ssrc);
    // RFC 3550 section 6.4.1: in units of the timestamps.
    if (block) block.jitter *= receiver.clockFactor;
    if (block && this.#lastSenderReport !== 0) {
      block.lastSenderReport = this.#lastSenderReport;
      block.delaySinceLast = Math.round(((nowMs - this.#lastSenderReportMs) * 65_536) / 1000);
    }
    const sink = this.#deps.sink();
    const bytes = sink.takeBuffer();
    const length = writeRtcp(bytes, {
      ssrc: sender.ssrc,
      sender: hasSent
        ? {
            ...ntpOf(nowMs + wallOffsetMs),
            rtpTimestamp: sender.lastTimestamp,
            packets: sender.packets,
            octets: sender.octets,
          }
        : null,
      block,
      cname,
      saysGoodbye,
    });
    sink.send(bytes, this.#protection === null ? length : this.#protection.sender.protect(bytes, length), to);
  }

  /** Returns false when the bytes were not RTCP, or not genuine. */
  receive(bytes: Uint8Array, length: number, nowMs: number): boolean {
    const plainLength = this.#protection === null ? length : this.#protection.receiver.unprotect(bytes, length);
    const report = plainLength < 0 ? null : readRtcp(bytes, plainLength);
    if (report === null) return false;
    if (report.sender !== null) {
      this.#lastSenderReport = middleOfNtp(report.sender.ntpSeconds, report.sender.ntpFraction);
      this.#lastSenderReportMs = nowMs;
    }
    const { ntpSeconds, ntpFraction } = ntpOf(nowMs + this.#deps.wallOffsetMs);
    for (const block of report.blocks) {
      if (block.ssrc !== this.#deps.sender.ssrc) continue;
      this.farLossShare = block.fractionLost / 256;
      this.roundTripMs = roundTripMsOf(middleOfNtp(ntpSeconds, ntpFraction), block) ?? this.roundTripMs;
    }
    const alarm = this.#reception.noteReport(report, this.#deps.sender, nowMs);
    if (alarm !== null) this.#deps.onReception(alarm);
    this.farSaidGoodbye ||= report.goodbyes.length > 0;
    return true;
  }
}

/**
 * RFC 3711 section 3.4. RTCP carries its index in the open; E says whether the packet is encrypted:
 *
 *     +------------------+----------------------------+-+-------------+------------------------+
 *     | header and SSRC  |  reports, names, goodbyes  |E| SRTCP index |  authentication tag    |
 *     +------------------+----------------------------+-+-------------+------------------------+
 *                        |<------ encrypted --------->|
 *     |<------------------- authenticated ---------------------------->|
 */
const CLEAR_BYTES = 8;
const INDEX_BYTES = 4;
const ENCRYPTED_BIT = 0x8000_0000;
const INDEX_MASK = 0x7fff_ffff;

export class SrtcpSender {
  readonly #cipher: SrtpCipher;
  #index: number;

  constructor(keying: SrtpKeying, firstIndex = 0) {
    this.#cipher = new SrtpCipher(deriveRtcpKeys(keying));
    this.#index = firstIndex;
  }

  /** The index of the next packet, which continues when the key is replaced. */
  get nextIndex(): number {
    return this.#index;
  }

  /** Encrypts in place and appends index and tag, for which `bytes` has room. Returns the new length. */
  protect(bytes: Uint8Array, length: number): number {
    const index = this.#index;
    this.#index = (index + 1) & INDEX_MASK;
    this.#cipher.apply(bytes, CLEAR_BYTES, length, readUint32(bytes, 4), index);
    writeUint32(bytes, length, ENCRYPTED_BIT | index);
    const signed = length + INDEX_BYTES;
    const tag = this.#cipher.sign(bytes, signed);
    for (let at = 0; at < SRTCP_TAG_BYTES; at++) bytes[signed + at] = tag[at] as number;
    return signed + SRTCP_TAG_BYTES;
  }
}

export class SrtcpReceiver {
  readonly #cipher: SrtpCipher;
  #window = new ReplayWindow();
  #ssrc: number | null = null;
  readonly counts = { unauthentic: 0, replayed: 0 };

  constructor(keying: SrtpKeying) {
    this.#cipher = new SrtpCipher(deriveRtcpKeys(keying));
  }

  /** Decrypts in place and returns the length of the plain packet, or -1 when it must be dropped. */
  unprotect(bytes: Uint8Array, lengthWithTag: number): number {
    const signed = lengthWithTag - SRTCP_TAG_BYTES;
    const length = signed - INDEX_BYTES;
    if (length < CLEAR_BYTES || length > PROTECTED_BYTES_MAX) return -1;
    if (!tagMatches(this.#cipher.sign(bytes, signed), bytes, signed, SRTCP_TAG_BYTES)) {
      this.counts.unauthentic += 1;
      return -1;
    }
    const ssrc = readUint32(bytes, 4);
    const word = readUint32(bytes, length);
    const index = word & INDEX_MASK;
    if (ssrc !== this.#ssrc) {
      this.#ssrc = ssrc;
      this.#window = new ReplayWindow();
    }
    if (!this.#window.isNew(index)) {
      this.counts.replayed += 1;
      return -1;
    }
    this.#window.add(index);
    if (word >>> 31 === 1) this.#cipher.apply(bytes, CLEAR_BYTES, length, ssrc, index);
    return length;
  }
}

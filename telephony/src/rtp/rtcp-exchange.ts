import { FarReception, type ReceptionAlarm } from "./far-reception.ts";
import type { MediaAddress } from "./media-address.ts";
import { type MediaSetup, sendsSound } from "./media-setup.ts";
import { readRtcp } from "./rtcp-packet.ts";
import type { RtpReceiver } from "./rtp-receiver.ts";
import type { RtpSender } from "./rtp-sender.ts";
import type { DatagramSink } from "./sockets/media-sockets.ts";
import { SrtcpReceiver, SrtcpSender } from "./srtcp.ts";
import { isSameKeying, type SrtpKeying } from "./srtp-keys.ts";
import { roundTripMsOf } from "./statistics.ts";
import { middleOfNtp, ntpOf, writeRtcp } from "./write-rtcp.ts";

/** RFC 3550 section 6.2: five seconds at least, and half to one and a half of it, so that legs do not march in step. */
const INTERVAL_MS = 5_000;

export interface RtcpExchangeParts {
  sender: RtpSender;
  receiver: RtpReceiver;
  cname: string;
  /** What to add to the leg's clock for the time of day. */
  wallOffsetMs: number;
  /** Which socket reports leave by depends on what was agreed on. */
  sink: () => DatagramSink;
  /** The far end's reports say that it does not receive us, or that it does again. */
  onReception: (alarm: ReceptionAlarm) => void;
  random: () => number;
}

/** Reports both ways: what we sent and heard, and what the far end says about us. */
export class RtcpExchange {
  readonly #parts: RtcpExchangeParts;
  readonly #reception = new FarReception();
  #dueMs: number | null = null;
  #keying: { send: SrtpKeying; receive: SrtpKeying } | null = null;
  #protection: { sender: SrtcpSender; receiver: SrtcpReceiver } | null = null;
  #lastSenderReport = 0;
  #lastSenderReportMs = 0;
  #packetsAtLastReport = 0;
  roundTripMs: number | null = null;
  /** What the far end lost of ours, in its last report. */
  farLossShare: number | null = null;
  farSaidGoodbye = false;

  constructor(parts: RtcpExchangeParts) {
    this.#parts = parts;
  }

  /** Whether what we send arrives, by the far end's reports; null while none has told. */
  get isHeard(): boolean | null {
    return this.#reception.isHeard;
  }

  configure({ srtp, isFinal, direction }: MediaSetup): void {
    this.#reception.expect(isFinal && sendsSound(direction), this.#parts.sender);
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
    // The first one comes after half the time, as section 6.2 has it, so that the round trip is known early.
    this.#dueMs ??= nowMs + (INTERVAL_MS / 2) * (0.5 + this.#parts.random());
    if (nowMs < this.#dueMs) return;
    this.#dueMs = nowMs + INTERVAL_MS * (0.5 + this.#parts.random());
    this.send(nowMs, to, false);
  }

  send(nowMs: number, to: MediaAddress, saysGoodbye: boolean): void {
    const { sender, receiver, cname, wallOffsetMs } = this.#parts;
    const hasSent = sender.packets > this.#packetsAtLastReport;
    this.#packetsAtLastReport = sender.packets;
    const block = receiver.ssrc === null ? null : receiver.statistics.takeReport(receiver.ssrc);
    if (block && this.#lastSenderReport !== 0) {
      block.lastSenderReport = this.#lastSenderReport;
      block.delaySinceLast = Math.round(((nowMs - this.#lastSenderReportMs) * 65_536) / 1000);
    }
    const sink = this.#parts.sink();
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
    const { ntpSeconds, ntpFraction } = ntpOf(nowMs + this.#parts.wallOffsetMs);
    for (const block of report.blocks) {
      if (block.ssrc !== this.#parts.sender.ssrc) continue;
      this.farLossShare = block.fractionLost / 256;
      this.roundTripMs = roundTripMsOf(middleOfNtp(ntpSeconds, ntpFraction), block) ?? this.roundTripMs;
    }
    const alarm = this.#reception.noteReport(report, this.#parts.sender, nowMs);
    if (alarm !== null) this.#parts.onReception(alarm);
    this.farSaidGoodbye ||= report.goodbyes.length > 0;
    return true;
  }
}

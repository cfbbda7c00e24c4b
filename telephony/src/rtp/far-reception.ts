import type { ReportBlock, RtcpReport } from "./rtcp-packet.ts";

/** What we have sent so far of the stream that reports are about. */
export interface SentStream {
  readonly ssrc: number;
  readonly packets: number;
  readonly lastSequence: number;
}

export type ReceptionAlarm =
  /** `forMs` is how long by now; `wasHeard` says whether the far end ever reported that something arrived. */
  { readonly type: "not_heard"; readonly wasHeard: boolean; readonly forMs: number } | { readonly type: "heard_again" };

/** One bad report may be a moment's outage. Three in a row, which is about 15 s at the usual interval, are not. */
const BAD_REPORTS_MIN = 3;
/** Far ends that report every second must not raise it sooner than a changed route takes to settle. */
const UNHEARD_MIN_MS = 8_000;
/** One second of audio. A report about less says nothing about the line. */
const SENT_PACKETS_MIN = 50;
/** The loss at which nothing is intelligible. */
const LOST_SHARE_MIN = 0.95;
/** Half of the sequence numbers: beyond that an old number cannot be distinguished from a future one. */
const SEQUENCE_WINDOW = 2 ** 15;

/**
 * Whether the far end receives our audio, by its own reports (RFC 3550 section 6.4). A far end that sends none, or only
 * reports about other streams, is assumed to hear us. So is one that names sequence numbers that we never sent.
 */
export class FarReception {
  #isExpected = false;
  #isNonsense = false;
  #isUnheard = false;
  #wasHeard = false;
  #badReports = 0;
  #badSinceMs = 0;
  #judgedMs: number | null = null;
  #judgedPackets = 0;
  #block: ReportBlock | null = null;

  /** Null without reports. */
  get isHeard(): boolean | null {
    if (this.#isUnheard) return false;
    return this.#wasHeard ? true : null;
  }

  /** Only an answered call that is not on hold is judged. */
  expect(isExpected: boolean, { packets }: SentStream): void {
    if (isExpected && !this.#isExpected) {
      this.#badReports = 0;
      this.#judgedMs = null;
      this.#judgedPackets = packets;
    }
    this.#isExpected = isExpected;
  }

  noteReport(report: RtcpReport, sent: SentStream, nowMs: number): ReceptionAlarm | null {
    if (!this.#isExpected || this.#isNonsense) return null;
    // Without a sender or receiver report there is nothing about reception, and a goodbye no longer counts.
    if (report.ssrc === null || report.goodbyes.length > 0) return null;
    const block = report.blocks.find(({ ssrc }) => ssrc === sent.ssrc) ?? null;
    if (block === null && report.blocks.length > 0) return null;
    if (block !== null && !this.#couldBeOurs(block, sent)) {
      this.#isNonsense = true;
      return this.#takeForHeard();
    }
    if (sent.packets - this.#judgedPackets < SENT_PACKETS_MIN) return null;
    const arrives = block !== null && arrivesSince(this.#block, block);
    const sinceMs = this.#judgedMs ?? nowMs;
    this.#judgedMs = nowMs;
    this.#judgedPackets = sent.packets;
    this.#block = block ?? this.#block;
    if (arrives) {
      this.#wasHeard = true;
      this.#badReports = 0;
      return this.#takeForHeard();
    }
    if (this.#badReports === 0) this.#badSinceMs = sinceMs;
    this.#badReports += 1;
    const forMs = nowMs - this.#badSinceMs;
    if (this.#isUnheard || this.#badReports < BAD_REPORTS_MIN || forMs < UNHEARD_MIN_MS) return null;
    this.#isUnheard = true;
    return { type: "not_heard", wasHeard: this.#wasHeard, forMs };
  }

  #takeForHeard(): ReceptionAlarm | null {
    if (!this.#isUnheard) return null;
    this.#isUnheard = false;
    return { type: "heard_again" };
  }

  /** Some fill their blocks with zeros, or with the numbers of another stream. */
  #couldBeOurs({ highestSequence }: ReportBlock, { packets, lastSequence }: SentStream): boolean {
    if (highestSequence === this.#block?.highestSequence) return true;
    return ((lastSequence - highestSequence) & 0xffff) < Math.min(packets, SEQUENCE_WINDOW);
  }
}

/**
 * Section 6.4: a block is there for each source from which something was received since the last report, so that its absence
 * means that nothing was. Others keep repeating the last number. Where both the share lost and the count tell of loss,
 * both must say that nearly all of it was lost.
 */
function arrivesSince(before: ReportBlock | null, now: ReportBlock): boolean {
  const reportedShare = now.fractionLost / 256;
  if (before === null) return reportedShare < LOST_SHARE_MIN;
  const expected = (now.highestSequence - before.highestSequence) | 0;
  if (expected === 0) return false;
  const countedShare = expected < 0 ? 0 : (now.cumulativeLost - before.cumulativeLost) / expected;
  return Math.min(reportedShare, countedShare) < LOST_SHARE_MIN;
}

import { readUint16, readUint32 } from "./packet.ts";

/**
 * RFC 3550 section 6.4.1, one report block about a received source:
 *
 *      0                   1                   2                   3
 *      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *     |                        SSRC of the source                     |
 *     | fraction lost |       cumulative number of packets lost       |
 *     |           extended highest sequence number received           |
 *     |                      interarrival jitter                      |
 *     |                         last SR (LSR)                         |
 *     |                   delay since last SR (DLSR)                  |
 *     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 */
export interface ReportBlock {
  ssrc: number;
  /** In 256ths. */
  fractionLost: number;
  /** Negative when duplicates arrived. */
  cumulativeLost: number;
  highestSequence: number;
  /** In timestamp units. */
  jitter: number;
  /** The middle 32 bits of the NTP time of the last sender report, 0 when none was received. */
  lastSenderReport: number;
  /** In 65,536ths of a second. */
  delaySinceLast: number;
}

/** Section 6.4.1: what a sender says about itself. */
export interface SenderInfo {
  /** Seconds and fraction since 1900. */
  ntpSeconds: number;
  ntpFraction: number;
  rtpTimestamp: number;
  packets: number;
  octets: number;
}

/** All that a compound packet says that we use. */
export interface RtcpReport {
  ssrc: number | null;
  sender: SenderInfo | null;
  blocks: ReportBlock[];
  /** The canonical name of the sender (section 6.5.1). */
  cname: string | null;
  /** Sources that said goodbye (section 6.6). */
  goodbyes: number[];
}

export const RTCP_SR = 200;
export const RTCP_RR = 201;
export const RTCP_SDES = 202;
export const RTCP_BYE = 203;
export const SDES_CNAME = 1;
export const BLOCK_BYTES = 24;
export const SENDER_BYTES = 20;

/**
 * Reads a compound packet. Section A.2 would have the whole thing thrown away when one length is wrong; phones send
 * such packets, so what can be read is, and null is left for bytes that are not RTCP at all.
 */
export function readRtcp(bytes: Uint8Array, length: number = bytes.length): RtcpReport | null {
  const report: RtcpReport = { ssrc: null, sender: null, blocks: [], cname: null, goodbyes: [] };
  let at = 0;
  while (at + 4 <= length && (bytes[at] as number) >> 6 === 2) {
    const end = at + 4 + 4 * readUint16(bytes, at + 2);
    if (end > length) break;
    readOne(bytes, at, end, report);
    at = end;
  }
  return at === 0 ? null : report;
}

function readOne(bytes: Uint8Array, start: number, end: number, report: RtcpReport): void {
  const count = (bytes[start] as number) & 0x1f;
  const body = start + 4;
  switch (bytes[start + 1]) {
    case RTCP_SR:
      if (body + 4 + SENDER_BYTES > end) return;
      report.ssrc = readUint32(bytes, body);
      report.sender = {
        ntpSeconds: readUint32(bytes, body + 4),
        ntpFraction: readUint32(bytes, body + 8),
        rtpTimestamp: readUint32(bytes, body + 12),
        packets: readUint32(bytes, body + 16),
        octets: readUint32(bytes, body + 20),
      };
      readBlocks(bytes, body + 4 + SENDER_BYTES, end, count, report.blocks);
      return;
    case RTCP_RR:
      if (body + 4 > end) return;
      report.ssrc ??= readUint32(bytes, body);
      readBlocks(bytes, body + 4, end, count, report.blocks);
      return;
    case RTCP_SDES:
      report.cname ??= readCname(bytes, body, end);
      return;
    case RTCP_BYE:
      for (let index = 0; index < count && body + 4 * index + 4 <= end; index++) {
        report.goodbyes.push(readUint32(bytes, body + 4 * index));
      }
  }
}

function readBlocks(bytes: Uint8Array, start: number, end: number, count: number, into: ReportBlock[]): void {
  for (let index = 0, at = start; index < count && at + BLOCK_BYTES <= end; index++, at += BLOCK_BYTES) {
    into.push({
      ssrc: readUint32(bytes, at),
      fractionLost: bytes[at + 4] as number,
      // Twenty-four bits with a sign.
      cumulativeLost: (readUint32(bytes, at + 4) << 8) >> 8,
      highestSequence: readUint32(bytes, at + 8),
      jitter: readUint32(bytes, at + 12),
      lastSenderReport: readUint32(bytes, at + 16),
      delaySinceLast: readUint32(bytes, at + 20),
    });
  }
}

/** The name in the first chunk, which is the sender's own. */
function readCname(bytes: Uint8Array, start: number, end: number): string | null {
  for (let at = start + 4; at + 2 <= end && bytes[at] !== 0; ) {
    const textEnd = at + 2 + (bytes[at + 1] as number);
    if (textEnd > end) return null;
    if (bytes[at] === SDES_CNAME) return new TextDecoder().decode(bytes.subarray(at + 2, textEnd));
    at = textEnd;
  }
  return null;
}

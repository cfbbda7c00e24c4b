import { readUint16, readUint32, writeUint16, writeUint32 } from "./packet.ts";

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
interface SenderInfo {
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

const RTCP_SR = 200;
const RTCP_RR = 201;
const RTCP_SDES = 202;
const RTCP_BYE = 203;
const SDES_CNAME = 1;
const BLOCK_BYTES = 24;
const SENDER_BYTES = 20;

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

/** NTP counts from 1900, we from 1970 (RFC 3550 section 4). */
const NTP_EPOCH_SECONDS = 2_208_988_800;

export interface RtcpToWrite {
  ssrc: number;
  sender: SenderInfo | null;
  block: ReportBlock | null;
  cname: string;
  saysGoodbye: boolean;
}

/** Section 6.1: a report, even an empty one, then SDES with the canonical name, then a goodbye. Returns the length. */
export function writeRtcp(out: Uint8Array, { ssrc, sender, block, cname, saysGoodbye }: RtcpToWrite): number {
  const reportBytes = 8 + (sender ? SENDER_BYTES : 0) + (block ? BLOCK_BYTES : 0);
  writeCommonHeader(out, 0, sender ? RTCP_SR : RTCP_RR, block ? 1 : 0, reportBytes);
  writeUint32(out, 4, ssrc);
  let at = 8;
  if (sender) {
    writeUint32(out, at, sender.ntpSeconds);
    writeUint32(out, at + 4, sender.ntpFraction);
    writeUint32(out, at + 8, sender.rtpTimestamp);
    writeUint32(out, at + 12, sender.packets);
    writeUint32(out, at + 16, sender.octets);
    at += SENDER_BYTES;
  }
  if (block) {
    writeUint32(out, at, block.ssrc);
    const lost = Math.max(-0x80_0000, Math.min(0x7f_ffff, block.cumulativeLost));
    writeUint32(out, at + 4, (block.fractionLost << 24) | (lost & 0xff_ffff));
    writeUint32(out, at + 8, block.highestSequence);
    writeUint32(out, at + 12, block.jitter);
    writeUint32(out, at + 16, block.lastSenderReport);
    writeUint32(out, at + 20, block.delaySinceLast);
    at += BLOCK_BYTES;
  }
  at += writeCname(out, at, ssrc, cname);
  if (saysGoodbye) {
    writeCommonHeader(out, at, RTCP_BYE, 1, 8);
    writeUint32(out, at + 4, ssrc);
    at += 8;
  }
  return at;
}

function writeCname(out: Uint8Array, start: number, ssrc: number, cname: string): number {
  const name = new TextEncoder().encode(cname).subarray(0, 255);
  // At least one zero ends the items, and the chunk is padded to the next 32-bit boundary.
  const bytes = 8 + Math.ceil((2 + name.length + 1) / 4) * 4;
  writeCommonHeader(out, start, RTCP_SDES, 1, bytes);
  writeUint32(out, start + 4, ssrc);
  out[start + 8] = SDES_CNAME;
  out[start + 9] = name.length;
  out.set(name, start + 10);
  out.fill(0, start + 10 + name.length, start + bytes);
  return bytes;
}

function writeCommonHeader(out: Uint8Array, at: number, packetType: number, count: number, bytes: number): void {
  out[at] = 0x80 | count;
  out[at + 1] = packetType;
  writeUint16(out, at + 2, bytes / 4 - 1);
}

/** Section 4: seconds since 1900 and their fraction, from milliseconds since 1970. */
export function ntpOf(wallMs: number): { ntpSeconds: number; ntpFraction: number } {
  const seconds = Math.floor(wallMs / 1000);
  return {
    ntpSeconds: (seconds + NTP_EPOCH_SECONDS) >>> 0,
    ntpFraction: Math.floor(((wallMs - seconds * 1000) / 1000) * 2 ** 32) >>> 0,
  };
}

/** The middle 32 bits, as reports use them. */
export function middleOfNtp(ntpSeconds: number, ntpFraction: number): number {
  return ((ntpSeconds << 16) | (ntpFraction >>> 16)) >>> 0;
}

import { writeUint16, writeUint32 } from "./packet.ts";
import {
  BLOCK_BYTES,
  type ReportBlock,
  RTCP_BYE,
  RTCP_RR,
  RTCP_SDES,
  RTCP_SR,
  SDES_CNAME,
  SENDER_BYTES,
  type SenderInfo,
} from "./rtcp-packet.ts";

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

/**
 * RFC 3550 section 5.1, the header of every RTP packet:
 *
 *      0                   1                   2                   3
 *      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *     |V=2|P|X|  CC   |M|     PT      |       sequence number         |
 *     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *     |                           timestamp                           |
 *     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *     |           synchronization source (SSRC) identifier            |
 *     +=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+
 *     |   contributing sources (CSRC), CC of them, then the extension |
 *     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 * One object is filled again for every packet, so that the hot path allocates nothing.
 */
export interface RtpHeader {
  marker: boolean;
  payloadType: number;
  sequence: number;
  timestamp: number;
  ssrc: number;
  /** The position of the payload in the datagram, without header, extension and padding. */
  payloadStart: number;
  payloadLength: number;
}

export const RTP_HEADER_BYTES = 12;
const VERSION = 2;
const PADDING_BIT = 0x20;
const EXTENSION_BIT = 0x10;
const CSRC_COUNT = 0x0f;
const MARKER_BIT = 0x80;

export function createRtpHeader(): RtpHeader {
  return { marker: false, payloadType: 0, sequence: 0, timestamp: 0, ssrc: 0, payloadStart: 0, payloadLength: 0 };
}

export function readUint32(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)) >>>
    0
  );
}

export function readUint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
}

export function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

export function writeUint16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}

/**
 * RFC 5761 section 4: a second byte of 192 to 223 is an RTCP packet type, which as RTP would be a marked packet of the
 * payload types 64 to 95, and those are not assigned for this reason. Peers send RTCP to the RTP port unasked.
 */
export function isRtcp(bytes: Uint8Array, length: number = bytes.length): boolean {
  if (length < 2 || (bytes[0] as number) >> 6 !== VERSION) return false;
  const packetType = bytes[1] as number;
  return packetType >= 192 && packetType <= 223;
}

/** Bytes before the payload, extension included (section 5.3.1), or -1 when the datagram is not RTP. */
export function rtpHeaderBytes(bytes: Uint8Array, length: number): number {
  if (length < RTP_HEADER_BYTES || (bytes[0] as number) >> 6 !== VERSION || isRtcp(bytes, length)) return -1;
  const first = bytes[0] as number;
  let headerBytes = RTP_HEADER_BYTES + 4 * (first & CSRC_COUNT);
  if (first & EXTENSION_BIT) {
    if (headerBytes + 4 > length) return -1;
    headerBytes += 4 + 4 * readUint16(bytes, headerBytes + 2);
  }
  return headerBytes > length ? -1 : headerBytes;
}

/** Fills `into` from a plain datagram. False, and `into` undefined, when the bytes are not a valid RTP packet. */
export function readRtpPacket(bytes: Uint8Array, length: number, into: RtpHeader): boolean {
  const headerBytes = rtpHeaderBytes(bytes, length);
  if (headerBytes < 0) return false;
  let end = length;
  if ((bytes[0] as number) & PADDING_BIT) {
    // The last byte counts the padding, itself included, and may not reach into the header.
    const padding = bytes[length - 1] as number;
    if (padding === 0 || headerBytes + padding > length) return false;
    end -= padding;
  }
  const second = bytes[1] as number;
  into.marker = (second & MARKER_BIT) !== 0;
  into.payloadType = second & ~MARKER_BIT;
  into.sequence = readUint16(bytes, 2);
  into.timestamp = readUint32(bytes, 4);
  into.ssrc = readUint32(bytes, 8);
  into.payloadStart = headerBytes;
  into.payloadLength = end - headerBytes;
  return true;
}

/** Writes the twelve bytes of a header without contributing sources, extension or padding. */
export function writeRtpHeader(
  out: Uint8Array,
  payloadType: number,
  marker: boolean,
  sequence: number,
  timestamp: number,
  ssrc: number,
): void {
  out[0] = VERSION << 6;
  out[1] = marker ? payloadType | MARKER_BIT : payloadType;
  writeUint16(out, 2, sequence);
  writeUint32(out, 4, timestamp);
  writeUint32(out, 8, ssrc);
}

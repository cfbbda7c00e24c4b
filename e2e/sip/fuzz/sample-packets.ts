import { encodeMulaw } from "@parley/audio/g711";

const RTP_VERSION_2 = 0x80;

/** RFC 3550 section 5.1: a packet of mu-law audio, of which a phone sends fifty per second. */
function rtpPacket(sequence: number, ssrc: number, payload: Uint8Array): Buffer {
  const packet = Buffer.alloc(12 + payload.length);
  packet.writeUInt8(RTP_VERSION_2, 0);
  packet.writeUInt16BE(sequence & 0xffff, 2);
  packet.writeUInt32BE((sequence * 160) >>> 0, 4);
  packet.writeUInt32BE(ssrc >>> 0, 8);
  packet.set(payload, 12);
  return packet;
}

/** Audio as the packets of one stream. */
export function packetsOf(samples: Int16Array, ssrc: number, firstSequence = 0): Buffer[] {
  return Array.from({ length: Math.floor(samples.length / 160) }, (_, index) => {
    const payload = new Uint8Array(160);
    encodeMulaw(samples.subarray(index * 160, (index + 1) * 160), payload);
    return rtpPacket(firstSequence + index, ssrc, payload);
  });
}

/** RFC 4733 section 2.3: key 5 for 40 ms, at its end. */
function keyPacket(ssrc: number): Buffer {
  const packet = rtpPacket(9, ssrc, Uint8Array.of(5, 0x8a, 0x01, 0x40));
  packet.writeUInt8(101, 1);
  return packet;
}

/** RFC 3550 section 6.4.1: a sender's report with one block, then section 6.6: a goodbye. */
function controlPacket(ssrc: number): Buffer {
  const report = Buffer.alloc(52);
  report.writeUInt8(0x81, 0);
  report.writeUInt8(200, 1);
  report.writeUInt16BE(12, 2);
  report.writeUInt32BE(ssrc >>> 0, 4);
  const goodbye = Buffer.alloc(8);
  goodbye.writeUInt8(0x81, 0);
  goodbye.writeUInt8(203, 1);
  goodbye.writeUInt16BE(1, 2);
  goodbye.writeUInt32BE(ssrc >>> 0, 4);
  return Buffer.concat([report, goodbye]);
}

/** One of each kind that arrives on the ports of a call. */
export function samplePackets(ssrc: number): readonly Buffer[] {
  const audio = rtpPacket(1, ssrc, new Uint8Array(160).fill(0xff));
  return [audio, rtpPacket(2, ssrc, new Uint8Array(33)), keyPacket(ssrc), controlPacket(ssrc)];
}

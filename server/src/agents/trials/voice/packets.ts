/**
 * What two processes say to each other about a try, over one connection:
 *
 *   kind (1 byte: 0 JSON, 1 sound) | length (4 bytes, big-endian) | payload
 */
export type Packet =
  | { readonly kind: "json"; readonly value: unknown }
  /** 16-bit little-endian mono at the rate of a telephone, or of the microphone. */
  | { readonly kind: "sound"; readonly bytes: Buffer };

const HEAD_BYTES = 5;
const JSON_KIND = 0;
const SOUND_KIND = 1;
/** A flow of the largest size that the API takes, and what goes with it. */
const PAYLOAD_BYTES_MAX = 4 * 1024 * 1024;

export function writePacket(packet: Packet): Buffer {
  const payload = packet.kind === "json" ? Buffer.from(JSON.stringify(packet.value)) : packet.bytes;
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = packet.kind === "json" ? JSON_KIND : SOUND_KIND;
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

/** Assembles packets from bytes, however they are split. */
export class PacketReader {
  #bytes: Buffer = Buffer.alloc(0);

  /** Takes the next bytes and returns the complete packets. Throws on an unknown format. */
  read(chunk: Buffer): Packet[] {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const packets: Packet[] = [];
    while (this.#bytes.length >= HEAD_BYTES) {
      const kind = this.#bytes.readUInt8(0);
      const length = this.#bytes.readUInt32BE(1);
      if (kind > SOUND_KIND || length > PAYLOAD_BYTES_MAX) throw new Error("the other process sent something else");
      if (this.#bytes.length < HEAD_BYTES + length) break;
      const payload = Buffer.from(this.#bytes.subarray(HEAD_BYTES, HEAD_BYTES + length));
      this.#bytes = this.#bytes.subarray(HEAD_BYTES + length);
      packets.push(
        kind === JSON_KIND
          ? { kind: "json", value: JSON.parse(payload.toString()) }
          : { kind: "sound", bytes: payload },
      );
    }
    return packets;
  }
}

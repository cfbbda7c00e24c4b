/**
 * The frames of a WebSocket, RFC 6455 section 5.2:
 *
 *   FIN RSV(3) opcode(4) | MASK length(7) | length (0, 2 or 8 bytes) | mask (0 or 4 bytes) | payload
 *
 * A server sends unmasked, a client masked; each must refuse the other way (section 5.1).
 */
export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
export type OpcodeName = keyof typeof OPCODES;

export interface Frame {
  readonly opcode: OpcodeName;
  readonly isFinal: boolean;
  readonly payload: Buffer;
}

/** What a peer did that the protocol forbids, with the status its close frame is answered with (section 7.4.1). */
export class WebSocketViolation extends Error {
  override readonly name = "WebSocketViolation";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const CONTROL_PAYLOAD_MAX = 125;
const NAMES = new Map<number, OpcodeName>(Object.entries(OPCODES).map(([name, code]) => [code, name as OpcodeName]));

/** One whole frame, as a server sends it. */
export function writeFrame(opcode: OpcodeName, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | OPCODES[opcode];
  if (length < 126) head[1] = length;
  else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}

/** The payload of a close frame: a status and a reason in few words (section 5.5.1). */
export function closePayload(status: number, reason: string): Buffer {
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
  payload.writeUInt16BE(status, 0);
  payload.write(reason, 2);
  return payload.subarray(0, CONTROL_PAYLOAD_MAX);
}

/** Makes frames of the bytes that a client sends, however they are cut. */
export class FrameReader {
  readonly #payloadMax: number;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(payloadMax: number) {
    this.#payloadMax = payloadMax;
  }

  /** Takes the next bytes and gives the frames that are whole now. Throws WebSocketViolation. */
  read(chunk: Buffer): Frame[] {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const frames: Frame[] = [];
    for (let frame = this.#next(); frame; frame = this.#next()) frames.push(frame);
    return frames;
  }

  #next(): Frame | null {
    const bytes = this.#bytes;
    if (bytes.length < 2) return null;
    const first = bytes.readUInt8(0);
    const second = bytes.readUInt8(1);
    const opcode = NAMES.get(first & 0x0f);
    if ((first & 0x70) !== 0 || !opcode) throw new WebSocketViolation(1002, "a frame of a kind that was not agreed on");
    if ((second & 0x80) === 0) throw new WebSocketViolation(1002, "a client masks its frames");
    const isFinal = (first & 0x80) !== 0;
    const short = second & 0x7f;
    if (OPCODES[opcode] >= OPCODES.close && (!isFinal || short > CONTROL_PAYLOAD_MAX))
      throw new WebSocketViolation(1002, "a control frame is whole and short");
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (bytes.length < 2 + lengthBytes) return null;
    const length =
      lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (length > this.#payloadMax) throw new WebSocketViolation(1009, "the message is too long");
    const start = 2 + lengthBytes + 4;
    if (bytes.length < start + length) return null;
    const mask = bytes.subarray(start - 4, start);
    const payload = Buffer.from(bytes.subarray(start, start + length));
    for (let index = 0; index < payload.length; index += 1)
      payload[index] = (payload[index] as number) ^ (mask[index & 3] as number);
    this.#bytes = bytes.subarray(start + length);
    return { opcode, isFinal, payload };
  }
}

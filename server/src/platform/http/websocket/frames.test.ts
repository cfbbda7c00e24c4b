import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closePayload, FrameReader, OPCODES, WebSocketViolation, writeFrame } from "./frames.ts";

/** A frame as a client sends it: masked, whatever the lengths. */
function masked(
  opcode: keyof typeof OPCODES,
  payload: Buffer,
  isFinal = true,
  mask = Buffer.from([1, 2, 3, 4]),
): Buffer {
  const plain = writeFrame(opcode, payload);
  const head = Buffer.from(plain.subarray(0, plain.length - payload.length));
  head[0] = (isFinal ? 0x80 : 0) | OPCODES[opcode];
  head[1] = (head[1] ?? 0) | 0x80;
  return Buffer.concat([head, mask, Buffer.from(payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)))]);
}

const refusal = (bytes: Buffer, payloadMax = 1000) => {
  try {
    new FrameReader(payloadMax).read(bytes);
    return null;
  } catch (error) {
    return error instanceof WebSocketViolation ? error.status : error;
  }
};

describe("what a client sends", () => {
  test("is understood however the network cuts it", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ opcode: fc.constantFrom("text", "binary"), payload: fc.uint8Array({ maxLength: 70_000 }) }),
          {
            maxLength: 4,
          },
        ),
        fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 20 }),
        (messages, cuts) => {
          const bytes = Buffer.concat(
            messages.map(({ opcode, payload }) => masked(opcode as "text" | "binary", Buffer.from(payload))),
          );
          const reader = new FrameReader(100_000);
          const got: { opcode: string; payload: string }[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
            const size = cuts[turn % cuts.length] ?? 1;
            for (const { opcode, payload } of reader.read(bytes.subarray(at, at + size)))
              got.push({ opcode, payload: payload.toString("hex") });
            at += size;
          }
          expect(got).toEqual(
            messages.map(({ opcode, payload }) => ({ opcode, payload: Buffer.from(payload).toString("hex") })),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  test("is refused where RFC 6455 forbids it, with the status that says why", () => {
    expect(refusal(writeFrame("text", Buffer.from("unmasked")))).toBe(1002);
    expect(refusal(Buffer.from([0xc1, 0x80, 0, 0, 0, 0]))).toBe(1002);
    expect(refusal(Buffer.from([0x83, 0x80, 0, 0, 0, 0]))).toBe(1002);
    expect(refusal(masked("ping", Buffer.alloc(0), false))).toBe(1002);
    expect(refusal(masked("ping", Buffer.alloc(126)))).toBe(1002);
    expect(refusal(masked("binary", Buffer.alloc(1001)))).toBe(1009);
    expect(refusal(masked("binary", Buffer.alloc(1000)))).toBeNull();
  });

  test("may announce any length without making us wait for it or keep room for it", () => {
    const head = Buffer.from([0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    expect(refusal(head)).toBe(1009);
  });

  test("never does anything but give frames or be refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const status = refusal(Buffer.from(bytes));
        expect([null, 1002, 1009]).toContain(status);
      }),
      { numRuns: 500 },
    );
  });
});

test("a goodbye fits into a control frame however much there is to say", () => {
  const payload = closePayload(1000, "x".repeat(300));
  expect([payload.length, payload.readUInt16BE(0)]).toEqual([125, 1000]);
});

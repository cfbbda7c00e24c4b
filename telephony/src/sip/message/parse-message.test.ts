import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MALFORMED, ODD_BUT_VALID, SAMPLE_INVITE, SAMPLE_RINGING, SAMPLE_SDP } from "../testing/sample-messages.ts";
import type { ReceivedMessage } from "./message.ts";
import { tagOf } from "./name-addr.ts";
import { parseMessage } from "./parse-message.ts";
import { header, headerList, headerNumber, readAddresses, readVias, sdpOf } from "./read-headers.ts";
import { branchOf } from "./via.ts";
import { writeMessage } from "./write-message.ts";

function parsed(bytes: Uint8Array): ReceivedMessage {
  const outcome = parseMessage(bytes);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.message;
}

describe("reading a message", () => {
  it("reads a request with its body", () => {
    const message = parsed(SAMPLE_INVITE);
    expect(message).toMatchObject({ kind: "request", method: "INVITE", uri: "sip:+15550001@trunk.example;user=phone" });
    expect(message.essentials).toMatchObject({
      callId: "3848276298220188511@192.0.2.1",
      cseq: { number: 2, method: "INVITE" },
      via: { transport: "UDP", host: "192.0.2.1", port: 5060 },
      from: { displayName: "Parley", uri: { scheme: "sip", user: "+15559999", host: "trunk.example" } },
    });
    expect(branchOf(message.essentials.via)).toBe("z9hG4bK74bf9");
    expect(tagOf(message.essentials.from)).toBe("9fxced76sl");
    expect(tagOf(message.essentials.to)).toBeNull();
    expect(headerNumber(message, "Max-Forwards")).toBe(70);
    expect(sdpOf(message)).toBe(SAMPLE_SDP);
  });

  it("reads a response and keeps the order of its routes", () => {
    const message = parsed(SAMPLE_RINGING);
    expect(message).toMatchObject({ kind: "response", status: 180, reason: "Ringing" });
    expect(headerList(message, "Record-Route")).toEqual(["<sip:p2.example;lr>", "<sip:p1.example;lr>"]);
    expect(readAddresses(message, "Contact")[0]?.uri).toMatchObject({ user: "gw7", host: "198.51.100.7", port: null });
  });

  it.each(ODD_BUT_VALID)("understands %s", (_, bytes) => {
    expect(parseMessage(bytes)).toMatchObject({ ok: true });
  });

  it("finds every part of the message with wild white space", () => {
    const message = parsed(ODD_BUT_VALID[0]?.[1] ?? Buffer.alloc(0));
    expect(message.essentials.cseq).toEqual({ number: 9, method: "INVITE" });
    expect(tagOf(message.essentials.to)).toBe("1918181833n");
    expect(message.essentials.from.displayName).toBe('J Rosenberg \\"');
    expect(readVias(message).map(branchOf)).toEqual(["390skdjuw", "z9hG4bK9ikj8", "z9hG4bK30239"]);
    expect(header(message, "Max-Forwards")).toBe("0068");
  });

  it.each(MALFORMED)("refuses %s and says why", (_, reason, bytes) => {
    expect(parseMessage(bytes)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });
});

describe("arbitrary bytes", () => {
  it("yield a value and never an exception", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(typeof parseMessage(bytes).ok).toBe("boolean");
      }),
    );
  });

  it("yield a value when good messages are cut, doubled and overwritten", () => {
    const good = [SAMPLE_INVITE, SAMPLE_RINGING, ...ODD_BUT_VALID.map(([, bytes]) => bytes)];
    const mutation = fc.record({
      message: fc.constantFrom(...good),
      at: fc.nat(1_200),
      length: fc.nat(40),
      put: fc.oneof(
        fc.uint8Array({ maxLength: 8 }),
        fc.constantFrom('"', "<", ">", ";", ",", "\r\n", "\r\n ", "%", "@", ":"),
      ),
    });
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        let bytes = mutations[0]?.message ?? SAMPLE_INVITE;
        for (const { at, length, put } of mutations) {
          const from = Math.min(at, bytes.length);
          bytes = Buffer.concat([bytes.subarray(0, from), Buffer.from(put), bytes.subarray(from + length)]);
        }
        const outcome = parseMessage(bytes);
        if (!outcome.ok) return;
        // A parsed message can be parsed again after we wrote it.
        const again = parseMessage(writeMessage(outcome.message));
        expect(again).toMatchObject({ ok: true });
      }),
      { numRuns: 400 },
    );
  });
});

describe("writing a message", () => {
  it("reproduces what was read", () => {
    const message = parsed(SAMPLE_INVITE);
    expect(writeMessage(message).toString()).toBe(SAMPLE_INVITE.toString());
  });

  it("says the same in fewer bytes with single-letter names", () => {
    const message = parsed(SAMPLE_INVITE);
    const compact = writeMessage(message, { compact: true });
    expect(compact.length).toBeLessThan(SAMPLE_INVITE.length - 30);
    expect(parsed(compact)).toEqual(message);
  });

  it("allows no value to start another header", () => {
    const message = parsed(SAMPLE_RINGING);
    const bytes = writeMessage({ ...message, headers: [...message.headers, ["Subject", "x\r\nEvil: 1\r\n\r\nbody"]] });
    const again = parsed(bytes);
    expect(header(again, "Evil")).toBeNull();
    expect(again.body).toHaveLength(0);
  });
});

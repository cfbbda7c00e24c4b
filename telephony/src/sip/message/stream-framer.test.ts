import { describe, expect, it } from "vitest";
import { SAMPLE_INVITE, SAMPLE_RINGING, wire } from "../testing/sample-messages.ts";
import { createStreamFramer } from "./stream-framer.ts";

function framed(chunks: readonly Buffer[]): string[] {
  const seen: string[] = [];
  const framer = createStreamFramer({
    onMessage: (bytes) => seen.push(bytes.toString()),
    onPing: () => seen.push("<ping>"),
    onBroken: (reason) => seen.push(`<broken: ${reason}>`),
  });
  for (const chunk of chunks) framer.push(chunk);
  return seen;
}

describe("messages on a stream", () => {
  it("are found however the bytes were cut", () => {
    const stream = Buffer.concat([SAMPLE_INVITE, Buffer.from("\r\n\r\n"), SAMPLE_RINGING]);
    const whole = [SAMPLE_INVITE.toString(), "<ping>", SAMPLE_RINGING.toString()];
    for (let at = 0; at <= stream.length; at += 1) {
      expect(framed([stream.subarray(0, at), stream.subarray(at)])).toEqual(whole);
    }
    expect(framed([...stream].map((byte) => Buffer.from([byte])))).toEqual(whole);
  });

  it("may come after a single empty line, which is ignored", () => {
    expect(framed([Buffer.from("\r\n"), SAMPLE_RINGING])).toEqual([SAMPLE_RINGING.toString()]);
  });

  it.each([
    ["without a Content-Length", wire(["OPTIONS sip:a SIP/2.0"])],
    ["with two of them that differ", wire(["OPTIONS sip:a SIP/2.0", "l: 1", "Content-Length: 2"])],
    ["with one that is no number", wire(["OPTIONS sip:a SIP/2.0", "l: many"])],
    ["with one beyond 64 KiB", wire(["OPTIONS sip:a SIP/2.0", "l: 70000"])],
    ["that never end", Buffer.alloc(70_000, "a: b\r\n")],
    ["of one endless line", Buffer.alloc(9_000, "a")],
  ])("break the stream once when they come %s", (_, bytes) => {
    expect(framed([bytes, SAMPLE_RINGING])).toEqual([expect.stringContaining("<broken")]);
  });

  it("are read in linear time, whatever white space they contain", () => {
    const bytes = wire(["OPTIONS sip:a SIP/2.0", `l: a${" ".repeat(60_000)}b`]);
    expect(framed([bytes])).toEqual([expect.stringContaining("<broken")]);
  });
});

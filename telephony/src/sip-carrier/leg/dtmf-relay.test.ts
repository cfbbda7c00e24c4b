import { describe, expect, it } from "vitest";
import { readRelayedKey } from "./sip-leg.ts";

describe("keys sent by INFO", () => {
  it.each([
    ["application/dtmf-relay", "Signal=5\r\nDuration=160\r\n", { key: "5", durationMs: 160 }],
    ["application/dtmf-relay", "Signal= 5\nDuration= 160", { key: "5", durationMs: 160 }],
    ["Application/DTMF-Relay; charset=utf-8", "duration=80\r\nsignal=#\r\n", { key: "#", durationMs: 80 }],
    ["application/dtmf-relay", "Signal=10\r\n", { key: "*", durationMs: 250 }],
    ["application/dtmf-relay", "Signal=11\r\n", { key: "#", durationMs: 250 }],
    ["application/dtmf-relay", "Signal=d\r\nDuration=99999", { key: "D", durationMs: 5_000 }],
    ["application/dtmf-relay", "Signal=1\r\nDuration=0", { key: "1", durationMs: 1 }],
    ["application/dtmf", "7", { key: "7", durationMs: 250 }],
  ] as const)("are read from %s %j", (type, body, key) => {
    expect(readRelayedKey(type, Buffer.from(body))).toEqual(key);
  });

  it.each([
    ["application/dtmf-relay", ""],
    ["application/dtmf-relay", "Signal=flash\r\nDuration=160"],
    ["application/dtmf-relay", "Signal=\r\nDuration=160"],
    ["application/dtmf-relay", "Signal=12"],
    ["application/dtmf", "12"],
    ["application/media_control+xml", "Signal=1"],
    ["", "Signal=1"],
    ["application/dtmf-relay", "\u00ff\u0000".repeat(5_000)],
  ] as const)("are not read from %s %j", (type, body) => {
    expect(readRelayedKey(type, Buffer.from(body))).toBeNull();
  });
});

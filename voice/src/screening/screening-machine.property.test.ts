import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Happening, kindsOf, playScreening } from "./testing/play-screening.ts";

const PHRASES = [
  "",
  "hello",
  "who is this",
  "leave a message after the tone",
  "can I take a message",
  "press one to talk",
  "please state your name",
  "not in service",
  "how can I help you",
  "Tuesday at ten",
];
const TONES = ["beep", "fax_answer", "fax_call", "announcement", "busy"] as const;

const stretch = fc.record({ fromMs: fc.nat(45_000), lengthMs: fc.integer({ min: 20, max: 12_000 }) });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...PHRASES), stretch)
    .map(([says, { fromMs, lengthMs }]) => ({ says, fromMs, toMs: fromMs + lengthMs })),
  fc
    .tuple(fc.constantFrom(...TONES), stretch)
    .map(([tone, { fromMs, lengthMs }]) => ({ tone, fromMs, toMs: fromMs + lengthMs })),
  fc.nat(45_000).map((pressesAtMs) => ({ pressesAtMs })),
);

describe("whatever is heard, in whatever order", () => {
  it("there is always a decision within the window, never the same twice in a row, each with a reason", () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 12 }), (happenings) => {
        const decisions = playScreening(happenings, { untilMs: 100_000 });
        const answered = decisions.filter((decision) => decision.type === "answered_by");
        expect(answered.length).toBeGreaterThan(0);
        for (const [index, decision] of answered.entries()) {
          expect(decision.reason).not.toBe("");
          expect(decision.knownMs).toBeLessThanOrEqual(30_000);
          expect(decision.kind).not.toBe(answered[index - 1]?.kind);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("a beep is only reported for a voicemail, and a person who was just recognized is never unreachable", () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 12 }), (happenings) => {
        const kinds = kindsOf(playScreening(happenings, { untilMs: 100_000 }));
        for (const [index, kind] of kinds.entries()) {
          const before = kinds.slice(0, index).findLast((each) => each !== "beep");
          if (kind === "beep") expect(before).toBe("voicemail");
          if (kind === "unreachable") expect(before).toBe("unknown");
        }
      }),
      { numRuns: 60 },
    );
  });
});

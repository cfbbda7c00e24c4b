import { describe, expect, it } from "vitest";
import type { TransferRequest } from "../../carrier.ts";
import { NO_TRANSFER, stepTransfer, type TransferEffect, type TransferInput } from "./leg-transfers.ts";

function request(how: TransferRequest["how"]): TransferRequest {
  return { to: "+1555", how, dialId: "d", ringTimeoutMs: 1_000 };
}

const ENDED = { type: "party_ended", end: { code: 486, reason: "Busy" } } as const;
const EVERYTHING: readonly TransferInput[] = [
  { type: "asked", request: request("refer"), isTalking: true },
  { type: "asked", request: request("bridge"), isTalking: true },
  { type: "asked", request: request("auto"), isTalking: true },
  { type: "asked", request: request("auto"), isTalking: false },
  { type: "progress", progress: { type: "transfer", status: 180, reason: "", isFinal: false, isReported: true } },
  { type: "progress", progress: { type: "transfer", status: 200, reason: "", isFinal: true, isReported: true } },
  { type: "progress", progress: { type: "transfer", status: 603, reason: "", isFinal: true, isReported: true } },
  { type: "progress", progress: { type: "transfer", status: 408, reason: "", isFinal: true, isReported: false } },
  { type: "party_rang" },
  { type: "party_answered" },
  ENDED,
  { type: "leg_ended" },
];

function count(effects: readonly TransferEffect[], what: TransferEffect["do"]): number {
  return effects.filter((effect) => effect.do === what).length;
}

describe("the machine of transfers", () => {
  it("leaves no party behind and requests one thing at a time, for any order of events", () => {
    let seed = 7;
    const draw = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 16) % below;
    };
    for (let round = 0; round < 5_000; round += 1) {
      let state = NO_TRANSFER;
      let parties = 0;
      let open = 0;
      for (let index = 0; index < 15; index += 1) {
        const input = EVERYTHING[draw(EVERYTHING.length)] as TransferInput;
        // Only a party that is there can say something.
        if (input.type.startsWith("party") && parties === 0) continue;
        const [next, effects] = stepTransfer(state, input);
        if (input.type === "party_ended") parties = 0;
        parties += count(effects, "place_party") - count(effects, "drop_party");
        for (const effect of effects) {
          if (effect.do !== "report" || effect.progress.code === 491) continue;
          if (effect.progress.state === "trying") open = 1;
          if (["completed", "failed"].includes(effect.progress.state)) open -= 1;
          expect(open).toBeGreaterThanOrEqual(0);
        }
        state = next;
        expect(parties === 0 || parties === 1).toBe(true);
      }
      const [last, effects] = stepTransfer(state, { type: "leg_ended" });
      expect(last.phase).toBe("over");
      if (input(effects)) parties -= 1;
      expect(parties).toBe(0);
    }
  });

  it("bridges only after an explicit refusal", () => {
    const [referring] = stepTransfer(NO_TRANSFER, { type: "asked", request: request("auto"), isTalking: true });
    const progress = (status: number, isReported: boolean): TransferInput => ({
      type: "progress",
      progress: { type: "transfer", status, reason: "", isFinal: true, isReported },
    });
    expect(stepTransfer(referring, progress(501, true))[0].phase).toBe("bridging");
    expect(stepTransfer(referring, progress(408, false))[0].phase).toBe("idle");
  });
});

function input(effects: readonly TransferEffect[]): boolean {
  return count(effects, "drop_party") === 1;
}

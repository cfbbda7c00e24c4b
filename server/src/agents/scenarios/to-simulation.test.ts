import { PhoneNumber } from "@parley/contract/shared-fields";
import { Simulation } from "@parley/contract/simulation";
import { describe, expect, it } from "vitest";
import { toSimulation } from "./advance-run.ts";

const END = [{ waitForTurn: true }, { waitMs: 10_000 }, { hangUp: true }];

function scriptOf(...steps: Parameters<typeof toSimulation>[0]) {
  const { simulation, phoneNumber } = toSimulation(steps, "0012345");
  expect(PhoneNumber.safeParse(phoneNumber).success).toBe(true);
  return Simulation.parse(simulation).script;
}

describe("the simulated callee of a scenario", () => {
  it("answers with a word, does each step at its turn, and hangs up on an agent that does not", () => {
    expect(scriptOf({ say: "Yes." }, { press: "1" }, { interruptAfterMs: 900, say: "Wait." })).toEqual([
      { say: "Hello?" },
      ...[{ waitForTurn: true }, { say: "Yes." }],
      ...[{ waitForTurn: true }, { press: "1" }],
      { interruptAfterMs: 900, say: "Wait." },
      ...END,
    ]);
  });

  it("is silent until the agent asks whether anyone is there, and to the end where that is its last step", () => {
    expect(scriptOf({ silent: true }, { say: "Yes." })).toEqual([
      { say: "Hello?" },
      ...[{ waitForTurn: true }, { waitMs: 11_500 }],
      ...[{ waitForTurn: true }, { say: "Yes." }],
      ...END,
    ]);
    expect(scriptOf({ silent: true })?.at(-1)).toEqual({ waitMs: 11_500 });
  });

  it("hangs up itself where that is its last step", () => {
    expect(scriptOf({ hangUp: true })).toEqual([{ say: "Hello?" }, { waitForTurn: true }, { hangUp: true }]);
  });

  it.each([
    ["voicemail", "0007"],
    ["ivr", "0008"],
    ["screening", "0018"],
    ["fax", "0019"],
  ] as const)("is the %s of the network where that answers", (machine, digits) => {
    expect(toSimulation([{ machine }], "0012345")).toEqual({
      phoneNumber: `+15550012345${digits}`,
      simulation: undefined,
    });
  });
});

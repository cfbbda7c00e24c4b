import { chooseReply } from "@parley/telephony/simulated-network/callees/choose-reply";
import { hear, openFlowRig } from "@parley/voice/conversation/testing/flow-rig";
import { turnOf } from "@parley/voice/conversation/testing/talk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { APPOINTMENT_CONFIRMATION } from "./appointment-confirmation.ts";
import { DELIVERY_NOTICE } from "./delivery-notice.ts";
import { PAYMENT_REMINDER } from "./payment-reminder.ts";
import type { SampleAgent } from "./sample-agent.ts";
import { SATISFACTION_SURVEY } from "./satisfaction-survey.ts";

const SAMPLES: readonly (readonly [name: string, sample: SampleAgent, outcome: string])[] = [
  ["appointment", APPOINTMENT_CONFIRMATION, "confirmed"],
  ["delivery", DELIVERY_NOTICE, "as_planned"],
  ["survey", SATISFACTION_SURVEY, "answered"],
  ["payment", PAYMENT_REMINDER, "promised"],
];

/** A turn is a line, given what the agent said last; null hangs up. */
type Callee = (agentSaid: string, turn: number) => string | null;

async function hold(sample: SampleAgent, callee: Callee, turnsMax: number) {
  const { brain, faults } = openFlowRig(sample.flow, { variables: {} });
  const replies: string[] = [];
  let outcome: unknown = null;
  let hasEnded = false;
  let reply = await hear(brain, 1, null);
  for (let turn = 1; ; turn += 1) {
    replies.push(reply.text());
    for (const part of reply.parts) {
      if (part.type === "collected" && part.name === "outcome") outcome = part.value;
      if (part.type === "end") hasEnded = true;
    }
    const line = hasEnded || turn > turnsMax ? null : callee(reply.text(), turn);
    if (line === null) return { replies, outcome, hasEnded, faults };
    reply = await hear(brain, turn + 1, turnOf(line));
  }
}

describe.each(SAMPLES)("the %s agent", (_name, sample, outcome) => {
  it("reaches its end with the simulated callee, who reacts only to the agent's words", async () => {
    const held = await hold(
      sample,
      (agentSaid) => {
        const reply = chooseReply(agentSaid, 0);
        return reply.does === "says" ? reply.text : reply.does === "presses" ? `[${reply.keys}]` : "What?";
      },
      15,
    );
    expect(held).toMatchObject({ outcome, hasEnded: true, faults: [] });
  });

  it("presses the key that usually leads to a person when a phone menu answers, and starts over", async () => {
    const { brain } = openFlowRig(sample.flow, { variables: {} });
    const opening = (await hear(brain, 1, null)).text();
    const reply = await hear(brain, 2, { type: "machine", kind: "ivr" });
    expect(reply.parts).toContainEqual({ type: "press", keys: "0" });
    expect(opening).toContain(reply.text().split(". ").at(0));
  });

  it("always has something to say, whatever the callee says, and ends on its own", async () => {
    const line = fc.constantFrom(
      ...["yes", "no", "maybe", "What?", "Hello?", "[1]", "[9]", "[#]", "[silence]", "[mumbles]", "next Tuesday"],
      ...["No, Thursday.", "at ten", "five", "two or three", "bananas", "the first one", "neither", "another day"],
      ...["cancel", "already paid", "with the neighbor", "Who is this?", "Are you a robot?", "...", "é\u202e🎉"],
    );
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(line), async (lines) => {
        const held = await hold(sample, () => lines.next().value ?? null, 250);
        expect(held.faults).toEqual([]);
        expect(held.replies.filter((reply) => reply.trim() === "")).toEqual([]);
        expect(held.hasEnded).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});

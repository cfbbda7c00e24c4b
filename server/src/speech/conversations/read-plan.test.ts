import type { Flow } from "@parley/contract/flow";
import { systemClock } from "@parley/time/clock";
import { talk } from "@parley/voice/conversation/testing/talk";
import { expect, test } from "vitest";
import type { ConversationPlan } from "./conversation-plan.ts";
import { type BrainDeps, readPlan } from "./read-plan.ts";
import { planOf } from "./testing/open-scripted-pool.ts";

const PARTS: BrainDeps = {
  models: [],
  ranker: null,
  timers: systemClock,
  toolCallerFor: () => null,
};
const FLOW: Flow = {
  schemaVersion: 1,
  variables: ["name"],
  nodes: [
    { id: "begin", type: "start", next: "hello" },
    { id: "hello", type: "say", text: "Hello {{name}}.", next: "bye" },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
  settings: { disclosure: null, greeting: "immediate", identification: "This is the clinic, for {{name}}." },
};

const read = (fields: Partial<ConversationPlan> = {}) =>
  readPlan(
    PARTS,
    { ...planOf("call_1"), flow: FLOW, variables: { name: "Ada" }, ...fields },
    async () => ({ isAllowed: true }),
    (what, reason) => {
      throw new Error(`${what}: ${reason}`);
    },
  );

test("a call is held by its flow, with what the call brought filled in", async () => {
  const { setup } = read();
  expect((await talk(setup.brain, [])).replies).toEqual(["Hello Ada. Goodbye."]);
  expect(setup).toMatchObject({ greeting: "immediate", identification: { text: "This is the clinic, for Ada." } });
});

test("the voicemail setting of the call takes precedence over that of the flow", () => {
  expect(read().setup.voicemail).toEqual({ action: "hang_up", message: null });
  const voicemail = { action: "leave_message", message: "Please call {{name}} back." } as const;
  expect(read({ voicemail }).setup.voicemail).toEqual({ action: "leave_message", message: "Please call Ada back." });
});

test("a callee is never left in silence, also by a flow that does not say who is calling", () => {
  const { identification: _, ...settings } = FLOW.settings ?? {};
  expect(read({ flow: { ...FLOW, settings } }).setup.identification?.text).toMatch(/\w/);
});

test("an invalid flow is refused with the reason", () => {
  expect(() => read({ flow: { ...FLOW, nodes: FLOW.nodes.slice(0, 1) } })).toThrow(/does not compile/);
});

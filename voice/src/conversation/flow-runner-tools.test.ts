import type { FlowNode } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import { ProviderError } from "../ports/provider-error.ts";
import { createTestToolCaller, hear, listen, openRig, promisesSettle } from "./testing/flow-rig.ts";
import { talk } from "./testing/talk.ts";

const said = (text: string) => ({ type: "said", text, best: null }) as const;
const failed: FlowNode = { id: "failed", type: "end", text: "That did not work." };
const day: FlowNode = {
  ...{ id: "day", type: "ask", text: "Which day?", answer: "date", saveAs: "day", exits: [] },
  ...{ next: "look", otherwise: "failed" },
};
const look: FlowNode = {
  ...{ id: "look", type: "tool", filler: "Let me look.", next: "found", failed: "failed" },
  request: {
    method: "POST",
    url: "https://api.example.com/slots/{{who}}?day={{day}}",
    headers: { "X-Who": "{{who}}" },
    body: { day: "{{day}}", guests: "{{guests}}", note: "for {{who}}" },
  },
  saves: [
    { path: "slots[0].start", saveAs: "slot", kind: "time" },
    { path: "price", saveAs: "price", kind: "number" },
    { path: "missing", saveAs: "missing" },
  ],
};
const found: FlowNode = { id: "found", type: "end", text: "At {{slot}}, for {{price}} dollars." };
const guests: FlowNode = { id: "guests", type: "set", values: [{ saveAs: "guests", value: "2 + 2" }], next: "day" };
const nodes = [guests, day, look, found, failed];
const variables = { who: "Ada & Söhne/x" };
const slots = { status: 200, body: { slots: [{ start: "2026-03-05T14:30:00Z" }], price: 12 } };

describe("a tool of a flow", () => {
  it("is sent what was collected, with its type, and encoded where necessary", async () => {
    const caller = createTestToolCaller(() => slots);
    const held = await talk(openRig(nodes, { toolCaller: caller, variables }).brain, ["Thursday"]);
    expect(caller.requests).toMatchObject([
      {
        id: "look_1",
        name: "look",
        url: "https://api.example.com/slots/Ada%20%26%20S%C3%B6hne%2Fx?day=2026-03-05",
        headers: { "content-type": "application/json", "X-Who": "Ada & S hne/x" },
        timeoutMs: 5000,
      },
    ]);
    expect(JSON.parse(caller.requests[0]?.body ?? "")).toEqual({
      day: "2026-03-05",
      guests: 4,
      note: "for Ada & Söhne/x",
    });
    expect(held.collected).toMatchObject({ slot: "14:30", price: 12, missing: null });
    expect(held.replies.at(-1)).toBe("At two thirty P M, for twelve dollars.");
    expect(held.parts.filter(({ type }) => type === "tool_call" || type === "tool_result")).toMatchObject([
      { type: "tool_call", id: "look_1", name: "look" },
      { type: "tool_result", id: "look_1", ok: true, output: slots.body },
    ]);
  });

  it.each([
    ["a status of failure", { status: 500, body: "oh" }],
    ["a redirect, which is not followed", { status: 302, body: null }],
    ["no reply", new ProviderError("outbound", "there was no connection", { retryable: true })],
    ["a fault", new Error("a bug")],
  ])("goes on where the flow says after %s", async (_what, reply) => {
    const caller = createTestToolCaller();
    const rig = openRig(nodes, { toolCaller: caller, variables });
    await hear(rig.brain, 1, null);
    const asked = listen(rig.brain, 2, said("Thursday"));
    await promisesSettle();
    caller.answer(reply);
    await asked.over;
    expect(asked.text()).toBe("That did not work.");
    expect(asked.parts).toContainEqual(expect.objectContaining({ type: "tool_result", ok: false }));
  });

  it("continues where the flow says when requests cannot be sent", async () => {
    const held = await talk(openRig(nodes, { variables }).brain, ["Thursday"]);
    expect(held.replies.at(-1)).toBe("That did not work.");
  });

  it("has a filler said to the callee when it takes long, and nothing when it does not", async () => {
    const caller = createTestToolCaller();
    const rig = openRig(nodes, { toolCaller: caller, variables });
    await hear(rig.brain, 1, null);
    const asked = listen(rig.brain, 2, said("Thursday"));
    await rig.timers.advance(799);
    expect(asked.text()).toBe("");
    await rig.timers.advance(1);
    expect(asked.text()).toBe("Let me look.");
    caller.answer(slots);
    await asked.over;
    expect(asked.text()).toBe("Let me look. At two thirty P M, for twelve dollars.");
    expect(rig.timers.pendingTimers()).toBe(0);
  });

  it("is abandoned when its time is over, whatever the caller does", async () => {
    const rig = openRig(nodes, { toolCaller: createTestToolCaller(), variables });
    await hear(rig.brain, 1, null);
    const asked = listen(rig.brain, 2, said("Thursday"));
    await rig.timers.advance(7000);
    await asked.over;
    expect(asked.text()).toBe("Let me look. That did not work.");
  });

  it("continues while the callee interrupts, is not sent again, and its result is used and reported", async () => {
    const caller = createTestToolCaller();
    const rig = openRig(nodes, { toolCaller: caller, variables });
    await hear(rig.brain, 1, null);
    const asked = listen(rig.brain, 2, said("Thursday"));
    await rig.timers.advance(1000);
    asked.cut("Let me");
    const again = listen(rig.brain, 3, said("Hurry up please"));
    await promisesSettle();
    caller.answer(slots);
    await again.over;
    expect(caller.requests).toHaveLength(1);
    expect(again.text()).toBe("At two thirty P M, for twelve dollars.");
    expect(again.parts).toContainEqual(expect.objectContaining({ type: "tool_result", id: "look_1" }));
  });

  it("is not sent again when the turn is taken back with the same result, but is when the result differs", async () => {
    const caller = createTestToolCaller(() => slots);
    const rig = openRig(nodes, { toolCaller: caller, variables });
    await hear(rig.brain, 1, null);
    for (const [turnId, text] of [
      [2, "Thursday"],
      [3, "Thursday please"],
      [4, "Thursday, no, Friday"],
    ] as const) {
      const asked = listen(rig.brain, turnId, said(text));
      await promisesSettle();
      asked.cut("");
      if (turnId < 4) rig.brain.undo(turnId);
    }
    expect(caller.requests.map(({ id }) => id)).toEqual(["look_1", "look_1_2"]);
    expect(JSON.parse(caller.requests[1]?.body ?? "")).toMatchObject({ day: "2026-03-06" });
  });

  it("is aborted when the call is over, and not before", async () => {
    const caller = createTestToolCaller();
    const rig = openRig(nodes, { toolCaller: caller, variables });
    await hear(rig.brain, 1, null);
    const asked = listen(rig.brain, 2, said("Thursday"));
    await promisesSettle();
    asked.cut("");
    expect(caller.requests[0]?.signal.aborted).toBe(false);
    rig.end();
    expect(caller.requests[0]?.signal.aborted).toBe(true);
    await promisesSettle();
    expect(rig.timers.pendingTimers()).toBe(0);
  });
});

describe("a transfer", () => {
  const desk: FlowNode = {
    ...{ id: "desk", type: "transfer", text: "I connect you.", to: "{{desk}}", how: "refer", failed: "failed" },
  };
  const transferring = [desk, failed];

  it("is announced and made once the number may be called", async () => {
    const rig = openRig(transferring, { variables: { desk: "+1 (555) 010-0001" } });
    const held = await talk(rig.brain, []);
    expect(held.replies).toEqual(["I connect you."]);
    expect(held.parts).toContainEqual({ type: "transfer", to: "+15550100001", how: "refer" });
  });

  it("continues where the flow says when the number may not be called, or is invalid", async () => {
    const refused = openRig(transferring, {
      variables: { desk: "+15550100001" },
      mayDial: async () => ({ isAllowed: false, reason: "premium" }),
    });
    expect((await talk(refused.brain, [])).replies).toEqual(["That did not work."]);
    expect((await talk(openRig(transferring, { variables: { desk: "911" } }).brain, [])).replies).toEqual([
      "That did not work.",
    ]);
  });

  it("continues where the flow says when no one answers there", async () => {
    const rig = openRig(transferring, { variables: { desk: "+15550100001" } });
    const held = await talk(rig.brain, [{ type: "transfer_failed", reason: "busy" }]);
    expect(held.replies.at(-1)).toBe("That did not work.");
  });

  it("is still made when it was cut off before it began", async () => {
    const rig = openRig(transferring, { variables: { desk: "+15550100001" } });
    const opening = listen(rig.brain, 1, null);
    opening.cut("");
    await opening.over;
    const again = await hear(rig.brain, 2, said("hello?"));
    expect(again.parts).toContainEqual({ type: "transfer", to: "+15550100001", how: "refer" });
  });

  it("is not made while it is unknown whether it is allowed", async () => {
    const rig = openRig(transferring, {
      variables: { desk: "+15550100001" },
      mayDial: () => new Promise(() => undefined),
    });
    const opening = listen(rig.brain, 1, null);
    await rig.timers.advance(6000);
    await opening.over;
    expect(opening.text()).toBe("That did not work.");
  });
});

it("a caller that throws is treated like one that fails", async () => {
  const toolCaller = {
    call: () => {
      throw new Error("a bug");
    },
  };
  const held = await talk(openRig(nodes, { variables, toolCaller }).brain, ["Thursday"]);
  expect(held.replies.at(-1)).toBe("That did not work.");
});

it("an internal error ends the call politely, and is reported", async () => {
  const ranker = { name: "broken", prepare: () => undefined, rank: async () => [null] as never };
  const choice: FlowNode = {
    ...{ id: "choice", type: "ask", text: "Red?", answer: "choice", otherwise: "failed" },
    exits: [{ when: "red", next: "failed" }],
  };
  const rig = openRig([choice, failed], { ranker });
  const held = await talk(rig.brain, ["bananas"]);
  expect(held.ended).toBe("engine_error");
  expect(rig.faults).toHaveLength(1);
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeHeld } from "./held-calls.ts";
import { agentSaid, type Conversations, holdConversations, weekdayOf } from "./hold-conversations.ts";

// The same calls as in server/src/calls/runs/simulated-calls.test.ts, with real speech and in real time.
const CALLS = [
  "putsOnHold",
  "neverSpeaks",
  "givesBadMark",
  "movesDelivery",
  "needsMoreTime",
  "pressesMark",
  "correctsItself",
  "hardOfHearing",
  "menu",
  "screened",
  "speaksSlowly",
  "saysMhm",
  "echoes",
  "hasPaid",
  "cancels",
  "confirms",
  "passedOn",
  "takesDelivery",
  "wrongNumber",
  "hangsUp",
  "fax",
] as const;

let conversations: Conversations<(typeof CALLS)[number]>;
let held: typeof conversations.held;

beforeAll(async () => {
  conversations = await holdConversations(CALLS);
  ({ held } = conversations);
}, 600_000);
afterAll(() => conversations?.close());

describe("an appointment", () => {
  test("is confirmed by a friendly person, who responds to what they hear", () => {
    expect(held.confirms.call, describeHeld(held.confirms)).toMatchObject({
      status: "completed",
      endReason: "agent_hangup",
      answeredBy: "human",
      collected: { outcome: "confirmed" },
    });
  });

  test("is canceled after a confirmation question", () => {
    expect(held.cancels.call.collected, describeHeld(held.cancels)).toMatchObject({ outcome: "canceled" });
  });

  test("is confirmed by a callee who first asks what was said", () => {
    expect(held.hardOfHearing.call.collected, describeHeld(held.hardOfHearing)).toMatchObject({ outcome: "confirmed" });
  });

  test("is moved to the day that the callee said last", () => {
    const { call } = held.correctsItself;
    expect(call.collected, describeHeld(held.correctsItself)).toMatchObject({ outcome: "moved" });
    expect(weekdayOf(call.collected?.["new_date"])).toBe(4);
  });

  test("is discussed with a person by a callee who wants one, if someone is available", () => {
    const { call } = held.passedOn;
    expect(call, describeHeld(held.passedOn)).toMatchObject({ status: "completed", endReason: "transferred" });
  });

  test("is left unchanged if someone else has the number", () => {
    expect(held.wrongNumber.call.collected, describeHeld(held.wrongNumber)).toMatchObject({ outcome: "wrong_number" });
  });
});

describe("the other agents that need no model", () => {
  test.each([
    ["takesDelivery", { outcome: "as_planned" }],
    ["movesDelivery", { outcome: "on_another_day" }],
    ["needsMoreTime", { outcome: "requested" }],
    ["hasPaid", { outcome: "paid" }],
    ["givesBadMark", { outcome: "answered", rating: 2 }],
    ["pressesMark", { outcome: "answered", rating: 4 }],
  ] as const)("come to the right end with who %s", (name, collected) => {
    expect(held[name].call, describeHeld(held[name])).toMatchObject({ status: "completed", collected });
  });

  test("record a comment in the callee's own words", () => {
    expect(String(held.givesBadMark.call.collected?.["reason"]), describeHeld(held.givesBadMark)).toMatch(/long/);
  });
});

describe("people on all kinds of lines", () => {
  test.each(["speaksSlowly", "echoes", "putsOnHold"] as const)(
    "are talked to until they have answered: a callee who %s",
    (name) => {
      const { call } = held[name];
      expect(call, describeHeld(held[name])).toMatchObject({ status: "completed", answeredBy: "human" });
      expect(call.collected, describeHeld(held[name])).toMatchObject({ outcome: "confirmed" });
    },
  );

  test("a callee on a line with echo does not interrupt the agent with its own voice", () => {
    const { call, speech } = held.echoes;
    expect(call.latency?.interruptions, describeHeld(held.echoes)).toBe(0);
    expect(speech.filter(({ interrupted }) => interrupted)).toEqual([]);
  });

  test("a callee who hums while listening is a person, and is talked to until the call comes to its end", () => {
    expect(held.saysMhm.call, describeHeld(held.saysMhm)).toMatchObject({ status: "completed", answeredBy: "human" });
  });

  test("music is waited out", () => {
    const notes = held.putsOnHold.items.flatMap((item) => (item.type === "note" ? [item.text] : []));
    expect(notes, describeHeld(held.putsOnHold)).toEqual(expect.arrayContaining(["hold music", "hold music over"]));
  });

  test("a silent callee is asked once, and then hung up on", () => {
    const { call } = held.neverSpeaks;
    expect(call, describeHeld(held.neverSpeaks)).toMatchObject({ status: "completed", endReason: "silence" });
    expect(agentSaid(held.neverSpeaks)).toContain("Are you still there?");
  });

  test("a callee who hangs up in the middle has heard no more than was said until then", () => {
    const { call, speech } = held.hangsUp;
    expect(call).toMatchObject({ status: "completed", endReason: "callee_hangup", endedBy: "callee" });
    const [greeting] = speech.filter(({ role }) => role === "agent");
    expect(greeting?.heardText?.length).toBeLessThan(greeting?.text.length ?? 0);
  });
});

describe("machines", () => {
  test("a phone menu is asked for a person, who is then talked to", () => {
    expect(held.menu.items, describeHeld(held.menu)).toContainEqual(
      expect.objectContaining({ type: "dtmf", by: "agent", key: "0" }),
    );
    expect(held.menu.call, describeHeld(held.menu)).toMatchObject({ collected: { outcome: "confirmed" } });
  });

  test("a call screener hears who is calling, and the person behind is then talked to", () => {
    expect(agentSaid(held.screened), describeHeld(held.screened)).toContain("automated call from Green Street Dental");
    expect(held.screened.call, describeHeld(held.screened)).toMatchObject({ collected: { outcome: "confirmed" } });
  });

  test("a fax is hung up on", () => {
    expect(held.fax.call).toMatchObject({ endReason: "fax", answeredBy: "fax" });
  });
});

test("what was said in all of these calls is recorded in order", () => {
  for (const each of Object.values(held)) {
    const starts = each.items.map(({ startMs }) => startMs);
    expect(starts, describeHeld(each)).toEqual(starts.toSorted((one, other) => one - other));
  }
});

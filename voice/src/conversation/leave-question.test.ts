import type { FlowNode } from "@parley/contract/flow";
import type { FlowSettings } from "@parley/contract/flow-settings";
import { describe, expect, it } from "vitest";
import { openRig } from "./testing/flow-rig.ts";
import { type TalkLine, talk } from "./testing/talk.ts";

const size: FlowNode = {
  ...{ id: "size", type: "ask", text: "Which size would you like?", answer: "choice", saveAs: "size" },
  exits: [
    { when: "small", next: "done" },
    { when: "large", next: "done" },
  ],
  otherwise: "lost",
};
const done: FlowNode = { id: "done", type: "end", text: "Done." };
const lost: FlowNode[] = [
  { id: "lost", type: "set", values: [{ saveAs: "outcome", value: '"not_understood"' }], next: "sorry" },
  { id: "sorry", type: "end", text: "I could not help you. Goodbye." },
];
const person: FlowNode = {
  ...{ id: "person", type: "transfer", text: "I will connect you.", to: "{{desk}}", failed: "sorry" },
  global: { phrases: ["talk to a human"] },
};
const FAILURES = ["Purple monkeys.", "Purple monkeys.", "Purple monkeys."];
const OFFER = "Should we call you back another time? If so, please say when.";

/** What the agent says after three answers that it did not understand, and the rest of the conversation. */
async function hold(settings: FlowSettings, lines: readonly TalkLine[] = [], nodes = [size, done, ...lost]) {
  const variables = nodes.includes(person) ? { desk: "+15550100100" } : {};
  const held = await talk(openRig(nodes, { settings, variables }).brain, [...FAILURES, ...lines]);
  const decisions = held.parts.flatMap((part) => (part.type === "decided" ? [part.decision] : []));
  return { ...held, last: held.replies.at(-1) ?? "", decision: decisions.at(-1) };
}

const OFFERS: FlowSettings = { callback: { offer: true } };

describe("a callee who is not understood in any retry", () => {
  it("is offered a callback before the call would end", async () => {
    const held = await hold(OFFERS);
    expect(held.last).toBe(`I'm sorry, I'm having trouble understanding you. ${OFFER}`);
    const sentences = (reply = "") => reply.split(/(?<=[.?]) /);
    const earlier = held.replies.slice(0, -1).flatMap(sentences);
    expect(sentences(held.last).filter((sentence) => earlier.includes(sentence))).toEqual([]);
    expect(held.ended).toBeNull();
    expect(held.collected).toEqual({});
  });

  it.each([
    ["Yes.", "later"],
    ["Yes please, tomorrow at five in the afternoon.", "2026-03-03 17:00"],
    ["Tomorrow at five in the afternoon.", "2026-03-03 17:00"],
    ["Call me back in an hour.", "2026-03-02 13:00"],
    ["On Friday would be fine.", "2026-03-06"],
    ["[1]", "later"],
  ])("who wants it is noted with the time, and the flow goes on as usual: %s", async (line, callback) => {
    const held = await hold(OFFERS, [line]);
    expect(held.last).toBe("All right, I've noted that you would like a callback. I could not help you. Goodbye.");
    expect(held.collected).toEqual({ callback, outcome: "not_understood" });
    expect(held.ended).toBe("finished");
    expect(held.decision).toMatchObject({ nodeId: "size", taken: "request", result: "call_later" });
  });

  it.each(["No.", "No thanks, bye.", "[2]"])("who declines goes where the flow says: %s", async (line) => {
    const held = await hold(OFFERS, [line]);
    expect(held.last).toBe("I could not help you. Goodbye.");
    expect(held.collected).toEqual({ outcome: "not_understood" });
  });

  it("is asked about the offer once more, in other words and with the keys", async () => {
    const held = await hold(OFFERS, ["Purple monkeys."]);
    expect(held.last).toBe(
      "Sorry, I didn't get that. Would you like a callback? Please say yes or no, or press one for yes, or two for no.",
    );
    const left = await hold(OFFERS, ["Purple monkeys.", "Purple monkeys."]);
    expect(left.last).toBe("I could not help you. Goodbye.");
    expect(left.collected).toEqual({ outcome: "not_understood" });
  });

  it.each(["Don't call me tomorrow.", "If I were home on Friday.", "Was it on Friday?"])(
    "has not agreed by words that name a day: %s",
    async (line) => expect((await hold(OFFERS, [line])).collected).not.toHaveProperty("callback"),
  );

  it("gets an answer to anything else, and the offer again", async () => {
    const held = await hold({ ...OFFERS, identification: "This is Green Street." }, ["Who is calling?"]);
    expect(held.last).toContain("This is Green Street.");
    expect(held.last).toContain("call");
    expect(held.ended).toBeNull();
    const never = await hold(OFFERS, ["Stop calling me!"]);
    expect(never.parts.map(({ type }) => type)).toContain("suppress");
    expect(never.collected).toEqual({});
  });

  it("is also offered a callback if every value that was read back was wrong", async () => {
    const code: FlowNode = {
      ...{ id: "code", type: "ask", text: "Which number?", answer: "number", confirm: {}, exits: [] },
      ...{ next: "done", otherwise: "lost", saveAs: "code" },
    };
    const { brain } = openRig([code, done, ...lost], { settings: OFFERS });
    const { replies } = await talk(brain, ["Five.", "No.", "Six.", "No.", "Seven.", "No."]);
    expect(replies.at(-1)).toBe(`I'm sorry, I'm having trouble understanding you. ${OFFER}`);
  });

  it("expects a yes or a no", async () => {
    const { brain } = openRig([size, done, ...lost], { settings: OFFERS });
    await talk(brain, FAILURES);
    expect(brain.expectation).toMatchObject({ kind: "yes_no", keysMax: 1 });
  });
});

describe("a callback is offered", () => {
  it.each([
    ["not unless the flow says so", {}, false],
    ["if callees are called again anyway", { callback: { redial: true } }, true],
    ["not if the flow rules it out", { callback: { redial: true, offer: false } }, false],
    ["not if the question is asked only once", { ...OFFERS, retries: { max: 0 } }, false],
  ] as const)("%s", async (_, settings, isOffered) => {
    const { replies } = await hold(settings);
    expect(replies.some((reply) => reply.includes(OFFER))).toBe(isOffered);
  });

  it("not if the flow has something else to say or to do", async () => {
    const other: FlowNode = { id: "lost", type: "ask", text: "Tea?", answer: "yes_no", exits: [], otherwise: "done" };
    expect((await hold(OFFERS, [], [size, done, other])).last).toBe("Tea?");
    const transfer: FlowNode = { ...person, id: "lost", failed: "done" };
    const held = await talk(
      openRig([size, done, transfer], { settings: OFFERS, variables: { desk: "+15550100100" } }).brain,
      FAILURES,
    );
    expect(held.parts.map(({ type }) => type)).toContain("transfer");
  });
});

describe("a person", () => {
  const CONNECTS: FlowSettings = { connectAfterFailures: true, ...OFFERS };
  const nodes = [size, done, ...lost, person];

  it("takes over if the flow wants that and has one", async () => {
    const held = await hold(CONNECTS, [], nodes);
    expect(held.last).toBe("I will connect you.");
    expect(held.parts).toContainEqual({ type: "transfer", to: "+15550100100", how: "auto" });
    expect((await hold(OFFERS, [], nodes)).last).toContain(OFFER);
  });

  it("need not be named by a phrase if there is only one", async () => {
    const quiet = { ...person, global: { phrases: ["sales please"] } };
    const { brain } = openRig([size, done, ...lost, quiet], {
      settings: CONNECTS,
      variables: { desk: "+15550100100" },
    });
    const { parts } = await talk(brain, FAILURES);
    expect(parts.map(({ type }) => type)).toContain("transfer");
  });

  it("is reached by a callee who asks for one, by the only transfer of the flow", async () => {
    const { global: _, ...transfer } = { ...person, text: "One moment." } as Extract<FlowNode, { type: "transfer" }>;
    const asking: FlowNode = {
      ...(size as Extract<FlowNode, { type: "ask" }>),
      exits: [
        { when: "small", next: "person" },
        { when: "large", next: "done" },
      ],
    };
    const heard = async (nodes: readonly FlowNode[], desk: string) => {
      const { brain } = openRig(nodes, { variables: { desk } });
      return talk(brain, ["Can I talk to a human?"]);
    };
    const held = await heard([asking, done, ...lost, transfer], "+15550100100");
    expect(held.parts).toContainEqual({ type: "transfer", to: "+15550100100", how: "auto" });
    expect(held.parts).toContainEqual(
      expect.objectContaining({ decision: expect.objectContaining({ taken: "jump", result: "person" }) }),
    );
    // Without a number, or with two to choose from, no one can be connected.
    const without = await heard([asking, done, ...lost, transfer], "");
    expect(without.replies.at(-1)).toContain("no one I can connect you with");
    const other: FlowNode = { ...transfer, id: "other" };
    const asked: FlowNode = { ...asking, exits: [...asking.exits, { when: "none", next: "other" }] };
    const two = await heard([asked, done, ...lost, transfer, other], "+15550100100");
    expect(two.replies.at(-1)).toContain("no one I can connect you with");
  });

  it("is replaced by a callback if there is no number to dial", async () => {
    const { brain } = openRig(nodes, { settings: CONNECTS, variables: { desk: "" } });
    expect((await talk(brain, FAILURES)).replies.at(-1)).toContain(OFFER);
  });
});

describe("what is said of another person", () => {
  const comment: FlowNode = {
    ...{ id: "comment", type: "ask", text: "What else is there?", answer: "free_text", saveAs: "comment" },
    ...{ exits: [], otherwise: "done" },
  };
  const sized: FlowNode = { ...size, exits: [{ when: "small", next: "comment" }] };

  it("is the answer to an open question, once the callee has answered another", async () => {
    const held = await talk(openRig([sized, comment, done, ...lost]).brain, ["Small.", "She is out with the dog."]);
    expect(held.collected).toEqual({ size: "small", comment: "She is out with the dog." });
    expect(held.replies.at(-1)).toBe("Done.");
  });

  it("means that the right person cannot be reached, before any answer", async () => {
    const held = await talk(openRig([comment, done]).brain, ["She is not at home."]);
    expect(held.replies.at(-1)).toBe("Then I'm sorry to have disturbed you. Goodbye.");
    expect(held.collected).toEqual({});
  });
});

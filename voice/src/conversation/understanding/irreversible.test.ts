import { Flow, type FlowNode } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import { compileFlow } from "@parley/flow/compile";
import { describe, expect, it } from "vitest";
import type { AnswerJudge } from "../../ports/answer-judge.ts";
import { openContext } from "../call-context.ts";
import { openRig } from "../testing/flow-rig.ts";
import { talk } from "../testing/talk.ts";
import { isIrreversible } from "./irreversible.ts";

const over: FlowNode = { id: "over", type: "end", text: "Goodbye." };
const look: FlowNode = {
  id: "look",
  type: "tool",
  request: { method: "GET", url: "https://example.com/a" },
  next: "act",
  failed: "over",
};
const send: FlowNode = {
  id: "act",
  type: "tool",
  request: { method: "POST", url: "https://example.com/a" },
  next: "over",
  failed: "over",
};
const connect: FlowNode = { id: "act", type: "transfer", to: "+12125550111", failed: "over" };
const stop: FlowNode = { id: "act", type: "end", text: "Bye." };

/** What the answer "the blue one" leads to, through these nodes. */
function leads(...nodes: FlowNode[]): boolean {
  const ask: AskNode = {
    ...{ id: "q", type: "ask", text: "Which one?", answer: "choice", saveAs: "answer", otherwise: "over" },
    exits: [
      { when: "the blue one", next: nodes[0]?.id ?? "" },
      { when: "the red one", next: "over" },
    ],
  };
  return isIrreversible(contextOf(ask, ...nodes, over), ask, { value: "the blue one", exit: 0 });
}

function contextOf(...nodes: FlowNode[]) {
  const start: FlowNode = { id: "start", type: "start", next: nodes[0]?.id ?? "" };
  const compiled = compileFlow(Flow.parse({ schemaVersion: 1, variables: [], nodes: [start, ...nodes] }));
  if (!compiled.ok) throw new Error(compiled.problems.map(({ message }) => message).join(" "));
  const call = {
    ...({ id: "call_1", phoneNumber: "+15550100001", from: null, mode: "test", isRecorded: false } as const),
    ...{ startedAtMs: 0, timeZone: "UTC" },
  };
  return openContext(compiled.plan, call, "en-US", {});
}

describe("an answer that cannot be taken back", () => {
  it("sends a request that changes something, or connects the callee with someone", () => {
    expect(leads(send)).toBe(true);
    expect(leads(connect)).toBe(true);
    expect(leads(stop)).toBe(false);
  });

  it("does so after looking something up", () => {
    expect(leads(look, send)).toBe(true);
    expect(leads(look, connect)).toBe(true);
    expect(leads(look, stop)).toBe(false);
  });

  it("does so on any side of a branch", () => {
    const branch = (next: string, otherwise: string): FlowNode => ({
      ...{ id: "sides", type: "branch", otherwise },
      exits: [{ when: "call.mode == 'live'", next }],
    });
    expect(leads(branch("act", "over"), send)).toBe(true);
    expect(leads(branch("over", "act"), connect)).toBe(true);
    expect(leads(branch("look", "over"), look, send)).toBe(true);
    expect(leads(branch("look", "over"), look, stop)).toBe(false);
  });

  it("does so however many sentences come first, and a loop ends the search", () => {
    const sentences = Array.from(
      { length: 12 },
      (_, at): FlowNode => ({
        ...{ id: `s${at}`, type: "say", text: "One moment.", next: at === 11 ? "act" : `s${at + 1}` },
      }),
    );
    expect(leads(...sentences, send)).toBe(true);
    const loop: FlowNode = { ...look, next: "look", failed: "over" } as FlowNode;
    expect(leads(loop)).toBe(false);
  });

  it("is not one behind another question", () => {
    const ask: FlowNode = {
      id: "next",
      type: "ask",
      text: "Sure?",
      answer: "yes_no",
      exits: [],
      next: "act",
      otherwise: "act",
    };
    expect(leads(ask, send)).toBe(false);
  });
});

describe("a yes", () => {
  const askOf = (text: string, readBack?: string): AskNode => ({
    ...{ id: "q", type: "ask", text, answer: "yes_no", saveAs: "answer", otherwise: "over" },
    exits: [
      { when: "yes", next: "over", ...(readBack === undefined ? {} : { readBack }) },
      { when: "no", next: "over" },
    ],
  });
  const isFinal = (ask: AskNode, value = true) =>
    isIrreversible(contextOf(ask, over), ask, { value, exit: value ? 0 : 1 });

  it.each([
    "Shall I cancel the appointment?",
    "Would you like to cancel your subscription?",
    "Do you want us to charge your card?",
    "May we delete your account?",
    "Are you sure that you want to end your contract?",
    "Would you like to place an order? Shall we order the part?",
    "Do you want to go ahead and pay it now?",
    "Is it okay if we transfer the rest?",
    "Would you like a refund?",
    "Will you sign the new lease?",
  ])("to this question is the act: %s", (text) => {
    expect(isFinal(askOf(text))).toBe(true);
    expect(isFinal(askOf(text), false)).toBe(false);
  });

  it.each([
    "Did you order with us before?",
    "Is your order complete?",
    "Have you already paid?",
    "Was the purchase made by you?",
    "May I ask about your last order?",
    "Would you like to know when your order arrives?",
    "Did the transfer arrive?",
    "Have you ever canceled a subscription?",
    "Is the charge on your card correct?",
    "Were you asked to sign anything?",
  ])("to this question only tells something: %s", (text) => expect(isFinal(askOf(text))).toBe(false));

  it("is what its own exit says, if it says something", () => {
    expect(isFinal(askOf("Is that all right?", "you'd like to cancel the visit"))).toBe(true);
    expect(isFinal(askOf("Shall we cancel, or not?", "you'd like to come"))).toBe(false);
  });

  it("that the judge finds is taken at once where it only tells something, and read back where it is the act", async () => {
    const judge: AnswerJudge = { name: "judge", judge: async () => ({ exits: [0.99, 0.01], none: 0 }) };
    const reply = async (text: string) =>
      (await talk(openRig([askOf(text), over], { judge }).brain, ["My old boiler is so noisy"])).collected;
    expect(await reply("Did you order with us before?")).toEqual({ answer: true });
    expect(await reply("Shall we order the part for you?")).toEqual({});
  });
});

it("a no that sends a request is read back unless it is plain", async () => {
  const ask: AskNode = {
    ...{
      id: "q",
      type: "ask",
      text: "Shall we keep your line?",
      answer: "yes_no",
      saveAs: "answer",
      otherwise: "over",
    },
    exits: [
      { when: "yes", next: "over" },
      { when: "no", next: "act" },
    ],
  };
  expect(isIrreversible(contextOf(ask, send, over), ask, { value: false, exit: 1 })).toBe(true);
  expect(isIrreversible(contextOf(ask, send, over), ask, { value: true, exit: 0 })).toBe(false);
});

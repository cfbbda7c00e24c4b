import { Flow } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import { whyNotOneConversation } from "./one-conversation.ts";

const TALK = {
  id: "talk",
  type: "conversation",
  prompt: "Confirm the visit.",
  exits: [
    { when: "confirmed", next: "bye" },
    { when: "wants a person", next: "person" },
  ],
  otherwise: "bye",
};
const PERSON = { id: "person", type: "transfer", to: "+15550100002", failed: "bye" };
const BYE = { id: "bye", type: "end", text: "Goodbye." };

function problemOf(...nodes: readonly object[]): string | null {
  const start = { id: "start", type: "start", next: (nodes[0] as { id: string }).id };
  return whyNotOneConversation(Flow.parse({ schemaVersion: 1, nodes: [start, ...nodes] }).nodes);
}

describe("a flow that is one conversation", () => {
  it("may greet first, and connect, request, decide, press keys and hang up afterwards", () => {
    const hello = { id: "hello", type: "say", text: "Good morning.", next: "talk" };
    const request = { method: "POST", url: "https://example.com/notes" };
    const exits = [{ when: "the callee gave a date", next: "note" }];
    expect(problemOf(TALK, PERSON, BYE)).toBeNull();
    expect(problemOf(hello, TALK, PERSON, BYE)).toBeNull();
    expect(
      problemOf(
        { ...TALK, exits },
        { id: "note", type: "tool", request, next: "late", failed: "bye" },
        { id: "late", type: "branch", exits: [{ when: "call.time > '18:00'", next: "bye" }], otherwise: "keys" },
        { id: "keys", type: "dtmf", keys: "1", next: "talk" },
        BYE,
        { id: "mailbox", type: "voicemail", text: "Please call us." },
      ),
    ).toBeNull();
  });

  it("has no question, no second conversation and no other decision of a model", () => {
    const ask = { id: "ask", type: "ask", text: "Will you come?", answer: "yes_no", exits: [], otherwise: "bye" };
    expect(problemOf(ask, BYE)).toBe("The flow has no conversation node.");
    expect(problemOf(TALK, PERSON, ask, BYE)).toBe("The flow asks a question of its own in ask.");
    expect(problemOf(TALK, PERSON, { ...TALK, id: "more" }, BYE)).toBe(
      "The flow has more than one conversation: talk and more.",
    );
    const judged = { id: "mood", type: "branch", prompts: [{ when: "angry", next: "bye" }], otherwise: "bye" };
    expect(problemOf(TALK, PERSON, judged, BYE)).toBe("The branch mood needs a language model to decide.");
  });

  it("begins with it", () => {
    const request = { method: "GET", url: "https://example.com/customer" };
    const lookUp = { id: "look_up", type: "tool", request, next: "talk", failed: "bye" };
    expect(problemOf(lookUp, TALK, PERSON, BYE)).toMatch(
      /^The node (?:look_up|bye) comes before the conversation talk\.$/,
    );
    expect(problemOf(BYE, TALK, PERSON)).toBe("The start does not lead to the conversation talk.");
  });
});

import { describe, expect, it } from "vitest";
import { PAYMENT_REMINDER } from "./payment-reminder.ts";
import { holdSample, VOICEMAIL } from "./testing/hold-sample.ts";

const variables = { full_name: "Ada Lovelace", from_whom: "from City Power", amount: "of $40", due_date: "on Friday" };
const hold = (lines: Parameters<typeof holdSample>[1]) => holdSample(PAYMENT_REMINDER, lines, { variables });

describe("a reminder of a payment", () => {
  it("says nothing about money before it speaks with the right person", async () => {
    const held = await hold(["Yes, speaking."]);
    expect(held.replies[0]).not.toMatch(/pay|dollar|due/i);
    expect(held.replies[1]).toContain("a payment of forty dollars is due on Friday");
  });

  it("says nothing about money to another person or a voicemail", async () => {
    for (const lines of [
      ["No."],
      ["She is not here."],
      ["Wrong number."],
      ["bananas", "bananas", "bananas", "no"],
      [VOICEMAIL],
    ]) {
      const held = await hold(lines);
      expect(held.replies.join(" ")).not.toMatch(/pay|dollar|due/i);
      expect(held.ended).not.toBeNull();
    }
    expect((await hold(["Who is this?"])).replies.join(" ")).not.toMatch(/pay|dollar|due/i);
  });

  it("says how much it is to the account holder alone", async () => {
    const held = await hold(["How much is it?", "Yes, speaking.", "How much do I owe?"]);
    expect(held.replies[1]).toBe(
      "It's a personal matter, so I can only talk about it with Ada Lovelace. Am I speaking with Ada Lovelace?",
    );
    expect(held.replies[3]).toContain("It's about a payment of forty dollars. It's due on Friday.");
    const unknown = await holdSample(PAYMENT_REMINDER, ["Yes.", "How much is it?"]);
    expect(unknown.last).toContain("I don't have the exact amount here.");
  });

  it("records a payment after confirming it", async () => {
    expect((await hold(["yes", "I have already paid it.", "Yes, all of it."])).collected).toMatchObject({
      outcome: "paid",
    });
    expect((await hold(["yes", "I have already paid it.", "No, not yet."])).collected).not.toHaveProperty("outcome");
  });

  it("notes a day for the payment, read back and corrected", async () => {
    const held = await hold(["Yes, speaking.", "I will pay soon.", "On Friday.", "No, Thursday.", "Yes."]);
    expect(held.collected).toMatchObject({ outcome: "promised", payment_date: "2026-03-05" });
    expect(held.last).toBe("Thank you. I've noted Thursday, March fifth. Have a good day, and goodbye.");
  });

  it("records until when the callee needs time", async () => {
    const held = await hold(["yes", "I need more time", "in two weeks", "that's right"]);
    expect(held.collected).toMatchObject({ outcome: "requested", requested_date: "2026-03-16" });
  });

  it("takes keys", async () => {
    expect((await hold(["[1]", "[1]", "[1]"])).outcome).toBe("paid");
  });

  it("asks again what it does not understand", async () => {
    const held = await hold(["yes", "bananas", "bananas", "bananas", "no"]);
    expect(held.replies[2]).toBe("Sorry, I didn't get that. You can say: already paid, pay soon, or more time.");
    expect(held).toMatchObject({ outcome: "not_understood", ended: "finished" });
  });

  it("asks a silent callee", async () => {
    const held = await hold(["[silence]", "yes", "already paid", "yes"]);
    expect(held.replies[1]).toBe("Are you still there? Am I speaking with Ada Lovelace?");
    expect(held.outcome).toBe("paid");
  });

  it("never calls a callee again who does not want to be called", async () => {
    expect((await hold(["yes", "Stop calling me"])).parts.map(({ type }) => type)).toContain("suppress");
  });

  it("leaves a message on a voicemail", async () => {
    const held = await hold([VOICEMAIL]);
    expect(held.last).toBe(
      "Hi, this is an automated message from City Power for Ada Lovelace. Please give us a call back when you have a moment. Thanks, and goodbye.",
    );
    expect(held.ended).toBe("voicemail_left");
  });
});

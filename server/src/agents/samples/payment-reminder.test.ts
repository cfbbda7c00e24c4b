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

  it("says nothing about money to anybody else, and not to a voicemail", async () => {
    for (const lines of [
      ["No."],
      ["She is not here."],
      ["Wrong number."],
      ["bananas", "bananas", "bananas"],
      [VOICEMAIL],
    ]) {
      const held = await hold(lines);
      expect(held.replies.join(" ")).not.toMatch(/pay|dollar|due/i);
      expect(held.ended).not.toBeNull();
    }
    expect((await hold(["Who is this?"])).replies.join(" ")).not.toMatch(/pay|dollar|due/i);
  });

  it("notes who has paid", async () => {
    expect((await hold(["yes", "I have already paid it."])).collected).toMatchObject({ outcome: "paid" });
  });

  it("notes a day for the payment, read back and corrected", async () => {
    const held = await hold(["Yes, speaking.", "I will pay soon.", "On Friday.", "No, Thursday.", "Yes."]);
    expect(held.collected).toMatchObject({ outcome: "promised", payment_date: "2026-03-05" });
    expect(held.last).toBe("Thank you. I have noted Thursday, March fifth. Goodbye.");
  });

  it("notes until when somebody needs time", async () => {
    const held = await hold(["yes", "I need more time", "in two weeks", "that's right"]);
    expect(held.collected).toMatchObject({ outcome: "requested", requested_date: "2026-03-16" });
  });

  it("takes keys", async () => {
    expect((await hold(["[1]", "[1]"])).outcome).toBe("paid");
  });

  it("asks again what it does not understand", async () => {
    const held = await hold(["yes", "bananas", "bananas", "bananas"]);
    expect(held.replies[2]).toBe("Sorry, I didn't get that. Please say: already paid, pay soon, or more time.");
    expect(held).toMatchObject({ outcome: "not_understood", ended: "finished" });
  });

  it("asks a silent callee", async () => {
    const held = await hold(["[silence]", "yes", "already paid"]);
    expect(held.replies[1]).toBe("Are you still there? Am I speaking with the account holder Ada Lovelace?");
    expect(held.outcome).toBe("paid");
  });

  it("never calls again who does not want to be called", async () => {
    expect((await hold(["yes", "Stop calling me"])).parts.map(({ type }) => type)).toContain("suppress");
  });

  it("leaves a message on a voicemail", async () => {
    const held = await hold([VOICEMAIL]);
    expect(held.last).toBe(
      "Hello. This is an automated call from City Power for Ada Lovelace. Please call us back. Goodbye.",
    );
    expect(held.ended).toBe("voicemail_left");
  });
});

import { describe, expect, it } from "vitest";
import { SATISFACTION_SURVEY } from "./satisfaction-survey.ts";
import { holdSample, VOICEMAIL } from "./testing/hold-sample.ts";

const variables = { first_name: "Ada", from_whom: "from Harbor Hotel", subject: "about your stay last week" };
const hold = (lines: Parameters<typeof holdSample>[1]) => holdSample(SATISFACTION_SURVEY, lines, { variables });

describe("a survey", () => {
  it("collects a rating, a comment and a recommendation", async () => {
    const held = await hold(["Yes, of course.", "Four.", "The people were very friendly.", "Yes, I would."]);
    expect(held.replies[1]).toBe("On a scale from one to five, where five is the best, how satisfied were you?");
    expect(held.collected).toEqual({
      rating: 4,
      reason: "The people were very friendly.",
      would_recommend: true,
      outcome: "answered",
    });
  });

  it("accepts the rating by key, and offers an unsatisfied callee a call back", async () => {
    const held = await hold(["sure", "[2]", "It took rather long.", "Yes, please.", "No."]);
    expect(held.collected).toMatchObject({ rating: 2, call_back: true, would_recommend: false });
    expect(held.replies[2]).toContain("What went wrong?");
  });

  it("does not suppress a callee who only declines a call back", async () => {
    const held = await hold(["yes", "one", "The room was cold", "No, do not call me.", "no"]);
    expect(held.collected).toMatchObject({ call_back: false, outcome: "answered" });
    expect(held.parts.map(({ type }) => type)).not.toContain("suppress");
  });

  it("rejects a number outside the scale, and eventually continues without one", async () => {
    const held = await hold(["yes", "Ten", "Eleven", "Twelve", "Yes"]);
    expect(held.replies[2]).toBe("Sorry, I need one number from one to five. You can also press it on your phone.");
    expect(held.collected).toEqual({ would_recommend: true, outcome: "answered" });
  });

  it("takes a correction of the rating", async () => {
    const held = await hold(["yes", "Three, no, I mean five", "The view", "yes"]);
    expect(held.collected).toMatchObject({ rating: 5, reason: "The view" });
  });

  it("ends politely with a callee who does not want to answer", async () => {
    expect(await hold(["No, thank you."])).toMatchObject({ outcome: "refused", ended: "finished" });
    expect((await hold(["I am busy"])).outcome).toBe("not_now");
  });

  it("asks a silent callee", async () => {
    const held = await hold(["yes", "[silence]", "five", "All of it", "yes"]);
    expect(held.replies[2]).toMatch(/^Are you still there\? On a scale from one to five/);
    expect(held.collected).toMatchObject({ rating: 5 });
  });

  it("apologizes for a wrong number", async () => {
    expect((await hold(["You have the wrong number"])).outcome).toBe("wrong_number");
  });

  it("never calls a callee again who does not want to be called", async () => {
    expect((await hold(["Never call me again"])).parts.map(({ type }) => type)).toContain("suppress");
  });

  it("leaves a message on a voicemail", async () => {
    expect((await hold([VOICEMAIL])).ended).toBe("voicemail_left");
  });
});

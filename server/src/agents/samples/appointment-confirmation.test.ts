import { describe, expect, it } from "vitest";
import { APPOINTMENT_CONFIRMATION } from "./appointment-confirmation.ts";
import { holdSample, VOICEMAIL } from "./testing/hold-sample.ts";

const variables = { first_name: "Ada", from_whom: "from Green Street Dental", appointment_time: "on Tuesday at ten" };
const hold = (lines: Parameters<typeof holdSample>[1], more: Readonly<Record<string, string>> = {}) =>
  holdSample(APPOINTMENT_CONFIRMATION, lines, { variables: { ...variables, ...more } });

describe("a call about an appointment", () => {
  it("says who calls and why, that it may be recorded, and what to answer", async () => {
    expect((await hold([])).replies).toEqual([
      "Hi Ada, I'm calling from Green Street Dental about your appointment on Tuesday at ten. I'm an automated assistant, and this call may be recorded. Can you make it, or would you like to move it to another day or cancel it?",
    ]);
  });

  it.each(["Yes, I will come.", "Yeah, I'll be there.", "I can make it.", "Sure, that works", "Yes", "[1]"])(
    "is confirmed by %s",
    async (line) => {
      const held = await hold([line]);
      expect(held.collected).toEqual({ decision: "I will come", outcome: "confirmed" });
      expect(held.ended).toBe("finished");
    },
  );

  it("is moved to another day in six turns", async () => {
    const held = await hold([
      "Could we do another day?",
      "Friday, please.",
      "At half past two.",
      "No, that's wrong.",
      "On Thursday.",
      "Three in the afternoon.",
      "Yes, that's right.",
    ]);
    expect(held.collected).toMatchObject({ outcome: "moved", new_date: "2026-03-05", new_time: "15:00" });
    expect(held.last).toContain("Thursday, March fifth at three P M");
  });

  it("takes a correction, in the same breath and after the next question", async () => {
    const held = await hold(["another day", "Tuesday, no, Wednesday", "No, Thursday.", "ten in the morning", "yes"]);
    expect(held.collected).toMatchObject({ outcome: "moved", new_date: "2026-03-05", new_time: "10:00" });
  });

  it("is canceled only after making sure", async () => {
    expect((await hold(["I can't come.", "Yes, cancel it."])).collected).toMatchObject({ outcome: "canceled" });
    const kept = await hold(["cancel", "No, please do not cancel it.", "I will come"]);
    expect(kept.collected).toMatchObject({ outcome: "confirmed", decision: "I will come" });
    expect((await hold(["cancel", "Not yet."])).collected).toEqual({ decision: null });
  });

  it("asks again what it does not understand, offers keys, and then leaves things as they are", async () => {
    const held = await hold(["bananas", "bananas", "bananas", "no"]);
    expect(held.replies[1]).toBe("Sorry, I didn't get that. You can say: I will come, another day, or cancel.");
    expect(held.replies[2]).toContain("Press three for: cancel.");
    expect(held.replies[3]).toContain("Should we call you back another time?");
    expect(held).toMatchObject({ outcome: "not_understood", ended: "finished" });
    const later = await hold(["bananas", "bananas", "bananas", "yes, tomorrow at three"]);
    expect(later.collected).toEqual({ callback: "2026-03-03 15:00", outcome: "not_understood" });
    expect((await hold(["bananas", "bananas", "[2]"])).last).toContain("What day");
  });

  it("asks a silent callee and an inaudible one again", async () => {
    const held = await hold(["[silence]", "[mumbles]", "I will come"]);
    expect(held.replies[1]).toMatch(/^Are you still there\? Can you make it/);
    expect(held.outcome).toBe("confirmed");
  });

  it("says it again in other words", async () => {
    expect((await hold(["What?"])).last).toBe(
      "Of course. Are you coming to your appointment? If not, I can move it to another day, or cancel it.",
    );
  });

  it("apologizes to a callee who is the wrong person or has no time", async () => {
    expect((await hold(["Sorry, you have the wrong number."])).outcome).toBe("wrong_number");
    expect((await hold(["I'm driving, call me later"])).outcome).toBe("not_now");
    const later = await hold(["I'm driving, call me tomorrow at three in the afternoon"]);
    expect(later.collected).toEqual({ callback: "2026-03-03 15:00", outcome: "not_now" });
  });

  it("transfers a callee it cannot understand, where there is someone", async () => {
    const held = await hold(["bananas", "bananas", "bananas"], { desk_number: "+15550100100" });
    expect(held.parts).toContainEqual({ type: "transfer", to: "+15550100100", how: "auto" });
    expect(held.last).toContain("Let me get someone who can help.");
  });

  it("never calls a callee again who does not want to be called", async () => {
    const held = await hold(["Stop calling me!"]);
    expect(held.parts.map(({ type }) => type)).toContain("suppress");
    expect(held.ended).toBe("finished");
  });

  it("transfers a callee who wants a person, where there is someone", async () => {
    const passed = await hold(["Can I talk to a human?"], { desk_number: "+15550100100" });
    expect(passed.parts).toContainEqual({ type: "transfer", to: "+15550100100", how: "auto" });
    expect((await hold(["Human, please."])).outcome).toBe("wants_human");
    const busy = await hold(["Human, please.", { type: "transfer_failed", reason: "busy" }], {
      desk_number: "+15550100100",
    });
    expect(busy.outcome).toBe("wants_human");
  });

  it("leaves a message on a voicemail", async () => {
    const held = await hold([VOICEMAIL]);
    expect(held.last).toContain(
      "about your appointment on Tuesday at ten. If you can't make it, please give us a call back.",
    );
    expect(held.ended).toBe("voicemail_left");
  });
});

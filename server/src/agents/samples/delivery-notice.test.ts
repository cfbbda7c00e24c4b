import { describe, expect, it } from "vitest";
import { DELIVERY_NOTICE } from "./delivery-notice.ts";
import { holdSample, VOICEMAIL } from "./testing/hold-sample.ts";

const variables = {
  first_name: "Ada",
  from_whom: "from Swift Parcels",
  delivery_time: "tomorrow between nine and noon",
};
const hold = (lines: Parameters<typeof holdSample>[1]) => holdSample(DELIVERY_NOTICE, lines, { variables });

describe("a call about a parcel", () => {
  it("announces it, omitting missing variables", async () => {
    expect((await hold([])).replies[0]).toBe(
      "Hi Ada, I'm calling from Swift Parcels with good news. Your parcel is coming tomorrow between nine and noon. I'm an automated assistant, and this call may be recorded. Will someone be there to take it?",
    );
  });

  it.each(["Yes, someone will be there.", "I'll be there", "Yeah", "[1]"])(
    "comes as planned after %s",
    async (line) => {
      expect((await hold([line])).collected).toEqual({ someone_home: true, outcome: "as_planned" });
    },
  );

  it("is left with a neighbor", async () => {
    const held = await hold(["No, I'm at work.", "With the neighbor, please.", "Mrs. Brown, next door."]);
    expect(held.collected).toMatchObject({ outcome: "with_neighbor", neighbor_name: "Mrs. Brown, next door." });
  });

  it("is left at the door", async () => {
    const held = await hold(["Nobody will be there.", "At the door, please."]);
    expect(held.collected).toEqual({ someone_home: false, place: "at the door", outcome: "at_the_door" });
  });

  it("comes on another day that was read back, with a correction", async () => {
    const held = await hold(["no", "another day", "Wednesday", "No, Friday.", "Yes, that's right."]);
    expect(held.replies[3]).toBe("So we'll come on Wednesday, March fourth. Is that right?");
    expect(held.collected).toMatchObject({ outcome: "on_another_day", delivery_date: "2026-03-06" });
  });

  it("comes as planned when nothing was understood", async () => {
    const held = await hold(["bananas", "bananas", "bananas", "no"]);
    expect(held.replies[2]).toContain("You can also press one for yes, or two for no.");
    expect(held).toMatchObject({ outcome: "not_understood", ended: "finished" });
  });

  it("prompts a silent callee and repeats on request", async () => {
    const held = await hold(["[silence]", "Pardon?", "yes"]);
    expect(held.replies[1]).toBe("Are you still there? Will someone be there to take it?");
    expect(held.replies[2]).toBe("Of course. When the driver rings, will anyone be at home?");
    expect(held.outcome).toBe("as_planned");
  });

  it("apologizes for a wrong number", async () => {
    expect((await hold(["Wrong number."])).outcome).toBe("wrong_number");
  });

  it("never calls a callee again who does not want to be called", async () => {
    expect((await hold(["Please take me off your list."])).parts.map(({ type }) => type)).toContain("suppress");
  });

  it("leaves the delivery time on a voicemail", async () => {
    const held = await hold([VOICEMAIL]);
    expect(held.last).toContain("is coming tomorrow between nine and noon");
    expect(held.ended).toBe("voicemail_left");
  });
});

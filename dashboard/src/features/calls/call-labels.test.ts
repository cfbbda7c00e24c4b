import { expect, test } from "vitest";
import { badgeOf, causeOf } from "./call-labels.ts";

test("the cause of an incident is a sentence, whatever wrote it", () => {
  expect(causeOf({ reason: "the speech recognizer stopped", count: 1 })).toBe("Cause: The speech recognizer stopped.");
  expect(causeOf({ reason: "There is no space left on the disk.", count: 3 })).toBe(
    "Cause: There is no space left on the disk (3 times).",
  );
});

test("a call is live while something happens in it, and not while it is scheduled", () => {
  expect(badgeOf({ status: "initiated", phase: "queued" })).toMatchObject({ text: "Queued", isLive: true });
  expect(badgeOf({ status: "initiated", phase: "scheduled" })).toMatchObject({ text: "Scheduled", isLive: false });
  expect(badgeOf({ status: "completed", phase: "ended" })).toMatchObject({ isLive: false });
});

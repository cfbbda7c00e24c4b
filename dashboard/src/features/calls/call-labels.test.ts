import { expect, test } from "vitest";
import { causeOf } from "./call-labels.ts";

test("the cause of an incident is a sentence, whatever wrote it", () => {
  expect(causeOf({ reason: "the speech recognizer stopped", count: 1 })).toBe("Cause: The speech recognizer stopped.");
  expect(causeOf({ reason: "There is no space left on the disk.", count: 3 })).toBe(
    "Cause: There is no space left on the disk (3 times).",
  );
});

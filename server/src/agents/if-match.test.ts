import { expect, it } from "vitest";
import { readRevision } from "./drafts.ts";

it.each(["7", '"7"', 'W/"7"', "W/7", " 7 "])("reads the revision from If-Match: %s", (header) => {
  expect(readRevision(header)).toBe(7);
});

it.each([undefined, "", "*", '"7', "7 8", '"7", "8"', "-1", "7.0", "9999999999", "seven"])(
  "finds no revision in If-Match: %s",
  (header) => {
    expect(readRevision(header)).toBeNull();
  },
);

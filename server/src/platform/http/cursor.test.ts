import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createCursors, toPage } from "./cursor.ts";

const cursors = createCursors((text) => createHmac("sha256", "secret").update(text).digest());

test("a cursor leads back to its position, for the list it came from", () => {
  const cursor = cursors.write(["2026-01-01", "call_1"], ["calls", "acc_1"]);
  expect(cursors.read(cursor, ["calls", "acc_1"])).toEqual(["2026-01-01", "call_1"]);
});

test("a cursor of another account's list is refused", () => {
  const cursor = cursors.write(["x"], ["calls", "acc_1"]);
  expect(() => cursors.read(cursor, ["calls", "acc_2"])).toThrow("unchanged");
});

test("a cursor with any character changed, cut or added is refused", () => {
  const cursor = cursors.write(["2026-01-01", "call_1"], "list");
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: cursor.length - 1 }),
      fc.constantFrom("A", "b", "-", "_", "9", ""),
      (at, with_) => {
        const altered = cursor.slice(0, at) + with_ + cursor.slice(at + 1);
        if (altered !== cursor) expect(() => cursors.read(altered, "list")).toThrow("unchanged");
      },
    ),
  );
  expect(() => cursors.read(`${cursor}A`, "list")).toThrow("unchanged");
  expect(() => cursors.read("%%%", "list")).toThrow("unchanged");
});

test("a page read one row too long is cut and says where it continues", () => {
  expect(toPage([1, 2, 3], 2, String)).toEqual({ rows: [1, 2], nextCursor: "2" });
  expect(toPage([1, 2], 2, String)).toEqual({ rows: [1, 2], nextCursor: null });
});

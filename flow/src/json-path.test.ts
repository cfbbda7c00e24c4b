import fc from "fast-check";
import { expect, test } from "vitest";
import { parsePath, readPath } from "./json-path.ts";

const reply = { slots: [{ start: "09:30", "first name": "Ada" }], count: 2, ok: true };

test.each([
  ["slots[0].start", "09:30"],
  ["$.slots[0].start", "09:30"],
  ['slots[0]["first name"]', "Ada"],
  ["count", 2],
  ["$", reply],
  ["slots[1].start", undefined],
  ["slots.start", undefined],
  ["count.value", undefined],
  ["constructor", undefined],
  ["slots.length", undefined],
])("%s finds what stands there, and nothing that every object has", (text, value) => {
  const path = parsePath(text);
  expect(path).not.toBeNull();
  expect(readPath(reply, path ?? [])).toEqual(value);
});

test.each(["", " ", ".a", "a.", "a..b", "a[", "a[x]", "a[-1]", "$a", "a b", "[0]b", "a".repeat(3) + "[0]".repeat(30)])(
  "%j is no path",
  (text) => {
    expect(parsePath(text)).toBeNull();
  },
);

test("parsing never throws, whatever is written", () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), (text, value) => {
      const path = parsePath(text);
      if (path !== null) readPath(value, path);
    }),
  );
});

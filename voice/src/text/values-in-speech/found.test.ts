import fc from "fast-check";
import { expect, test } from "vitest";
import { toSpeech } from "../to-speech/to-speech.ts";
import { findDate } from "./find-date.ts";
import { findDigits, findPhoneNumber } from "./find-digits.ts";
import { findEmail } from "./find-email.ts";
import { findNumber } from "./find-number.ts";
import { findOrdinal } from "./find-ordinal.ts";
import { findSpelling } from "./find-spelling.ts";
import { findTime } from "./find-time.ts";
import { findYesNo } from "./find-yes-no.ts";
import type { Found } from "./found.ts";

const finders: readonly (readonly [name: string, find: (text: string) => Found<unknown> | null])[] = [
  ["date", (text) => findDate(text, { nowMs: 1_794_000_000_000, timeZone: "Europe/Berlin" })],
  ["digits", findDigits],
  ["email", findEmail],
  ["number", findNumber],
  ["ordinal", findOrdinal],
  ["phone number", findPhoneNumber],
  ["spelling", findSpelling],
  ["time", findTime],
  ["yes or no", findYesNo],
];

const said = fc.constantFrom(
  ..."one two oh for to nine twenty thirty hundred thousand million and a an the third of march next tuesday week at dot com half past quarter to noon pm p m double b as in bravo dollars cents fifty no yes not sure right 3rd 12 1,000 2:30 2026-03-04 3/4 $ . , ? - @ minus point or in days from now plus extension the end month".split(
    " ",
  ),
);
const text = fc.oneof(
  fc.array(said, { maxLength: 14 }).map((words) => words.join(" ")),
  fc.string({ unit: "grapheme", maxLength: 60 }),
);

test.each(finders)(
  "whatever is said, searching for a %s neither fails nor returns a range outside the text",
  (_, find) => {
    fc.assert(
      fc.property(text, (heard) => {
        const found = find(heard);
        if (found === null) return;
        expect(found.start).toBeGreaterThanOrEqual(0);
        expect(found.end).toBeGreaterThan(found.start);
        expect(found.end).toBeLessThanOrEqual(heard.length);
        expect(found.others).not.toContainEqual(found.value);
      }),
      { numRuns: 2_000, seed: 11 },
    );
  },
);

test("whatever is written, it can be spoken", () => {
  fc.assert(
    fc.property(text, (written) => {
      expect(toSpeech(written)).not.toMatch(/[0-9]/);
    }),
    { numRuns: 2_000, seed: 11 },
  );
});

import { expect, test } from "vitest";
import { daysMistake, erasesSooner, readRetentionForm, toRetentionForm } from "./retention-card.tsx";

test("an empty value means that everything is kept", () => {
  expect(readRetentionForm(toRetentionForm(null))).toBeNull();
  expect(readRetentionForm({ recordings: "30", transcripts: " " })).toEqual({ recordings: 30, transcripts: null });
});

test("only whole days that the service accepts are accepted", () => {
  for (const text of ["", "1", "3650"]) expect(daysMistake(text)).toBeUndefined();
  for (const text of ["0", "3651", "1.5", "-3", "soon", "1e3"]) expect(daysMistake(text)).toContain("1 to 3650");
});

test("erasing anything sooner requires confirmation, and keeping it longer does not", () => {
  const month = { recordings: 30, transcripts: null };
  expect(erasesSooner(null, month)).toBe(true);
  expect(erasesSooner(month, { recordings: 30, transcripts: 90 })).toBe(true);
  expect(erasesSooner(month, { recordings: 60, transcripts: null })).toBe(false);
  expect(erasesSooner(month, null)).toBe(false);
});

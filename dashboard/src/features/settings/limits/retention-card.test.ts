import { expect, test } from "vitest";
import {
  daysMistake,
  erasesSooner,
  readRetentionForm,
  removesCallsSooner,
  toRetentionForm,
} from "./retention-card.tsx";

const MONTH = { recordings: 30, transcripts: null, calls: null };

test("an empty value means that everything is kept", () => {
  expect(readRetentionForm(toRetentionForm(null))).toBeNull();
  expect(readRetentionForm({ recordings: "30", transcripts: " ", calls: "" })).toEqual(MONTH);
  expect(readRetentionForm(toRetentionForm({ ...MONTH, calls: 365 }))).toEqual({ ...MONTH, calls: 365 });
});

test("only whole days that the service accepts are accepted", () => {
  for (const text of ["", "1", "3650"]) expect(daysMistake(text)).toBeUndefined();
  for (const text of ["0", "3651", "1.5", "-3", "soon", "1e3"]) expect(daysMistake(text)).toContain("1 to 3650");
  expect(daysMistake("29", 30)).toContain("30 to 3650");
  expect(daysMistake("30", 30)).toBeUndefined();
});

test("erasing anything sooner requires confirmation, and keeping it longer does not", () => {
  expect(erasesSooner(null, MONTH)).toBe(true);
  expect(erasesSooner(MONTH, { ...MONTH, transcripts: 90 })).toBe(true);
  expect(erasesSooner(MONTH, { ...MONTH, calls: 90 })).toBe(true);
  expect(erasesSooner(MONTH, { ...MONTH, recordings: 60 })).toBe(false);
  expect(erasesSooner(MONTH, null)).toBe(false);
});

test("that whole calls go is said before it is confirmed", () => {
  expect(removesCallsSooner(MONTH, { ...MONTH, calls: 90 })).toBe(true);
  expect(removesCallsSooner({ ...MONTH, calls: 90 }, { ...MONTH, calls: 365 })).toBe(false);
  expect(removesCallsSooner(null, MONTH)).toBe(false);
});

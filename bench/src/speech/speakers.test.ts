import { listVoices } from "@parley/server/agents/voices/known-voices";
import { expect, test } from "vitest";
import { NATURAL_CALLEES, UNSEEN_CALLEES } from "./speakers.ts";

test("no callee has a voice that is the default of agents or recommended for them", () => {
  const agents = listVoices(true).filter(({ isDefault, isRecommended }) => isDefault || isRecommended);
  expect(agents.length).toBeGreaterThan(5);
  for (const { id } of agents) expect([...NATURAL_CALLEES, ...UNSEEN_CALLEES]).not.toContain(id);
});

test("the voices that decide in the end are others than those everything is tried with", () => {
  expect(new Set([...NATURAL_CALLEES, ...UNSEEN_CALLEES]).size).toBe(NATURAL_CALLEES.length + UNSEEN_CALLEES.length);
  expect(UNSEEN_CALLEES.length).toBeGreaterThanOrEqual(8);
});

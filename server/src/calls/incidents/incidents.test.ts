import { INCIDENT_KINDS, INCIDENT_TURNS_MAX, INCIDENTS_MAX, Incident } from "@parley/contract/incidents";
import { expect, test } from "vitest";
import { concludeIncidents, mergeIncident } from "./incidents.ts";

const AT = new Date("2026-01-31T09:30:00.000Z");
const report = (reason: string, more: object = {}) => ({ what: "hearing_failed", reason, agoMs: 0, ...more }) as const;

test("every kind has an effect in words, with and without how long it lasted", () => {
  for (const what of INCIDENT_KINDS) {
    for (const more of [{}, { totalMs: 12_300 }]) {
      const { added } = mergeIncident([], { what, reason: "it broke", agoMs: 0, ...more }, AT);
      expect(Incident.parse(added)).toMatchObject({ what, reason: "it broke", count: 1 });
      expect(added?.effect).toMatch(/^[A-Z0-9].*\.$/);
    }
  }
});

test("a repeated failure is counted, and its new details replace the old ones", () => {
  const first = mergeIncident([], report("it stopped"), AT);
  const again = mergeIncident(first.incidents, report("it stopped"), AT);
  const known = mergeIncident(again.incidents, report("it stopped", { totalMs: 12_000, isUpdate: true }), AT);
  expect(again.added).toBeNull();
  expect(known.incidents).toEqual([
    {
      at: AT.toISOString(),
      what: "hearing_failed",
      reason: "it stopped",
      effect: "We could not hear the callee for 12 seconds.",
      count: 2,
    },
  ]);
});

test("a failure names the turns in which it happened, each once, and an update adds none", () => {
  let incidents: readonly Incident[] = [];
  for (const turn of [2, 2, 5]) incidents = mergeIncident(incidents, report("it stopped", { turn }), AT).incidents;
  const update = report("it stopped", { turn: 6, totalMs: 12_000, isUpdate: true });
  incidents = mergeIncident(incidents, update, AT).incidents;
  expect(incidents).toMatchObject([{ count: 3, turns: [2, 5] }]);
});

test("a failure in every turn of a long call names the first turns, and counts all", () => {
  let incidents: readonly Incident[] = [];
  for (let turn = 1; turn <= 100; turn += 1)
    incidents = mergeIncident(incidents, report("it stopped", { turn }), AT).incidents;
  expect(Incident.parse(incidents[0])).toMatchObject({ count: 100 });
  expect(incidents[0]?.turns).toHaveLength(INCIDENT_TURNS_MAX);
});

test("a failure outside of turns names none", () => {
  expect(mergeIncident([], report("it stopped"), AT).added).not.toHaveProperty("turns");
});

test("a part that fails in ever new ways cannot fill the record", () => {
  let incidents: readonly Incident[] = [];
  for (let index = 0; index < 500; index += 1)
    incidents = mergeIncident(incidents, report(`reason ${index}`), AT).incidents;
  expect(incidents).toHaveLength(INCIDENTS_MAX);
  expect(incidents.reduce((sum, { count }) => sum + count, 0)).toBe(500);
});

test("a reason is never empty, too long or unprintable", () => {
  expect(mergeIncident([], report(" \u0000\n"), AT).added?.reason).toBe("no reason was given");
  expect(mergeIncident([], report("x".repeat(9_000)), AT).added?.reason).toHaveLength(300);
});

test("the final outcome is recorded with the last one", () => {
  const { incidents } = mergeIncident([], report("it stopped"), AT);
  expect(concludeIncidents(incidents, "The call was not charged.")[0]?.effect).toBe(
    "We could not hear the callee for a while. The call was not charged.",
  );
});

import { expect, test } from "vitest";
import { actorOf, changesOf, deedOf, objectOf } from "./audit-text.ts";

test("an entry names its actor, or describes them", () => {
  const by = (actor: string, actorName: string | null, action = "sign_in.succeeded") =>
    actorOf({ actor, actorName, action });
  expect(by("mem_1", "ada@example.com")).toBe("ada@example.com");
  expect(by("key_1", "Booking")).toBe("The key “Booking”");
  expect(by("mem_1", null)).toBe("A former member");
  expect(by("mem_9", null, "limits.changed")).toBe("An operator");
  expect(by("operator", null)).toBe("An operator");
  expect(by("service", null)).toBe("The service");
});

test("a change of settings is described as before and after, in words", () => {
  const data = {
    dailySpendCap: { from: null, to: "5.00" },
    callingHours: { from: { start: "09:00", end: "18:00" }, to: null },
    retentionDays: { from: null, to: { recordings: 30, transcripts: null, calls: 365 } },
  };
  expect(changesOf({ data })).toEqual([
    { name: "All calls in a day", from: "none", to: "5.00" },
    { name: "Calling hours", from: "09:00 to 18:00", to: "none" },
    { name: "Retention", from: "none", to: "recordings 30, transcripts none, calls 365" },
  ]);
});

test("thresholds of alerts and calling rules are described without the names of fields", () => {
  const thresholds = { answerRate: { from: null, to: { hours: 4, callsMin: 20, belowPercent: 50 } } };
  expect(changesOf({ data: thresholds })).toEqual([
    { name: "Answer rate", from: "none", to: "hours: 4, minimum number of calls: 20, below percent: 50" },
  ]);
  const before = { callsPerNumberAndDay: null, mayIgnoreCallingHours: false };
  const after = { callsPerNumberAndDay: 10, mayIgnoreCallingHours: true };
  expect(changesOf({ data: { from: before, to: after } })).toEqual([
    { name: "Calls to one number per day", from: "none", to: "10" },
    { name: "Calls can ignore calling hours", from: "no", to: "yes" },
  ]);
});

test("only changed limits are described", () => {
  const from = { concurrencyMax: 10, queuedMax: 5 };
  expect(changesOf({ data: { from, to: { ...from, queuedMax: 7 } } })).toEqual([
    { name: "Queued calls", from: "5", to: "7" },
  ]);
});

test("an action of a later release is described by its own name", () => {
  expect(deedOf({ action: "voice_clone.made" })).toEqual(["voice clone made", ""]);
  expect(objectOf({ action: "voice_clone.made", target: "vce_1", data: {} })).toBe("vce_1");
});

test("the object stands where a person would say it", () => {
  expect(deedOf({ action: "suppression.added" })).toEqual(["added", "to the suppression list"]);
  const imported = { action: "suppression.imported", target: "acc_1", data: { addedCount: 60 } };
  expect(objectOf(imported)).toBe("60 numbers");
});

test("rolling back names the agent and both versions", () => {
  const entry = {
    action: "agent.rolled_back",
    target: "agt_1",
    data: { name: "Reminder", version: { from: 2, to: 1 } },
  };
  expect([deedOf(entry)[0], objectOf(entry)]).toEqual(["rolled back the agent", "“Reminder”"]);
  expect(changesOf(entry)).toEqual([{ name: "Version that new calls use", from: "2", to: "1" }]);
});

test("what happened to an agent names it, and which version was published", () => {
  const entry = { action: "agent.published", target: "ver_1", data: { name: "Reminder", version: 3 } };
  expect([deedOf(entry)[0], objectOf(entry)]).toEqual(["published", "version 3 of “Reminder”"]);
  const deleted = { action: "agent.deleted", target: "agt_1", data: { name: "Reminder" } };
  expect([deedOf(deleted)[0], objectOf(deleted)]).toEqual(["deleted the agent", "“Reminder”"]);
  // Entries of earlier releases have only the id.
  expect(objectOf({ ...entry, data: {} })).toBe("ver_1");
});

test("a changed role names both roles, and is not a change of a setting", () => {
  const entry = {
    action: "member.role_changed",
    target: "mem_2",
    data: { email: "x@y.z", from: "member", to: "owner" },
  };
  expect(objectOf(entry)).toBe("x@y.z: member → owner");
  expect(changesOf(entry)).toEqual([]);
});

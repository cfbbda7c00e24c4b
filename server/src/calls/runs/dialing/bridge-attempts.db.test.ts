import { makeId } from "@parley/contract/ids";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { checkInvariants } from "../../../platform/checks/check-invariants.ts";
import { run } from "../../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../../platform/database/testing/test-database.ts";
import { commitEnd, commitTalking } from "../commits.ts";
import { LeaseLost, registerWorker } from "../lease/lease-store.ts";
import { setScene } from "../testing/call-scene.ts";
import { claimOwn } from "../testing/claim-own.ts";
import { addTrunk, countChannels } from "../testing/trunk-scene.ts";
import { readOpenAttempts } from "./attempt-store.ts";
import { commitAttempt, commitAttemptEnd, commitBridgeAttempt } from "./attempts.ts";

let t: TestDatabase;
const worker = makeId("worker");

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 100);
});
afterAll(() => t.close());

async function openTalk() {
  const scene = await setScene(t.db);
  const id = await scene.place("test");
  const call = await claimOwn(t.db, worker, id);
  const trunkId = await addTrunk(t.db, { channelsMax: 2 });
  const attempt = (name: string, record: object | null = { name }) => ({
    carrier: "sip",
    dialId: `${id}.${name}`,
    trunkId,
    record,
  });
  await commitAttempt(t.db, call, attempt("callee"));
  return { id, call, trunkId, attempt };
}

test("a second party is recorded beside the callee, so that ending the call ends both", async () => {
  const { id, call, trunkId, attempt } = await openTalk();
  await commitTalking(t.db, call, 0);
  expect(await commitBridgeAttempt(t.db, call, attempt("party"))).toMatchObject({ decision: "written" });
  expect((await readOpenAttempts(t.db, id)).map(({ record }) => record)).toEqual([
    { name: "party" },
    { name: "callee" },
  ]);
  expect(await countChannels(t.db, trunkId)).toBe(2);
  expect((await checkInvariants(t.db)).results.filter(({ total }) => total > 0)).toEqual([]);
  await commitEnd(t.db, call, {
    decision: { reason: "transferred", by: "callee", isOrderly: true },
    carrierName: "sip",
    leg: { type: "ended", cause: "hangup", code: null, reason: "", by: "callee" },
    wasSent: true,
    talkedMs: 1000,
    agoMs: 0,
  });
  expect(await readOpenAttempts(t.db, id)).toEqual([]);
  expect(await countChannels(t.db, trunkId)).toBe(0);
});

test("a repeated write changes nothing, and two parties never ring simultaneously", async () => {
  const { call, attempt, id } = await openTalk();
  await commitTalking(t.db, call, 0);
  await commitBridgeAttempt(t.db, call, attempt("party"));
  expect(await commitBridgeAttempt(t.db, call, attempt("party"))).toMatchObject({ decision: "written" });
  await expect(commitBridgeAttempt(t.db, call, attempt("other"))).rejects.toThrow("still under way");
  await commitAttemptEnd(t.db, `${id}.party`, { cause: "busy", code: 486, reason: "Busy Here" });
  expect(await commitBridgeAttempt(t.db, call, attempt("other"))).toMatchObject({ decision: "written" });
});

test("no party is dialed for a callee who has not answered, is being hung up on, or has another worker", async () => {
  const { call, attempt, id } = await openTalk();
  expect(await commitBridgeAttempt(t.db, call, attempt("party"))).toEqual({ decision: "refused" });
  await commitTalking(t.db, call, 0);
  await run(t.db, "update calls set hangup_requested_at = now() where id = $1", [id]);
  expect(await commitBridgeAttempt(t.db, call, attempt("party"))).toEqual({ decision: "refused" });
  await run(t.db, "update calls set fence = fence + 1 where id = $1", [id]);
  await expect(commitBridgeAttempt(t.db, call, attempt("party"))).rejects.toThrow(LeaseLost);
});

test("a trunk without a free channel is reported, and nothing is written", async () => {
  const { call, trunkId, attempt, id } = await openTalk();
  await commitTalking(t.db, call, 0);
  await run(t.db, "update trunk_channels set channels_max = 1 where trunk_id = $1", [trunkId]);
  expect(await commitBridgeAttempt(t.db, call, attempt("party"))).toEqual({ decision: "full" });
  expect(await readOpenAttempts(t.db, id)).toHaveLength(1);
});

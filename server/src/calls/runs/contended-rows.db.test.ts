import { makeId } from "@parley/contract/ids";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { askGate } from "./dialing/gate.ts";
import { registerWorker } from "./lease/lease-store.ts";
import { type Scene, setScene, simulatedGate } from "./testing/call-scene.ts";
import { end, writeAhead } from "./testing/simulated-steps.ts";
import { claimCalls } from "./worker/worker.ts";

/**
 * Calls of one account share rows: its balance and the day's spending (move_credit), and the lane that counts its active
 * calls (claim_waiting_calls, free_lane_slot). A transaction has them locked until its commit, so what it does after that is
 * what others wait for.
 */
let t: TestDatabase;
let scene: Scene;
const workerId = makeId("worker");
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  scene = await setScene(t.db);
  await registerWorker(t.db, workerId, 10);
});
afterAll(() => t.close());
afterEach(() => vi.restoreAllMocks());

/** What is sent to the database, and which replies arrive, by the names of the statements. */
function watchStatements(): string[] {
  const seen: string[] = [];
  const send = pg.Client.prototype.query as (...args: unknown[]) => Promise<unknown>;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [string | { readonly text: string }];
    const text = typeof config === "string" ? config : config.text;
    const name = /^\/\* ([a-z_]+) \*\//.exec(text)?.[1] ?? text.split(/[ ;]/)[0] ?? "";
    seen.push(name);
    const sent = send.apply(this, args);
    const note = () => seen.push(`reply to ${name}`);
    void sent.then(note, note);
    return sent as never;
  });
  return seen;
}

/** From a statement on to the commit of its transaction, without replies. */
function untilCommit(seen: readonly string[], name: string): string[] {
  const sent = seen.slice(seen.indexOf(name)).filter((each) => !each.startsWith("reply"));
  return sent.slice(0, sent.indexOf("commit") + 1);
}

test("a call has rows that others of its account need locked only for the last statements of its transactions", async () => {
  const seen = watchStatements();
  const id = await scene.place("live");
  expect(untilCommit(seen, "move_credit")).toEqual(["move_credit", "commit"]);

  const [claim] = await claimCalls(t.db, workerId, 1);
  if (claim?.call.id !== id) throw new Error("another call was claimed");
  const { call: claimed, listAndCredit } = claim;
  expect(untilCommit(seen, "claim_waiting_calls")).toEqual(["claim_waiting_calls", "commit"]);

  seen.length = 0;
  expect(await askGate(t.db, simulatedGate(), claimed)).toEqual({ decision: "allowed", call: claimed });
  // It was admitted when it was accepted, so nothing is locked, counted or written once more.
  expect(seen.filter((each) => !each.startsWith("reply"))).toEqual(["read_list_and_credit"]);

  // Nor is anything read once more that came with the claim.
  seen.length = 0;
  const asked = await askGate(t.db, simulatedGate(), claimed, listAndCredit);
  expect([asked.decision, seen]).toEqual(["allowed", []]);

  await writeAhead(t.db, claimed);
  expect(seen.filter((each) => !each.startsWith("reply"))).toEqual(["begin", "commit_first_attempt", "commit"]);
  expect(seen.slice(0, 3)).toEqual(["begin", "commit_first_attempt", "commit"]);
  seen.length = 0;
  await end(t.db, claimed, { reason: "busy", by: "callee", isOrderly: false });
  expect(untilCommit(seen, "move_credit")).toEqual(["move_credit", "free_lane_slot", "commit"]);
  // Sent at once: no reply is awaited while the balance is locked but the last.
  expect(seen.indexOf("free_lane_slot")).toBeLessThan(seen.indexOf("reply to move_credit"));
});

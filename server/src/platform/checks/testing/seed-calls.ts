import { makeId } from "@parley/contract/ids";
import type { CallRow } from "../../../calls/call-record.ts";
import { lockCall } from "../../../calls/call-store.ts";
import { commitRinging, commitTalking } from "../../../calls/runs/commits.ts";
import { endUnclaimed } from "../../../calls/runs/end.ts";
import { registerWorker } from "../../../calls/runs/lease/lease-store.ts";
import { extendHold } from "../../../calls/runs/talking/credit.ts";
import { type Scene, setScene } from "../../../calls/runs/testing/call-scene.ts";
import { claimOwn } from "../../../calls/runs/testing/claim-own.ts";
import { end, writeAhead } from "../../../calls/runs/testing/simulated-steps.ts";
import { type Database, inTransaction, run } from "../../database/database.ts";
import { runOnce } from "../../http/idempotency.ts";

const orderly = { reason: "callee_hangup", by: "callee", isOrderly: true } as const;

/** An account with calls in every state: finished, unanswered, canceled, live in four ways, waiting; in both modes. */
export interface SeededCalls {
  readonly scene: Scene;
  readonly workerId: string;
  readonly completed: string;
  readonly busy: string;
  readonly canceled: string;
  readonly talking: string;
  readonly ringing: string;
  readonly dialing: string;
  readonly claimed: string;
  readonly queued: string;
  readonly testCompleted: string;
}

export async function seedCalls(db: Database): Promise<SeededCalls> {
  const workerId = makeId("worker");
  await registerWorker(db, workerId, 100);
  const scene = await setScene(db);

  async function claim(mode: "test" | "live"): Promise<CallRow> {
    const id = await scene.place(mode);
    // The lane that waited longest is served first; other accounts may have calls waiting too.
    await run(db, "update waiting_lanes set served_at = '-infinity' where account_id = $1", [scene.accountId]);
    const call = await claimOwn(db, workerId, id);
    return call;
  }
  async function dial(mode: "test" | "live"): Promise<CallRow> {
    const call = await claim(mode);
    await writeAhead(db, call);
    return call;
  }
  async function complete(mode: "test" | "live"): Promise<string> {
    const call = await dial(mode);
    await commitRinging(db, call);
    await commitTalking(db, call, 0);
    await end(db, call, orderly, 61_000);
    return call.id;
  }

  const completed = await complete("live");
  const testCompleted = await complete("test");
  const unanswered = await dial("live");
  await end(db, unanswered, { reason: "busy", by: "callee", isOrderly: false });
  const canceled = await scene.place("live");
  await inTransaction(db, async (tx) => {
    const call = await lockCall(tx, scene.accountId, "live", canceled);
    if (call) await endUnclaimed(tx, call, "canceled", "api");
  });
  const talking = await dial("live");
  await commitTalking(db, talking, 0);
  await extendHold(db, talking.id, talking.fence);
  const ringing = await dial("live");
  await commitRinging(db, ringing);
  const dialing = await dial("test");
  const claimed = await claim("live");
  const queued = await scene.place("live");
  const repeatable = { accountId: scene.accountId, mode: "live", method: "POST", path: "/api/v1/calls" } as const;
  await runOnce(db, { ...repeatable, key: "seed", askedBy: "key" }, {}, async () => ({ data: { id: queued } }));
  return {
    scene,
    workerId,
    completed,
    busy: unanswered.id,
    canceled,
    talking: talking.id,
    ringing: ringing.id,
    dialing: dialing.id,
    claimed: claimed.id,
    queued,
    testCompleted,
  };
}

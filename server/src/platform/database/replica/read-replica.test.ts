import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { expect, test } from "vitest";
import type { Database } from "../database.ts";
import { watchReplica } from "./read-replica.ts";

const LAG_MAX_MS = 5000;

/** A database that writes 100 bytes per second, and a replica that has replayed as much as the test says. */
function openRig() {
  const clock = createVirtualClock();
  const db = { name: "database" } as unknown as Database;
  const replica = { name: "replica", destroy: async () => undefined } as unknown as Database;
  const replayed: { bytes: number | null } = { bytes: 0 };
  const changes: boolean[] = [];
  const watched = watchReplica({
    ...{ db, replica, lagMaxMs: LAG_MAX_MS, clock },
    onChange: (isUsed) => changes.push(isUsed),
    async readPosition(asked) {
      if (asked === db) return clock.now() / 10;
      if (replayed.bytes === null) throw new Error("connect ECONNREFUSED");
      return replayed.bytes;
    },
  });
  return {
    changes,
    replayed,
    isReadFrom: () => watched.current() === replica,
    /** Lets seconds pass, with the replica so many seconds behind. */
    async pass(seconds: number, behindSeconds: number | null) {
      for (let each = 0; each < seconds; each += 1) {
        if (behindSeconds !== null)
          replayed.bytes = Math.max(replayed.bytes ?? 0, (clock.now() + 1000) / 10 - behindSeconds * 100);
        await clock.advance(1000);
      }
    },
  };
}

test("a replica that keeps up is read, and one that falls behind is not until it has caught up", async () => {
  const rig = openRig();
  expect(rig.isReadFrom()).toBe(false);
  await rig.pass(3, 1);
  expect(rig.isReadFrom()).toBe(true);
  await rig.pass(10, 4);
  expect(rig.isReadFrom()).toBe(true);
  await rig.pass(10, 30);
  expect(rig.isReadFrom()).toBe(false);
  await rig.pass(2, 1);
  expect(rig.isReadFrom()).toBe(true);
  expect(rig.changes).toEqual([true, false, true]);
});

test("a replica that stops replaying is left before it is older than allowed, and one that is away at once", async () => {
  const rig = openRig();
  await rig.pass(3, 0);
  await rig.pass(LAG_MAX_MS / 1000 + 1, null);
  expect(rig.isReadFrom()).toBe(false);
  await rig.pass(3, 0);
  expect(rig.isReadFrom()).toBe(true);
  rig.replayed.bytes = null;
  await rig.pass(1, null);
  expect(rig.isReadFrom()).toBe(false);
});

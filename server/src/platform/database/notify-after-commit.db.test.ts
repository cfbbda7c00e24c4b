import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Database, inTransaction } from "./database.ts";
import { type Listener, listen } from "./listen.ts";
import { notifyAfterCommit, sendSoon } from "./notify-after-commit.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let t: TestDatabase;
let listener: Listener;
const heard: string[] = [];

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"), "empty");
  const listening = Promise.withResolvers<void>();
  listener = listen(t.url, ["parley_test"], (error) => listening.reject(error));
  listener.onReconnect(() => listening.resolve());
  await listening.promise;
  listener.on("parley_test", (payload) => heard.push(payload));
});
afterAll(async () => {
  await listener.close();
  await t.close();
});

/** Everything that was sent before has been heard when this returns. */
async function untilHeard(payload: string): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = listener.on("parley_test", (each) => each === payload && resolve());
  await inTransaction(t.db, async (tx) => notifyAfterCommit(tx, "parley_test", payload));
  await promise;
  stop();
  return heard.splice(0).filter((each) => each !== payload);
}

describe("a transaction", () => {
  test("notifies when it is committed, each payload once, and never when it is rolled back", async () => {
    await inTransaction(t.db, async (tx) => {
      notifyAfterCommit(tx, "parley_test", "one");
      await inTransaction(tx, async (same) => notifyAfterCommit(same, "parley_test", "two"));
      notifyAfterCommit(tx, "parley_test", "one");
    });
    const failing = inTransaction(t.db, async (tx) => {
      notifyAfterCommit(tx, "parley_test", "rolled back");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await untilHeard("end of the first test")).toEqual(["one", "two"]);
  });
});

test("what is asked for while a statement is under way is sent together, and a failure loses only what it carried", async () => {
  const sent: string[][] = [];
  const replies: PromiseWithResolvers<void>[] = [];
  const send = (due: readonly { payload: string }[]) => {
    sent.push(due.map(({ payload }) => payload));
    const reply = Promise.withResolvers<void>();
    replies.push(reply);
    return reply.promise;
  };
  // Not the pool of the test before, which may still wait for the reply to its last statement.
  const otherPool: Database = Object.create(t.db);
  const ask = (...payloads: string[]) =>
    sendSoon(otherPool, new Map(payloads.map((payload) => [payload, { channel: "c", payload }])), send);
  ask("a");
  ask("b", "c");
  ask("c", "d");
  expect(sent).toEqual([["a"]]);
  replies[0]?.reject(new Error("the database is away"));
  await expect.poll(() => sent).toEqual([["a"], ["b", "c", "d"]]);
  replies[1]?.resolve();
});

import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { followEvents } from "./follow-events.ts";
import { setWebhookScene, untilSo } from "./testing/webhook-scene.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => database.close());

test("a follower of an account sees its new events, each once, and none of other accounts", async () => {
  const [ours, theirs] = [await setWebhookScene(database.db), await setWebhookScene(database.db)];
  await ours.report();
  const clock = createVirtualClock();
  const end = new AbortController();
  const seen: string[] = [];
  let tell: () => void = () => undefined;
  let isReady = false;
  const following = followEvents(
    {
      db: database.db,
      clock,
      onChange(callback) {
        tell = callback;
        isReady = true;
        return () => undefined;
      },
    },
    { accountId: ours.accountId, mode: "test" },
    end.signal,
    (event) => void seen.push(event.id),
  );
  await untilSo(() => isReady);
  const wanted = [await ours.report(), await ours.report("call.failed")];
  await theirs.report();
  await ours.report("call.completed", "live");
  tell();
  await untilSo(() => seen.length >= 2);
  wanted.push(await ours.report("webhook.disabled"));
  await untilSo(() => clock.pendingTimers() > 0);
  tell();
  await untilSo(() => {
    tell();
    return seen.length >= 3;
  });
  end.abort();
  await following;
  expect(seen).toEqual(wanted);
  expect(clock.pendingTimers()).toBe(0);
});

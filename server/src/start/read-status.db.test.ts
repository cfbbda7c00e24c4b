import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { registerWorker } from "../calls/runs/lease/lease-store.ts";
import { setScene } from "../calls/runs/testing/call-scene.ts";
import { reportHeadroom } from "../calls/runs/worker/headroom/headroom-store.ts";
import { createTestDatabase, type TestDatabase } from "../platform/database/testing/test-database.ts";
import { createStatusReader } from "./read-status.ts";

let t: TestDatabase;
let nowMs = Date.now();
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
});
afterAll(() => t.close());

const statesOf = ({ status, parts }: Awaited<ReturnType<ReturnType<typeof createStatusReader>>>) => ({
  status,
  ...Object.fromEntries(parts.map(({ name, state }) => [name, state])),
});

test("the status follows what the installation does, and asks the database once in five seconds", async () => {
  const read = createStatusReader({ db: t.db, nowMs: () => nowMs, answersInTime: (answer) => answer });
  const works = { API: "works", Database: "works", Workers: "works", Queue: "works", Webhooks: "works" };
  expect(statesOf(await read())).toEqual({ ...works, status: "down", Workers: "down", Queue: "delayed" });

  await registerWorker(t.db, "wrk_one", 10);
  await reportHeadroom(t.db, "wrk_one", { held: 0, callsMax: 10, limit: null });
  expect(statesOf(await read()), "kept for a while").toMatchObject({ status: "down" });
  nowMs += 5000;
  expect(statesOf(await read())).toEqual({ ...works, status: "works" });

  await (await setScene(t.db)).place("test");
  await reportHeadroom(t.db, "wrk_one", { held: 10, callsMax: 10, limit: { because: "recognition_load" } });
  nowMs += 5000;
  expect(statesOf(await read())).toEqual({ ...works, status: "delayed", Queue: "delayed" });
});

test("without the database the status says so, and does not guess", async () => {
  const answersInTime = async (answer: Promise<unknown>) => {
    await answer;
    throw new Error("no answer");
  };
  const read = createStatusReader({ db: t.db, nowMs: () => nowMs, answersInTime });
  const unknown = { Workers: "unknown", Queue: "unknown", Webhooks: "unknown" };
  expect(statesOf(await read())).toEqual({ status: "down", API: "works", Database: "down", ...unknown });
});

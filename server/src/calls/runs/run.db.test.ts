import type { EndReason } from "@parley/contract/calls";
import { makeId } from "@parley/contract/ids";
import { createSimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { writeAheadOnce } from "../../phone/carriers/open-carriers.ts";
import { run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { createLog } from "../../platform/telemetry/log.ts";
import type { ClaimedCall } from "./deps.ts";
import { registerWorker } from "./lease/lease-store.ts";
import { CallRun } from "./run.ts";
import { type SceneOptions, setScene } from "./testing/call-scene.ts";
import { claimOwn } from "./testing/claim-own.ts";

let t: TestDatabase;
const worker = makeId("worker");

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await registerWorker(t.db, worker, 100);
});
afterAll(() => t.close());

interface Row {
  state: string;
  status: string;
  end_reason: string | null;
  ended_by: string | null;
  duration_seconds: number | null;
  held_micros: bigint;
  cost_micros: bigint | null;
}

/** A call on the simulated network, on a clock that the test moves. Writes happen in real time and are waited for. */
async function conduct(
  options: SceneOptions,
  fields: Record<string, unknown>,
  refusal: EndReason | null = null,
  claim: Omit<ClaimedCall, "call"> = { sendInMs: 0, listAndCredit: null },
) {
  const asked: unknown[] = [];
  const clock = createVirtualClock();
  const network = createSimulatedNetwork({ clock, audio: false });
  const scene = await setScene(t.db, options);
  const id = await scene.place("live", fields);
  const call = await claimOwn(t.db, worker, id);
  const callRun = new CallRun(
    {
      db: t.db,
      chooseCarrier: () => writeAheadOnce(network),
      clock,
      monotonicMs: () => clock.now(),
      log: createLog("silent"),
      async askGate(call, known) {
        asked.push(known);
        return refusal === null ? { decision: "allowed", call } : { decision: "refused", reason: refusal };
      },
      talk: null,
    },
    { call, ...claim },
  );
  const read = async (): Promise<Row> => {
    const [row] = await run<Row>(t.db, "select * from calls where id = $1", [id]);
    if (!row) throw new Error("the call is gone");
    return row;
  };
  /** Moves the clock on in small steps and gives the writes real time in between, until the row is as wanted. */
  const moveUntil = async (isWanted: (row: Row) => boolean, stepMs: number, stepsMax: number): Promise<Row> => {
    for (let step = 0; step < stepsMax; step += 1) {
      const row = await read();
      if (isWanted(row)) return row;
      await clock.advance(stepMs);
      await t.untilIdle();
    }
    throw new Error(
      `never as wanted: ${JSON.stringify(await read(), (_, value) => (typeof value === "bigint" ? String(value) : value))}`,
    );
  };
  return { id, scene, clock, network, asked, callRun, read, moveUntil };
}

describe("a run on the simulated network", () => {
  test("holds more credit while the callee talks, and is charged for the talk time", async () => {
    const { moveUntil, callRun } = await conduct({}, { phoneNumber: "+15550100009", maxDurationSeconds: 300 });
    await moveUntil((row) => row.state === "talking", 200, 100);
    const grown = await moveUntil((row) => row.held_micros > 60_000n, 1000, 90);
    expect(grown.held_micros).toBe(90_000n);
    const ended = await moveUntil((row) => row.state === "ended", 1000, 400);
    await callRun.finished;
    expect(ended).toMatchObject({
      status: "completed",
      end_reason: "max_duration",
      duration_seconds: 300,
      cost_micros: 150_000n,
    });
  });

  test("is cut politely when the credit ends, and never costs more than was held", async () => {
    const { moveUntil, callRun, scene } = await conduct(
      { creditMicros: 65_000n },
      { phoneNumber: "+15550100009", maxDurationSeconds: 600 },
    );
    const ended = await moveUntil((row) => row.state === "ended", 1000, 300);
    await callRun.finished;
    expect(ended).toMatchObject({
      status: "completed",
      end_reason: "insufficient_credit",
      ended_by: "service",
      duration_seconds: 120,
      cost_micros: 60_000n,
    });
    const [balance] = await run<{ available_micros: bigint; held_micros: bigint }>(
      t.db,
      "select * from account_balances where account_id = $1",
      [scene.accountId],
    );
    expect(balance).toMatchObject({ available_micros: 5000n, held_micros: 0n });
  });

  test("that the gate refuses at the last moment is not dialed and costs nothing", async () => {
    const { moveUntil, network, callRun } = await conduct({}, {}, "suppressed");
    const ended = await moveUntil((row) => row.state === "ended", 100, 100);
    await callRun.finished;
    expect(ended).toMatchObject({ status: "failed", end_reason: "suppressed", cost_micros: 0n });
    expect(network.dialed()).toHaveLength(0);
  });

  test.each([
    ["is judged by what was read with its claim when it is sent at once", 0],
    ["is judged by the latest when it had to wait for its turn", 500],
  ])("%s", async (_title, sendInMs) => {
    const read = { isSuppressed: false, availableMicros: 7n };
    const { moveUntil, asked, callRun } = await conduct({}, {}, "suppressed", { sendInMs, listAndCredit: read });
    await moveUntil((row) => row.state === "ended", 100, 100);
    await callRun.finished;
    expect(asked).toEqual([sendInMs === 0 ? read : null]);
  });

  test("leaves no timer behind", async () => {
    const { moveUntil, clock, callRun, network } = await conduct({}, { phoneNumber: "+15550100001" });
    await moveUntil((row) => row.state === "ended", 500, 100);
    await callRun.finished;
    await network.close();
    expect(clock.pendingTimers()).toBe(0);
  });

  test("whose lease was lost hangs the leg up and writes nothing more", async () => {
    const { moveUntil, callRun, network, read, id } = await conduct({}, { phoneNumber: "+15550100009" });
    await moveUntil((row) => row.state === "talking", 200, 100);
    callRun.dispatch({ type: "lease.lost" });
    await callRun.finished;
    expect(network.counts().live).toBe(0);
    expect(await read()).toMatchObject({ state: "talking" });
    await run(t.db, "update call_runs set lease_expires_at = now() - interval '1 second' where call_id = $1", [id]);
  });
});

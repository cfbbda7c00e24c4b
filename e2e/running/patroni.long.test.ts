import { setTimeout as sleep } from "node:timers/promises";
import { fetchReport } from "@parley/telephony/simulated-network/fetch-report";
import { afterAll, expect, test } from "vitest";
import { type PlannedCall, planChaos } from "../chaos/chaos-plan.ts";
import { checkClients } from "../chaos/chaos-run.ts";
import { checkProcesses } from "../chaos/check-processes.ts";
import { checkRun } from "../chaos/check-run.ts";
import { countUnfinished, readFinalCalls } from "../chaos/final-calls.ts";
import { openInstallation } from "../chaos/installation.ts";
import { startLoad } from "../chaos/load.ts";
import { PlanClock } from "../chaos/plan-clock.ts";
import { ask, until } from "../harness/api-client.ts";
import { type PatroniCluster, startPatroni } from "../harness/patroni.ts";
import { Scene } from "../harness/scene.ts";

const SIZE = { seed: 3157853134, calls: 500, seconds: 80, apis: 2, workers: 2 };
/** Before it and after it there are calls to compare with, and at this moment many more, so that it dies while they are saved. */
const KILL_AT_MS = 15_000;
const BURST = 60;
const OPEN_AT_KILL = 20;

let scene: Scene;
let cluster: PatroniCluster;
afterAll(() => scene?.close());

function planCalls(): PlannedCall[] {
  const { calls } = planChaos(SIZE);
  const atKill = calls.findIndex(({ atMs }) => atMs >= KILL_AT_MS);
  return calls.map((call, index) => (index >= atKill && index < atKill + BURST ? { ...call, atMs: KILL_AT_MS } : call));
}

/** Asks every 200 ms whether a process is ready, and returns for how long it was not. */
function watchReadiness(url: string) {
  const changes: { readonly isReady: boolean; readonly atMs: number }[] = [];
  const stopped = new AbortController();
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const { status } = await ask(url, "/readyz");
      const isReady = status === 200;
      if (changes.at(-1)?.isReady !== isReady) changes.push({ isReady, atMs: performance.now() });
      await sleep(200);
    }
  })();
  return {
    async stop(): Promise<number> {
      stopped.abort();
      await watching;
      return changes.reduce((sum, { isReady, atMs }, index) => {
        const endMs = changes[index + 1]?.atMs ?? performance.now();
        return isReady ? sum : sum + endMs - atMs;
      }, 0);
    },
  };
}

test("when the machine of the leader dies under load, no accepted call is lost and none is dialed twice", async () => {
  scene = await Scene.open("none");
  cluster = await startPatroni(scene.folder);
  const installation = await openInstallation({ ...SIZE, speed: 4, databaseUrl: cluster.url });
  try {
    const clock = new PlanClock(1);
    const load = startLoad(installation, planCalls(), clock);
    const readiness = watchReadiness(installation.apiUrls[0]);
    const old = await cluster.untilComplete(2);
    await clock.until(KILL_AT_MS);
    while (load.openRequests(null) < OPEN_AT_KILL) await sleep(1);
    const openAtKill = load.openRequests(null);
    const acceptedBefore = load.histories.filter(({ callIds }) => callIds.size > 0).length;
    cluster.killNode(old);
    const killedAtMs = performance.now();
    const next = await until(cluster.readLeader, (name) => name !== null && name !== old, 120_000);
    const promotedMs = performance.now() - killedAtMs;
    cluster.startNode(old);
    await load.finished;
    const awayMs = await readiness.stop();
    // The dead machine follows the new leader, and everything that was begun ends.
    expect(await cluster.untilComplete(2)).toBe(next);
    await until(
      () => countUnfinished(installation.db),
      (count) => count === 0,
      120_000,
    );
    const network = await until(
      () => fetchReport(installation.network.host, installation.network.port),
      ({ counts }) => counts.live === 0,
      30_000,
    );
    const violations = [
      ...(await checkRun({ db: installation.db, network, histories: load.histories, pausedMs: new Map() })),
      ...checkClients(load),
      ...checkProcesses(installation.members),
    ];
    const calls = await readFinalCalls(installation.db);
    const unknown = load.histories.flatMap(({ answers }) =>
      answers.filter((answer) => answer.kind === "reply" && answer.status === 500),
    );
    console.log(
      [
        `leader ${old} killed with ${acceptedBefore} calls accepted and ${openAtKill} requests open; ${next} leads ${Math.round(promotedMs)} ms later`,
        `not ready for ${Math.round(awayMs)} ms`,
        `replies: ${[...load.replies].map(([reply, count]) => `${reply} ${count}`).join(", ")}`,
        `calls: ${calls.length}, dialed: ${network.records.length}, ends: ${JSON.stringify(
          Object.fromEntries(
            Map.groupBy(calls, ({ endReason }) => endReason ?? "none")
              .entries()
              .map(([reason, each]) => [reason, each.length]),
          ),
        )}`,
        `outcome unknown to the client: ${unknown.length}`,
      ].join("\n"),
    );
    expect(violations).toEqual([]);
    expect(acceptedBefore).toBeGreaterThan(0);
    expect(load.replies.get("503 unavailable")).toBeGreaterThan(0);
  } catch (error) {
    console.log(cluster.logs());
    throw error;
  } finally {
    await installation.close();
  }
}, 900_000);

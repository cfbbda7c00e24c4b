import type { Goal } from "../goals.ts";
import { type LoadResult, load, type Shot } from "../load.ts";
import { isQuick } from "../quick.ts";
import { median, percentile } from "../statistics.ts";
import { type Scene, setScene } from "./scene.ts";

const ACCOUNTS = isQuick ? 3 : 50;
const CONNECTIONS = 50;
const REQUESTS = isQuick ? 60 : 2000;
const ROUNDS = isQuick ? 1 : 3;

/** Charged calls over 50 connections: of one account, whose requests all need the same balance, and of 50 accounts. */
export async function compareCrowdedAccounts(port: number, url: string): Promise<Goal[]> {
  const scenes: Scene[] = [];
  for (let count = 0; count < ACCOUNTS; count += 1) scenes.push(await setScene(url));
  const sides = [
    { name: "1 account", scenes: scenes.slice(0, 1), results: [] as LoadResult[] },
    { name: `${ACCOUNTS} accounts`, scenes, results: [] as LoadResult[] },
  ];
  for (const side of sides) await load(port, CONNECTIONS, CONNECTIONS, (index) => shot(side.scenes, index));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const result = await load(port, REQUESTS, CONNECTIONS, (index) => shot(side.scenes, index));
      if (result.failures > 0) throw new Error(`${side.name}: ${result.failures} requests failed`);
      side.results.push(result);
    }
  }
  console.log(`\nPOST /api/v1/calls of charged calls, ${CONNECTIONS} connections, median of interleaved rounds`);
  const [one, many] = sides.map(({ name, results }) => {
    const p99 = median(results.map(({ latenciesMs }) => percentile(latenciesMs, 99)));
    const p50 = median(results.map(({ latenciesMs }) => percentile(latenciesMs, 50)));
    const perSecond = median(results.map(({ requests, seconds }) => requests / seconds));
    console.log(
      `  ${name.padEnd(12)} p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${perSecond.toFixed(0)} accepted a second`,
    );
    return { p99, perSecond };
  });
  return [
    { name: "one_account_p99_ratio", value: (one?.p99 ?? 0) / (many?.p99 ?? 0), max: 2, unit: "x" },
    { name: "one_account_accepted_per_second", value: one?.perSecond ?? 0, min: 250 },
  ];
}

function shot(scenes: readonly Scene[], index: number): Shot {
  const scene = scenes[index % scenes.length];
  if (!scene) throw new Error("no account");
  return {
    method: "POST",
    path: "/api/v1/calls",
    headers: { authorization: `Bearer ${scene.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      phoneNumber: "+15550100001",
      agentId: scene.agentId,
      engine: "local",
      callingHours: "ignore",
    }),
  };
}

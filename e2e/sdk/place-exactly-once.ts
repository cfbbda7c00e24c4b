import { join } from "node:path";
import { createRandom } from "@parley/audio/testing/random";
import { Parley } from "@parley/sdk";
import { until } from "../harness/api-client.ts";
import { openApiWorld } from "../harness/api-world.ts";
import { chooseSeed } from "../harness/choose-seed.ts";
import { REPOSITORY, readFirstRun } from "../harness/service-process.ts";
import { openFaultyProxy } from "./faulty-proxy.ts";
import { PYTHON } from "./install-sdks.ts";
import { runProgram } from "./run-program.ts";

interface Placing {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly agentId: string;
  /** Calls with the `metadata` `{"n": "<language> 0"}`, `{"n": "<language> 1"}`, ... */
  readonly count: number;
}

const SDKS = { TypeScript: placeWithTypeScript, Python: placeWithPython };

export interface ExactlyOnceOptions {
  /** Used at the same time. */
  readonly languages: readonly (keyof typeof SDKS)[];
  /** Of each language. */
  readonly count: number;
  /** How often the service is killed and started again. */
  readonly kills: number;
}

export interface ExactlyOnceResult {
  /** What the SDKs returned: the ids of the calls by their `n`, as lists of one id each. */
  readonly returned: ReadonlyMap<string, readonly string[]>;
  /** The ids that the service has, by the `n` of the call. */
  readonly placed: ReadonlyMap<string, readonly string[]>;
  readonly faults: Readonly<Record<string, number>>;
}

/** Places calls through a network that loses requests and replies, to a service that is killed now and then. */
export async function placeExactlyOnce({ languages, count, kills }: ExactlyOnceOptions): Promise<ExactlyOnceResult> {
  const seed = chooseSeed(process.env["SDK_SEED"]);
  console.log(`faults from SDK_SEED=${seed}`);
  const random = createRandom(seed);
  const world = await openApiWorld();
  try {
    const first = await world.start();
    const { key: apiKey, agentId } = await readFirstRun(first);
    const proxy = await openFaultyProxy(first.port, random.next);
    const placing = Promise.all(
      languages.map(async (language) => {
        const ids = await SDKS[language]({ baseUrl: proxy.url, apiKey, agentId, count });
        return ids.map((id, n): [string, string[]] => [`${language} ${n}`, [id]]);
      }),
    );
    let isPlaced = false;
    const placed = placing.finally(() => {
      isPlaced = true;
    });
    // Awaited below, after the kills.
    placed.catch(() => undefined);
    let service = first;
    for (let kill = 1; kill <= kills; kill += 1) {
      const many = Math.floor((count * languages.length * kill) / (kills + 1));
      await until(
        async () => isPlaced || proxy.counts.none >= many,
        (isTime) => isTime,
        300_000,
      );
      await service.end("SIGKILL");
      service = await world.start({}, first.port);
    }
    const returned = new Map((await placed).flat());
    await proxy.close();
    const parley = new Parley({ baseUrl: service.url, apiKey });
    const byNumber = new Map<string, string[]>();
    for await (const call of parley.calls.list({ limit: 100 })) {
      const n = call.metadata["n"] ?? "";
      byNumber.set(n, [...(byNumber.get(n) ?? []), call.id]);
    }
    return { returned, placed: byNumber, faults: proxy.counts };
  } finally {
    await world.close();
  }
}

/** With the TypeScript SDK, in this process. */
async function placeWithTypeScript({ baseUrl, apiKey, agentId, count }: Placing): Promise<string[]> {
  const parley = new Parley({ baseUrl, apiKey, maxRetries: 60, deadlineMs: 300_000, timeoutMs: 10_000 });
  const ids: string[] = [];
  let next = 0;
  const placeNext = async (): Promise<void> => {
    while (next < count) {
      const n = next;
      next += 1;
      const call = await parley.calls.create({
        phoneNumber: "+15550100001",
        agentId,
        metadata: { n: `TypeScript ${n}` },
      });
      ids[n] = call.id;
    }
  };
  await Promise.all(Array.from({ length: 20 }, placeNext));
  return ids;
}

/** With the Python SDK, as it is in this repository. */
async function placeWithPython({ baseUrl, apiKey, agentId, count }: Placing): Promise<string[]> {
  const program = join(REPOSITORY, "e2e/sdk/packed/use_sdk.py");
  const printed = await runProgram(PYTHON, ["-B", program, String(count)], {
    cwd: REPOSITORY,
    env: {
      PYTHONPATH: join(REPOSITORY, "sdk/python/src"),
      PARLEY_URL: baseUrl,
      PARLEY_API_KEY: apiKey,
      AGENT_ID: agentId,
    },
  });
  return JSON.parse(printed) as string[];
}

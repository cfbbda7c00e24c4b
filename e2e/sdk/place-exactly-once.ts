import { createRandom } from "@parley/audio/testing/random";
import { Parley } from "@parley/sdk";
import { until } from "../harness/api-client.ts";
import { openApiWorld } from "../harness/api-world.ts";
import { chooseSeed } from "../harness/choose-seed.ts";
import { readFirstRun } from "../harness/service-process.ts";
import { openFaultyProxy } from "./faulty-proxy.ts";

export interface Placing {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly agentId: string;
  /** Calls with the `metadata` `{"n": "0"}`, `{"n": "1"}`, ... */
  readonly count: number;
}

export interface ExactlyOnceOptions {
  readonly count: number;
  /** How often the service is killed and started again. */
  readonly kills: number;
  /** Places the calls with an SDK and returns their ids, by their number. */
  place(placing: Placing): Promise<readonly string[]>;
}

export interface ExactlyOnceResult {
  /** The ids that the SDK returned. */
  readonly returned: readonly string[];
  /** The ids that the service has, by the number of the call. */
  readonly placed: ReadonlyMap<string, readonly string[]>;
  readonly faults: Readonly<Record<string, number>>;
}

/** Places calls through a network that loses requests and replies, to a service that is killed now and then. */
export async function placeExactlyOnce({ count, kills, place }: ExactlyOnceOptions): Promise<ExactlyOnceResult> {
  const seed = chooseSeed(process.env["SDK_SEED"]);
  console.log(`faults from SDK_SEED=${seed}`);
  const random = createRandom(seed);
  const world = await openApiWorld();
  try {
    const first = await world.start();
    const { key: apiKey, agentId } = await readFirstRun(first);
    const proxy = await openFaultyProxy(first.port, random.next);
    const placing = place({ baseUrl: proxy.url, apiKey, agentId, count });
    let isPlaced = false;
    const placed = placing.finally(() => {
      isPlaced = true;
    });
    // Awaited below, after the kills.
    placed.catch(() => undefined);
    let service = first;
    for (let kill = 1; kill <= kills; kill += 1) {
      const many = Math.floor((count * kill) / (kills + 1));
      await until(
        async () => isPlaced || proxy.counts.none >= many,
        (isTime) => isTime,
        300_000,
      );
      await service.end("SIGKILL");
      service = await world.start({}, first.port);
    }
    const returned = await placed;
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
export async function placeWithTypeScript({ baseUrl, apiKey, agentId, count }: Placing): Promise<string[]> {
  const parley = new Parley({ baseUrl, apiKey, maxRetries: 60, deadlineMs: 300_000, timeoutMs: 10_000 });
  const ids: string[] = [];
  let next = 0;
  const placeNext = async (): Promise<void> => {
    while (next < count) {
      const n = next;
      next += 1;
      const call = await parley.calls.create({ phoneNumber: "+15550100001", agentId, metadata: { n: String(n) } });
      ids[n] = call.id;
    }
  };
  await Promise.all(Array.from({ length: 20 }, placeNext));
  return ids;
}

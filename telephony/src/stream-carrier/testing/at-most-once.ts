import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeededRandom } from "@parley/audio/seeded-random";
import type { Clock } from "@parley/time/clock";
import { afterAll, describe, expect, it } from "vitest";
import type { Carrier } from "../../carrier.ts";
import { createSimulatedNetwork } from "../../simulated-network/simulated-network.ts";
import type { CreateFault } from "./create-fault.ts";
import type { CreateWorkerOrder } from "./create-worker.ts";
import { createFastClock } from "./fast-clock.ts";

/** A stand-in for a vendor, as the count needs it. */
interface CountedVendor {
  readonly url: string;
  readonly createRequests: number;
  readonly calls: readonly { readonly to: string }[];
  close(): Promise<void>;
}

export interface AtMostOnceOptions {
  readonly name: string;
  /** The script that runs `runCreateWorker`. */
  readonly worker: string;
  openVendor(
    clock: Clock,
    network: Carrier,
    onCreate: (to: string, ordinal: number) => CreateFault | null,
  ): Promise<CountedVendor>;
}

/** `npm run test:all` runs it at length. */
const CREATES = process.env["PARLEY_TESTS_THOROUGH"] === "1" ? 1_500 : 300;
/** A busy machine needs a third of a second for each. */
const TIMEOUT_MS = Math.max(300_000, CREATES * 600);
const KILLS = Math.floor(CREATES / 120);
/** Fewer requests than numbers are certain: those that were written before a kill and not sent are not sent later. */
const KILL_EVERY = 100;
const SEED = 20_261_116;
/** The shares of the faults; the rest succeeds. */
const FAULTS: readonly (readonly [share: number, fault: CreateFault])[] = [
  [0.12, "drop_reply"],
  [0.12, "error_after_dial"],
  [0.03, "malformed_reply"],
  [0.03, "drop_request"],
  [0.03, "error_before_dial"],
  [0.05, "too_many_requests"],
  [0.05, { lateReplyMs: 6_000 }],
];

/** Every number has a line that is busy, so that a call ends by itself. */
const NUMBERS = Array.from({ length: CREATES }, (_, index) => `+1555${String(index).padStart(4, "0")}0002`);

interface Count {
  readonly requests: number;
  readonly kills: number;
  /** How many numbers were dialed never, once and more than once. */
  readonly never: number;
  readonly once: number;
  readonly doubles: number;
}

/** Lets one kind of client call every number, through faults and kills at the same requests. */
async function run(options: AtMostOnceOptions, folder: string, kind: CreateWorkerOrder["kind"]): Promise<Count> {
  const random = createSeededRandom(SEED);
  const clock = createFastClock(40);
  const network = createSimulatedNetwork({ clock, audio: false, speed: 1 });
  const faults = new Map(NUMBERS.map((to) => [to, chooseFault(random())]));
  // One in each stretch of requests, at a random place.
  const killAt = new Set(Array.from({ length: KILLS }, (_, index) => 1 + Math.floor((index + random()) * KILL_EVERY)));
  let child: ChildProcess | null = null;
  let kills = 0;
  const vendor = await options.openVendor(clock, network, (to, ordinal) => {
    // Between write-ahead and reply: the request is here, and the reply will not be read.
    if (killAt.delete(ordinal)) {
      kills += 1;
      child?.kill("SIGKILL");
    }
    // A number that is requested again is healthy, so that even a client that retries ends.
    const fault = faults.get(to) ?? null;
    faults.delete(to);
    return fault;
  });
  const orderPath = join(folder, `${kind}.json`);
  const order: CreateWorkerOrder = {
    kind,
    vendorUrl: vendor.url,
    journalPath: join(folder, `${kind}.journal`),
    numbers: NUMBERS,
  };
  writeFileSync(orderPath, JSON.stringify(order));
  let exitCode: number | null = null;
  while (exitCode === null) {
    child = spawn(process.execPath, [options.worker, orderPath], { stdio: ["ignore", "ignore", "inherit"] });
    [exitCode] = (await once(child, "exit")) as [number | null];
  }
  expect(exitCode).toBe(0);
  const dialed = new Map<string, number>();
  for (const { to } of vendor.calls) dialed.set(to, (dialed.get(to) ?? 0) + 1);
  const count = {
    requests: vendor.createRequests,
    kills,
    never: NUMBERS.filter((to) => !dialed.has(to)).length,
    once: NUMBERS.filter((to) => dialed.get(to) === 1).length,
    doubles: NUMBERS.filter((to) => (dialed.get(to) ?? 0) > 1).length,
  };
  console.log(
    `${options.name}, ${kind} client: ${CREATES} numbers, ${count.requests} requests, ${kills} kills; dialed once ${count.once}, ` +
      `never ${count.never}, more than once ${count.doubles}`,
  );
  await vendor.close();
  await network.close();
  return count;
}

function chooseFault(at: number): CreateFault | null {
  let share = 0;
  for (const [width, fault] of FAULTS) {
    share += width;
    if (at < share) return fault;
  }
  return null;
}

/** Counts how often phones ring through dropped replies, errors after dialing and killed clients. */
export function describeAtMostOnce(options: AtMostOnceOptions): void {
  describe(`many calls over ${options.name}, with lost replies and killed clients`, { timeout: TIMEOUT_MS }, () => {
    const folder = mkdtempSync(join(tmpdir(), "parley-creates-"));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it("dials no number twice", async () => {
      const count = await run(options, folder, "careful");
      expect(count).toMatchObject({ doubles: 0, kills: KILLS });
      expect(count.requests).toBeLessThanOrEqual(CREATES);
      expect(count.once + count.never).toBe(CREATES);
      // What was never dialed was refused, lost on the way, or in flight at a kill.
      expect(count.never).toBeLessThan(CREATES * 0.2);
    });

    it("would dial many twice with a client that retries", async () => {
      const count = await run(options, folder, "naive");
      expect(count.kills).toBe(KILLS);
      expect(count.doubles).toBeGreaterThan(CREATES * 0.2);
    });
  });
}

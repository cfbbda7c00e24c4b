import { setTimeout as sleep } from "node:timers/promises";
import { fetchReport } from "@parley/telephony/simulated-network/fetch-report";
import { ask, until } from "../harness/api-client.ts";
import { checkProcesses } from "./check-processes.ts";
import { checkRun, type Violation } from "./check-run.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { mountSmallDisk } from "./small-disk.ts";
import { placeCalls, startSteadyCalls } from "./steady-calls.ts";
import { expectReason, untilEnded } from "./steady-scenes.ts";

export interface DiskFullOptions {
  readonly calls: number;
  /** How long the disk stays full, from the first request that was refused for it. */
  readonly fullMs: number;
  say(line: string): void;
}

const DISK_MIB = 256;
const NEW_CALLS = 4;
const WITHIN_MS = 180_000;
const LOOK_MS = 250;
const BUSY_PERSON = "0002";

/** Fills the disk of the database during live calls, and frees it again. */
export async function runDiskFull({ calls: count, fullMs, say }: DiskFullOptions): Promise<Violation[]> {
  const disk = await mountSmallDisk(DISK_MIB);
  const installation = await openInstallation({ apis: 1, workers: 2, speed: 1, isCuttable: true, folder: disk });
  try {
    const steady = await startSteadyCalls(installation, count);
    await disk.fill();
    const refusals = await askUntilRefused(installation);
    await sleep(fullMs);
    const whileFull = await steady.countOnTheLine();
    await disk.makeRoom();
    const ids = await placeCalls(installation, NEW_CALLS, BUSY_PERSON);
    const ended = await untilEnded(installation, ids);
    const afterwards = await steady.countOnTheLine();
    say(
      `the disk of the database is full: ${whileFull} of ${count} on the line, ${afterwards} when there was room again`,
    );
    await steady.hangUp();
    const all = await untilEnded(installation, null);
    const { host, port } = installation.network;
    const evidence = { db: installation.db, histories: [], pausedMs: new Map<number, number>() };
    return [
      ...refusals,
      ...expectReason(ended, "busy"),
      ...expectReason(
        all.filter(({ id }) => steady.ids.includes(id)),
        "api_hangup",
      ),
      ...(await checkRun({ ...evidence, network: await fetchReport(host, port) })),
      ...checkProcesses(installation.members),
    ];
  } finally {
    await installation.close();
  }
}

/** What a client gets while the disk is full: a request to retry, and nothing else. */
async function askUntilRefused({ apiUrls, keys, agentId }: Installation): Promise<Violation[]> {
  const body = { phoneNumber: `+1555100${BUSY_PERSON}`, agentId, engine: "local", callingHours: "ignore" };
  const reply = await until(
    async () => {
      await sleep(LOOK_MS);
      return ask(apiUrls[0], "/api/v1/calls", { key: keys.live, body });
    },
    ({ status }) => status !== 200,
    WITHIN_MS,
  );
  if (reply.status === 503 && reply.body.error?.retryable === true) return [];
  return [{ rule: "a full disk is not reported as a retryable error", detail: JSON.stringify(reply) }];
}

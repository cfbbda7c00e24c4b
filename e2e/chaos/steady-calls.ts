import { fetchReport } from "@parley/telephony/simulated-network/fetch-report";
import { ask, until } from "../harness/api-client.ts";
import type { Installation } from "./installation.ts";

/** Calls to people who stay on the line, until we hang up on them. */
export interface SteadyCalls {
  readonly ids: readonly string[];
  /** How many of them the network still has on the line. */
  countOnTheLine(): Promise<number>;
  /** Hangs up on all of them, and returns when that began, in milliseconds since 1970. */
  hangUp(): Promise<number>;
}

const WITHIN_MS = 90_000;
const SILENT_PERSON = "0009";

/** Sends a request until an api process accepts it: one that is starting refuses, one without a database says 503. */
async function insist(installation: Installation, path: string, body: unknown): Promise<{ id: string }> {
  const { apiUrls, keys } = installation;
  let turn = 0;
  const key = `steady-${crypto.randomUUID()}`;
  const reply = await until(
    () => {
      turn += 1;
      const url = apiUrls[turn % apiUrls.length] ?? apiUrls[0];
      const headers = { "idempotency-key": key };
      return ask(url, path, { method: "POST", key: keys.live, headers, ...(body ? { body } : {}) }).catch(() => null);
    },
    (seen) => seen?.status === 200,
    WITHIN_MS,
  );
  return reply?.body.data as { id: string };
}

export async function placeCalls(installation: Installation, count: number, lastDigits: string): Promise<string[]> {
  const place = async (_: unknown, index: number) => {
    const phoneNumber = `+1555${100 + index}${lastDigits}`;
    const { agentId } = installation;
    const body = { phoneNumber, agentId, engine: "local", maxDurationSeconds: 3_600, callingHours: "ignore" };
    return (await insist(installation, "/api/v1/calls", body)).id;
  };
  return Promise.all(Array.from({ length: count }, place));
}

/** The states of the network's legs of these calls, by call. */
export async function readLegs({ network }: Installation, ids: readonly string[]) {
  const { records } = await fetchReport(network.host, network.port);
  const wanted = new Set(ids);
  return records.filter(({ callId }) => wanted.has(callId));
}

export async function startSteadyCalls(installation: Installation, count: number): Promise<SteadyCalls> {
  const ids = await placeCalls(installation, count, SILENT_PERSON);
  const countOnTheLine = async () =>
    (await readLegs(installation, ids)).filter(({ states }) => states.at(-1)?.name === "talking").length;
  await until(countOnTheLine, (talking) => talking === count, WITHIN_MS);
  return {
    ids,
    countOnTheLine,
    async hangUp() {
      const atMs = Date.now();
      await Promise.all(ids.map((id) => insist(installation, `/api/v1/calls/${id}/hangup`, null)));
      return atMs;
    },
  };
}

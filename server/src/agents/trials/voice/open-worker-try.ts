import { request } from "node:http";
import type { Duplex } from "node:stream";
import { AppError } from "@parley/contract/errors";
import { type Vouch, writeInternalToken } from "../../../calls/live/listening/internal-token.ts";

export interface ReachableWorker {
  readonly worker_id: string;
  readonly internal_url: string;
}

export interface WorkerTryDeps {
  readonly vouch: Vouch;
  nowMs(): number;
}

/** A worker of the same installation answers immediately or is not running. */
const ANSWER_WITHIN_MS = 1_500;

/** Connects with the first of these workers that takes a try. Throws `unavailable` when none does. */
export async function openWorkerTry(deps: WorkerTryDeps, workers: readonly ReachableWorker[]): Promise<Duplex> {
  for (const worker of workers) {
    const socket = await ask(deps, worker);
    if (socket !== null) return socket;
  }
  throw new AppError("unavailable", "No process that holds conversations can be reached.", { retryAfterSeconds: 5 });
}

function ask(
  { vouch, nowMs }: WorkerTryDeps,
  { worker_id: workerId, internal_url }: ReachableWorker,
): Promise<Duplex | null> {
  const token = writeInternalToken(vouch, { workerId, method: "GET", path: TRY_PATH }, nowMs());
  return new Promise((resolve) => {
    const asking = request(`${internal_url}${TRY_PATH}`, {
      agent: false,
      headers: { authorization: `Bearer ${token}`, connection: "Upgrade", upgrade: TRY_PROTOCOL },
    });
    asking.setTimeout(ANSWER_WITHIN_MS, () => asking.destroy());
    asking.once("error", () => resolve(null));
    asking.once("close", () => resolve(null));
    asking.once("response", (reply) => {
      reply.destroy();
      resolve(null);
    });
    asking.once("upgrade", (_reply, socket, head) => {
      socket.setTimeout(0);
      socket.on("error", () => socket.destroy());
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asking.end();
  });
}

/** The path under which a worker holds tries, and the protocol it changes to there (RFC 9110 section 7.8). */
export const TRY_PATH = "/live/tries";
export const TRY_PROTOCOL = "parley-try";

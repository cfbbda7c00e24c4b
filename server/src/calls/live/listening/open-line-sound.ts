import { type IncomingMessage, request } from "node:http";
import { AppError } from "@parley/contract/errors";
import type { CallHolder } from "./holder-store.ts";
import { type Vouch, writeInternalToken } from "./internal-token.ts";
import { soundPath } from "./live-server.ts";

export interface LineSoundDeps {
  readonly vouch: Vouch;
  nowMs(): number;
}

/** A worker of the same installation answers at once or is not there. */
const ANSWER_WITHIN_MS = 3_000;
const KEEP_ALIVE_MS = 5_000;

/**
 * Asks the worker that conducts a call for its sound, whichever process and machine that is. Throws `unavailable` when it
 * cannot be reached, and `invalid_state` when it does not have the call on a line.
 */
export async function openLineSound(deps: LineSoundDeps, holder: CallHolder, callId: string): Promise<IncomingMessage> {
  const { worker_id: workerId, internal_url: base } = holder;
  if (!holder.is_alive || base === null) throw unreachable();
  const path = soundPath(callId);
  const token = writeInternalToken(deps.vouch, { workerId, method: "GET", path }, deps.nowMs());
  const reply = await ask(`${base}${path}`, token);
  if (reply.statusCode === 200) return reply;
  reply.destroy();
  if (reply.statusCode === 404) throw notOnLine();
  throw unreachable(`it answered ${reply.statusCode}`);
}

export function notOnLine(): AppError {
  return new AppError("invalid_state", "The call is not on a line: nothing was dialed yet, or it is over.");
}

function unreachable(cause?: unknown): AppError {
  return new AppError(
    "unavailable",
    "The process that conducts the call cannot be reached. If it is gone, the call is ended within half a minute.",
    { retryAfterSeconds: 5, cause },
  );
}

function ask(url: string, token: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent: false, headers: { authorization: `Bearer ${token}` } });
    asking.setTimeout(ANSWER_WITHIN_MS, () => asking.destroy(new Error("no answer")));
    asking.once("error", (error) => reject(unreachable(error)));
    asking.once("response", (reply) => {
      // Nothing comes before there is sound; a machine that is gone is noticed by TCP itself.
      asking.setTimeout(0);
      reply.socket.setKeepAlive(true, KEEP_ALIVE_MS);
      reply.on("error", () => reply.destroy());
      resolve(reply);
    });
    asking.end();
  });
}

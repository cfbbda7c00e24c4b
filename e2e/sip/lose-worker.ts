import { fork } from "node:child_process";
import { once } from "node:events";
import type { OrphanedLeg } from "@parley/telephony/carrier";
import type { DoomedOrder } from "./doomed-worker.ts";
import { within } from "./within.ts";

/**
 * Lets a worker in its own process place a call, kills it when the call has reached this point, and returns what it
 * left behind.
 */
export async function loseWorker(order: DoomedOrder): Promise<OrphanedLeg> {
  const child = fork(new URL("./doomed-worker.ts", import.meta.url), [], { execArgv: [] });
  const exited = once(child, "exit");
  try {
    child.send(order);
    const [orphan] = (await within(once(child, "message"), `a worker's call that is ${order.until}`)) as [OrphanedLeg];
    return orphan;
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
}

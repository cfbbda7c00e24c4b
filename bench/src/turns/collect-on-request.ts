import { setTimeout as settle } from "node:timers/promises";
import { BroadcastChannel } from "node:worker_threads";
import { collectGarbage } from "@parley/telephony/rtp/media/collect-garbage";

/**
 * Loaded first in every thread of the process under test (`--import`), as the only part of the benchmark: collects the
 * thread's garbage on request, to distinguish memory in use from garbage.
 */
const CHANNEL = "bench.collect";
/** Collecting is fast, returning the pages is not. */
const COLLECTION_MS = 400;

const channel = new BroadcastChannel(CHANNEL);
channel.onmessage = () => collectGarbage();
channel.unref();

/** Resolves when all threads of this process have had the time to collect. */
export async function askForCollection(): Promise<void> {
  channel.postMessage("collect");
  collectGarbage();
  await settle(COLLECTION_MS);
}

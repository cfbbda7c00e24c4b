import { makeId } from "@parley/contract/ids";
import { systemClock } from "@parley/telephony/clock";
import { startCallWorker } from "../call-runs/call-worker.ts";
import { isSuppressed } from "../gate/is-suppressed.ts";
import type { OpenTrunkDirectory } from "../trunks/trunk-directory.ts";
import { joinCarriers } from "./carriers.ts";
import { joinConversations } from "./conversations.ts";
import type { Ground } from "./ground.ts";

export interface CallsRole {
  /** Claims nothing more and waits until every call has come to its end. */
  drain(): Promise<void>;
  hangUpAll(): void;
  /** Loads what the first call needs, in the background. */
  warmUp(): void;
  stop(): Promise<void>;
}

/** Joins the parts that conduct calls. */
export function startCalls(ground: Ground, directory: OpenTrunkDirectory): CallsRole {
  const { db, listener, log, settings, metrics } = ground;
  const workerId = makeId("worker");
  const conversations = joinConversations(ground);
  const carriers = joinCarriers(ground, directory, workerId, conversations.speech);
  const worker = startCallWorker({
    id: workerId,
    db,
    listener,
    log,
    chooseCarrier: carriers.forCall,
    findCarrier: carriers.named,
    clock: systemClock,
    monotonicMs: () => performance.now(),
    slotsMax: settings.callSlotsMax,
    whyNotDial: async (call) => ((await isSuppressed(db, call.account_id, call.phone_number)) ? "suppressed" : null),
    talk: conversations.talk,
    onLiveCalls: metrics.liveCalls,
  });
  return {
    drain: worker.drain,
    hangUpAll: worker.hangUpAll,
    warmUp: conversations.warmUp,
    async stop() {
      await carriers.close();
      await conversations.close();
    },
  };
}

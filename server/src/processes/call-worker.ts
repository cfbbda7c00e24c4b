import { makeId } from "@parley/contract/ids";
import { systemClock } from "@parley/telephony/clock";
import { askGate } from "../call-runs/ask-gate.ts";
import { startCallWorker } from "../call-runs/call-worker.ts";
import { goesToTrunks } from "../carriers/where-calls-go.ts";
import type { GateDeps } from "../gate/judge-number.ts";
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
  const gate: GateDeps = { goesToTrunks: (mode) => goesToTrunks(mode, directory.current()), nowMs: Date.now };
  const conversations = joinConversations(ground, gate);
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
    askGate: (call) => askGate(db, gate, call),
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

import { Worker } from "node:worker_threads";
import { createPlayout } from "@parley/audio/playout-layout";
import { createRing } from "@parley/audio/ring";
import { EMPTY_FLOW } from "@parley/contract/flow";
import { type Clock, systemClock } from "@parley/time/clock";
import type { ConversationEvent, LineMedia } from "../conversation-messages.ts";
import type { ConversationPlan } from "../conversation-plan.ts";
import { ConversationPool } from "../conversation-pool.ts";
import type { LiveConversation } from "../conversation-thread.ts";

export interface HeardConversation {
  readonly media: LineMedia;
  readonly live: LiveConversation;
  readonly events: readonly ConversationEvent[];
  /** Resolves when the conversation has finished. */
  readonly finished: Promise<void>;
  /** Resolves with the first event that matches. */
  hears(isWanted: (event: ConversationEvent) => boolean): Promise<ConversationEvent>;
}

/** A pool of real threads whose conversations do what keys tell them. */
export function openScriptedPool({ threads = 1, clock = systemClock }: { threads?: number; clock?: Clock } = {}) {
  const troubles: string[] = [];
  const workers: Worker[] = [];
  const pool = new ConversationPool({
    threads,
    clock,
    async openWorker() {
      const worker = new Worker(new URL("./scripted-worker.ts", import.meta.url));
      workers.push(worker);
      return worker;
    },
    onFault: () => undefined,
    identify: async () => ({ text: "This is a call from the test.", clip: new Int16Array(8_000).fill(1_000) }),
    onTrouble: (reason) => troubles.push(reason),
  });
  return { pool, troubles, workers, begin: (callId?: string) => begin(pool, callId) };
}

function begin(pool: ConversationPool, callId = "call_1"): HeardConversation {
  const events: ConversationEvent[] = [];
  const waiting: { isWanted(each: ConversationEvent): boolean; resolve(each: ConversationEvent): void }[] = [];
  const hears = (isWanted: (each: ConversationEvent) => boolean) =>
    new Promise<ConversationEvent>((resolve) => {
      const found = events.find(isWanted);
      if (found !== undefined) resolve(found);
      else waiting.push({ isWanted, resolve });
    });
  const media = openMedia();
  const live = pool.begin(planOf(callId), media, {
    hear(each) {
      events.push(each);
      for (const { isWanted, resolve } of waiting) if (isWanted(each)) resolve(each);
    },
    mayDial: async (to) => ({ isAllowed: false, reason: `not ${to}` }),
  });
  return { media, live, events, hears, finished: hears(({ type }) => type === "finished").then(() => undefined) };
}

function openMedia(): LineMedia {
  return { heard: createRing(), played: createRing(), playout: createPlayout() };
}

export function planOf(callId: string): ConversationPlan {
  const call = { id: callId, phoneNumber: "+15550100001", from: null, mode: "test", startedAtMs: 0 } as const;
  return {
    callId,
    flow: EMPTY_FLOW,
    language: "en-US",
    variables: {},
    voicemail: null,
    call: { ...call, timeZone: "UTC", isRecorded: true },
  };
}

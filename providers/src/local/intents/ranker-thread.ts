import type { MessagePort } from "node:worker_threads";
import { connectPort } from "@parley/threads/port-requests";
import { startServiceThread } from "@parley/threads/service-thread";
import type { IntentCandidate, IntentRanker, IntentScore } from "@parley/voice/ports/intent-ranker";
import { ProviderError } from "@parley/voice/ports/provider-error";

/** The sentence encoder of this program, shared by all conversations. */
export interface RankerThread {
  /** A port to it for one thread, to be passed to `connectRanker` there. */
  connect(): MessagePort;
  processIds(): Promise<readonly number[]>;
  stop(): Promise<void>;
}

/** For a test that kills a process. */
export interface RankerAnswers {
  readonly processIds: readonly number[];
}

export interface RankerThreadOptions {
  /** The thread is gone: from now on nothing can be ranked. */
  readonly onFailure: (reason: string) => void;
}

/** Starts immediately. The network is loaded, in a process of its own, when there is something to encode. */
export function startRankerThread({ onFailure }: RankerThreadOptions): RankerThread {
  const program = new URL("./ranker-worker.ts", import.meta.url);
  const thread = startServiceThread<void, RankerAnswers>(program, { name: "intents", onFailure });
  return {
    connect: () => thread.connect(),
    processIds: () => thread.ask("processIds"),
    stop: () => thread.stop(),
  };
}

const PROVIDER = "sentence-encoder";

/** What a conversation sends over its port. */
export interface RankRequest {
  readonly text: string;
  readonly candidates: readonly IntentCandidate[];
}

/** Phrases that candidates will have soon. */
export interface RankNotice {
  readonly phrases: readonly string[];
}

/** The ranker as one thread uses it, over a port from `RankerThread.connect`. */
export interface ConnectedRanker extends IntentRanker {
  close(): Promise<void>;
}

export function connectRanker(port: MessagePort): ConnectedRanker {
  const client = connectPort<RankRequest, readonly IntentScore[], RankNotice>(
    port,
    (reason, retryable) => new ProviderError(PROVIDER, reason, { retryable }),
  );
  return {
    name: PROVIDER,
    prepare: (phrases) => client.notify({ phrases }),
    rank: (text, candidates, signal) => client.request({ text, candidates }, signal),
    async close() {
      client.close();
    },
  };
}

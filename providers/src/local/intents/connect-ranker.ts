import type { MessagePort } from "node:worker_threads";
import { connectPort } from "@parley/threads/port-requests";
import type { IntentCandidate, IntentRanker, IntentScore } from "@parley/voice/ports/intent-ranker";
import { ProviderError } from "@parley/voice/ports/provider-error";

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

/** The ranker as one thread uses it, over a port that `IntentsThread.connect` gave. */
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

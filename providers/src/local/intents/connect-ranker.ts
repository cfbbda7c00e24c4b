import type { MessagePort } from "node:worker_threads";
import type { IntentRanker, IntentScore } from "@parley/voice/ports/intent-ranker";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { RankerReply, RankerRequest } from "./intents-messages.ts";

const PROVIDER = "sentence-encoder";

/** The ranker as one thread uses it, over a port that `IntentsThread.connect` gave. */
export interface ConnectedRanker extends IntentRanker {
  close(): Promise<void>;
}

export function connectRanker(port: MessagePort): ConnectedRanker {
  const asked = new Map<number, PromiseWithResolvers<readonly IntentScore[]>>();
  const gone = () => new ProviderError(PROVIDER, "the ranker was closed", { retryable: false });
  let nextId = 1;
  let isClosed = false;
  const tell = (request: RankerRequest) => port.postMessage(request);
  port.on("message", (reply: RankerReply) => {
    const waiting = asked.get(reply.requestId);
    if (reply.type === "ranked") waiting?.resolve(reply.scores);
    else waiting?.reject(new ProviderError(PROVIDER, reply.reason, { retryable: reply.retryable }));
  });
  port.on("close", () => {
    isClosed = true;
    for (const { reject } of asked.values()) reject(gone());
  });
  // A port that nobody waits on must not keep a program from ending.
  port.unref();
  return {
    name: PROVIDER,
    prepare: (phrases) => tell({ type: "prepare", phrases }),
    async rank(text, candidates, signal) {
      signal?.throwIfAborted();
      if (isClosed) throw gone();
      const requestId = nextId++;
      const waiting = Promise.withResolvers<readonly IntentScore[]>();
      const onAbort = () => {
        tell({ type: "cancel", requestId });
        waiting.reject(signal?.reason);
      };
      asked.set(requestId, waiting);
      signal?.addEventListener("abort", onAbort, { once: true });
      port.ref();
      tell({ type: "rank", requestId, text, candidates });
      try {
        return await waiting.promise;
      } finally {
        asked.delete(requestId);
        signal?.removeEventListener("abort", onAbort);
        if (asked.size === 0) port.unref();
      }
    },
    async close() {
      port.close();
    },
  };
}

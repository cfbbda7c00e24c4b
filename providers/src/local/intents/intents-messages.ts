import type { MessagePort } from "node:worker_threads";
import type { IntentCandidate, IntentScore } from "@parley/voice/ports/intent-ranker";

/** What a conversation says over its port to the thread that ranks. */
export type RankerRequest =
  | {
      readonly type: "rank";
      readonly requestId: number;
      readonly text: string;
      readonly candidates: readonly IntentCandidate[];
    }
  | { readonly type: "cancel"; readonly requestId: number }
  /** Phrases that candidates will have soon. */
  | { readonly type: "prepare"; readonly phrases: readonly string[] };

export type RankerReply =
  | { readonly type: "ranked"; readonly requestId: number; readonly scores: readonly IntentScore[] }
  | { readonly type: "failed"; readonly requestId: number; readonly reason: string; readonly retryable: boolean };

/** What the owner of the thread says to it, and hears from it. */
export type RankerCommand =
  | { readonly type: "connect"; readonly port: MessagePort }
  /** For a test that kills one. */
  | { readonly type: "list_processes" }
  | { readonly type: "stop" };

export interface RankerNotice {
  readonly type: "processes";
  readonly pids: readonly number[];
}

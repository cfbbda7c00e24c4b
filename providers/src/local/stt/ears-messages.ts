import type { MessagePort } from "node:worker_threads";
import type { Recognition } from "@parley/voice/ports/speech-recognizer";
import type { MoonshineSize } from "./moonshine-weights.ts";
import type { UtteranceWork } from "./recognize-utterance.ts";

/** What a conversation says over its port to the thread that looks after the recognizing processes. */
export type EarsRequest =
  | { readonly type: "recognize"; readonly requestId: number; readonly work: UtteranceWork; readonly isUrgent: boolean }
  | { readonly type: "cancel"; readonly requestId: number };

export type EarsReply =
  | { readonly type: "recognized"; readonly requestId: number; readonly recognition: Recognition | null }
  | { readonly type: "failed"; readonly requestId: number; readonly reason: string; readonly retryable: boolean };

export interface EarsSetup {
  readonly size: MoonshineSize;
  readonly processes: number;
  /** After it nobody waits any longer. Left out: 8 seconds. */
  readonly deadlineMs?: number;
}

/** What the owner of the thread says to it, and hears from it. */
export type EarsCommand =
  | { readonly type: "connect"; readonly port: MessagePort }
  /** For tests: one that kills a process, and one that looks whether anything is left. */
  | { readonly type: "list_processes" }
  | { readonly type: "count_listeners" }
  | { readonly type: "stop" };

export type EarsNotice =
  | { readonly type: "ready"; readonly secondsOfSpeechPerSecond: number }
  | { readonly type: "processes"; readonly pids: readonly number[] }
  | { readonly type: "listeners"; readonly count: number }
  | { readonly type: "failed"; readonly reason: string };

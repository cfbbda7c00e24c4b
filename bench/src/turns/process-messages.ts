import type { Flow } from "@parley/contract/flow";
import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import type { ActNote, CalleePlan } from "./callee-script.ts";

/** The messages of the process under test. Calls have numbers. */
export type HostCommand =
  | {
      readonly type: "open";
      readonly flow: Flow;
      readonly folder: string;
      readonly calleePorts: readonly number[];
      /** Left out: that of this machine. */
      readonly engine?: string;
    }
  /** The callee picks up. */
  | { readonly type: "answer"; readonly call: number }
  | { readonly type: "hang_up"; readonly call: number }
  /** All threads collect garbage, so that what is left is in use. */
  | { readonly type: "collect" }
  | { readonly type: "stop" };

export type HostNotice =
  | { readonly type: "ready" }
  /** `natural`: how many of the calls have the natural voice; the machine cannot carry it for the others. */
  | { readonly type: "opened"; readonly ports: readonly number[]; readonly natural: number }
  /** The conversation ended on its own. */
  | { readonly type: "over"; readonly call: number; readonly reason: string }
  | { readonly type: "ended"; readonly call: number; readonly outcome: HostedCall }
  | { readonly type: "collected" }
  | { readonly type: "failed"; readonly reason: string };

export interface HostedCall {
  readonly wavPath: string;
  readonly lostMs: number;
  /** Where on the leg the recording begins: entries count from the beginning of the leg. */
  readonly recordedFromMs: number;
  readonly entries: readonly NotedEntry[];
}

/** What a conversation recorded, and the position of its leg at that time. */
export interface NotedEntry {
  readonly entry: JournalEntry;
  readonly notedMs: number;
}

/** The same of the process in which the callees are. */
export type CalleesCommand =
  | {
      readonly type: "open";
      readonly plans: readonly CalleePlan[];
      readonly clips: ReadonlyMap<string, Int16Array>;
    }
  | { readonly type: "begin"; readonly call: number; readonly agentPort: number }
  /** The line is empty. */
  | { readonly type: "end"; readonly call: number }
  | { readonly type: "stop" };

export type CalleesNotice =
  | { readonly type: "opened"; readonly ports: readonly number[] }
  | {
      readonly type: "done";
      readonly call: number;
      readonly notes: readonly ActNote[];
      /** What the times of the notes count from, in milliseconds since the epoch. */
      readonly originMs: number;
    };

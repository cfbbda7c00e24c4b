import type { Flow } from "@parley/contract/flow";
import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import type { ActNote, CalleePlan } from "./callee-script.ts";

/** What the process under test is told, and what it says. Calls have numbers. */
export type HostCommand =
  | { readonly type: "open"; readonly flow: Flow; readonly folder: string; readonly calleePorts: readonly number[] }
  /** The callee picks up. */
  | { readonly type: "answer"; readonly call: number }
  | { readonly type: "hang_up"; readonly call: number }
  | { readonly type: "stop" };

export type HostNotice =
  | { readonly type: "ready" }
  | { readonly type: "opened"; readonly ports: readonly number[] }
  /** The conversation ended by itself. */
  | { readonly type: "over"; readonly call: number; readonly reason: string }
  | { readonly type: "ended"; readonly call: number; readonly outcome: HostedCall }
  | { readonly type: "failed"; readonly reason: string };

export interface HostedCall {
  readonly wavPath: string;
  readonly lostMs: number;
  readonly entries: readonly JournalEntry[];
}

/** The same of the process in which the callees are. */
export type CalleesCommand =
  | {
      readonly type: "open";
      readonly plans: readonly CalleePlan[];
      readonly clips: ReadonlyMap<string, Int16Array>;
    }
  | { readonly type: "begin"; readonly call: number; readonly agentPort: number }
  /** Nobody is on the line any more. */
  | { readonly type: "end"; readonly call: number }
  | { readonly type: "stop" };

export type CalleesNotice =
  | { readonly type: "opened"; readonly ports: readonly number[] }
  | { readonly type: "done"; readonly call: number; readonly notes: readonly ActNote[] };

import type { ActNote, CalleePlan } from "./callee-script.ts";
import type { CallSound } from "./turn-figures.ts";

/** The messages of a program that conducts bare calls, ours and its peers alike. */
export type BareCommand =
  | {
      readonly type: "open";
      readonly plans: readonly CalleePlan[];
      readonly clips: ReadonlyMap<string, Int16Array>;
      readonly reply: Int16Array;
      readonly holdMs: number;
      readonly interruptMs: number;
    }
  | { readonly type: "begin" }
  | { readonly type: "stop" };

export type BareNotice =
  /** The models are loaded, and there is no call. */
  | { readonly type: "ready" }
  /** The lines are open, and nothing conducts them yet. */
  | { readonly type: "opened" }
  | {
      readonly type: "over";
      readonly calls: readonly { readonly notes: readonly ActNote[]; readonly sound: CallSound }[];
    };

import type { NetworkSound } from "../audio/network-sounds.ts";

/** What happens to a callee, in milliseconds since it answered. Ticks come every 20 ms, the first at 0. */
export type CalleeEvent =
  | { readonly type: "tick"; readonly atMs: number }
  | { readonly type: "agent.started"; readonly atMs: number }
  /** The agent has been silent for a moment; `spokeMs` is how long it spoke before. */
  | { readonly type: "agent.stopped"; readonly atMs: number; readonly spokeMs: number }
  /** What the agent said last; null if it was not understood, or without a recognizer. */
  | { readonly type: "agent.understood"; readonly atMs: number; readonly words: string | null }
  | { readonly type: "key.pressed"; readonly atMs: number; readonly key: string }
  | { readonly type: "fax.heard"; readonly atMs: number }
  /** All that was to be said, played and pressed is over. */
  | { readonly type: "line.finished"; readonly atMs: number };

export type CalleeEffect =
  | { readonly type: "say"; readonly text: string; readonly by?: Speaker }
  | { readonly type: "play"; readonly audio: NetworkSound }
  | { readonly type: "press"; readonly keys: string }
  | { readonly type: "music"; readonly isOn: boolean }
  | { readonly type: "stop_speaking" }
  | { readonly type: "hang_up" };

/** The speaker at the far end. A machine has its own voice. */
export type Speaker = "human" | "machine";

type HeardSign = "keys" | "fax";

export type Step<State> = readonly [State, readonly CalleeEffect[]];

/** A callee as a pure machine: what it does follows from what it was and what happened. */
export interface CalleeMachine<State> {
  /** All it may ever say, so that it can be rendered before the answer. */
  readonly lines: readonly { readonly text: string; readonly by?: Speaker }[];
  /** What it listens for beside speech. Detecting tones costs time, so it is done only where needed. */
  readonly hears?: readonly HeardSign[];
  begin(atMs: number): State;
  step(state: State, event: CalleeEvent): Step<State>;
}

/** A machine that is running, its state hidden. */
export interface RunningCallee {
  readonly lines: CalleeMachine<unknown>["lines"];
  readonly hears: readonly HeardSign[];
  tell(event: CalleeEvent): readonly CalleeEffect[];
}

export function runCallee<State>(machine: CalleeMachine<State>): RunningCallee {
  let state = machine.begin(0);
  return {
    lines: machine.lines,
    hears: machine.hears ?? [],
    tell(event) {
      const [next, effects] = machine.step(state, event);
      state = next;
      return effects;
    },
  };
}

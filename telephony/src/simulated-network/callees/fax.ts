import type { CalleeMachine, Step } from "./callee-machine.ts";

/**
 * The states of a fax machine (ITU-T T.30):
 *
 * - silent: section 4.1 lets it wait up to two seconds after the answer. The calling tone of another fax ends the wait.
 * - answering: the answer tone of 2,100 Hz (CED).
 * - introducing: the preamble that announces its capabilities.
 * - listening: waits for another fax to reply. Another calling tone (CNG) is answered from the beginning; otherwise it
 *   introduces itself again, and hangs up after the third time.
 */
export type FaxState =
  | { readonly phase: "silent"; readonly untilMs: number }
  | { readonly phase: "answering" }
  | { readonly phase: "introducing"; readonly round: number }
  | { readonly phase: "listening"; readonly round: number; readonly untilMs: number }
  | { readonly phase: "gone" };

const SILENT_MS = 1_000;
/** Timer T4 of section 5.5 is 3 s. */
const LISTEN_MS = 3_000;
const ROUNDS_MAX = 3;

export function fax(): CalleeMachine<FaxState> {
  const answer: Step<FaxState> = [{ phase: "answering" }, [{ type: "play", sound: "fax_answer" }]];
  const introduce = (round: number): Step<FaxState> => [
    { phase: "introducing", round },
    [{ type: "play", sound: "fax_preamble" }],
  ];
  return {
    lines: [],
    hears: ["fax"],
    begin: (atMs) => ({ phase: "silent", untilMs: atMs + SILENT_MS }),
    step(state, event) {
      const isFinished = event.type === "line.finished";
      switch (state.phase) {
        case "silent":
          return event.type === "fax.heard" || (event.type === "tick" && event.atMs >= state.untilMs)
            ? answer
            : [state, []];
        case "answering":
          return isFinished ? introduce(1) : [state, []];
        case "introducing":
          return [isFinished ? { phase: "listening", round: state.round, untilMs: event.atMs + LISTEN_MS } : state, []];
        case "listening":
          if (event.type === "fax.heard") return answer;
          if (event.type !== "tick" || event.atMs < state.untilMs) return [state, []];
          return state.round < ROUNDS_MAX ? introduce(state.round + 1) : [{ phase: "gone" }, [{ type: "hang_up" }]];
        case "gone":
          return [state, []];
      }
    },
  };
}

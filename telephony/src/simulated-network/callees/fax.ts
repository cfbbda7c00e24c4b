import type { CalleeMachine, Step } from "./callee-machine.ts";

/**
 * The states of a fax machine (ITU-T T.30):
 *
 * - silent: section 4.1 lets it wait up to two seconds after the answer. The calling tone of another fax ends the wait.
 * - answering: the answer tone of 2,100 Hz (CED).
 * - introducing: the preamble with which it says what it can do.
 * - listening: waits for another fax to reply. Another calling tone (CNG) is answered from the beginning; otherwise it
 *   introduces itself again, and hangs up after the third time.
 */
export type FaxState =
  | { readonly name: "silent"; readonly untilMs: number }
  | { readonly name: "answering" }
  | { readonly name: "introducing"; readonly round: number }
  | { readonly name: "listening"; readonly round: number; readonly untilMs: number }
  | { readonly name: "gone" };

const SILENT_MS = 1_000;
/** Timer T4 of section 5.5 is 3 s. */
const LISTEN_MS = 3_000;
const ROUNDS_MAX = 3;

export function fax(): CalleeMachine<FaxState> {
  const answer: Step<FaxState> = [{ name: "answering" }, [{ type: "play", sound: "fax_answer" }]];
  const introduce = (round: number): Step<FaxState> => [
    { name: "introducing", round },
    [{ type: "play", sound: "fax_preamble" }],
  ];
  return {
    lines: [],
    hears: ["fax"],
    begin: (atMs) => ({ name: "silent", untilMs: atMs + SILENT_MS }),
    step(state, event) {
      const isFinished = event.type === "line.finished";
      switch (state.name) {
        case "silent":
          return event.type === "fax.heard" || (event.type === "tick" && event.atMs >= state.untilMs)
            ? answer
            : [state, []];
        case "answering":
          return isFinished ? introduce(1) : [state, []];
        case "introducing":
          return [isFinished ? { name: "listening", round: state.round, untilMs: event.atMs + LISTEN_MS } : state, []];
        case "listening":
          if (event.type === "fax.heard") return answer;
          if (event.type !== "tick" || event.atMs < state.untilMs) return [state, []];
          return state.round < ROUNDS_MAX ? introduce(state.round + 1) : [{ name: "gone" }, [{ type: "hang_up" }]];
        case "gone":
          return [state, []];
      }
    },
  };
}

import type { CalleeEvent, CalleeMachine, Step } from "./callee-machine.ts";

/**
 * The states of a service that screens calls:
 *
 * - starting: the line was just opened.
 * - asking: says who is wanted to speak.
 * - waiting: waits for the caller's name. Next: announcing when the agent has said it, refusing if it does not.
 * - announcing, ringing: the caller is asked to wait, and hears the ringing tone.
 * - connected: the person took the call.
 * - refusing: says goodbye and hangs up.
 */
export type ScreeningState<Person> =
  | { readonly phase: "starting"; readonly untilMs: number }
  | { readonly phase: "asking" }
  | { readonly phase: "waiting"; readonly sinceMs: number; readonly agentSpeaks: boolean }
  | { readonly phase: "announcing" }
  | { readonly phase: "ringing" }
  | { readonly phase: "connected"; readonly person: Person }
  | { readonly phase: "refusing" }
  | { readonly phase: "gone" };

export const SCREENING_LINE =
  "Hello. The person you are calling uses a screening service. Who is calling? Please say your name and why you are calling.";
export const ANNOUNCING_LINE = "Thank you. Please stay on the line.";
export const REFUSING_LINE = "We did not hear who is calling. Goodbye.";

const START_MS = 500;
const WAIT_MAX_MS = 8_000;
/** "Hello" alone does not say who is calling. */
const INTRODUCTION_MIN_MS = 1_000;

/** A machine that asks who is calling, and connects `person` to a caller who answers. */
export function screening<Person>(person: CalleeMachine<Person>): CalleeMachine<ScreeningState<Person>> {
  type State = ScreeningState<Person>;
  const say = (state: State, text: string): Step<State> => [state, [{ type: "say", text, by: "machine" }]];

  function stepWaiting(state: Extract<State, { phase: "waiting" }>, event: CalleeEvent): Step<State> {
    if (event.type === "agent.started") return [{ ...state, agentSpeaks: true }, []];
    if (event.type === "agent.stopped") {
      if (event.spokeMs >= INTRODUCTION_MIN_MS) return say({ phase: "announcing" }, ANNOUNCING_LINE);
      return [{ phase: "waiting", sinceMs: event.atMs, agentSpeaks: false }, []];
    }
    const isOver = event.type === "tick" && !state.agentSpeaks && event.atMs - state.sinceMs >= WAIT_MAX_MS;
    return isOver ? say({ phase: "refusing" }, REFUSING_LINE) : [state, []];
  }

  return {
    lines: [
      ...[SCREENING_LINE, ANNOUNCING_LINE, REFUSING_LINE].map((text) => ({ text, by: "machine" as const })),
      ...person.lines,
    ],
    begin: (atMs) => ({ phase: "starting", untilMs: atMs + START_MS }),
    step(state, event) {
      const isFinished = event.type === "line.finished";
      switch (state.phase) {
        case "starting":
          if (event.type !== "tick" || event.atMs < state.untilMs) return [state, []];
          return say({ phase: "asking" }, SCREENING_LINE);
        case "asking":
          // An introduction that began while the machine still spoke is not what it waits for.
          return [isFinished ? { phase: "waiting", sinceMs: event.atMs, agentSpeaks: false } : state, []];
        case "waiting":
          return stepWaiting(state, event);
        case "announcing":
          return isFinished ? [{ phase: "ringing" }, [{ type: "play", sound: "ringback" }]] : [state, []];
        case "ringing":
          return [isFinished ? { phase: "connected", person: person.begin(event.atMs) } : state, []];
        case "connected": {
          const [next, effects] = person.step(state.person, event);
          return [{ phase: "connected", person: next }, effects];
        }
        case "refusing":
          return isFinished ? [{ phase: "gone" }, [{ type: "hang_up" }]] : [state, []];
        case "gone":
          return [state, []];
      }
    },
  };
}

import type { CalleeEvent, CalleeMachine, Step } from "./callee-machine.ts";

/**
 * The states of a menu that is worked by keys:
 *
 * - starting: the line was just opened.
 * - choosing: the menu is being said, or was said and a key is waited for. A key cuts it short.
 * - branching: the choice is being announced. Next: gone, choosing again, or the transfer.
 * - transferring: another phone rings.
 * - connected: a person has taken over.
 */
export type MenuState<Person> =
  | { readonly phase: "starting"; readonly untilMs: number }
  | { readonly phase: "choosing"; readonly round: number; readonly isSpeaking: boolean; readonly quietSinceMs: number }
  | {
      readonly phase: "branching";
      readonly afterwards: "hangs_up" | "asks_again" | "transfers";
      readonly round: number;
    }
  | { readonly phase: "transferring" }
  | { readonly phase: "connected"; readonly person: Person }
  | { readonly phase: "gone" };

export const MENU_LINE =
  "Thank you for calling Northwind. For our opening hours, press 1. For our address, press 2. To speak with somebody, press 0.";
export const HOURS_LINE = "We are open from nine to five, Monday to Friday. Thank you for calling. Goodbye.";
export const ADDRESS_LINE = "You find us at twelve Mill Lane. Thank you for calling. Goodbye.";
export const CONNECTING_LINE = "One moment. I will connect you.";
export const WRONG_KEY_LINE = "Sorry, there is no such choice.";
export const NO_KEY_LINE = "You have not chosen anything. Goodbye.";

const START_MS = 500;
const KEY_WAIT_MS = 5_000;
const ROUNDS_MAX = 3;

/** A menu, behind which `person` is reached by the key 0. */
export function menu<Person>(person: CalleeMachine<Person>): CalleeMachine<MenuState<Person>> {
  type State = MenuState<Person>;
  const say = (state: State, text: string): Step<State> => [state, [{ type: "say", text, by: "machine" }]];

  function ask(round: number): Step<State> {
    if (round === ROUNDS_MAX) return say({ phase: "branching", afterwards: "hangs_up", round }, NO_KEY_LINE);
    return say({ phase: "choosing", round, isSpeaking: true, quietSinceMs: 0 }, MENU_LINE);
  }

  function choose(key: string, round: number): Step<State> {
    const [state, effects] = branchOf(key, round);
    return [state, [{ type: "stop_speaking" }, ...effects]];
  }

  function branchOf(key: string, round: number): Step<State> {
    if (key === "1") return say({ phase: "branching", afterwards: "hangs_up", round }, HOURS_LINE);
    if (key === "2") return say({ phase: "branching", afterwards: "hangs_up", round }, ADDRESS_LINE);
    if (key === "0") return say({ phase: "branching", afterwards: "transfers", round }, CONNECTING_LINE);
    return say({ phase: "branching", afterwards: "asks_again", round }, WRONG_KEY_LINE);
  }

  function stepChoosing(state: Extract<State, { phase: "choosing" }>, event: CalleeEvent): Step<State> {
    if (event.type === "key.pressed") return choose(event.key, state.round);
    if (event.type === "line.finished") return [{ ...state, isSpeaking: false, quietSinceMs: event.atMs }, []];
    const isOver = !state.isSpeaking && event.type === "tick" && event.atMs - state.quietSinceMs >= KEY_WAIT_MS;
    return isOver ? ask(state.round + 1) : [state, []];
  }

  function stepBranching(state: Extract<State, { phase: "branching" }>, event: CalleeEvent): Step<State> {
    if (event.type !== "line.finished") return [state, []];
    if (state.afterwards === "asks_again") return ask(state.round + 1);
    if (state.afterwards === "transfers") return [{ phase: "transferring" }, [{ type: "play", sound: "ringback" }]];
    return [{ phase: "gone" }, [{ type: "hang_up" }]];
  }

  return {
    lines: [
      ...[MENU_LINE, HOURS_LINE, ADDRESS_LINE, CONNECTING_LINE, WRONG_KEY_LINE, NO_KEY_LINE].map((text) => ({
        text,
        by: "machine" as const,
      })),
      ...person.lines,
    ],
    hears: ["keys"],
    begin: (atMs) => ({ phase: "starting", untilMs: atMs + START_MS }),
    step(state, event) {
      switch (state.phase) {
        case "starting":
          return event.type === "tick" && event.atMs >= state.untilMs ? ask(0) : [state, []];
        case "choosing":
          return stepChoosing(state, event);
        case "branching":
          return stepBranching(state, event);
        case "transferring":
          if (event.type !== "line.finished") return [state, []];
          return [{ phase: "connected", person: person.begin(event.atMs) }, []];
        case "connected": {
          const [next, effects] = person.step(state.person, event);
          return [{ phase: "connected", person: next }, effects];
        }
        case "gone":
          return [state, []];
      }
    },
  };
}

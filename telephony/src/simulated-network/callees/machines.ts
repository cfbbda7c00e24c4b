import type { CalleeEvent, CalleeMachine, Step } from "./callee-machine.ts";

/**
 * The states of an answering machine:
 *
 * - greeting: plays the greeting.
 * - beeping: the tone after which one may speak.
 * - recording: listens silently until its tape is full, and then hangs up.
 */
export type VoicemailState =
  | { readonly phase: "starting"; readonly untilMs: number }
  | { readonly phase: "greeting" }
  | { readonly phase: "beeping" }
  | { readonly phase: "recording"; readonly untilMs: number }
  | { readonly phase: "gone" };

export const VOICEMAIL_GREETING =
  "Hello, you have reached Alex Miller. I cannot take your call right now. Please leave a message after the tone.";
export const VOICEMAIL_RECORDING_MS = 25_000;
/** From the answer to the first words of a machine. */
const START_MS = 500;

export function voicemail(): CalleeMachine<VoicemailState> {
  return {
    lines: [{ text: VOICEMAIL_GREETING }],
    begin: (atMs) => ({ phase: "starting", untilMs: atMs + START_MS }),
    step(state, event) {
      const isTick = event.type === "tick";
      if (state.phase === "starting" && isTick && event.atMs >= state.untilMs) {
        return [{ phase: "greeting" }, [{ type: "say", text: VOICEMAIL_GREETING }]];
      }
      if (state.phase === "greeting" && event.type === "line.finished") {
        return [{ phase: "beeping" }, [{ type: "play", audio: "beep" }]];
      }
      if (state.phase === "beeping" && event.type === "line.finished") {
        return [{ phase: "recording", untilMs: event.atMs + VOICEMAIL_RECORDING_MS }, []];
      }
      if (state.phase === "recording" && isTick && event.atMs >= state.untilMs) {
        return [{ phase: "gone" }, [{ type: "hang_up" }]];
      }
      return [state, []];
    },
  };
}

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
          return isFinished ? [{ phase: "ringing" }, [{ type: "play", audio: "ringback" }]] : [state, []];
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

const KEY_WAIT_MS = 5_000;
const MENU_ROUNDS_MAX = 3;

/** A menu, behind which `person` is reached by the key 0. */
export function menu<Person>(person: CalleeMachine<Person>): CalleeMachine<MenuState<Person>> {
  type State = MenuState<Person>;
  const say = (state: State, text: string): Step<State> => [state, [{ type: "say", text, by: "machine" }]];

  function ask(round: number): Step<State> {
    if (round === MENU_ROUNDS_MAX) return say({ phase: "branching", afterwards: "hangs_up", round }, NO_KEY_LINE);
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
    if (state.afterwards === "transfers") return [{ phase: "transferring" }, [{ type: "play", audio: "ringback" }]];
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
const FAX_ROUNDS_MAX = 3;

export function fax(): CalleeMachine<FaxState> {
  const answer: Step<FaxState> = [{ phase: "answering" }, [{ type: "play", audio: "fax_answer" }]];
  const introduce = (round: number): Step<FaxState> => [
    { phase: "introducing", round },
    [{ type: "play", audio: "fax_preamble" }],
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
          return state.round < FAX_ROUNDS_MAX ? introduce(state.round + 1) : [{ phase: "gone" }, [{ type: "hang_up" }]];
        case "gone":
          return [state, []];
      }
    },
  };
}

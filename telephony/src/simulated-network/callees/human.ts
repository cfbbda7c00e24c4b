import type { CalleeEffect, CalleeEvent, CalleeMachine, Step } from "./callee-machine.ts";
import { chooseReply, GOODBYE_LINE, REPLY_LINES, type Reply } from "./choose-reply.ts";
import { agentSpeaksForMs, followAgent, type Hearing, startHearing } from "./hearing.ts";

/** How a person differs from the friendly one. */
export interface HumanTraits {
  readonly greeting: string;
  /** Leaves long pauses inside sentences. */
  readonly isSlow?: boolean;
  /** Speaks over the agent after it has spoken for so long, with each line once. */
  readonly interrupts?: { readonly afterMs: number; readonly lines: readonly string[] };
  /** Shows that it listens, every so often while the agent speaks. */
  readonly murmurs?: { readonly everyMs: number; readonly line: string };
  /** Hangs up in the middle of what the agent says. */
  readonly hangsUpAfterMs?: number;
  /** Puts the agent on hold in the place of its first answer. */
  readonly holds?: { readonly line: string; readonly forMs: number; readonly backLine: string };
}

/**
 * The states of a person on the telephone:
 *
 * - picking_up: the receiver is on its way to the ear. Goes on to speaking, with the greeting.
 * - listening: the agent speaks, or is expected to. Goes on to understanding when it falls silent, and to speaking when
 *   the person loses patience or interrupts.
 * - understanding: the agent fell silent and its words are being made out. Back to listening when it speaks on.
 * - speaking: a line is being said. Goes on to what was to come after it.
 * - on_hold: music plays and nobody listens. Goes on to speaking.
 * - gone: has hung up.
 */
export type HumanPhase =
  | { readonly name: "picking_up"; readonly untilMs: number }
  | { readonly name: "listening"; readonly sinceMs: number; readonly murmuredAtMs: number }
  | { readonly name: "understanding"; readonly sinceMs: number }
  | { readonly name: "speaking"; readonly afterwards: Afterwards; readonly insists: boolean }
  | { readonly name: "on_hold"; readonly untilMs: number }
  | { readonly name: "gone" };

type Afterwards = "listens" | "hangs_up" | "holds";

export interface HumanState {
  readonly phase: HumanPhase;
  readonly hearing: Hearing;
  readonly startedAtMs: number;
  readonly replies: number;
  readonly lastReply: string;
  readonly interruptions: number;
  /** How often it asked into the silence since the agent last spoke. */
  readonly nudges: number;
  readonly hasHeld: boolean;
}

export const NUDGE_LINE = "Hello? Are you still there?";
export const GIVE_UP_LINE = "I cannot hear you. Goodbye.";
export const MUST_GO_LINE = "I have to go now. Goodbye.";

const PICK_UP_MS = 340;
/** A person who hears nothing at all after picking up asks sooner than one who is being thought about. */
const FIRST_PATIENCE_MS = 4_000;
const PATIENCE_MS = 8_000;
const NUDGES_MAX = 1;
const UNDERSTANDING_MAX_MS = 3_000;
/** Shorter sounds are no words. */
const UTTERANCE_MIN_MS = 200;
/** Both speak: who is talked over for this long stops and listens. */
const YIELD_AFTER_MS = 1_200;
const REPLIES_MAX = 20;
const TALK_MAX_MS = 240_000;

/** A person who waits for its turn, answers what it is asked, and hangs up when the agent says goodbye. */
export function human(traits: HumanTraits): CalleeMachine<HumanState> {
  const spoken = (text: string) => (traits.isSlow === true ? slowly(text) : text);

  function speak(state: HumanState, text: string, afterwards: Afterwards, insists = false) {
    const phase: HumanPhase = { name: "speaking", afterwards, insists };
    return [{ ...state, phase }, [{ type: "say", text: spoken(text) }]] as const satisfies Step<HumanState>;
  }

  function reply(state: HumanState, words: string | null): Step<HumanState> {
    const next = { ...state, replies: state.replies + 1, nudges: 0 };
    if (traits.holds !== undefined && !state.hasHeld)
      return speak({ ...next, hasHeld: true }, traits.holds.line, "holds");
    if (state.replies >= REPLIES_MAX) return speak(next, MUST_GO_LINE, "hangs_up");
    return act(next, chooseReply(words, state.replies));
  }

  function act(state: HumanState, chosen: Reply): Step<HumanState> {
    if (chosen.does === "presses") {
      const phase: HumanPhase = { name: "speaking", afterwards: "listens", insists: true };
      return [{ ...state, phase }, [{ type: "press", keys: chosen.keys }]];
    }
    if (chosen.does === "repeats") return speak(state, state.lastReply, "listens");
    return speak({ ...state, lastReply: chosen.text }, chosen.text, chosen.thenHangsUp ? "hangs_up" : "listens");
  }

  function listen(
    state: HumanState,
    phase: Extract<HumanPhase, { name: "listening" }>,
    atMs: number,
  ): Step<HumanState> {
    const { interrupts, murmurs, hangsUpAfterMs } = traits;
    const speaksForMs = agentSpeaksForMs(state.hearing, atMs);
    if (hangsUpAfterMs !== undefined && speaksForMs >= hangsUpAfterMs) return hangUp(state);
    const line = interrupts?.lines[state.interruptions];
    if (interrupts !== undefined && line !== undefined && speaksForMs >= interrupts.afterMs) {
      return speak({ ...state, interruptions: state.interruptions + 1 }, line, "listens", true);
    }
    if (murmurs !== undefined && speaksForMs > 0) {
      const sinceMs = Math.max(phase.murmuredAtMs, atMs - speaksForMs);
      if (atMs - sinceMs < murmurs.everyMs) return [state, []];
      return [{ ...state, phase: { ...phase, murmuredAtMs: atMs } }, [{ type: "say", text: spoken(murmurs.line) }]];
    }
    return speaksForMs > 0 ? [state, []] : losePatience(state, phase.sinceMs, atMs);
  }

  function losePatience(state: HumanState, sinceMs: number, atMs: number): Step<HumanState> {
    const quietForMs = atMs - Math.max(sinceMs, state.hearing.quietSinceMs);
    const patienceMs = state.hearing.hasHadTurn ? PATIENCE_MS : FIRST_PATIENCE_MS;
    if (quietForMs < patienceMs) return [state, []];
    if (state.nudges >= NUDGES_MAX) return speak(state, GIVE_UP_LINE, "hangs_up");
    return speak({ ...state, nudges: state.nudges + 1 }, NUDGE_LINE, "listens");
  }

  function finish(state: HumanState, afterwards: Afterwards, atMs: number): Step<HumanState> {
    if (afterwards === "hangs_up") return hangUp(state);
    if (afterwards === "listens" || traits.holds === undefined) return [startListening(state, atMs), []];
    const phase: HumanPhase = { name: "on_hold", untilMs: atMs + traits.holds.forMs };
    return [{ ...state, phase }, [{ type: "music", isOn: true }]];
  }

  function comeBack(state: HumanState, atMs: number): Step<HumanState> {
    // What the agent said to the music was heard by nobody.
    const back = { ...state, hearing: { ...state.hearing, quietSinceMs: atMs } };
    const [next, effects] = speak(back, traits.holds?.backLine ?? traits.greeting, "listens");
    return [next, [{ type: "music", isOn: false }, ...effects]];
  }

  function tick(state: HumanState, atMs: number): Step<HumanState> {
    const { phase } = state;
    switch (phase.name) {
      case "picking_up":
        return atMs < phase.untilMs ? [state, []] : speak(state, traits.greeting, "listens", true);
      case "listening":
        if (atMs - state.startedAtMs > TALK_MAX_MS && state.hearing.agentSinceMs === null) {
          return speak(state, MUST_GO_LINE, "hangs_up");
        }
        return listen(state, phase, atMs);
      case "understanding":
        return atMs - phase.sinceMs < UNDERSTANDING_MAX_MS ? [state, []] : reply(state, null);
      case "speaking": {
        const yields = !phase.insists && phase.afterwards === "listens";
        if (!yields || agentSpeaksForMs(state.hearing, atMs) < YIELD_AFTER_MS) return [state, []];
        return [startListening(state, atMs), [{ type: "stop_speaking" }]];
      }
      case "on_hold":
        return atMs < phase.untilMs ? [state, []] : comeBack(state, atMs);
      case "gone":
        return [state, []];
    }
  }

  return {
    lines: linesOf(traits).map((text) => ({ text: spoken(text) })),
    begin: (atMs) => ({
      phase: { name: "picking_up", untilMs: atMs + PICK_UP_MS },
      hearing: startHearing(atMs),
      startedAtMs: atMs,
      replies: 0,
      lastReply: "Yes.",
      interruptions: 0,
      nudges: 0,
      hasHeld: false,
    }),
    step(before, event) {
      const state = { ...before, hearing: followAgent(before.hearing, event) };
      const { phase } = state;
      if (event.type === "tick") return tick(state, event.atMs);
      if (event.type === "line.finished" && phase.name === "speaking")
        return finish(state, phase.afterwards, event.atMs);
      if (event.type === "agent.understood" && phase.name === "understanding") return reply(state, event.words);
      return [{ ...state, phase: phaseAfter(phase, event) }, []];
    },
  };
}

/** How the agent's beginning and stopping moves a person between listening and understanding. */
function phaseAfter(phase: HumanPhase, event: CalleeEvent): HumanPhase {
  if (event.type === "agent.stopped" && phase.name === "listening" && event.spokeMs >= UTTERANCE_MIN_MS) {
    return { name: "understanding", sinceMs: event.atMs };
  }
  if (event.type === "agent.started" && phase.name === "understanding") {
    return { name: "listening", sinceMs: event.atMs, murmuredAtMs: event.atMs };
  }
  return phase;
}

function startListening(state: HumanState, atMs: number): HumanState {
  return { ...state, phase: { name: "listening", sinceMs: atMs, murmuredAtMs: atMs } };
}

function hangUp(state: HumanState): Step<HumanState> {
  const effects: readonly CalleeEffect[] = [{ type: "hang_up" }];
  return [{ ...state, phase: { name: "gone" } }, effects];
}

function linesOf({ greeting, interrupts, murmurs, holds }: HumanTraits): readonly string[] {
  return [
    greeting,
    ...(interrupts?.lines ?? []),
    ...(murmurs === undefined ? [] : [murmurs.line]),
    ...(holds === undefined ? [] : [holds.line, holds.backLine]),
    ...REPLY_LINES,
    NUDGE_LINE,
    GIVE_UP_LINE,
    MUST_GO_LINE,
    GOODBYE_LINE,
  ];
}

/** The same words with a long pause after every second one, as three dots. */
export function slowly(text: string): string {
  const words = text.split(" ");
  return words.map((word, index) => (index % 2 === 1 && index < words.length - 1 ? `${word} ...` : word)).join(" ");
}

import type { CalleeEvent, CalleeMachine, Step } from "./callee-machine.ts";
import { chooseReply, type Reply } from "./choose-reply.ts";
import { agentSpeaksForMs, followAgent, type Hearing, startHearing } from "./hearing.ts";
import { asSaidBy, GIVE_UP_LINE, type HumanTraits, linesOfHuman, MUST_GO_LINE, NUDGE_LINE } from "./human-traits.ts";

/**
 * The states of a person on the telephone:
 *
 * - picking_up: the callee lifts the receiver. Next: speaking, with the greeting.
 * - listening: the agent speaks, or is expected to. Next: understanding when it falls silent, and speaking when
 *   the person loses patience or interrupts.
 * - understanding: the agent fell silent and its words are being made out. Back to listening when it speaks on.
 * - speaking: a line is being spoken. Next: the following line, or listening when it is talked over.
 * - on_hold: music plays and the callee does not listen. Next: speaking.
 * - gone: has hung up.
 */
type HumanActivity =
  | { readonly phase: "picking_up"; readonly untilMs: number }
  | { readonly phase: "listening"; readonly sinceMs: number; readonly murmuredAtMs: number }
  | { readonly phase: "understanding"; readonly sinceMs: number }
  | { readonly phase: "speaking"; readonly sinceMs: number; readonly afterwards: Afterwards; readonly insists: boolean }
  | { readonly phase: "on_hold"; readonly untilMs: number }
  | { readonly phase: "gone" };

type Afterwards = "listens" | "hangs_up" | "holds";

export interface HumanState {
  readonly activity: HumanActivity;
  readonly hearing: Hearing;
  readonly startedAtMs: number;
  readonly replies: number;
  readonly lastReply: string;
  /** How often in a row it has not understood the agent. */
  readonly misses: number;
  readonly interruptions: number;
  /** How often it asked into the silence since the agent last spoke. */
  readonly nudges: number;
  readonly hasHeld: boolean;
}

const PICK_UP_MS = 340;
/** A person who hears nothing at all after picking up asks sooner than one who is being thought about. */
const FIRST_PATIENCE_MS = 4_000;
const PATIENCE_MS = 8_000;
const NUDGES_MAX = 1;
/** Recognition is slow on a busy machine; a person who has not made out the words by then asks for them again. */
const UNDERSTANDING_MAX_MS = 6_000;
/** Shorter sounds are not words. */
const UTTERANCE_MIN_MS = 200;
/** Both speak: a callee who is talked over for this long stops and listens. */
const YIELD_AFTER_MS = 1_200;
const REPLIES_MAX = 20;
const TALK_MAX_MS = 240_000;

/** A person who waits for its turn, answers what it is asked, and hangs up when the agent says goodbye. */
export function human(traits: HumanTraits): CalleeMachine<HumanState> {
  /** A callee that `insists` continues when it is talked over. */
  function speak(state: HumanState, atMs: number, text: string, afterwards: Afterwards, insists = false) {
    const activity: HumanActivity = { phase: "speaking", sinceMs: atMs, afterwards, insists };
    return [
      { ...state, activity },
      [{ type: "say", text: asSaidBy(traits, text) }],
    ] as const satisfies Step<HumanState>;
  }

  function reply(before: HumanState, atMs: number, words: string | null): Step<HumanState> {
    const isMissed = (words ?? "").trim() === "";
    const misses = isMissed ? before.misses + 1 : 0;
    const state = { ...before, replies: before.replies + 1, misses, nudges: 0 };
    const { holds } = traits;
    if (holds !== undefined && !state.hasHeld) return speak({ ...state, hasHeld: true }, atMs, holds.line, "holds");
    if (before.replies >= REPLIES_MAX) return speak(state, atMs, MUST_GO_LINE, "hangs_up");
    const chosen = chooseReply(words, before.misses, traits.goals);
    if (chosen.does === "waits") return [startListening(before, atMs), []];
    const question = traits.asksBack?.[before.replies];
    const isFarewell = chosen.does === "says" && chosen.thenHangsUp;
    return question === undefined || isFarewell ? act(state, atMs, chosen) : speak(state, atMs, question, "listens");
  }

  function act(state: HumanState, atMs: number, chosen: Exclude<Reply, { does: "waits" }>): Step<HumanState> {
    if (chosen.does === "repeats") return speak(state, atMs, state.lastReply, "listens");
    if (chosen.does === "says") {
      const afterwards = chosen.thenHangsUp ? "hangs_up" : "listens";
      // A question about what was said is no answer that could be repeated.
      const lastReply = state.misses > 0 ? state.lastReply : chosen.text;
      return speak({ ...state, lastReply }, atMs, chosen.text, afterwards);
    }
    const activity: HumanActivity = { phase: "speaking", sinceMs: atMs, afterwards: "listens", insists: true };
    return [{ ...state, activity }, [{ type: "press", keys: chosen.keys }]];
  }

  function listen(state: HumanState, activity: Listening, atMs: number): Step<HumanState> {
    const { interrupts, murmurs, hangsUpAfterMs } = traits;
    const speaksForMs = agentSpeaksForMs(state.hearing, atMs);
    if (speaksForMs === 0) return wait(state, activity.sinceMs, atMs);
    if (hangsUpAfterMs !== undefined && speaksForMs >= hangsUpAfterMs) return hangUp(state);
    const line = interrupts?.lines[state.interruptions];
    if (interrupts !== undefined && line !== undefined && speaksForMs >= interrupts.afterMs) {
      return speak({ ...state, interruptions: state.interruptions + 1 }, atMs, line, "listens", true);
    }
    const quietForMs = atMs - Math.max(activity.murmuredAtMs, atMs - speaksForMs);
    if (murmurs === undefined || quietForMs < murmurs.everyMs) return [state, []];
    const murmured: HumanActivity = { ...activity, murmuredAtMs: atMs };
    return [{ ...state, activity: murmured }, [{ type: "say", text: asSaidBy(traits, murmurs.line) }]];
  }

  /** The agent says nothing. The callee first asks, and later hangs up. */
  function wait(state: HumanState, sinceMs: number, atMs: number): Step<HumanState> {
    if (atMs - state.startedAtMs > TALK_MAX_MS) return speak(state, atMs, MUST_GO_LINE, "hangs_up");
    const quietForMs = atMs - Math.max(sinceMs, state.hearing.quietSinceMs);
    if (quietForMs < (state.hearing.hasHadTurn ? PATIENCE_MS : FIRST_PATIENCE_MS)) return [state, []];
    if (state.nudges >= NUDGES_MAX) return speak(state, atMs, GIVE_UP_LINE, "hangs_up");
    return speak({ ...state, nudges: state.nudges + 1 }, atMs, NUDGE_LINE, "listens");
  }

  function finish(state: HumanState, afterwards: Afterwards, atMs: number): Step<HumanState> {
    if (afterwards === "hangs_up") return hangUp(state);
    if (afterwards === "listens" || traits.holds === undefined) return [startListening(state, atMs), []];
    const activity: HumanActivity = { phase: "on_hold", untilMs: atMs + traits.holds.forMs };
    return [{ ...state, activity }, [{ type: "music", isOn: true }]];
  }

  /** What the agent said during the music was not heard, and is not waited for. */
  function comeBack(state: HumanState, atMs: number): Step<HumanState> {
    const [next, effects] = speak(state, atMs, traits.holds?.backLine ?? traits.greeting, "listens", true);
    return [next, [{ type: "music", isOn: false }, ...effects]];
  }

  function tick(state: HumanState, atMs: number): Step<HumanState> {
    const { activity } = state;
    switch (activity.phase) {
      case "picking_up":
        return atMs < activity.untilMs ? [state, []] : speak(state, atMs, traits.greeting, "listens", true);
      case "listening":
        return listen(state, activity, atMs);
      case "understanding":
        return atMs - activity.sinceMs < UNDERSTANDING_MAX_MS ? [state, []] : reply(state, atMs, null);
      case "speaking": {
        const bothForMs = Math.min(atMs - activity.sinceMs, agentSpeaksForMs(state.hearing, atMs));
        const yields = !activity.insists && activity.afterwards === "listens" && bothForMs >= YIELD_AFTER_MS;
        return yields ? [startListening(state, atMs), [{ type: "stop_speaking" }]] : [state, []];
      }
      case "on_hold":
        return atMs < activity.untilMs ? [state, []] : comeBack(state, atMs);
      case "gone":
        return [state, []];
    }
  }

  return {
    lines: linesOfHuman(traits).map((text) => ({ text })),
    begin: (atMs) => ({
      activity: { phase: "picking_up", untilMs: atMs + PICK_UP_MS },
      hearing: startHearing(atMs),
      startedAtMs: atMs,
      replies: 0,
      lastReply: traits.greeting,
      misses: 0,
      interruptions: 0,
      nudges: 0,
      hasHeld: false,
    }),
    step(before, event) {
      const state = { ...before, hearing: followAgent(before.hearing, event) };
      const { activity } = state;
      const { atMs } = event;
      if (event.type === "tick") return tick(state, atMs);
      if (event.type === "line.finished" && activity.phase === "speaking")
        return finish(state, activity.afterwards, atMs);
      if (event.type === "agent.understood" && activity.phase === "understanding")
        return reply(state, atMs, event.words);
      return [{ ...state, activity: activityAfter(activity, event) }, []];
    },
  };
}

type Listening = Extract<HumanActivity, { phase: "listening" }>;

/** How the agent's beginning and stopping moves a person between listening and understanding. */
function activityAfter(activity: HumanActivity, event: CalleeEvent): HumanActivity {
  if (event.type === "agent.stopped" && activity.phase === "listening" && event.spokeMs >= UTTERANCE_MIN_MS) {
    return { phase: "understanding", sinceMs: event.atMs };
  }
  if (event.type === "agent.started" && activity.phase === "understanding") return listeningSince(event.atMs);
  return activity;
}

function startListening(state: HumanState, atMs: number): HumanState {
  return { ...state, activity: listeningSince(atMs) };
}

function listeningSince(atMs: number): Listening {
  return { phase: "listening", sinceMs: atMs, murmuredAtMs: atMs };
}

function hangUp(state: HumanState): Step<HumanState> {
  return [{ ...state, activity: { phase: "gone" } }, [{ type: "hang_up" }]];
}

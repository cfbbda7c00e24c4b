import { DEFAULT_DTMF_PACE } from "@parley/audio/dtmf";
import { durationMsOf, FRAME_MS } from "@parley/audio/frame";
import { networkSound } from "../audio/network-sounds.ts";
import { speechDurationMs } from "../audio/syllables.ts";
import { type CalleeEffect, type CalleeEvent, type CalleeMachine, runCallee } from "../callees/callee-machine.ts";

/** A callee's machine without audio: its actions are recorded and take their usual time. */
export interface ActedCallee {
  /** Its actions, each as `time effect`, without ticks. */
  readonly did: readonly string[];
  /** Only what it said. */
  readonly said: readonly string[];
  readonly hasHungUp: boolean;
  readonly isSpeaking: boolean;
  wait(durationMs: number): void;
  /** The agent speaks, falls silent, and is understood. */
  agentSays(words: string | null, durationMs?: number): void;
  agentStarts(): void;
  press(key: string): void;
  hearFax(): void;
}

/** The detector waits this long before it decides that the agent has stopped. */
const SILENCE_MS = 700;

export function actCallee<State>(machine: CalleeMachine<State>): ActedCallee {
  const callee = runCallee(machine);
  const did: string[] = [];
  const said: string[] = [];
  let atMs = 0;
  let speaksUntilMs: number | null = null;
  let hasHungUp = false;

  function tell(
    event: CalleeEvent extends infer Event ? (Event extends CalleeEvent ? Omit<Event, "atMs"> : never) : never,
  ) {
    if (hasHungUp) return;
    for (const effect of callee.tell({ ...event, atMs } as CalleeEvent)) take(effect);
  }

  function take(effect: CalleeEffect): void {
    did.push(`${atMs} ${describe(effect)}`);
    if (effect.type === "say") said.push(effect.text);
    if (effect.type === "hang_up") hasHungUp = true;
    if (effect.type === "stop_speaking") speaksUntilMs = speaksUntilMs === null ? null : atMs;
    const durationMs = durationOf(effect);
    if (durationMs > 0) speaksUntilMs = Math.max(atMs, speaksUntilMs ?? atMs) + durationMs;
  }

  function wait(durationMs: number): void {
    for (const untilMs = atMs + durationMs; atMs < untilMs; atMs += FRAME_MS) {
      if (speaksUntilMs !== null && atMs >= speaksUntilMs) {
        speaksUntilMs = null;
        tell({ type: "line.finished" });
      }
      tell({ type: "tick" });
    }
  }

  return {
    did,
    said,
    get hasHungUp() {
      return hasHungUp;
    },
    get isSpeaking() {
      return speaksUntilMs !== null;
    },
    wait,
    agentStarts: () => tell({ type: "agent.started" }),
    agentSays(words, durationMs = 1_500) {
      tell({ type: "agent.started" });
      wait(durationMs + SILENCE_MS);
      tell({ type: "agent.stopped", spokeMs: durationMs });
      tell({ type: "agent.understood", words });
    },
    press: (key) => tell({ type: "key.pressed", key }),
    hearFax: () => tell({ type: "fax.heard" }),
  };
}

function describe(effect: CalleeEffect): string {
  const { type, ...details } = effect;
  return [type, ...Object.values(details)].join(" ");
}

function durationOf(effect: CalleeEffect): number {
  if (effect.type === "say") return speechDurationMs(effect.text);
  if (effect.type === "press") return effect.keys.length * (DEFAULT_DTMF_PACE.keyMs + DEFAULT_DTMF_PACE.gapMs);
  return effect.type === "play" ? durationMsOf(networkSound(effect.audio).length) : 0;
}

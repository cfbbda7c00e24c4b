import { beginConversation } from "../turns/open-call.ts";
import type { TurnEffect } from "../turns/turn-effects.ts";
import type { TurnEvent } from "../turns/turn-events.ts";
import { stepTurn } from "../turns/turn-machine.ts";
import type { TurnPlan } from "../turns/turn-state.ts";

/** The events of one call as plain JSON, with which it can be replayed. */
export interface TurnRecording {
  readonly callId: string;
  readonly plan: TurnPlan;
  readonly events: readonly TurnEvent[];
  /** False if the call was longer than the recording. */
  readonly isComplete: boolean;
}

/** About an hour of conversation. */
const EVENTS_MAX = 120_000;

/** Records the events of one call as they happen. */
export class TurnRecorder {
  readonly #callId: string;
  readonly #plan: TurnPlan;
  readonly #events: TurnEvent[] = [];
  readonly #eventsMax: number;
  #isComplete = true;

  constructor(callId: string, plan: TurnPlan, eventsMax: number = EVENTS_MAX) {
    this.#callId = callId;
    this.#plan = plan;
    this.#eventsMax = eventsMax;
  }

  note(event: TurnEvent): void {
    if (this.#events.length < this.#eventsMax) this.#events.push(event);
    else this.#isComplete = false;
  }

  finish(): TurnRecording {
    return { callId: this.#callId, plan: this.#plan, events: this.#events, isComplete: this.#isComplete };
  }
}

/** Replays a recording through the machine: what it would do now, event by event. The first is the start. */
export function replayTurns({
  plan,
  events,
}: Pick<TurnRecording, "plan" | "events">): readonly (readonly TurnEffect[])[] {
  let [state, effects] = beginConversation(plan);
  const done = [effects];
  for (const event of events) {
    [state, effects] = stepTurn(state, event);
    done.push(effects);
  }
  return done;
}

import type { Clock } from "@parley/time/clock";
import type { Step, TransactionEffect } from "./timer-values.ts";

type Phased = { readonly phase: string };
type TimerEvent<Timer extends string> = { readonly type: "timer"; readonly timer: Timer };
export type MessageEffect = Exclude<TransactionEffect<never>, { do: "start_timer" } | { do: "stop_timer" }>;

export interface RunnerDeps<State extends Phased, Event, Timer extends string> {
  readonly clock: Clock;
  readonly step: (state: State, event: Event | TimerEvent<Timer>) => Step<State, Timer>;
  readonly perform: (effect: MessageEffect) => void;
  /** Called once, when the machine reached `terminated` or was ended from outside. */
  readonly onEnd: () => void;
}

/** Carries a transaction's state, runs its timers and hands its other effects on. */
export class TransactionRunner<State extends Phased, Event, Timer extends string> {
  readonly #deps: RunnerDeps<State, Event, Timer>;
  readonly #timers = new Map<Timer, () => void>();
  readonly #firstEffects: readonly TransactionEffect<Timer>[];
  #state: State;
  #hasEnded = false;

  constructor([state, effects]: Step<State, Timer>, deps: RunnerDeps<State, Event, Timer>) {
    this.#state = state;
    this.#firstEffects = effects;
    this.#deps = deps;
  }

  /** Runs the effects of the first step, once all listeners know the transaction. */
  begin(): void {
    this.#perform(this.#firstEffects);
  }

  handle(event: Event | TimerEvent<Timer>): void {
    if (this.#hasEnded) return;
    const [state, effects] = this.#deps.step(this.#state, event);
    // The state is set before the effects run: a listener may send the next event from inside.
    this.#state = state;
    this.#perform(effects);
    if (this.#state.phase === "terminated") this.end();
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#deps.onEnd();
  }

  #perform(effects: readonly TransactionEffect<Timer>[]): void {
    for (const effect of effects) {
      if (effect.do === "start_timer") this.#startTimer(effect.timer, effect.delayMs);
      else if (effect.do === "stop_timer") this.#stopTimer(effect.timer);
      else this.#deps.perform(effect);
    }
  }

  #startTimer(timer: Timer, delayMs: number): void {
    this.#stopTimer(timer);
    if (this.#hasEnded) return;
    const cancel = this.#deps.clock.setTimer(delayMs, () => {
      this.#timers.delete(timer);
      this.handle({ type: "timer", timer });
    });
    this.#timers.set(timer, cancel);
  }

  #stopTimer(timer: Timer): void {
    this.#timers.get(timer)?.();
    this.#timers.delete(timer);
  }
}

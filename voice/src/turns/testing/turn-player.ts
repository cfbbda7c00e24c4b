import type { Expectation } from "../../ports/brain.ts";
import type { ExpectedAnswerScore, RecognizedWord } from "../../ports/speech-recognizer.ts";
import { beginConversation } from "../open-call.ts";
import type { TurnEffect } from "../turn-effects.ts";
import type { TimerName, TurnEvent, UntimedTurnEvent, WindowJudged } from "../turn-events.ts";
import { stepTurn } from "../turn-machine.ts";
import { overrideTurnSettings, USUAL_TURN_SETTINGS } from "../turn-settings.ts";
import type { TurnPlan, TurnState } from "../turn-state.ts";

export type TimedEffect = TurnEffect & { readonly atMs: number };

/** Short windows, so that every number is exact to ten milliseconds. */
const WINDOW_MS = 10;
const SPEECH_DBFS = -20;
const SILENCE_DBFS = -70;

export interface Spoken {
  readonly text: string;
  readonly best?: ExpectedAnswerScore;
  readonly confidence?: number;
  readonly words?: readonly RecognizedWord[];
  /** How long recognition takes. */
  readonly afterMs?: number;
  /** How much of that it works, and does not wait. */
  readonly workMs?: number;
}

export const FREE_SPEECH: Expectation = { kind: "free_text", answers: [], length: null, keysMax: null, settings: {} };

export function expecting(changes: Partial<Expectation>): Expectation {
  return { ...FREE_SPEECH, ...changes };
}

/** Plays a conversation through the machine alone: time, timers and recognition, without audio. */
export class TurnPlayer {
  state: TurnState;
  nowMs = 0;
  readonly effects: TimedEffect[] = [];
  /** What recognition will return for any request. Null is no answer at all. */
  hears: Spoken | null = { text: "" };
  readonly #answers: { dueMs: number; news: UntimedTurnEvent }[] = [];

  constructor(
    plan: Partial<Omit<TurnPlan, "settings">> & { readonly settings?: Readonly<Record<string, number>> } = {},
  ) {
    const [state, effects] = beginConversation({
      greeting: plan.greeting ?? "immediate",
      voicemail: plan.voicemail ?? { action: "hang_up", message: null },
      isScreened: plan.isScreened ?? false,
      settings: overrideTurnSettings(USUAL_TURN_SETTINGS, plan.settings ?? {}),
    });
    this.state = state;
    this.#take(effects);
  }

  get phase(): TurnState["at"]["phase"] {
    return this.state.at.phase;
  }

  tell(news: UntimedTurnEvent): void {
    const event: TurnEvent = { ...news, atMs: this.nowMs };
    const [state, effects] = stepTurn(this.state, event);
    this.state = state;
    this.#take(effects);
  }

  /** Time passes, in which the callee speaks or is silent. */
  pass(durationMs: number, window: Partial<WindowJudged> = {}): this {
    const untilMs = this.nowMs + durationMs;
    while (this.nowMs < untilMs) {
      const nextMs = Math.min(untilMs, this.nowMs + WINDOW_MS);
      this.#runUntil(nextMs);
      this.nowMs = nextMs;
      this.tell({ ...SILENT_WINDOW, endMs: nextMs, durationMs: WINDOW_MS, ...window });
      this.#runUntil(nextMs);
    }
    return this;
  }

  /** A silent window that ends at a position of the line, and is judged now. */
  hearSilenceUntil(endMs: number): void {
    this.tell({ ...SILENT_WINDOW, endMs, durationMs: WINDOW_MS });
    this.#runUntil(this.nowMs);
  }

  /** The callee speaks, optionally with the recognition result. */
  speak(durationMs: number, spoken: Spoken | string | null = this.hears): this {
    this.hears = typeof spoken === "string" ? { text: spoken } : spoken;
    return this.pass(durationMs, { probability: 0.95, levelDbfs: SPEECH_DBFS });
  }

  /** From the beginning to the point where the callee has the floor after the greeting. */
  greet(expectation: Expectation = FREE_SPEECH): this {
    this.tell({ type: "line.answered" });
    this.tell({ type: "reply.ready", turnId: 1 });
    this.pass(2_000 - this.nowMs);
    return this.sound("Hello.").finish(expectation);
  }

  /** The current reply becomes audible, beginning with this clause. */
  sound(text: string, mayBeInterrupted = true): this {
    const { turnId } = this.state;
    this.tell({ type: "reply.clause", turnId, text });
    this.tell({ type: "playout.started", turnId, startMs: this.nowMs });
    this.tell({ type: "playout.clause_started", turnId, text, mayBeInterrupted });
    return this;
  }

  finish(expectation: Expectation = FREE_SPEECH): this {
    this.tell({ type: "brain.expects", expectation });
    this.tell({ type: "playout.finished", turnId: this.state.turnId });
    return this;
  }

  ofType<Type extends TurnEffect["type"]>(type: Type): Extract<TimedEffect, { type: Type }>[] {
    return this.effects.filter((effect): effect is Extract<TimedEffect, { type: Type }> => effect.type === type);
  }

  /** What was done since, by name. */
  namesSince(count: number): string[] {
    return this.effects.slice(count).map(({ type }) => type);
  }

  /** The callee's turns as reported to the brain. */
  turns(): (TurnEffect & { type: "reply.start" })["turn"][] {
    return this.ofType("reply.start").map(({ turn }) => turn);
  }

  #runUntil(untilMs: number): void {
    for (;;) {
      const timers = Object.entries(this.state.timers) as [TimerName, number][];
      const timer = timers.sort(([, a], [, b]) => a - b)[0];
      const answer = this.#answers.sort((a, b) => a.dueMs - b.dueMs)[0];
      const timerMs = timer?.[1] ?? Number.POSITIVE_INFINITY;
      const answerMs = answer?.dueMs ?? Number.POSITIVE_INFINITY;
      if (Math.min(timerMs, answerMs) > untilMs) return;
      if (answer !== undefined && answerMs <= timerMs) {
        this.#answers.shift();
        this.nowMs = Math.max(this.nowMs, answerMs);
        this.tell(answer.news);
      } else if (timer !== undefined) {
        this.nowMs = Math.max(this.nowMs, timerMs);
        this.tell({ type: "timer.fired", timer: timer[0], dueMs: timerMs });
      }
    }
  }

  #take(effects: readonly TurnEffect[]): void {
    for (const effect of effects) {
      this.effects.push({ ...effect, atMs: this.nowMs });
      if (effect.type === "recognition.ask" && this.hears !== null) {
        const { text, words = [], best = null, confidence = null, afterMs = 0, workMs } = this.hears;
        const news: UntimedTurnEvent = {
          type: "recognition.heard",
          askId: effect.askId,
          text,
          words,
          best,
          confidence,
          ...(workMs === undefined ? {} : { workMs }),
        };
        this.#answers.push({ dueMs: this.nowMs + afterMs, news });
      }
    }
  }
}

const SILENT_WINDOW: WindowJudged = {
  type: "window.judged",
  endMs: 0,
  durationMs: WINDOW_MS,
  probability: 0,
  levelDbfs: SILENCE_DBFS,
  tonality: 0,
  lineEchoes: false,
  echo: null,
};

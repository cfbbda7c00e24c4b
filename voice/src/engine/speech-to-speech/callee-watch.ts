import { durationMsOf } from "@parley/audio/frame";
import type { CallScreening, ScreenedWords, ScreeningDecision, ScreeningWatch } from "../../ports/call-screening.ts";
import type { Line } from "../../ports/line.ts";
import type { VoiceActivityDetector } from "../../ports/voice-activity-detector.ts";
import { isEcho } from "../../turns/echo/echo-guard.ts";
import type { TurnSettings } from "../../turns/turn-settings.ts";
import { WindowJudge } from "../window-judge.ts";
import type { CalleeActivity } from "./decisions/speech-state.ts";

export interface CalleeWatchDeps {
  readonly vad: VoiceActivityDetector;
  /** Null: every callee is taken for a person. */
  readonly screening: CallScreening | null;
}

/** Pauses shorter than this are between words. */
const PAUSE_MS = 500;

/**
 * Our own detector beside the model: whether a person or a machine answered, and when the callee speaks. It works before the
 * model hears anything, and does not mistake our echo for the callee.
 */
export class CalleeWatch {
  readonly #settings: TurnSettings;
  readonly #windows: WindowJudge;
  readonly #screening: ScreeningWatch | null;
  readonly #stop: () => void;
  #nowMs: number;
  #lastSpeechMs: number | null = null;
  #speechMs = 0;
  /** Of the last speech, without its pauses. */
  #utteranceMs = 0;

  constructor(
    { vad, screening }: CalleeWatchDeps,
    line: Pick<Line, "heard" | "played">,
    settings: TurnSettings,
    fromMs: number,
    onDecision: (decision: ScreeningDecision) => void,
  ) {
    this.#settings = settings;
    this.#nowMs = fromMs;
    this.#windows = new WindowJudge(line, vad.windowSamples);
    this.#screening = screening?.watch(line.heard, onDecision) ?? null;
    this.#stop = vad.watch(line.heard, (windows) => {
      for (const window of windows) this.#hear(window);
    });
  }

  get activity(): CalleeActivity {
    const lastSoundMs = this.#lastSpeechMs;
    const isSpeaking = lastSoundMs !== null && this.#nowMs - lastSoundMs < PAUSE_MS;
    return {
      watchedMs: this.#nowMs,
      lastSoundMs,
      utteranceMs: this.#utteranceMs,
      hasSpoken: this.#hasSpoken,
      isSpeaking,
    };
  }

  /** When the callee's last speech ended; null before the first. */
  get lastSpeechMs(): number | null {
    return this.#hasSpoken ? this.#lastSpeechMs : null;
  }

  hearWords(words: ScreenedWords): void {
    this.#screening?.hearWords(words);
  }

  hearKey(): void {
    this.#screening?.hearKey(this.#nowMs);
  }

  stop(): void {
    this.#stop();
    this.#screening?.stop();
  }

  /** Whether the callee has said anything yet. */
  get #hasSpoken(): boolean {
    return this.#speechMs >= this.#settings.speechStartMs;
  }

  #hear(window: Parameters<WindowJudge["judge"]>[0]): void {
    const { endMs, durationMs, probability, echo, levelDbfs } = this.#windows.judge(window);
    const isSpeech = probability >= this.#settings.speechStartProbability && !isEcho(echo, levelDbfs, this.#settings);
    this.#nowMs = Math.max(this.#nowMs, durationMsOf(window.endPosition));
    if (isSpeech) {
      const isNew = this.#lastSpeechMs === null || endMs - durationMs - this.#lastSpeechMs >= PAUSE_MS;
      this.#utteranceMs = (isNew ? 0 : this.#utteranceMs) + durationMs;
      this.#lastSpeechMs = endMs;
      this.#speechMs += durationMs;
    }
    this.#screening?.hearWindow({ endMs, durationMs, isSpeech });
  }
}

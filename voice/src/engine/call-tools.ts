import { durationMsOf, FRAME_MS } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import type { Clock } from "@parley/time/clock";
import { NamedTimers } from "@parley/time/named-timers";
import type { CallScreening, ScreeningWatch } from "../ports/call-screening.ts";
import type { SpeechRecognizer } from "../ports/speech-recognizer.ts";
import type { SpeechSynthesizer } from "../ports/speech-synthesizer.ts";
import type { VoiceActivityDetector } from "../ports/voice-activity-detector.ts";
import type { ConversationOptions, SpareText } from "../ports/voice-engine.ts";
import type { TimerName, UntimedTurnEvent } from "../turns/turn-events.ts";
import type { CallScope } from "./call-scope.ts";
import { CalleeListener } from "./callee-listener.ts";
import { ClauseRenderer } from "./clause-renderer.ts";
import { LinePlayout } from "./line-playout.ts";
import { ReplyController } from "./reply-controller.ts";
import { SpareSentence } from "./spare-sentence.ts";
import type { TurnRecording } from "./turn-recording.ts";
import { WindowJudge } from "./window-judge.ts";

/** The resources of one call. */
export interface CallTools {
  readonly options: ConversationOptions;
  readonly time: LegTime;
  readonly timers: NamedTimers<TimerName>;
  readonly listener: CalleeListener;
  readonly windows: WindowJudge;
  readonly playout: LinePlayout;
  readonly replies: ReplyController;
  /** Says who is calling if the greeting is late. */
  readonly identification: SpareSentence | null;
  /** Asks for a moment if a reply could not be said. */
  readonly moment: SpareSentence | null;
  /** From the answer on, if any. */
  screening: ScreeningWatch | null;
}

/** Everything is released with the scope. */
export function openCallTools(
  deps: CascadeDeps,
  options: ConversationOptions,
  scope: CallScope,
  post: (event: UntimedTurnEvent) => void,
  onOpeningReady: (error: unknown) => void,
): CallTools {
  const { line, brain, journal } = options;
  const time = new LegTime(deps.clock, line.heard);
  const renderer = new ClauseRenderer(
    deps.synthesizer,
    options.voiceId,
    (reason) => journal.note({ type: "incident", what: "voice_changed", reason, atMs: time.nowMs() }),
    options.inOtherLanguages,
  );
  scope.hold(() => renderer.close());
  const timers = new NamedTimers<TimerName>(deps.clock);
  scope.hold(() => timers.cancelAll());
  const listener = new CalleeListener(line.heard, post);
  scope.hold(() => listener.close());
  const playout = new LinePlayout(line.playout);
  const replies = new ReplyController({
    brain,
    journal,
    renderer,
    playout,
    post,
    nowMs: () => time.nowMs(),
    onOpeningReady,
  });
  const spare = (sentence: SpareText | undefined): SpareSentence | null => {
    if (sentence === undefined) return null;
    const opened = new SpareSentence({
      sentence,
      playout,
      renderer,
      onHeard: (heard) => replies.noteSaid(0, heard, false),
    });
    scope.hold(() => opened.close());
    return opened;
  };
  const identification = spare(options.identification);
  const moment = spare(options.moment);
  const windows = new WindowJudge(line, deps.vad.windowSamples);
  return { options, time, timers, listener, windows, playout, replies, identification, moment, screening: null };
}

/** The components of a cascade. The engine uses but does not own them: their creator closes them after it. */
export interface CascadeDeps {
  readonly vad: VoiceActivityDetector;
  readonly recognizer: SpeechRecognizer;
  readonly synthesizer: SpeechSynthesizer;
  readonly clock: Clock;
  readonly screening: CallScreening | null;
  /** Faults that no conversation could record: it had ended, or recording failed. For the log. Must not throw. */
  readonly onIncident: (incident: CallIncident) => void;
  /** Receives the events of every call at its end; null if they are not recorded. */
  readonly record: ((recording: TurnRecording) => void) | null;
}

export interface CallIncident {
  readonly callId: string;
  readonly what: "broken" | "slow_end" | "release_failed";
  readonly reason: string;
}

/**
 * The time of a leg's audio. The rings advance by frames; between two frames the clock advances at most to the
 * next one, so that it never runs ahead of missing audio.
 */
class LegTime {
  readonly #clock: Clock;
  readonly #ring: RingReader;
  #positionMs = -1;
  #seenMs = 0;

  constructor(clock: Clock, heard: SharedArrayBuffer) {
    this.#clock = clock;
    this.#ring = new RingReader(heard);
  }

  nowMs(): number {
    const positionMs = durationMsOf(this.#ring.writtenPosition);
    const clockMs = this.#clock.now();
    if (positionMs !== this.#positionMs) {
      this.#positionMs = positionMs;
      this.#seenMs = clockMs;
    }
    return positionMs + Math.min(FRAME_MS, Math.max(0, clockMs - this.#seenMs));
  }
}

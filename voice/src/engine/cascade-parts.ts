import type { Clock } from "@parley/time/clock";
import type { CallScreening } from "../ports/call-screening.ts";
import type { SpeechRecognizer } from "../ports/speech-recognizer.ts";
import type { SpeechSynthesizer } from "../ports/speech-synthesizer.ts";
import type { VoiceActivityDetector } from "../ports/voice-activity-detector.ts";
import type { TurnRecording } from "./turn-recording.ts";

/** What a cascade is made of. The engine uses these and does not own them: whoever made them closes them after it. */
export interface CascadeParts {
  readonly vad: VoiceActivityDetector;
  readonly recognizer: SpeechRecognizer;
  readonly synthesizer: SpeechSynthesizer;
  readonly clock: Clock;
  readonly screening: CallScreening | null;
  /** Faults that no conversation could note: it was over, or noting failed. For the log. Must not throw. */
  readonly onIncident: (incident: CallIncident) => void;
  /** Gets the events of every call when it is over; null when they are not kept. */
  readonly record: ((recording: TurnRecording) => void) | null;
}

export interface CallIncident {
  readonly callId: string;
  readonly what: "broken" | "slow_end" | "release_failed";
  readonly reason: string;
}

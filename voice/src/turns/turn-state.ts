import type { ReplyStageName } from "@parley/contract/transcripts";
import type { CalleeTurn, Expectation } from "../ports/brain.ts";
import type { AnsweredBy, ConversationEnd } from "../ports/conversation-journal.ts";
import type { ConversationOptions } from "../ports/voice-engine.ts";
import type { CalleePace } from "./hearing/callee-pace.ts";
import type { MusicWatch } from "./hearing/hold-music.ts";
import type { NearVoice } from "./hearing/near-voice.ts";
import type { SpeechState } from "./hearing/speech-segmenter.ts";
import type { AnsweredTurn, Utterance } from "./hearing/utterance.ts";
import type { TimerName } from "./turn-events.ts";
import type { TurnSettings } from "./turn-settings.ts";

/**
 * A conversation is always in one of these phases:
 *
 * - ringing: the callee has not answered. The first words are being rendered, and nothing else happens.
 * - opening: answered. The callee's first words are awaited, or the greeting is not ready yet.
 * - listening: the callee has the floor, and speaks or is silent.
 * - thinking: a reply has started, and nothing of it is audible yet.
 * - speaking: a reply is audible. The callee may speak over it.
 * - awaiting_beep: a voicemail speaks. The message is left after its tone.
 * - transferring: the callee is being connected with another party. Neither side speaks here.
 * - closing: the last words were sent, and the line stays open a moment longer so that they arrive.
 * - ended: final. No event changes it.
 *
 * In each of them something is guaranteed to happen next: a timer is set in all but `ringing` (where the line itself
 * ends) and `ended`.
 */
type Place =
  | { readonly phase: "ringing" }
  | {
      readonly phase: "opening";
      readonly reply: Reply;
      readonly isReady: boolean;
      readonly hasFailed: boolean;
      /** The callee's first words are over, or did not come. */
      readonly mayBegin: boolean;
    }
  | { readonly phase: "listening" }
  | { readonly phase: "thinking"; readonly reply: Reply }
  | {
      readonly phase: "speaking";
      readonly reply: Reply;
      readonly startedMs: number;
      readonly clauseMayBeInterrupted: boolean;
      readonly isDucked: boolean;
    }
  | { readonly phase: "awaiting_beep"; readonly sinceMs: number }
  | { readonly phase: "transferring" }
  | { readonly phase: "closing"; readonly reason: ConversationEnd }
  | { readonly phase: "ended"; readonly reason: ConversationEnd };

/** A stage of a reply that lasts until the next one begins. */
export interface StageStart {
  readonly stage: ReplyStageName;
  readonly startMs: number;
}

/** A reply in progress. There is at most one. */
export interface Reply {
  readonly turnId: number;
  readonly source: "greeting" | "answer" | "recital";
  readonly answers: AnsweredTurn | null;
  readonly mayBeInterrupted: boolean;
  /** The end reason once this was heard; null if the call continues. */
  readonly closes: ConversationEnd | null;
  readonly isTransferring: boolean;
  /** Why no person was reached, if known before the reply has ended. */
  readonly transferFailure: string | null;
  /** It did something irreversible. */
  readonly hasActed: boolean;
  /** What it waited for until its first clause, from when on. */
  readonly waits: readonly StageStart[];
  readonly firstClauseMs: number | null;
  /** When its first audio was ready. */
  readonly readyMs: number | null;
}

export interface PreparedReply {
  readonly turnId: number;
  readonly turn: CalleeTurn;
}

export interface TurnPlan {
  readonly greeting: ConversationOptions["greeting"];
  readonly voicemail: ConversationOptions["voicemail"];
  /** Whether call screening is active. Without it, effects of the flow wait only for the answer. */
  readonly isScreened: boolean;
  /** The agent's. */
  readonly settings: TurnSettings;
}

interface Silence {
  /** Since when the callee has said nothing useful; null during speech. */
  readonly sinceMs: number | null;
  readonly prompts: number;
}

/**
 * What our own failures have done to a conversation. The conversation failed if the callee spoke and we understood none
 * of it, if the agent ended it because of something we failed to hear or to ask the model, if it could not speak, or if
 * it ended during a failure. Failures that were recovered from are only reported.
 */
export interface OwnFailures {
  /** Since when speech detection has been behind the line; null while it keeps up. */
  readonly deafSinceMs: number | null;
  /** How long it was behind before that, in total. */
  readonly deafMs: number;
  /** When we last failed to hear or to understand something. */
  readonly lastMissMs: number | null;
  /** What the callee said after picking up, by whether it became words. A key counts as understood. */
  readonly missedTurns: number;
  readonly understoodTurns: number;
  /** Those that matched what was asked: an expected answer, or a key. */
  readonly fittingTurns: number;
  /** The turn that the agent answered last was silence or noise to us because we failed. */
  readonly hasAnsweredMiss: boolean;
  /** The turn that the agent answered last was silence, whatever the reason. */
  readonly hasAnsweredSilence: boolean;
  /** The language model failed, and nothing has been understood since. */
  readonly hasModelFailed: boolean;
}

/**
 * What is known from the far end's reports about whether the callee hears us. Reports may be wrong, so nothing ends
 * because of them. They are recorded, and a silence that they explain is not attributed to the callee.
 */
export interface Unheard {
  readonly now: UnheardSpell | null;
  /** The total duration of earlier spells. */
  readonly beforeMs: number;
}

export interface UnheardSpell {
  readonly sinceMs: number;
  readonly wasHeard: boolean;
  readonly isNoted: boolean;
  /** What the callee had answered when it began. */
  readonly answered: Pick<TurnState["ours"], "understoodTurns" | "fittingTurns">;
}

export interface LateRecognition {
  readonly askId: number;
  readonly turnId: number;
  /** The speech that it was asked about. */
  readonly startMs: number;
  readonly endMs: number;
}

export interface TurnState {
  readonly plan: TurnPlan;
  readonly at: Place;
  /** The newest reply that was started. */
  readonly turnId: number;
  /** A reply to a turn that has probably ended. There is no other reply then, and the callee has the floor. */
  readonly prepared: PreparedReply | null;
  /** What the brain expects, and the settings that follow from it. */
  readonly expectation: Expectation;
  readonly settings: TurnSettings;
  readonly answeredMs: number;
  readonly speech: SpeechState;
  readonly utterance: Utterance | null;
  /** Whether the callee has said anything yet. */
  readonly hadFirstWords: boolean;
  readonly nextAskId: number;
  /** Recognition that was no longer waited for: its words are written down when they come, and nothing else follows from them. */
  readonly late: readonly LateRecognition[];
  readonly pace: CalleePace;
  readonly silence: Silence;
  readonly music: MusicWatch;
  readonly voice: NearVoice;
  readonly lineEchoes: boolean | null;
  /** What we said recently, for recognizing our echo by its words. */
  readonly ownWords: readonly string[];
  readonly keys: string;
  readonly isAudioMissing: boolean;
  readonly unheard: Unheard;
  /** Who or what answered, as far as screening knows. */
  readonly answeredBy: AnsweredBy | null;
  readonly beepMs: number | null;
  /** Whether the brain may act outside the conversation: a person seems to be there, or the agent acts in any case. */
  readonly mayAct: boolean;
  readonly ours: OwnFailures;
  /**
   * The last reply was cut off by what the callee is saying. If that turns out to be nothing, a reply that was
   * interrupted is continued; after one that was taken back the callee is asked.
   */
  readonly cut: "interrupted" | "taken_back" | null;
  /** How often that was done since the callee last said something. */
  readonly continuations: number;
  /** Single words over music that were asked about since the callee was last understood. */
  readonly askedOverMusic: readonly string[];
  /** Consecutive replies of which nothing was heard. */
  readonly failures: number;
  readonly counts: { readonly ducks: number; readonly interruptions: number; readonly undos: number };
  readonly timers: Readonly<Partial<Record<TimerName, number>>>;
}

/** The reply in progress, if there is one. */
export function replyOf({ at }: TurnState): Reply | null {
  return "reply" in at ? at.reply : null;
}

/** The turn in progress: of the reply, or while the callee has the floor, of the reply that will follow. */
export function turnInProgress({ at, turnId }: TurnState): number {
  const isBetween = at.phase === "listening" || at.phase === "awaiting_beep" || at.phase === "transferring";
  return isBetween ? turnId + 1 : turnId;
}

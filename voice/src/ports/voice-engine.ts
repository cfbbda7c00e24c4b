import type { Brain } from "./brain.ts";
import type { ConversationJournal } from "./conversation-journal.ts";
import type { Line, LineEvent } from "./line.ts";
import type { SpeechRecognizer } from "./speech-recognizer.ts";
import type { SpeechSynthesizer } from "./speech-synthesizer.ts";

/**
 * The port to an engine that conducts a conversation on a line: a cascade of recognition, a brain and synthesis, or one
 * model that hears and speaks.
 */
export interface VoiceEngine {
  readonly name: string;
  /** Prepares a conversation before the callee answers, so that the greeting is ready. Rejects when it cannot be held. */
  prepare(setup: ConversationOptions): Promise<Conversation>;
  close(): Promise<void>;
}

export interface ConversationOptions {
  readonly callId: string;
  readonly line: Line;
  readonly brain: Brain;
  readonly journal: ConversationJournal;
  readonly language: string;
  readonly voiceId: string;
  /** Recognition and voice of this call, for an engine that is a cascade. Left out: those of the engine. */
  readonly speech?: { readonly recognizer: SpeechRecognizer; readonly synthesizer: SpeechSynthesizer };
  /** The same in the other languages that the conversation may change to, by BCP 47 tags. */
  readonly inOtherLanguages?: ReadonlyMap<string, LanguageSpeech>;
  /** Names, places and answers that are likely to occur, for recognition. */
  readonly terms?: readonly string[];
  /** Who speaks first when the callee has answered. */
  readonly greeting: "after_hello" | "immediate";
  readonly voicemail: { readonly action: "hang_up" | "leave_message" | "continue"; readonly message: string | null };
  /** Turn settings that the agent sets differently, by name. */
  readonly settings: Readonly<Record<string, number>>;
  /**
   * A sentence that says who is calling: played if the greeting is not ready soon after the answer, so that the callee does not hear
   * silence.
   */
  readonly identification?: SpareText;
  /** A sentence that asks for a moment: played once, if a reply could not be said and is tried again. */
  readonly moment?: SpareText;
  /** Aborted when the callee has answered: anything not ready by then is rendered while the callee waits. */
  readonly hurry?: AbortSignal;
}

/** With a clip (8 kHz) it does not depend on the synthesizer, which may be the cause of the failure. Otherwise it is rendered in advance. */
export interface SpareText {
  readonly text: string;
  readonly clip: Int16Array | null;
}

export interface LanguageSpeech {
  readonly recognizer: SpeechRecognizer;
  readonly synthesizer: SpeechSynthesizer;
  readonly voiceId: string;
}

/** One conversation. It ends when the line ended or the brain was done, and always records why in the journal. */
export interface Conversation {
  /** The turn in progress: of the reply, or while the callee has the floor, of the reply that will follow. */
  readonly turnId: number;
  notify(event: LineEvent): void;
  /** Says goodbye and hangs up: the credit is used up, or the service stops. */
  endPolitely(): void;
  /** Resolves when nothing of it is left: no timer, no request, no reader. Never rejects. */
  readonly finished: Promise<void>;
}

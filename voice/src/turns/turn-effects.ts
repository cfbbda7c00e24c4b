import type { CalleeTurn } from "../ports/brain.ts";
import type { JournalEntry } from "../ports/conversation-journal.ts";
import type { LineTransfer } from "../ports/line.ts";
import type { TimerName } from "./turn-events.ts";

/** What is to be done, as plain data. Each effect starts immediately and waits for nothing; its results are events. */
export type TurnEffect =
  /** Renders the first words while it rings. The flow is not run. */
  | { readonly type: "opening.prepare" }
  /** The flow starts, and its words are held back until `reply.play`. Only for an answered call. */
  | { readonly type: "reply.open"; readonly turnId: number }
  | { readonly type: "reply.play"; readonly turnId: number }
  | { readonly type: "reply.start"; readonly turnId: number; readonly turn: CalleeTurn }
  /** The same for a turn that has probably ended: nothing is played, and nothing of it lasts before `reply.commit`. */
  | { readonly type: "reply.prepare"; readonly turnId: number; readonly turn: CalleeTurn }
  | { readonly type: "reply.commit"; readonly turnId: number }
  | { readonly type: "reply.withdraw"; readonly turnId: number }
  /** Words that do not come from the brain. They cannot be interrupted. */
  /** Without a text, the farewell of the brain. */
  | { readonly type: "reply.recite"; readonly turnId: number; readonly text: string | null }
  /** A cut-off is always these three, in this order and in one step. */
  | { readonly type: "playout.clear"; readonly turnId: number }
  | { readonly type: "reply.abort"; readonly turnId: number }
  | { readonly type: "transcript.commit_heard"; readonly turnId: number; readonly wasCut: boolean }
  /** After a cut-off: as if the callee's turn had not been taken. */
  | { readonly type: "reply.undo"; readonly turnId: number }
  /** From now on requests may be sent, keys pressed and the call transferred. Comes once. */
  | { readonly type: "brain.permit" }
  /** After a cut-off: a machine spoke, and nothing it said was an answer. */
  | { readonly type: "brain.disregard" }
  | { readonly type: "playout.duck"; readonly changeDb: number; readonly rampMs: number }
  | { readonly type: "playout.restore"; readonly rampMs: number }
  /** Plays who is calling, because the greeting is late. */
  | { readonly type: "playout.identify" }
  /** "One moment, please.", as it was rendered in advance. */
  | { readonly type: "playout.ask_moment" }
  | { readonly type: "utterance.open"; readonly fromMs: number }
  /** Audio from now on belongs to another piece of recognition; pending requests are still answered. */
  | { readonly type: "utterance.cut"; readonly fromMs: number }
  | { readonly type: "utterance.close" }
  | {
      readonly type: "recognition.ask";
      readonly askId: number;
      readonly expected: readonly string[];
      readonly isSpeechCertain: boolean;
      readonly isGuess: boolean;
      /** The callee is still speaking: what is known so far is asked for. */
      readonly isSpeaking: boolean;
    }
  | { readonly type: "recognition.abort"; readonly askId: number }
  /** One timer of each name: setting it again replaces it. */
  | { readonly type: "timer.set"; readonly timer: TimerName; readonly dueMs: number }
  | { readonly type: "timer.cancel"; readonly timer: TimerName }
  | { readonly type: "screening.words"; readonly text: string; readonly startMs: number; readonly endMs: number }
  | { readonly type: "line.send_dtmf"; readonly keys: string }
  | { readonly type: "line.transfer"; readonly request: LineTransfer }
  | { readonly type: "line.hangup" }
  | { readonly type: "journal.note"; readonly entry: JournalEntry }
  /** A failure of the service itself. */
  | Extract<JournalEntry, { type: "incident" }>;

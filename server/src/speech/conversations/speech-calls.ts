import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { DEFAULT_FLITE_VOICE } from "@parley/providers/local/flite/flite-voices";
import { splitClauses } from "@parley/voice/conversation/texts/clauses";
import { joinSamples } from "@parley/voice/engine/join-samples";
import type { SpeechToSpeechEngine } from "@parley/voice/engine/speech-to-speech/speech-to-speech-engine";
import type { ConversationJournal } from "@parley/voice/ports/conversation-journal";
import type { Line, MayDial } from "@parley/voice/ports/line";
import type { OwnLine } from "@parley/voice/ports/speech-model";
import { plainText } from "@parley/voice/ports/speech-notation";
import type { SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import type { Conversation } from "@parley/voice/ports/voice-engine";
import type { OpenParts } from "../engines/open-parts.ts";
import type { NotePartUse } from "../engines/part-meter.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import type { NoteIncident } from "./held-conversation.ts";
import { identificationOf, momentOf } from "./identification-voice.ts";
import { type BrainDeps, readSpeechPlan } from "./read-plan.ts";

/** Holds the conversations of engines that are one model for hearing, thinking and speaking. */
export interface SpeechCalls {
  /** Rejects when the flow cannot be held, or no model can be opened. */
  prepare(call: SpeechCall): Promise<{ readonly conversation: Conversation; release(): void }>;
  close(): Promise<void>;
}

interface SpeechCall {
  readonly plan: ConversationPlan;
  readonly line: Line;
  readonly journal: ConversationJournal;
  readonly mayDial: MayDial;
  readonly noteIncident: NoteIncident;
  readonly note: NotePartUse;
}

export interface SpeechCallsDeps {
  readonly engine: SpeechToSpeechEngine;
  readonly parts: Pick<OpenParts, "speechFor">;
  /** Says who is calling or asks for a moment when the model is late, and apologizes when it is gone. */
  readonly synthesizer: Pick<SpeechSynthesizer, "speak">;
  readonly brains: BrainDeps;
}

/** Whether a call is held by such an engine. */
export function isSpeechCall({ engine }: ConversationPlan): boolean {
  return engine !== undefined && engine.speech.length > 0;
}

export function createSpeechCalls({ engine, parts, synthesizer, brains }: SpeechCallsDeps): SpeechCalls {
  return {
    async prepare({ plan, line, journal, mayDial, noteIncident, note }) {
      if (plan.engine === undefined) throw new Error("the call names no engine");
      const models = await parts.speechFor(plan.engine, plan.flow.settings?.voice, note);
      const { setup, release } = readSpeechPlan(brains, plan, mayDial, noteIncident);
      const say = (text: string) => render(synthesizer, text, plan);
      const ownLines = {
        identification: say(identificationOf(plan)),
        moment: say(momentOf(plan)),
        apology: say(setup.script.apology),
      };
      try {
        const { callId } = plan;
        return {
          conversation: await engine.prepare({ ...setup, callId, line, journal, models, ownLines }),
          release,
        };
      } catch (error) {
        release();
        throw error;
      }
    },
    close: () => engine.close(),
  };
}

/** Rendered while it rings. Null when the voice does not speak the language, or fails: then nothing is said in its place. */
async function render(
  synthesizer: SpeechCallsDeps["synthesizer"],
  text: string,
  { language, voiceId = DEFAULT_FLITE_VOICE }: ConversationPlan,
): Promise<OwnLine | null> {
  // The voices of this machine would read another language as if it were English.
  if (!/^en\b/i.test(language)) return null;
  try {
    const pieces: Int16Array[] = [];
    for (const clause of splitClauses(text)) {
      const request = { text: clause, voiceId, sampleRateHz: TELEPHONE_RATE_HZ } as const;
      for await (const piece of synthesizer.speak(request)) pieces.push(piece);
    }
    return { text: plainText(text), clip: joinSamples(pieces) };
  } catch {
    return null;
  }
}

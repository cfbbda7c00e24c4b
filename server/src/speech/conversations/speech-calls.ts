import type { Timers } from "@parley/time/clock";
import type { SpeechToSpeechEngine } from "@parley/voice/engine/speech-to-speech/speech-to-speech-engine";
import type { ConversationJournal } from "@parley/voice/ports/conversation-journal";
import type { Line, MayDial } from "@parley/voice/ports/line";
import type { OwnLines } from "@parley/voice/ports/speech-model";
import type { Conversation } from "@parley/voice/ports/voice-engine";
import type { OpenParts } from "../engines/open-parts.ts";
import type { NotePartUse } from "../engines/part-meter.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import type { NoteIncident } from "./held-conversation.ts";
import type { LocalVoices } from "./local-voices.ts";
import { createOwnLines, planIn } from "./own-lines.ts";
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
  readonly parts: Pick<OpenParts, "speechFor" | "standInsFor">;
  /** Where they speak the language, they say who is calling or ask for a moment when the model is late, and apologize when it is gone. */
  readonly local: LocalVoices;
  readonly timers: Timers;
  readonly brains: BrainDeps;
}

/** Whether a call is held by such an engine. */
export function isSpeechCall({ engine }: ConversationPlan): boolean {
  return engine !== undefined && engine.speech.length > 0;
}

export function createSpeechCalls({ engine, parts, local, timers, brains }: SpeechCallsDeps): SpeechCalls {
  const ownLinesFor = createOwnLines({ local, timers });
  return {
    async prepare({ plan, line, journal, mayDial, noteIncident, note }) {
      const { engine: recipe } = plan;
      if (recipe === undefined) throw new Error("the call names no engine");
      const voice = plan.flow.settings?.voice;
      const models = await parts.speechFor(recipe, voice, note);
      const { setup, release } = readSpeechPlan(brains, plan, mayDial, noteIncident);
      const linesByLanguage = new Map<string, OwnLines>();
      const ownLines = (language: string) => {
        const known = linesByLanguage.get(language);
        if (known !== undefined) return known;
        const inLanguage = planIn(plan, language);
        const standIns = parts.standInsFor(inLanguage.engine ?? recipe, voice, note);
        const lines = ownLinesFor({ plan: inLanguage, apology: setup.script.apology, standIns });
        linesByLanguage.set(language, lines);
        return lines;
      };
      // They are made while it rings.
      ownLines(setup.script.language);
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

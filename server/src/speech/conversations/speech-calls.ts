import { STANDARD_LANGUAGES } from "@parley/flow/standard-texts";
import { translateSettings } from "@parley/flow/translate";
import type { Timers } from "@parley/time/clock";
import type { SpeechToSpeechEngine } from "@parley/voice/engine/speech-to-speech/speech-to-speech-engine";
import type { ConversationJournal } from "@parley/voice/ports/conversation-journal";
import type { Line, MayDial } from "@parley/voice/ports/line";
import { reasonOf } from "@parley/voice/ports/provider-error";
import type { OwnLine, OwnLineName, OwnLines, UnspokenLine } from "@parley/voice/ports/speech-model";
import { plainText } from "@parley/voice/ports/speech-notation";
import type { Conversation } from "@parley/voice/ports/voice-engine";
import { LRUCache } from "lru-cache";
import type { OpenParts, StandInVoice } from "../engines/open-parts.ts";
import type { NotePartUse } from "../engines/part-meter.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import type { NoteIncident } from "./held-conversation.ts";
import { identificationOf, momentOf } from "./identification-voice.ts";
import { type LocalVoices, localVoiceIn, speakWhole } from "./local-voices.ts";
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
      const models = await parts.speechFor(recipe, voice, { note, noteIncident });
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

interface OwnLineRequest {
  /** In the language of the lines. */
  readonly plan: Pick<ConversationPlan, "flow" | "language" | "voiceId" | "variables">;
  readonly apology: string;
  readonly standIns: Promise<readonly StandInVoice[]>;
}

/** Agents ask many callees for a moment with the same words, and vendors charge for each time. */
const KEPT_MAX = 64;
/** The phone rings for longer, as a rule. A voice that takes longer is replaced by the next. */
const RENDER_WITHIN_MS = 8_000;

const WHAT_IS_MISSING: Readonly<Record<OwnLineName, string>> = {
  identification: "The callee did not hear who was calling",
  moment: "The callee was not asked for a moment",
  apology: "The callee heard no apology",
};

/** What is said for a model that is silent or gone: in the language of the call, or not at all. */
function createOwnLines({ local, timers }: { readonly local: LocalVoices; readonly timers: Timers }) {
  const kept = new LRUCache<string, OwnLine>({ max: KEPT_MAX });

  async function render(
    name: OwnLineName,
    text: string | null,
    { plan, standIns }: OwnLineRequest,
  ): Promise<OwnLine | UnspokenLine> {
    const { language, voiceId } = plan;
    const title = new Intl.DisplayNames("en", { type: "language" }).of(codeOf(language)) ?? language;
    const missing = (reason: string) => ({ unspoken: `${WHAT_IS_MISSING[name]}: ${reason}` });
    if (text === null) return missing(`there are no words for it in ${title}, and the agent's settings have none`);
    let reason = `no voice here speaks ${title}`;
    for (const { isLocal, identity, synthesizer } of await standIns) {
      const spoken = isLocal ? localVoiceIn(local, voiceId, language) : identity;
      if (spoken === null) continue;
      const key = JSON.stringify([spoken, text]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const late = new AbortController();
      const cancel = timers.setTimer(RENDER_WITHIN_MS, () => late.abort(new Error("its voice took too long")));
      try {
        const clip = await speakWhole(synthesizer, text, { language, voiceId: spoken, signal: late.signal });
        const line = { text: plainText(text), clip };
        kept.set(key, line);
        return line;
      } catch (error) {
        reason = reasonOf(error);
      } finally {
        cancel();
      }
    }
    return missing(reason);
  }

  return function ownLinesFor(request: OwnLineRequest): OwnLines {
    const { plan } = request;
    const { identification, phrases } = plan.flow.settings ?? {};
    const isStandard = STANDARD_LANGUAGES.includes(codeOf(plan.language));
    const hasMoment = phrases?.moment !== undefined || isStandard;
    return {
      identification: render(
        "identification",
        identification !== undefined || hasMoment ? identificationOf(plan) : null,
        request,
      ),
      moment: render("moment", hasMoment ? momentOf(plan) : null, request),
      apology: render("apology", isStandard ? request.apology : null, request),
    };
  };
}

/** The plan as its call goes on in another language. */
function planIn(plan: ConversationPlan, language: string): ConversationPlan {
  const other = plan.inOtherLanguages?.find((each) => each.language === language);
  if (other === undefined) return plan;
  const { flow } = plan;
  return { ...plan, ...other, flow: { ...flow, settings: translateSettings(flow.settings ?? {}, language) } };
}

function codeOf(language: string): string {
  return language.toLowerCase().split("-")[0] ?? "";
}

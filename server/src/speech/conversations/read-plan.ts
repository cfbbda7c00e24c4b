import { type CompiledFlow, compileFlow } from "@parley/flow/compile";
import { DEFAULT_FLITE_VOICE } from "@parley/providers/local/flite/flite-voices";
import { conversationSettings } from "@parley/voice/conversation/conversation-settings";
import { createFlowRunner, type FlowRunnerOptions } from "@parley/voice/conversation/flow-runner";
import { createSpeechScript } from "@parley/voice/conversation/speech-script";
import { termsOf } from "@parley/voice/conversation/terms";
import type { MayDial } from "@parley/voice/ports/line";
import { reasonOf } from "@parley/voice/ports/provider-error";
import { plainText } from "@parley/voice/ports/speech-notation";
import type { ToolCaller } from "@parley/voice/ports/tool-caller";
import type { LanguageSpeech } from "@parley/voice/ports/voice-engine";
import { spokenForm } from "@parley/voice/text/spoken-form";
import type { CallParts } from "../engines/open-parts.ts";
import { type ConversationPlan, speaksElsewhere } from "./conversation-plan.ts";
import type { NoteIncident, ReadCall } from "./held-conversation.ts";
import { identificationOf, momentOf } from "./identification-voice.ts";

/** Sends the requests of one call. */
interface CallTools extends ToolCaller {
  /** Releases what it has opened for the call. Never rejects. */
  close(): Promise<void>;
}

/** What the brains of a thread share. */
export interface BrainDeps extends Pick<FlowRunnerOptions, "models" | "ranker" | "judge" | "timers"> {
  toolCallerFor(plan: ConversationPlan, noteIncident: NoteIncident): CallTools | null;
}

/** Reads what a call is about: its brain, and how its flow conducts it. Throws when the flow cannot be held. */
export function readPlan(
  deps: BrainDeps,
  plan: ConversationPlan,
  mayDial: MayDial,
  noteIncident: NoteIncident,
  parts: CallParts | null = null,
  inOtherLanguages: ReadonlyMap<string, LanguageSpeech> = new Map(),
): ReadCall {
  const { language, voiceId = DEFAULT_FLITE_VOICE, variables, call } = plan;
  if (plan.voiceIncident) noteIncident("voice_changed", plan.voiceIncident);
  const compiled = compile(plan);
  const over = new AbortController();
  const toolCaller = deps.toolCallerFor(plan, noteIncident);
  const { ranker, judge = null, timers } = deps;
  const models = parts === null ? deps.models : [parts.model].filter((model) => model !== null);
  const isEnglish = /^en\b/i.test(language);
  const brain = createFlowRunner({
    plan: compiled,
    call,
    language,
    spoken: [...inOtherLanguages.keys()],
    variables,
    models,
    timers,
    mayDial,
    // The local models of meaning know English only.
    ranker: isEnglish ? ranker : null,
    judge: isEnglish ? judge : null,
    toolCaller,
    mcpFunctions: plan.mcp?.functions ?? [],
    signal: over.signal,
    noteFault: (fault, what) => noteIncident(what, reasonOf(fault)),
  });
  return {
    setup: {
      ...settingsOf(plan, compiled),
      brain,
      language,
      voiceId,
      ...(parts ? { speech: { recognizer: parts.recognizer, synthesizer: parts.synthesizer } } : {}),
      inOtherLanguages,
      terms: termsOf(compiled, variables),
      identification: { text: identificationOf(plan), clip: null },
      // A vendor would charge every call for a sentence that hardly any of them needs.
      ...(speaksElsewhere(plan) ? {} : { moment: { text: momentOf(plan), clip: null } }),
    },
    release: () => {
      over.abort(new Error("the call is over"));
      void toolCaller?.close();
    },
  };
}

/** The same for a model that hears and speaks. Throws when the flow is more than one conversation. */
export function readSpeechPlan(deps: BrainDeps, plan: ConversationPlan, mayDial: MayDial, noteIncident: NoteIncident) {
  const { language, variables, call } = plan;
  const compiled = compile(plan);
  const over = new AbortController();
  const toolCaller = deps.toolCallerFor(plan, noteIncident);
  const script = createSpeechScript({
    plan: compiled,
    call,
    language,
    spoken: (plan.inOtherLanguages ?? []).map((each) => each.language),
    variables,
    mayDial,
    timers: deps.timers,
    toolCaller,
    mcpFunctions: plan.mcp?.functions ?? [],
    signal: over.signal,
    noteFault: (fault, what) => noteIncident(what, reasonOf(fault)),
  });
  const { voicemail, ...settings } = settingsOf(plan, compiled);
  const message = voicemail.message === null ? null : plainText(voicemail.message);
  return {
    setup: { ...settings, voicemail: { ...voicemail, message }, script },
    release: () => {
      over.abort(new Error("the call is over"));
      void toolCaller?.close();
    },
  };
}

function compile({ flow }: ConversationPlan): CompiledFlow {
  const compiled = compileFlow(flow);
  if (!compiled.ok) throw new Error(`the flow does not compile: ${JSON.stringify(compiled.problems[0])}`);
  return compiled.plan;
}

function settingsOf({ language, variables, voicemail }: ConversationPlan, compiled: CompiledFlow) {
  const { pace, pronunciations } = compiled.settings;
  const asSaid = (text: string) => spokenForm(text, variables, { language, pace, pronunciations });
  const message = voicemail?.message === undefined ? null : asSaid(voicemail.message);
  return conversationSettings(compiled, { voicemail: voicemail && { action: voicemail.action, message } });
}

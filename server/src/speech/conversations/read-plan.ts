import { compileFlow } from "@parley/flow/compile";
import { DEFAULT_FLITE_VOICE } from "@parley/providers/local/flite/flite-voices";
import { conversationSettings } from "@parley/voice/conversation/conversation-settings";
import { createFlowRunner, type FlowRunnerOptions } from "@parley/voice/conversation/flow-runner";
import type { MayDial } from "@parley/voice/ports/line";
import { reasonOf } from "@parley/voice/ports/provider-error";
import { spokenForm } from "@parley/voice/text/spoken-form";
import type { CallParts } from "../engines/open-parts.ts";
import type { ConversationPlan } from "./conversation-plan.ts";
import type { NoteIncident, ReadCall } from "./held-conversation.ts";
import { identificationOf } from "./identification-voice.ts";

/** What the brains of a thread share. */
export interface BrainDeps extends Pick<FlowRunnerOptions, "models" | "ranker" | "judge" | "timers"> {
  toolCallerFor(plan: ConversationPlan, noteIncident: NoteIncident): FlowRunnerOptions["toolCaller"];
}

/** Reads what a call is about: its brain, and how its flow conducts it. Throws when the flow cannot be held. */
export function readPlan(
  deps: BrainDeps,
  plan: ConversationPlan,
  mayDial: MayDial,
  noteIncident: NoteIncident,
  parts: CallParts | null = null,
): ReadCall {
  const { flow, language, voiceId = DEFAULT_FLITE_VOICE, variables, voicemail, call } = plan;
  if (plan.voiceIncident) noteIncident("voice_changed", plan.voiceIncident);
  const compiled = compileFlow(flow);
  if (!compiled.ok) throw new Error(`the flow does not compile: ${JSON.stringify(compiled.problems[0])}`);
  const over = new AbortController();
  const { ranker, judge = null, timers } = deps;
  const models = parts === null ? deps.models : [parts.model].filter((model) => model !== null);
  const isEnglish = /^en\b/i.test(language);
  const brain = createFlowRunner({
    plan: compiled.plan,
    call,
    language,
    variables,
    models,
    timers,
    mayDial,
    // The local models of meaning know English only.
    ranker: isEnglish ? ranker : null,
    judge: isEnglish ? judge : null,
    toolCaller: deps.toolCallerFor(plan, noteIncident),
    signal: over.signal,
    noteFault: (fault, what) => noteIncident(what, reasonOf(fault)),
  });
  const { pace, pronunciations } = compiled.plan.settings;
  const asSaid = (text: string) => spokenForm(text, variables, { language, pace, pronunciations });
  const message = voicemail?.message === undefined ? null : asSaid(voicemail.message);
  return {
    setup: {
      ...conversationSettings(compiled.plan, { voicemail: voicemail && { action: voicemail.action, message } }),
      brain,
      language,
      voiceId,
      ...(parts ? { speech: { recognizer: parts.recognizer, synthesizer: parts.synthesizer } } : {}),
      identification: { text: identificationOf(plan), clip: null },
    },
    release: () => over.abort(new Error("the call is over")),
  };
}

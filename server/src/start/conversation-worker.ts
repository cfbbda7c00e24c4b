import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { rememberClips } from "@parley/providers/local/clip-cache";
import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";
import { connectRanker } from "@parley/providers/local/intents/ranker-thread";
import { connectJudge } from "@parley/providers/local/judge/judge-thread";
import { connectVoice } from "@parley/providers/local/kokoro/speaking/voice-port";
import { connectRecognizer } from "@parley/providers/local/stt/recognizer-thread";
import { connectVad } from "@parley/providers/local/vad/connect-vad";
import { systemClock } from "@parley/time/clock";
import { createCascadeEngine } from "@parley/voice/engine/cascade-engine";
import { createSpeechToSpeechEngine } from "@parley/voice/engine/speech-to-speech/speech-to-speech-engine";
import { reasonOf } from "@parley/voice/ports/provider-error";
import { createCallScreening } from "@parley/voice/screening/create-call-screening";
import { NO_MCP } from "../agents/mcp/functions-for-flow.ts";
import { createCallingVoice } from "../agents/voices/calling-voice.ts";
import type { ModelSettings } from "../platform/config/model-settings.ts";
import { createOutboundFetch } from "../platform/outbound-http/outbound-fetch.ts";
import { createOutboundHttp } from "../platform/outbound-http/outbound-http.ts";
import { makePolicy, type OutboundPolicyWords } from "../platform/outbound-http/outbound-policy.ts";
import { createMcpCaller } from "../speech/conversations/call-mcp-tool.ts";
import { createToolCaller } from "../speech/conversations/call-tool.ts";
import { type BrainDeps, readPlan } from "../speech/conversations/read-plan.ts";
import { serveConversations } from "../speech/conversations/serve-conversations.ts";
import { createSpeechCalls } from "../speech/conversations/speech-calls.ts";
import type { SpeechChoice } from "../speech/engines/engine-catalog.ts";
import { openParts } from "../speech/engines/open-parts.ts";
import { openLiveModel } from "../speech/models/live-model.ts";
import { openLanguageModel, openModelHttp } from "../speech/models/open-language-model.ts";

/** What a thread that holds conversations is started with. */
export interface ConversationWorkerData {
  readonly vadPort: MessagePort;
  readonly recognizerPort: MessagePort;
  readonly rankerPort: MessagePort;
  readonly judgePort: MessagePort;
  readonly models: ModelSettings;
  /** Brings every later choice of models, as `ModelSettings`. */
  readonly modelsPort: MessagePort;
  readonly outbound: OutboundPolicyWords;
  /** Models of the operator on this machine, which are loaded at once. */
  readonly ownRecognizers: readonly SpeechChoice[];
  /** Null where natural voices are turned off. */
  readonly voicePort: MessagePort | null;
}

if (parentPort === null) throw new Error("this file is the inside of a thread that holds conversations");
const owner = parentPort;
const { vadPort, recognizerPort, rankerPort, judgePort, voicePort, models, modelsPort, outbound, ownRecognizers } =
  workerData as ConversationWorkerData;

/** Room for eight minutes of audio: calls with the light voice mostly repeat the same sentences. */
const LIGHT_CLIPS_BYTES_MAX = 8 * 1024 * 1024;

// Joins the parts that hold conversations, inside their thread.
let served: ReturnType<typeof serveConversations> | null = null;
const vad = connectVad(vadPort);
const recognizer = connectRecognizer(recognizerPort);
const ranker = connectRanker(rankerPort);
const judge = connectJudge(judgePort);
const flite = createFliteSynthesizer({ onThreadLost: (reason) => served?.report(null, "voice_thread_lost", reason) });
const light = rememberClips(flite, { bytesMax: LIGHT_CLIPS_BYTES_MAX });
const natural = voicePort === null ? null : connectVoice(voicePort);
const synthesizer = createCallingVoice({ light, natural });
const outboundHttp = createOutboundHttp({ policy: makePolicy(outbound) });
// A failure in a call is reported to that call by the code that made the request.
const model = await openLiveModel(models, (settings) => openLanguageModel(settings));
// Vendors are reached as language models are: their addresses come from this program or from the operator.
const ownHosts = new Set<string>();
const vendorHttp = openModelHttp({ clock: systemClock, ownHosts });
const parts = openParts({
  local: { recognizer, synthesizer },
  model: () => model.current(),
  openModel: (settings) => openLanguageModel(settings),
  fetch: createOutboundFetch(vendorHttp),
  ownHosts,
  clock: systemClock,
});
parts.load(ownRecognizers);
const screening = createCallScreening();
const engine = createCascadeEngine({
  name: "local",
  vad,
  recognizer,
  synthesizer,
  clock: systemClock,
  screening,
  onIncident: ({ callId, what, reason }) => served?.report(callId, what, reason),
});
const brains: BrainDeps = {
  get models() {
    const current = model.current();
    return current === null ? [] : [current];
  },
  ranker,
  judge,
  timers: systemClock,
  toolCallerFor: ({ callId, toolSecrets = [], mcp = NO_MCP }, noteIncident) => ({
    ...createToolCaller({
      outbound: outboundHttp,
      callId,
      secrets: toolSecrets,
      nowMs: () => Date.now(),
      noteIncident,
    }),
    ...createMcpCaller({ outbound: outboundHttp, plan: mcp, noteIncident }),
  }),
};
const speechCalls = createSpeechCalls({
  engine: createSpeechToSpeechEngine({ clock: systemClock, vad, screening }),
  parts,
  local: synthesizer,
  timers: systemClock,
  brains,
});
// No callee must wait for a voice to be loaded, and least of all for the last resort.
await flite.prepare();
served = serveConversations(
  owner,
  {
    engine,
    speechCalls,
    partsFor: (plan, record) => parts.partsFor(plan.engine ?? null, plan.flow.settings?.voice, record),
    readPlan: (plan, mayDial, noteIncident, opened, others) =>
      readPlan(brains, plan, mayDial, noteIncident, opened, others),
  },
  async () => {
    outboundHttp.close();
    modelsPort.close();
    model.close();
    await parts.close();
    vendorHttp.close();
    await Promise.all([vad.close(), recognizer.close(), ranker.close(), judge.close(), synthesizer.close()]);
  },
);
modelsPort.on("message", (settings: ModelSettings) => {
  model.change(settings).catch((error: unknown) => served?.report(null, "model_not_opened", reasonOf(error)));
});

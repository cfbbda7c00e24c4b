import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";
import { KOKORO_VOICES } from "@parley/providers/local/kokoro/kokoro-voices";
import { connectVoice } from "@parley/providers/local/kokoro/speaking/voice-port";
import { AudioTick } from "@parley/telephony/simulated-network/audio/audio-tick";
import { systemClock } from "@parley/time/clock";
import type { SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { readAccountSpeech } from "../accounts/account-settings.ts";
import { mcpPlanForFlow } from "../agents/mcp/functions-for-flow.ts";
import { readAgentVersion } from "../agents/read-agent-version.ts";
import { toolSecretsForFlow } from "../agents/tool-secrets.ts";
import type { HoldTryDeps } from "../agents/trials/voice/hold-try.ts";
import { createCallingVoice } from "../agents/voices/calling-voice.ts";
import type { NaturalVoices } from "../agents/voices/natural-voices.ts";
import { withAccountSpeech } from "../agents/with-account-speech.ts";
import { openRecorder } from "../calls/recordings/recorder/recorder.ts";
import { recordingsFolder } from "../calls/recordings/recording-storage.ts";
import type { TalkDeps } from "../calls/runs/deps.ts";
import { type GateDeps, judgeTransfer } from "../phone/gate/judge-number.ts";
import type { ModelSettings } from "../platform/config/model-settings.ts";
import { calleeTimeZone } from "../speech/conversations/callee-time-zone.ts";
import type { ConversationPlan } from "../speech/conversations/conversation-plan.ts";
import { ConversationPool } from "../speech/conversations/conversation-pool.ts";
import { createIdentificationVoice } from "../speech/conversations/identification-voice.ts";
import { type LocalSpeech, openLocalSpeech } from "../speech/conversations/local-speech.ts";
import { ownRecognizers, recipeFor } from "../speech/engines/engine-catalog.ts";
import { otherLanguages } from "../speech/engines/other-languages.ts";
import type { ModelDirectory } from "../speech/models/model-directory.ts";
import type { ConversationWorkerData } from "./conversation-worker.ts";
import { engineSources } from "./engines.ts";
import { outboundWords } from "./outbound-words.ts";
import type { ServiceContext } from "./service-context.ts";
import { joinVoices } from "./voices.ts";

export interface JoinedConversations {
  /** Null where the settings turn conversations off. */
  readonly talk: TalkDeps | null;
  /** Null where the settings turn conversations off. */
  readonly tries: HoldTryDeps | null;
  /** How late the conversation threads run. */
  lateMs(): number;
  /** How many conversations are held with natural voices of this machine, and how many without. */
  held(): { readonly natural: number; readonly other: number };
  /** Recognition, for simulated callees. */
  readonly speech: LocalSpeech;
  /** Loads what the first call needs, in the background. */
  warmUp(): void;
  close(): Promise<void>;
}

/** The callee of a trial at a microphone, which dials no one. */
const TRIAL_CALLEE: Omit<ConversationPlan["call"], "id" | "startedAtMs"> = {
  phoneNumber: "+15550100001",
  from: null,
  mode: "test",
  timeZone: "UTC",
  isRecorded: false,
};

/** Joins the parts that talk to callees: speech models, threads for conversations, and the recorder. */
export function joinConversations(
  context: ServiceContext,
  gate: GateDeps,
  models: Pick<ModelDirectory, "current" | "onChange">,
): JoinedConversations {
  const { db, log, secrets, settings } = context;
  const sources = engineSources(settings, models);
  const speech = openSpeech(context);
  const { naturalVoices } = context;
  if (settings.conversations.threads === 0)
    return {
      talk: null,
      tries: null,
      lateMs: () => 0,
      held: () => ({ natural: 0, other: 0 }),
      speech,
      warmUp: () => undefined,
      close: () => speech.close(),
    };
  // It speaks for threads that do not answer, and is loaded as soon as it is needed.
  const spareVoice = openSpareVoice(naturalVoices);
  const pool = new ConversationPool({
    threads: settings.conversations.threads,
    clock: systemClock,
    openWorker: () => startWorker(context, speech, models),
    identify: createIdentificationVoice(spareVoice),
    onFault: (fault) => log.warn(fault, "conversation fault"),
    onTrouble: (reason) => log.error({ reason }, "conversation thread died; replacing it"),
  });
  const voices = joinVoices(context, pool);
  const recorder = openRecorder((error) => log.error({ error }, "recorder failed"));
  let isClosing = false;
  return {
    talk: {
      conversations: pool,
      recorder: { record: recorder.record, folder: recordingsFolder(settings.dataDir) },
      async planTalk(call) {
        const { flow: pinned, language } = await readAgentVersion(db, call.agent_id, call.agent_version);
        const flow = withAccountSpeech(pinned, await readAccountSpeech(db, call.account_id));
        const { id, phone_number: phoneNumber, from_number: from, mode, variables, voicemail, record } = call;
        const timeZone = calleeTimeZone(phoneNumber);
        const facts = { id, phoneNumber, from, mode, startedAtMs: Date.now(), timeZone, isRecorded: record };
        const toolSecrets = await toolSecretsForFlow({ secrets, nowMs: Date.now }, db, call.account_id, flow);
        const mcp = await mcpPlanForFlow(secrets, db, call.account_id, flow);
        const engine = recipeFor(sources, call.engine, language);
        const inOtherLanguages = otherLanguages(sources, call.engine, flow, language);
        const plan = { callId: id, flow, language, engine, inOtherLanguages, variables, voicemail, toolSecrets, mcp };
        return voices.withVoice({ ...plan, call: facts });
      },
      async mayDial(call, to) {
        const { account_id: accountId, mode, engine, calling_hours: callingHours } = call;
        try {
          return await judgeTransfer(db, gate, { accountId, mode, engine, callingHours, to });
        } catch (error) {
          log.warn({ callId: call.id, error }, "transfer target could not be checked");
          return { isAllowed: false, reason: "the number could not be checked" };
        }
      },
    },
    tries: {
      conversations: pool,
      clock: systemClock,
      tick: new AudioTick(systemClock),
      async planTry({ tryId, accountId, flow, language, variables }) {
        const toolSecrets = await toolSecretsForFlow({ secrets, nowMs: Date.now }, db, accountId, flow);
        const mcp = await mcpPlanForFlow(secrets, db, accountId, flow);
        const plan = { callId: tryId, flow, language, variables, voicemail: null, toolSecrets, mcp };
        return voices.withVoice({ ...plan, call: { ...TRIAL_CALLEE, id: tryId, startedAtMs: Date.now() } }, true);
      },
    },
    lateMs: () => pool.lateMs,
    held: () => ({
      natural: pool.naturalConversations,
      other: pool.conversations - pool.naturalConversations,
    }),
    speech,
    warmUp() {
      pool.ready().catch((error: unknown) => {
        // A service that is stopped while its models load has nothing to report.
        if (!isClosing) log.error({ error }, "conversations are not available yet");
      });
    },
    async close() {
      isClosing = true;
      await voices.close();
      await pool.close();
      await spareVoice.close();
      await recorder.close();
      await speech.close();
    },
  };
}

function openSpeech({ log, settings }: ServiceContext): LocalSpeech {
  return openLocalSpeech({
    ...settings.conversations,
    onMeasured({ isSlow, ...speed }) {
      if (isSlow) log.warn(speed, "speech recognition is slow on this machine; agents will respond late");
      else log.info(speed, "speech recognition is ready");
    },
    onFailure: (reason) => log.warn({ reason }, "speech recognition component failed; calls continue"),
  });
}

/** The voice of a call, outside the threads that hold conversations. */
function openSpareVoice(naturalVoices: NaturalVoices | null): SpeechSynthesizer {
  const light = createFliteSynthesizer({ threadsMax: 1 });
  let opening: Promise<SpeechSynthesizer> | null = null;
  const open = async () =>
    createCallingVoice({ light, natural: naturalVoices && connectVoice(await naturalVoices.connect()) });
  return {
    name: "spare",
    voices: [...(naturalVoices === null ? [] : KOKORO_VOICES), ...light.voices],
    async *speak(request) {
      opening ??= open();
      yield* (await opening).speak(request);
    },
    close: async () => ((await opening) ?? light).close(),
  };
}

/** Without the keys of vendors: those of a call come with its plan. */
function modelsOf({ choices, firstTokenTimeoutMs }: ModelSettings): ModelSettings {
  return { choices, firstTokenTimeoutMs };
}

/** All of the ports or none: an unused one would stay open on its other side. */
async function connectAll<const Ways extends readonly Promise<MessagePort>[]>(ways: Ways) {
  try {
    return (await Promise.all(ways)) as { [Index in keyof Ways]: MessagePort };
  } catch (error) {
    for (const way of await Promise.allSettled(ways)) if (way.status === "fulfilled") way.value.close();
    throw error;
  }
}

async function startWorker(
  { settings, exposure, naturalVoices }: ServiceContext,
  speech: LocalSpeech,
  models: Pick<ModelDirectory, "current" | "onChange">,
): Promise<Worker> {
  const [vadPort, recognizerPort, rankerPort, judgePort, ...voicePorts] = await connectAll([
    speech.connectVad(),
    speech.connectRecognizer(),
    speech.connectRanker(),
    speech.connectJudge(),
    ...(naturalVoices === null ? [] : [naturalVoices.connect()]),
  ]);
  const { port1: tellModels, port2: modelsPort } = new MessageChannel();
  const data: ConversationWorkerData = {
    vadPort,
    recognizerPort,
    rankerPort,
    judgePort,
    modelsPort,
    models: modelsOf(models.current()),
    outbound: outboundWords(settings, exposure),
    ownRecognizers: ownRecognizers(engineSources(settings, models)),
    voicePort: voicePorts[0] ?? null,
  };
  const worker = new Worker(new URL("./conversation-worker.ts", import.meta.url), {
    name: "conversations",
    workerData: data,
    transferList: [vadPort, recognizerPort, rankerPort, judgePort, modelsPort, ...voicePorts],
    // It needs nothing from the environment, which holds the installation's keys.
    env: {},
  });
  // A choice that is made while the thread starts waits at its end of the port.
  const stopTelling = models.onChange(() => tellModels.postMessage(modelsOf(models.current())));
  worker.once("exit", () => {
    stopTelling();
    tellModels.close();
  });
  return worker;
}

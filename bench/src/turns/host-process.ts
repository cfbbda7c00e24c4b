import { join } from "node:path";
import { durationMsOf } from "@parley/audio/frame";
import { createPlayout } from "@parley/audio/playout-layout";
import { createRing } from "@parley/audio/ring";
import { RingReader } from "@parley/audio/ring-reader";
import { chooseVoice } from "@parley/server/agents/voices/known-voices";
import { openNaturalVoices } from "@parley/server/agents/voices/natural-voices";
import { readSettings } from "@parley/server/platform/config/read-settings";
import { createLog } from "@parley/server/platform/telemetry/log";
import type { ConversationPlan } from "@parley/server/speech/conversations/conversation-plan";
import { recipeFor } from "@parley/server/speech/engines/engine-catalog";
import { joinConversations } from "@parley/server/start/conversations";
import { engineSources } from "@parley/server/start/engines";
import { watchExposure } from "@parley/server/start/exposure";
import { MediaThread, type ThreadedLeg } from "@parley/telephony/rtp/media/media-thread";
import { askForCollection } from "./collect-on-request.ts";
import type { HostCommand, HostNotice, NotedEntry } from "./process-messages.ts";

/**
 * The process under test: a media thread, and the conversations as the service composes them. Only what surrounds them
 * (the API, the database, signalling) is left out.
 */

interface OpenCall {
  readonly leg: ThreadedLeg;
  answer(): void;
  hangUp(): Promise<void>;
}

const BETWEEN_CALLS_MS = 150;
const say = (notice: HostNotice) => void process.send?.(notice);
const log = createLog("error", process.stderr);
const [folder = process.cwd(), voice = "natural", environment = "{}"] = process.argv.slice(2);
// The operator's settings of this machine must not affect the measurement.
const settings = readSettings({ PARLEY_DATA_DIR: folder, ...JSON.parse(environment) }, folder);
// Nothing that holds a conversation asks the database or who may be called, unless an agent transfers a call.
const models = {
  current: () => ({ ...settings.models, environment: settings.modelEnvironment }),
  onChange: () => () => undefined,
};
const naturalVoices =
  voice === "light" ? null : openNaturalVoices({ dataDir: folder, settings: settings.conversations, log });
const exposure = watchExposure(settings, log);
const deps = [{ settings, log, naturalVoices, exposure }, {}, models] as unknown as Parameters<
  typeof joinConversations
>;
const joined = joinConversations(...deps);
const { talk } = joined;
if (talk === null) throw new Error("the settings disable conversations");
const { conversations, recorder } = talk;
const media = new MediaThread();
let calls: OpenCall[] = [];

async function open(command: Extract<HostCommand, { type: "open" }>): Promise<void> {
  const { flow, folder: into, calleePorts, engine: name } = command;
  const engine = name === undefined ? undefined : recipeFor(engineSources(settings, models), name, "en-US");
  calls = [];
  let natural = 0;
  // Even a busy service does not place all its calls at the same moment.
  for (const [call, port] of calleePorts.entries()) {
    const plan = { ...planOf(flow, call), engine };
    const held = { naturalCalls: natural, isAdmitted: false };
    const { voiceId, because } = await chooseVoice({ natural: naturalVoices, ...held }, plan);
    if (voiceId === null) throw new Error(because ?? "there is no voice");
    if (because === null) natural += 1;
    calls.push(await openCall({ ...plan, voiceId }, into, port, call));
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_CALLS_MS));
  }
  say({ type: "opened", ports: calls.map(({ leg }) => leg.rtpPort), natural });
}

async function openCall(plan: ConversationPlan, into: string, calleePort: number, call: number): Promise<OpenCall> {
  const rings = { heard: createRing(), played: createRing(), playout: createPlayout() };
  const leg = await media.openLeg({
    bindHosts: ["127.0.0.1"],
    rtpPort: 0,
    rtcpPort: 0,
    cname: "bench",
    ...rings,
    onEvent: () => undefined,
    onFailure: (reason) => say({ type: "failed", reason }),
  });
  const remote = { host: "127.0.0.1", port: calleePort };
  leg.configure({
    remote,
    remoteControl: null,
    isFinal: true,
    direction: "sendrecv",
    codec: "PCMU",
    payloadType: 0,
    dtmfPayloadType: 101,
    srtp: null,
  });
  const entries: NotedEntry[] = [];
  const heard = new RingReader(rings.heard);
  const finished = Promise.withResolvers<void>();
  const live = conversations.begin(plan, rings, {
    hear(news) {
      if (news.type === "noted") {
        entries.push({ entry: news.entry, notedMs: durationMsOf(heard.writtenPosition) });
        if (news.entry.type === "over") say({ type: "over", call, reason: news.entry.reason });
      }
      if (news.type === "failed") say({ type: "failed", reason: news.reason });
      else if (news.type === "finished") finished.resolve();
    },
    mayDial: async () => ({ isAllowed: false, reason: "nobody is dialed here" }),
  });
  const wavPath = join(into, `call-${call}.wav`);
  let recording: ReturnType<typeof recorder.record> | null = null;
  let recordedFromMs = 0;
  return {
    leg,
    answer() {
      const fromPosition = heard.writtenPosition;
      recordedFromMs = durationMsOf(fromPosition);
      recording = recorder.record({ path: wavPath, rings, fromPosition });
      live.tell({ type: "answered" });
    },
    async hangUp() {
      live.tell({ type: "ended" });
      recording?.finish();
      await finished.promise;
      const recorded = await recording?.outcome;
      if (recorded?.trouble) say({ type: "failed", reason: recorded.trouble });
      const lostMs = recorded?.gaps.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) ?? Number.NaN;
      await leg.close();
      say({ type: "ended", call, outcome: { wavPath, lostMs, recordedFromMs, entries } });
    },
  };
}

function planOf(flow: ConversationPlan["flow"], call: number): ConversationPlan {
  const id = `call_${call}`;
  const facts = { id, phoneNumber: "+15550100001", from: null, mode: "test", startedAtMs: Date.now() } as const;
  return {
    callId: id,
    flow,
    language: "en-US",
    variables: {},
    voicemail: null,
    call: { ...facts, timeZone: "UTC", isRecorded: true },
  };
}

async function stop(): Promise<void> {
  await joined.close();
  await naturalVoices?.close();
  await media.stop();
  process.disconnect?.();
}

// The parent process has exited.
process.on("disconnect", () => process.exit(0));
process.on("message", (command: HostCommand) => {
  if (command.type === "open") void open(command);
  else if (command.type === "answer") calls[command.call]?.answer();
  else if (command.type === "collect") void askForCollection().then(() => say({ type: "collected" }));
  else if (command.type === "hang_up") void calls[command.call]?.hangUp();
  else void stop();
});
await conversations.ready();
say({ type: "ready" });

import { FRAME_MS, samplesIn } from "@parley/audio/frame";
import type { Flow } from "@parley/contract/flow";
import type { LegEnd, SimulatedCalleePlan } from "@parley/telephony/carrier";
import { createSimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import { createVirtualClock, type VirtualClock } from "@parley/time/testing/virtual-clock";
import { createCascadeEngine } from "@parley/voice/engine/cascade-engine";
import { createFakeSpeechRecognizer } from "@parley/voice/fakes/fake-speech-recognizer";
import { createFakeVoiceActivityDetector } from "@parley/voice/fakes/fake-voice-activity-detector";
import { isMarkedSpeech, MARKED_GAP_MS, MarkedSpeech } from "@parley/voice/fakes/marked-speech";
import type { AnsweredBy, ConversationEnd, JournalEntry } from "@parley/voice/ports/conversation-journal";
import type { SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { createCallScreening } from "@parley/voice/screening/create-call-screening";
import type { ConversationEvent, LineRequest } from "../../../speech/conversations/conversation-messages.ts";
import type { ConversationPlan } from "../../../speech/conversations/conversation-plan.ts";
import { HeldConversation } from "../../../speech/conversations/held-conversation.ts";
import { createFloor } from "../../../speech/conversations/line-floor.ts";
import { readPlan } from "../../../speech/conversations/read-plan.ts";
import { toLineEvent } from "../talking/talk.ts";

export interface SimulatedCallOptions {
  readonly phoneNumber: string;
  readonly flow: Flow;
  readonly variables?: Readonly<Record<string, string>>;
  readonly voicemail?: ConversationPlan["voicemail"];
  readonly simulation?: SimulatedCalleePlan;
}

type AgentSaid = Extract<JournalEntry, { type: "agent_said" }>;

/** What is left of a call that was held to its end. */
export interface SimulatedCall {
  readonly entries: readonly JournalEntry[];
  readonly agent: readonly AgentSaid[];
  /** What the callee is known to have heard. */
  readonly heardByCallee: string;
  readonly collected: Readonly<Record<string, unknown>>;
  readonly answeredBy: AnsweredBy | null;
  readonly reason: ConversationEnd | null;
  readonly end: LegEnd;
  readonly failures: readonly string[];
  /** Who said what, for the message of a check that fails. */
  readonly lines: string;
}

/** A Monday at noon. */
const MOMENT_MS = Date.UTC(2026, 2, 2, 12);
const STEP_MS = 200;
const CALL_MS_MAX = 5 * 60_000;

/**
 * Holds a call with a callee of the simulated network, from its first ring to its end, on the virtual clock: the engine, the
 * flow and the callee are real, and hear each other through the line. Only speech itself is not: each word is a mark that the
 * other side reads without a mistake.
 */
export async function holdSimulatedCall(options: SimulatedCallOptions): Promise<SimulatedCall> {
  const clock = createVirtualClock(MOMENT_MS);
  const speech = new MarkedSpeech();
  const network = createSimulatedNetwork({
    clock,
    audio: true,
    voice: { render: async (text) => speech.speak(text) },
    recognizer: { understand: async (utterance) => wordsIn(speech, utterance) },
  });
  const vad = createFakeVoiceActivityDetector({ isSpeech: isMarkedSpeech });
  const failures: string[] = [];
  const engine = createCascadeEngine({
    vad,
    recognizer: createFakeSpeechRecognizer(speech),
    synthesizer: createMarkedSynthesizer(speech),
    clock,
    screening: createCallScreening(),
    onIncident: ({ what, reason }) => failures.push(`${what}: ${reason}`),
  });
  const { phoneNumber, simulation } = options;
  const dial = { callId: "call_1", dialId: "dial_1", to: phoneNumber, from: null };
  const leg = await network.place({ ...dial, ...(simulation === undefined ? {} : { simulation }) });
  const entries: JournalEntry[] = [];
  const held = new HeldConversation(leg.media, createFloor(), (event) => follow(event));
  let end: LegEnd | null = null;
  let isFinished = false;

  function follow(event: ConversationEvent): void {
    if (event.type === "noted") entries.push(event.entry);
    if (event.type === "failed") failures.push(event.reason);
    if (event.type === "finished") isFinished = true;
    if (event.type === "asked") carryOut(event.request);
  }

  function carryOut(request: LineRequest): void {
    if (request.type === "send_dtmf") leg.sendDtmf(request.keys);
    else if (request.type === "hang_up") void leg.hangup();
    else leg.transfer({ ...request.transfer, dialId: "dial_2", ringTimeoutMs: 30_000 });
  }

  leg.onEvent((event) => {
    const told = toLineEvent(event);
    if (told !== null) held.tell(told);
    if (event.type === "ended") end = event;
  });
  const brains = { models: [], ranker: null, timers: clock, toolCallerFor: () => null };
  const makers = {
    engine,
    readPlan: (plan: ConversationPlan, ...more: [Parameters<typeof readPlan>[2], Parameters<typeof readPlan>[3]]) =>
      readPlan(brains, plan, ...more),
  };
  const holding = held.hold(makers, planOf(options), async () => ({ isAllowed: true }));
  const stopLooking = everyFrame(clock, () => vad.look());
  for (let leftMs = CALL_MS_MAX; leftMs > 0 && (end === null || !isFinished); leftMs -= STEP_MS)
    await clock.advance(STEP_MS);
  stopLooking();
  if (end === null || !isFinished) throw new Error(`the call did not end:\n${describe(entries)}`);
  await holding;
  await engine.close();
  await network.close();
  return readCall(entries, end, failures);
}

function planOf({ phoneNumber, flow, variables = {}, voicemail = null }: SimulatedCallOptions): ConversationPlan {
  return {
    callId: "call_1",
    flow,
    language: "en-US",
    variables,
    voicemail,
    call: {
      id: "call_1",
      phoneNumber,
      from: null,
      mode: "test",
      startedAtMs: MOMENT_MS,
      timeZone: "UTC",
      isRecorded: false,
    },
  };
}

function everyFrame(clock: VirtualClock, work: () => void): () => void {
  let cancel: () => void = () => undefined;
  const again = () => {
    cancel = clock.setTimer(FRAME_MS, () => {
      work();
      again();
    });
  };
  again();
  return () => cancel();
}

/** A voice whose words can be read. */
function createMarkedSynthesizer(speech: MarkedSpeech): SpeechSynthesizer {
  return {
    name: "marked",
    voices: [],
    async *speak({ text }) {
      yield speech.speak(text);
      // Or its last word would run into the first of the next sentence.
      yield new Int16Array(samplesIn(MARKED_GAP_MS));
    },
    close: async () => undefined,
  };
}

const wordsIn = (speech: MarkedSpeech, sound: Int16Array) =>
  speech
    .read(sound)
    .map(({ text }) => text)
    .join(" ");

function readCall(entries: readonly JournalEntry[], end: LegEnd, failures: readonly string[]): SimulatedCall {
  const collected: Record<string, unknown> = {};
  for (const entry of entries) {
    if (entry.type === "collected") collected[entry.name] = entry.value;
    if (entry.type !== "answers_withdrawn") continue;
    for (const name of Object.keys(collected)) delete collected[name];
    Object.assign(collected, entry.collected);
  }
  const agent = entries.filter((entry) => entry.type === "agent_said");
  return {
    entries,
    agent,
    heardByCallee: agent.map(({ heardText }) => heardText).join(" "),
    collected,
    answeredBy: entries.findLast((entry) => entry.type === "answered_by")?.kind ?? null,
    reason: entries.find((entry) => entry.type === "over")?.reason ?? null,
    end,
    failures,
    lines: describe(entries),
  };
}

function describe(entries: readonly JournalEntry[]): string {
  return entries.map((entry) => JSON.stringify({ ...entry, words: undefined })).join("\n");
}

import { createVirtualClock, type VirtualClock } from "@parley/time/testing/virtual-clock";
import { createFakeBrain, type FakeBrain, type FakeBrainOptions } from "../../fakes/fake-brain.ts";
import { createFakeLine, type FakeLine, type FakeLineOptions } from "../../fakes/fake-line.ts";
import { createFakeSpeechRecognizer, type FakeSpeechRecognizer } from "../../fakes/fake-speech-recognizer.ts";
import { createFakeSpeechSynthesizer, type FakeSpeechSynthesizer } from "../../fakes/fake-speech-synthesizer.ts";
import {
  createFakeStreamingRecognizer,
  type FakeStreamingOptions,
  type FakeStreamingRecognizer,
} from "../../fakes/fake-streaming-recognizer.ts";
import {
  createFakeVoiceActivityDetector,
  type FakeVoiceActivityDetector,
} from "../../fakes/fake-voice-activity-detector.ts";
import { MarkedSpeech } from "../../fakes/marked-speech.ts";
import type { JournalEntry } from "../../ports/conversation-journal.ts";
import type { Conversation, ConversationOptions, VoiceEngine } from "../../ports/voice-engine.ts";
import type { CallIncident } from "../call-tools.ts";
import { type CascadeOptions, createCascadeEngine } from "../cascade-engine.ts";
import type { TurnRecording } from "../turn-recording.ts";

export interface SceneOptions {
  readonly brain?: FakeBrainOptions;
  readonly line?: Partial<FakeLineOptions>;
  readonly setup?: Partial<ConversationOptions>;
  readonly engine?: Partial<CascadeOptions>;
  /** The recognizer follows the whole call and reports turns in this way. */
  readonly streaming?: FakeStreamingOptions;
  /** Whether the events of the call are recorded. Defaults to true. */
  readonly isRecorded?: boolean;
}

/** One call on the virtual clock: a line in memory, a callee whose input can be read, and a scripted brain. */
export interface Scene {
  readonly clock: VirtualClock;
  readonly line: FakeLine;
  readonly brain: FakeBrain;
  readonly vad: FakeVoiceActivityDetector;
  readonly recognizer: FakeSpeechRecognizer;
  readonly streaming: FakeStreamingRecognizer;
  readonly speech: MarkedSpeech;
  readonly synthesizer: FakeSpeechSynthesizer;
  readonly engine: VoiceEngine;
  readonly journal: readonly JournalEntry[];
  readonly incidents: readonly CallIncident[];
  readonly recordings: readonly TurnRecording[];
  /** Begins the conversation; the callee has not answered. */
  prepare(): Promise<Conversation>;
  /** Until the callee has the floor after the greeting. */
  greet(): Promise<Conversation>;
  /** The callee begins to speak now; time does not pass. Returns how long it takes. */
  say(text: string): number;
  advance(durationMs: number): Promise<void>;
  /** Until the agent has been heard this often, and is silent. */
  untilAgentSpoke(times: number, limitMs?: number): Promise<void>;
  notes<Type extends JournalEntry["type"]>(type: Type): Extract<JournalEntry, { type: Type }>[];
  /** Nothing is left of the call. */
  leftovers(): Record<string, number>;
}

const FRAMES_OF_SILENCE_MS = 200;

export function openScene(options: SceneOptions = {}): Scene {
  const clock = createVirtualClock();
  const speech = new MarkedSpeech();
  const vad = createFakeVoiceActivityDetector();
  const recognizer = createFakeSpeechRecognizer(speech);
  const streaming = createFakeStreamingRecognizer(speech, options.streaming);
  const synthesizer = createFakeSpeechSynthesizer();
  const brain = createFakeBrain(options.brain);
  const journal: JournalEntry[] = [];
  const incidents: CallIncident[] = [];
  const recordings: TurnRecording[] = [];
  const line = createFakeLine({
    clock,
    ...options.line,
    afterFrame: (played, positionMs) => {
      vad.look();
      options.line?.afterFrame?.(played, positionMs);
    },
  });
  const engine = createCascadeEngine({
    vad,
    recognizer: options.streaming === undefined ? recognizer : streaming,
    synthesizer,
    clock,
    onIncident: (incident) => void incidents.push(incident),
    ...(options.isRecorded === false ? {} : { record: (recording) => void recordings.push(recording) }),
    ...options.engine,
  });

  async function prepare(): Promise<Conversation> {
    const conversation = await engine.prepare({
      callId: "call_1",
      line,
      brain,
      journal: { note: (entry) => void journal.push(entry) },
      language: "en-US",
      voiceId: "low",
      greeting: "immediate",
      voicemail: { action: "hang_up", message: null },
      settings: {},
      ...options.setup,
    });
    line.connect((event) => conversation.notify(event));
    return conversation;
  }

  async function untilAgentSpoke(times: number, limitMs = 30_000): Promise<void> {
    const isSo = () => {
      const last = line.agentSpoke[times - 1];
      return (
        line.agentSpoke.length >= times && last !== undefined && line.positionMs - last.endMs >= FRAMES_OF_SILENCE_MS
      );
    };
    if (!(await clock.advanceUntil(isSo, limitMs))) throw new Error(`the agent did not speak ${times} times`);
  }

  return {
    clock,
    line,
    brain,
    vad,
    recognizer,
    streaming,
    speech,
    synthesizer,
    engine,
    journal,
    incidents,
    recordings,
    prepare,
    untilAgentSpoke,
    async greet() {
      const conversation = await prepare();
      line.answer();
      await untilAgentSpoke(1);
      return conversation;
    },
    say(text) {
      const sound = speech.speak(text);
      line.hear(sound);
      return sound.length / 8;
    },
    advance: (durationMs) => clock.advance(durationMs),
    notes: <Type extends JournalEntry["type"]>(type: Type) =>
      journal.filter((entry): entry is Extract<JournalEntry, { type: Type }> => entry.type === type),
    leftovers: () => ({
      timers: clock.pendingTimers() - (line.isTicking ? 1 : 0),
      watches: vad.watched,
      streams: recognizer.openStreams + streaming.openStreams,
    }),
  };
}

/** Something a brain waits for, until the test releases it. */
export function replyHeld(): PromiseWithResolvers<void> {
  return Promise.withResolvers<void>();
}

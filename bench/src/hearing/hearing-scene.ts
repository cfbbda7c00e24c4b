import { FRAME_SAMPLES, samplesIn, saturate } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import { SILERO_WINDOW_SAMPLES, SileroMemory, type SileroModel } from "@parley/providers/local/vad/silero-model";
import { createVirtualClock, type VirtualClock } from "@parley/time/testing/virtual-clock";
import { createCascadeEngine } from "@parley/voice/engine/cascade-engine";
import { joinSamples } from "@parley/voice/engine/join-samples";
import { createFakeLine, type FakeLine } from "@parley/voice/fakes/fake-line";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import type { Brain } from "@parley/voice/ports/brain";
import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import type { SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import type { ActivityWindow, VoiceActivityDetector } from "@parley/voice/ports/voice-activity-detector";
import type { IdleRecognizer } from "../speech/idle-recognizer.ts";

/** The networks that calls use, in this process. */
export interface Ears {
  readonly vad: SileroModel;
  readonly recognizer: IdleRecognizer;
}

export interface HeardCall {
  readonly journal: readonly JournalEntry[];
  readonly agentSpoke: FakeLine["agentSpoke"];
  /** When the callee spoke. */
  readonly calleeSpoke: readonly { readonly startMs: number; readonly endMs: number }[];
  readonly endedMs: number;
}

/** What the callee says to what the agent said last; null for nothing. */
export type Reply = (agentSaid: string) => Int16Array | null;

const CALL_MAX_MS = 120_000;
/** People answer this long after the other has finished, and repeat it after this much silence. */
const ANSWERS_AFTER_MS = 600;
const SAYS_AGAIN_AFTER_MS = 7_000;
const SAID_AT_MOST = 12;
const POLL_MS = 100;

/**
 * One call with the engine and the networks of the service and without a phone or waiting: time stands still while they
 * work, so that a slow machine performs as well as a fast one.
 */
export async function holdCall(
  { vad, recognizer }: Ears,
  brainOf: (clock: VirtualClock) => Brain,
  reply: Reply,
  background: Float32Array | null,
): Promise<HeardCall> {
  const clock = createVirtualClock();
  const detector = detectWith(vad, clock);
  const journal: JournalEntry[] = [];
  const line = createFakeLine({
    clock,
    afterFrame: () => detector.look(),
    ...(background === null ? {} : { background: (frame, positionMs) => lay(background, frame, positionMs) }),
  });
  const engine = createCascadeEngine({
    vad: detector,
    recognizer: recognizeWith(recognizer, clock),
    synthesizer: createFakeSpeechSynthesizer(),
    clock,
    onIncident: () => undefined,
  });
  const conversation = await engine.prepare({
    callId: "call_1",
    line,
    brain: brainOf(clock),
    journal: { note: (entry) => void journal.push(entry) },
    language: "en-US",
    voiceId: "low",
    greeting: "immediate",
    voicemail: { action: "hang_up", message: null },
    settings: {},
  });
  let hasEnded = false;
  line.connect((event) => {
    hasEnded ||= event.type === "ended";
    conversation.notify(event);
  });
  const calleeSpoke: { startMs: number; endMs: number }[] = [];
  line.answer();
  let answered = 0;
  while (!hasEnded && line.positionMs < CALL_MAX_MS) {
    await clock.advance(POLL_MS);
    const agentEndMs = line.agentSpoke.at(-1)?.endMs ?? 0;
    const calleeEndMs = calleeSpoke.at(-1)?.endMs ?? 0;
    const said = journal.filter((entry) => entry.type === "agent_said");
    const last = said.at(-1);
    const isAnswerDue = said.length > answered && line.positionMs - agentEndMs >= ANSWERS_AFTER_MS;
    const isIgnored = answered > 0 && line.positionMs - Math.max(agentEndMs, calleeEndMs) >= SAYS_AGAIN_AFTER_MS;
    if (last === undefined || calleeSpoke.length >= SAID_AT_MOST || !(isAnswerDue || isIgnored)) continue;
    answered = said.length;
    const sound = reply(last.text);
    if (sound === null) continue;
    line.hear(sound);
    calleeSpoke.push({ startMs: line.positionMs, endMs: line.positionMs + sound.length / 8 });
  }
  const endedMs = line.positionMs;
  line.end();
  const closed = engine.close();
  await clock.advance(3_000);
  await closed;
  return { journal, agentSpoke: line.agentSpoke, calleeSpoke, endedMs };
}

function lay(background: Float32Array, frame: Int16Array, positionMs: number): void {
  const start = samplesIn(positionMs) % Math.max(1, background.length - FRAME_SAMPLES);
  for (let index = 0; index < frame.length; index++) {
    frame[index] = saturate((frame[index] ?? 0) + (background[start + index] ?? 0));
  }
}

/** Silero on the rings of a call, window by window. */
function detectWith(model: SileroModel, clock: VirtualClock): VoiceActivityDetector & { look(): void } {
  const watches = new Set<{
    reader: RingReader;
    memory: SileroMemory;
    listener: (windows: readonly ActivityWindow[]) => void;
  }>();
  const window = new Int16Array(SILERO_WINDOW_SAMPLES);
  return {
    name: "silero",
    windowSamples: SILERO_WINDOW_SAMPLES,
    watch(heard, listener) {
      const watch = { reader: new RingReader(heard), memory: new SileroMemory(), listener };
      watches.add(watch);
      return () => void watches.delete(watch);
    },
    look() {
      for (const watch of watches) {
        if (!watch.reader.readFrame(window)) continue;
        const endPosition = watch.reader.position;
        watch.memory.take(window);
        const judged = model.judge([watch.memory]).then(([probability = 0]) => {
          if (watches.has(watch)) watch.listener([{ endPosition, probability }]);
        });
        void clock.holdFor(judged);
      }
    },
    async close() {
      watches.clear();
    },
  };
}

function recognizeWith(recognizer: IdleRecognizer, clock: VirtualClock): SpeechRecognizer {
  return {
    name: "moonshine",
    async open() {
      let heard: Int16Array[] = [];
      return {
        hear: (samples) => void heard.push(samples.slice()),
        startUtterance() {
          heard = [];
        },
        async recognize({ expected, isSpeechCertain, signal }) {
          const work = { samples: joinSamples(heard), expected, isSpeechCertain };
          const recognition = await clock.holdFor(recognizer.recognize(work, signal));
          signal?.throwIfAborted();
          return recognition ?? { text: "", words: [], best: null, confidence: null };
        },
        close: () => undefined,
      };
    },
    close: async () => undefined,
  };
}

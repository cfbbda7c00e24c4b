import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { createPlayout } from "@parley/audio/playout-layout";
import { createRing } from "@parley/audio/ring";
import { connectVad } from "@parley/providers/local/vad/connect-vad";
import { startVadThread } from "@parley/providers/local/vad/vad-thread";
import { systemClock } from "@parley/time/clock";
import { createCascadeEngine } from "@parley/voice/engine/cascade-engine";
import { createFakeBrain } from "@parley/voice/fakes/fake-brain";
import { createFakeVoiceActivityDetector } from "@parley/voice/fakes/fake-voice-activity-detector";
import type { SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import type { SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import type { VoiceActivityDetector } from "@parley/voice/ports/voice-activity-detector";
import type { BareCommand, BareNotice } from "./bare-messages.ts";
import type { BarePumpData } from "./bare-pump.ts";

/** Our engine with providers that take no time: `node bare-process.ts fake|silero` selects the speech detection. */

type Open = Extract<BareCommand, { type: "open" }>;

const LOOK_MS = 4;
const say = (notice: BareNotice) => void process.send?.(notice);
const [vadName = "silero"] = process.argv.slice(2);
const { vad, close } = await openVad();
let begin: () => Promise<void> = async () => undefined;

async function openVad(): Promise<{ vad: VoiceActivityDetector; close(): Promise<void> }> {
  if (vadName === "fake") {
    const fake = createFakeVoiceActivityDetector();
    const timer = setInterval(() => fake.look(), LOOK_MS);
    return { vad: fake, close: async () => clearInterval(timer) };
  }
  const thread = await startVadThread({ onFailure: (reason) => console.error(reason) });
  const silero = connectVad(thread.connect());
  return {
    vad: silero,
    async close() {
      await silero.close();
      await thread.stop();
    },
  };
}

function recognizer(): SpeechRecognizer {
  return {
    name: "ready",
    open: async () => ({
      hear: () => undefined,
      startUtterance: () => undefined,
      recognize: async () => ({ text: "I would like to know more.", words: [], best: null, confidence: 0.9 }),
      close: () => undefined,
    }),
    close: async () => undefined,
  };
}

function synthesizer(reply: Int16Array): SpeechSynthesizer {
  return {
    name: "ready",
    voices: [{ id: "ready", language: "en-US", description: "" }],
    async *speak() {
      yield reply;
    },
    close: async () => undefined,
  };
}

async function open({ plans, clips, reply, holdMs, interruptMs }: Open): Promise<void> {
  const lines = plans.map((plan) => ({ plan, heard: createRing(), played: createRing(), playout: createPlayout() }));
  const pump = new Worker(new URL("./bare-pump.ts", import.meta.url), {
    workerData: { lines, clips } satisfies BarePumpData,
  });
  await once(pump, "message");
  const settings = {
    freeSpeechHoldMinMs: holdMs,
    freeSpeechHoldMaxMs: holdMs,
    slowCalleeHoldMaxMs: holdMs,
    talkOverMs: interruptMs,
    doubtfulTalkOverMs: interruptMs,
    probeInterruptMs: interruptMs,
    undoWithinMs: 0,
  };
  begin = async () => {
    const engine = createCascadeEngine({
      vad,
      recognizer: recognizer(),
      synthesizer: synthesizer(reply),
      clock: systemClock,
    });
    const conversations = await Promise.all(
      lines.map(({ heard, played, playout }, index) =>
        engine.prepare({
          callId: `call_${index}`,
          line: {
            heard,
            played,
            playout,
            roundTripMs: () => null,
            sendDtmf: () => undefined,
            transfer: () => undefined,
            hangup: () => undefined,
          },
          brain: createFakeBrain({ greeting: ["Reply."], reply: () => ["Reply."] }),
          journal: { note: () => undefined },
          language: "en-US",
          voiceId: "ready",
          greeting: "immediate",
          settings,
          voicemail: { action: "continue", message: null },
        }),
      ),
    );
    for (const conversation of conversations) conversation.notify({ type: "answered" });
    const over = once(pump, "message");
    pump.postMessage("begin");
    const [calls] = await over;
    for (const conversation of conversations) conversation.notify({ type: "ended" });
    await engine.close();
    say({ type: "over", calls });
  };
  say({ type: "opened" });
}

// The parent process has exited.
process.on("disconnect", () => process.exit(0));
process.on("message", (command: BareCommand) => {
  if (command.type === "open") void open(command);
  else if (command.type === "begin") void begin();
  else void close().then(() => process.disconnect?.());
});
say({ type: "ready" });

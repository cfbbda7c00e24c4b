import type { MessagePort } from "node:worker_threads";
import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { ClipCache } from "@parley/providers/local/clip-cache";
import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";
import { DEFAULT_FLITE_VOICE, isFliteVoice } from "@parley/providers/local/flite/flite-voices";
import { connectRecognizer } from "@parley/providers/local/stt/recognizer-thread";
import type { CalleeRecognizer } from "@parley/telephony/simulated-network/ports/callee-recognizer";
import type { CalleeVoice } from "@parley/telephony/simulated-network/ports/callee-voice";
import type { SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import { CalleeLines } from "./callee-lines/callee-lines.ts";
import { rememberWords } from "./remembered-words.ts";

export interface OpenCalleeVoice extends CalleeVoice {
  close(): Promise<void>;
}

// Callees say little and, except for scripts, always the same: some four minutes of audio.
const CLIPS_BYTES_MAX = 4 * 1024 * 1024;
const HUMAN = "human";
/** A person whose lines came with the installation has the voice that they were rendered in. */
const RENDERED = "rendered";
/** The agent's own voice is the default one, so callees have others: the speakers must be distinguishable. */
const FLITE_BY_KIND: ReadonlyMap<string, string> = new Map([
  [HUMAN, "rms"],
  ["machine", "kal"],
]);

/** Provides simulated callees with the installed voices. No model is loaded before first use. */
export function openCalleeVoice(lines: CalleeLines = CalleeLines.read()): OpenCalleeVoice {
  const synthesizer = createFliteSynthesizer({ threadsMax: 1 });
  const clips = new ClipCache(synthesizer, { bytesMax: CLIPS_BYTES_MAX });
  return {
    cast: (texts, voice) => (voice === HUMAN && texts.every((text) => lines.has(text)) ? RENDERED : voice),
    async render(text, voice) {
      const rendered = voice === RENDERED ? lines.find(text) : null;
      return rendered ?? clips.clipOf({ text, voiceId: fliteVoiceOf(voice), sampleRateHz: 8_000 });
    },
    close: () => synthesizer.close(),
  };
}

function fliteVoiceOf(voice: string): string {
  if (isFliteVoice(voice)) return voice;
  return FLITE_BY_KIND.get(voice) ?? FLITE_BY_KIND.get(HUMAN) ?? DEFAULT_FLITE_VOICE;
}

export interface OpenCalleeRecognizer extends CalleeRecognizer {
  close(): Promise<void>;
}

/**
 * Lets simulated callees understand the agent by the same recognition that agents use. Agents go first: a callee that is
 * not real can wait. Nothing is loaded before the first of them listens.
 */
export function openCalleeRecognizer(connect: () => Promise<MessagePort>): OpenCalleeRecognizer {
  let opening: Promise<SpeechRecognizer> | null = null;
  const recognizer = () => {
    opening ??= connect().then(
      (port) => connectRecognizer(port, { isBackground: true }),
      (error: unknown) => {
        opening = null;
        throw error;
      },
    );
    return opening;
  };
  const recognized = rememberWords({
    async understand(utterance, signal) {
      const stream = await (await recognizer()).open({ language: "en-US", sampleRateHz: TELEPHONE_RATE_HZ });
      try {
        stream.hear(utterance);
        const question = { expected: [], isSpeechCertain: true, isGuess: false, signal };
        return (await stream.recognize(question)).text;
      } finally {
        stream.close();
      }
    },
  });
  return {
    ...recognized,
    async close() {
      const [opened] = await Promise.allSettled(opening ? [opening] : []);
      if (opened?.status === "fulfilled") await opened.value.close();
    },
  };
}

import { createHash } from "node:crypto";
import type { MessagePort } from "node:worker_threads";
import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { rmsAt, rmsOf } from "@parley/audio/level";
import { ClipCache } from "@parley/providers/local/clip-cache";
import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";
import { DEFAULT_FLITE_VOICE, isFliteVoice } from "@parley/providers/local/flite/flite-voices";
import { connectRecognizer } from "@parley/providers/local/stt/recognizer-thread";
import type { CalleeRecognizer } from "@parley/telephony/simulated-network/ports/callee-recognizer";
import type { CalleeVoice } from "@parley/telephony/simulated-network/ports/callee-voice";
import type { SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import { LRUCache } from "lru-cache";
import { CalleeLines } from "./callee-lines/callee-lines.ts";

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

/** More than the sentences of the agents that a process usually conducts. */
const UTTERANCES_MAX = 1_000;
const FRAME_MS = 10;
/** Frames below this level are the line's noise, which is different in every call. */
const SPEECH_RMS = rmsAt(-44);

/**
 * Caches recognized words by audio. Agents repeat many sentences in identical audio, and simulated callees should leave the
 * processor to the agents.
 */
export function rememberWords(recognizer: CalleeRecognizer): CalleeRecognizer {
  const words = new LRUCache<string, string>({ max: UTTERANCES_MAX });
  const running = new Map<string, Promise<string>>();
  return {
    async understand(utterance, signal) {
      const key = digestOfSpeech(utterance);
      const others = running.get(key);
      // The other recognition is aborted when its own callee hangs up.
      const known = words.get(key) ?? (others && (await others.catch(() => undefined)));
      if (known !== undefined) return known;
      const recognizing = recognizer.understand(utterance, signal);
      running.set(key, recognizing);
      try {
        const understood = await recognizing;
        words.set(key, understood);
        return understood;
      } finally {
        if (running.get(key) === recognizing) running.delete(key);
      }
    },
  };
}

/** The same for two utterances whose pauses differ and whose speech does not. */
function digestOfSpeech(utterance: Int16Array): string {
  const hash = createHash("sha256");
  const length = samplesIn(FRAME_MS, TELEPHONE_RATE_HZ);
  for (let start = 0; start < utterance.length; start += length) {
    const frame = utterance.subarray(start, start + length);
    if (rmsOf(frame) < SPEECH_RMS) continue;
    hash.update(new Uint8Array(frame.buffer, frame.byteOffset, frame.byteLength));
  }
  return hash.digest("base64");
}

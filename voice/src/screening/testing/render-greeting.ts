import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { renderSignal } from "@parley/audio/signal";
import { throughG711 } from "@parley/audio/testing/through-g711";
import type { ScreenedWords } from "../../ports/call-screening.ts";
import type { SpeechSynthesizer } from "../../ports/speech-synthesizer.ts";
import type { Greeting } from "./greetings/greeting.ts";

/** A greeting as it comes over the line, and its words with the time at which recognition would have them. */
export interface RenderedGreeting {
  readonly samples: Int16Array;
  readonly words: readonly (ScreenedWords & { readonly knownMs: number })[];
}

const BEFORE_MS = 400;
/** As long as screening listens, so that every verdict that would come does. */
const TOTAL_MS = 31_000;
/** Recognition answers this long after a pause began. */
const RECOGNITION_MS = 350;
/** A pause as long as this makes another utterance of what follows. */
const UTTERANCE_PAUSE_MS = 700;
const BEEP_DBFS = -15;

export async function renderGreeting(
  synthesizer: SpeechSynthesizer,
  { parts, beep }: Greeting,
  voiceId: string,
): Promise<RenderedGreeting> {
  const samples = new Int16Array(samplesIn(TOTAL_MS));
  const words: (ScreenedWords & { readonly knownMs: number })[] = [];
  let atMs = BEFORE_MS;
  let pauseMs = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    if (typeof part === "number") {
      atMs += part;
      pauseMs = part;
      continue;
    }
    const spoken = await speak(synthesizer, part, voiceId);
    samples.set(spoken, samplesIn(atMs));
    const last = words.at(-1);
    const goesOn = last !== undefined && pauseMs < UTTERANCE_PAUSE_MS;
    const startMs = goesOn ? last.startMs : atMs;
    atMs += (spoken.length * 1000) / TELEPHONE_RATE_HZ;
    words.push({ text: goesOn ? `${last.text} ${part}` : part, startMs, endMs: atMs, knownMs: atMs + RECOGNITION_MS });
  }
  if (beep !== null) {
    const tone = { steps: [{ frequenciesHz: [beep.frequencyHz], durationMs: beep.durationMs }], repeats: false };
    samples.set(renderSignal({ ...tone, levelDbfs: BEEP_DBFS }, beep.durationMs), samplesIn(atMs + beep.afterMs));
  }
  return { samples: throughG711(samples), words };
}

async function speak(synthesizer: SpeechSynthesizer, text: string, voiceId: string): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  for await (const piece of synthesizer.speak({ text, voiceId, sampleRateHz: TELEPHONE_RATE_HZ })) pieces.push(piece);
  return Int16Array.from(pieces.flatMap((piece) => Array.from(piece)));
}

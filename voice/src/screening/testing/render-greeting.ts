import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { renderSignal } from "@parley/audio/signal";
import { throughG711 } from "@parley/audio/testing/through-g711";
import type { ScreenedWords } from "../../ports/call-screening.ts";
import type { SpeechSynthesizer } from "../../ports/speech-synthesizer.ts";
import type { Beep, Greeting } from "./greetings.ts";

/** A greeting as received on the line, and its words with the time at which recognition would return them. */
export interface RenderedGreeting {
  readonly greeting: Greeting;
  readonly voiceId: string;
  readonly samples: Int16Array;
  readonly words: readonly (ScreenedWords & { readonly knownMs: number })[];
}

const BEFORE_MS = 400;
/** As long as screening listens, so that every possible decision is made. */
const TOTAL_MS = 31_000;
/** Recognition answers this long after a pause began. */
const RECOGNITION_MS = 350;
/** A pause this long makes what follows another utterance. */
const UTTERANCE_PAUSE_MS = 700;
const BEEP_DBFS = -15;

/** Speaks a greeting with its pauses and its tone, through a telephone line of mu-law. */
export async function renderGreeting(
  synthesizer: SpeechSynthesizer,
  greeting: Greeting,
  voiceId: string,
): Promise<RenderedGreeting> {
  const samples = new Int16Array(samplesIn(TOTAL_MS));
  const words: (ScreenedWords & { readonly knownMs: number })[] = [];
  let atMs = BEFORE_MS;
  let pauseMs = Number.POSITIVE_INFINITY;
  for (const part of greeting.parts) {
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
  if (greeting.beep !== null) samples.set(renderBeep(greeting.beep), samplesIn(atMs + greeting.beep.afterMs));
  return { greeting, voiceId, samples: throughG711(samples), words };
}

async function speak(synthesizer: SpeechSynthesizer, text: string, voiceId: string): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  for await (const piece of synthesizer.speak({ text, voiceId, sampleRateHz: TELEPHONE_RATE_HZ })) pieces.push(piece);
  return Int16Array.from(pieces.flatMap((piece) => Array.from(piece)));
}

function renderBeep({ frequencyHz, durationMs }: Beep): Int16Array {
  const steps = [{ frequenciesHz: [frequencyHz], durationMs }];
  return renderSignal({ steps, repeats: false, levelDbfs: BEEP_DBFS }, durationMs);
}

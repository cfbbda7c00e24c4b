import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";
import { VENDORS, type Vendor, vendorOfSpeech } from "@parley/providers/registry";
import { type Clock, systemClock } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { SpeechModel, SpeechModelEvent } from "@parley/voice/ports/speech-model";
import type { SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import type { SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { LOCAL_PROVIDER } from "../../platform/config/engine-settings.ts";
import type { ModelSettings } from "../../platform/config/model-settings.ts";
import { type EngineRecipe, type SpeechChoice, speaks } from "../engines/engine-catalog.ts";
import { trialSentenceIn } from "./trial-sentence.ts";
import { NO_TOOLS, tryModel } from "./try-model.ts";

/** The result of one round trip to a part of an engine. */
export interface PartTrial {
  readonly part: "recognition" | "model" | "synthesis" | "speech";
  readonly name: string;
  /** To the text, the first word or the first audio; null when none came. */
  readonly firstResultMs: number | null;
  /** What is wrong, for a person who can act on it. */
  readonly failure: string | null;
  /** What came back, or what is worth knowing though it works. */
  readonly remark: Remark | null;
  /** Whether it runs on this machine. Such a part is not tried. */
  readonly isLocal: boolean;
}

interface Remark {
  readonly text: string;
  /** Whether a call needs more than that. */
  readonly isWarning: boolean;
}

export interface TryEngineOptions {
  readonly signal: AbortSignal;
  readonly fetch: typeof fetch;
  /** The language models of the installation, for engines without their own. */
  readonly models: Pick<ModelSettings, "choices">;
  readonly onPart?: (part: PartTrial["part"], name: string) => void;
  readonly clock?: Clock;
  readonly vendors?: readonly Vendor[];
}

const TELEPHONE_RATE_HZ = 8_000;
const FRAME_SAMPLES = TELEPHONE_RATE_HZ / 50;
/** Far more than a callee waits, so that something slow is seen to be slow. */
const PATIENCE_MS = 20_000;

/** What each part is tried with. */
interface Trial {
  readonly sentence: string;
  readonly language: string;
  readonly clock: Clock;
}

/** Makes one round trip to each part of an engine, fallbacks too, one after the other, in the language of the recipe. */
export async function tryEngine(recipe: EngineRecipe, options: TryEngineOptions): Promise<PartTrial[]> {
  const { signal, vendors = VENDORS, clock = systemClock } = options;
  const { language } = recipe;
  const trial: Trial = { sentence: trialSentenceIn(language), language, clock };
  const access = ({ apiKey, baseUrl, folder, model }: SpeechChoice) => ({
    apiKey,
    baseUrl,
    folder,
    model: model ?? "",
    fetch: options.fetch,
    clock,
  });
  const vendorOf = (choice: SpeechChoice) => vendors.find(({ name }) => name === choice.provider);
  let trials: PartTrial[] = [];

  async function attempt(
    part: "recognition" | "synthesis" | "speech",
    choice: SpeechChoice,
    work: Work,
  ): Promise<void> {
    const name = nameOf(choice);
    if (choice.provider === LOCAL_PROVIDER) {
      trials.push({ part, name, firstResultMs: null, failure: null, remark: null, isLocal: true });
      return;
    }
    options.onPart?.(part, name);
    const within = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      trials.push({ part, name, failure: null, isLocal: false, ...(await work(within)) });
    } catch (error) {
      signal.throwIfAborted();
      trials.push({ part, name, firstResultMs: null, failure: failureOf(error, within), remark: null, isLocal: false });
    }
  }

  for (const choice of recipe.speech) {
    await attempt("speech", choice, async (within) => {
      const model = await vendorOfSpeech(choice.provider, vendors)?.speech?.open(access(choice));
      if (!model) throw new ProviderError(choice.provider, "It has no model that speaks.", { retryable: false });
      return converseOnce(model, choice.voice ?? "", trial, within);
    });
  }
  // The other parts of such an engine are only for apologies.
  if (recipe.speech.length > 0) return trials;
  // First, because recognition hears what they say.
  let spoken: Int16Array | null = null;
  for (const choice of recipe.synthesis) {
    await attempt("synthesis", choice, async (within) => {
      const synthesizer = await vendorOf(choice)?.synthesis?.open(access(choice));
      if (!synthesizer) throw new ProviderError(choice.provider, "It has no voices.", { retryable: false });
      const { samples, ...found } = await speakOnce(synthesizer, choice.voice ?? "", trial, within);
      if (samples.length >= TELEPHONE_RATE_HZ) spoken ??= samples;
      return found;
    });
  }
  const synthesis = trials;
  trials = [];
  for (const choice of recipe.recognition) {
    await attempt("recognition", choice, async (within) => {
      const recognizer = await vendorOf(choice)?.recognition?.open(access(choice));
      if (!recognizer) throw new ProviderError(choice.provider, "It recognizes no speech.", { retryable: false });
      return recognizeOnce(recognizer, spoken, trial, within);
    });
  }
  for (const choice of (recipe.models ?? options.models).choices) {
    options.onPart?.("model", `${choice.provider}/${choice.model}`);
    const { name, firstWordMs, callsTools, failure } = await tryModel(choice, signal, { clock });
    const remark = callsTools === false ? { text: NO_TOOLS, isWarning: true } : null;
    trials.push({ part: "model", name, firstResultMs: firstWordMs, failure, remark, isLocal: false });
  }
  return [...trials, ...synthesis];
}

type Work = (signal: AbortSignal) => Promise<Pick<PartTrial, "firstResultMs" | "remark">>;

function nameOf({ provider, model }: SpeechChoice): string {
  return model === null ? provider : `${provider}/${model}`;
}

/** Opens a session as a call does, and has it say a sentence. */
async function converseOnce(
  model: SpeechModel,
  voiceId: string,
  { sentence, language, clock }: Trial,
  signal: AbortSignal,
) {
  const done = Promise.withResolvers<void>();
  const stop = () => done.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  let firstResultMs: number | null = null;
  let text = "";
  let askedMs = clock.now();
  const onEvent = (event: SpeechModelEvent) => {
    if (event.type === "audio") firstResultMs ??= clock.now() - askedMs;
    else if (event.type === "text") text += event.text;
    else if (event.type === "failed") done.reject(event.error);
    else if (event.type === "reply_done") event.failure ? done.reject(event.failure) : done.resolve();
  };
  try {
    const instructions = "You test a telephone line.";
    const request = { instructions, tools: [], language, voiceId, isInterruptible: true, onEvent };
    const session = await model.open(request);
    try {
      askedMs = clock.now();
      session.reply(`Say exactly the following, word for word, and nothing else: ${sentence}`);
      await done.promise;
    } finally {
      session.close();
    }
  } finally {
    done.promise.catch(() => undefined);
    signal.removeEventListener("abort", stop);
    await model.close();
  }
  const isWarning = firstResultMs === null;
  return {
    firstResultMs,
    remark: { text: isWarning ? "It returned no audio." : `It said: "${text.trim()}"`, isWarning },
  };
}

async function speakOnce(
  synthesizer: SpeechSynthesizer,
  voiceId: string,
  { sentence, language, clock }: Trial,
  signal: AbortSignal,
) {
  const askedMs = clock.now();
  let firstResultMs: number | null = null;
  const pieces: Int16Array[] = [];
  try {
    const request = { text: sentence, language, voiceId, sampleRateHz: TELEPHONE_RATE_HZ, signal } as const;
    for await (const piece of synthesizer.speak(request)) {
      firstResultMs ??= clock.now() - askedMs;
      pieces.push(piece);
    }
  } finally {
    await synthesizer.close();
  }
  const samples = joined(pieces);
  const seconds = samples.length / TELEPHONE_RATE_HZ;
  const isWarning = seconds < 1;
  const text = isWarning ? "It returned hardly any audio." : `It spoke ${seconds.toFixed(1)} s of audio.`;
  return { firstResultMs, remark: { text, isWarning }, samples };
}

/** English is spoken to it by a voice of this machine, other languages by the engine's own voice. */
async function recognizeOnce(
  recognizer: SpeechRecognizer,
  spoken: Int16Array | null,
  { sentence, language, clock }: Trial,
  signal: AbortSignal,
) {
  try {
    const stream = await recognizer.open({ language, sampleRateHz: TELEPHONE_RATE_HZ });
    try {
      stream.startUtterance();
      const samples = speaks(["en"], language) ? await speakHere(sentence, signal) : spoken;
      if (samples === null) {
        const text = "It was opened, but nothing was said to it: no voice of this engine spoke its language.";
        return { firstResultMs: null, remark: { text, isWarning: true } };
      }
      for (let at = 0; at < samples.length; at += FRAME_SAMPLES) stream.hear(samples.subarray(at, at + FRAME_SAMPLES));
      const askedMs = clock.now();
      const { text } = await stream.recognize({ expected: [], isSpeechCertain: true, isGuess: false, signal });
      const isWarning = text.trim() === "";
      const remark = isWarning ? "It understood nothing of a test sentence." : `It understood: "${text}"`;
      return { firstResultMs: clock.now() - askedMs, remark: { text: remark, isWarning } };
    } finally {
      stream.close();
    }
  } finally {
    await recognizer.close();
  }
}

async function speakHere(text: string, signal: AbortSignal): Promise<Int16Array> {
  const voice = createFliteSynthesizer({ deadlineMs: PATIENCE_MS });
  try {
    const pieces: Int16Array[] = [];
    const request = { text, voiceId: "slt", sampleRateHz: TELEPHONE_RATE_HZ, signal } as const;
    for await (const piece of voice.speak(request)) pieces.push(piece);
    return joined(pieces);
  } finally {
    await voice.close();
  }
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function failureOf(error: unknown, within: AbortSignal): string {
  if (error instanceof ProviderError) return error.message;
  if (within.aborted) return `It did not answer within ${PATIENCE_MS / 1_000} seconds.`;
  throw error;
}

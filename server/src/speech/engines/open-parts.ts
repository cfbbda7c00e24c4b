import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { IncidentKind } from "@parley/contract/incidents";
import { VENDORS, type Vendor, vendorOfSpeech } from "@parley/providers/registry";
import { withRecognizerFallback } from "@parley/providers/speech/with-recognizer-fallback";
import { type SynthesizerRests, withSynthesizerFallback } from "@parley/providers/speech/with-synthesizer-fallback";
import type { Clock } from "@parley/time/clock";
import type { LanguageModel } from "@parley/voice/ports/language-model";
import { ProviderError, reasonOf } from "@parley/voice/ports/provider-error";
import type { SpeechModel } from "@parley/voice/ports/speech-model";
import type { SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import type { SpeechRequest, SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { sexOfPart } from "../../agents/voices/voice-sex.ts";
import { LOCAL_PROVIDER, voiceOf } from "../../platform/config/engine-settings.ts";
import type { ModelSettings } from "../../platform/config/model-settings.ts";
import type { OpenLanguageModel } from "../models/open-language-model.ts";
import type { EngineRecipe, SpeechChoice, SpeechKind } from "./engine-catalog.ts";
import {
  failedUse,
  meterModel,
  meterRecognizer,
  meterSpeechModel,
  meterSynthesizer,
  type NotePartUse,
} from "./part-meter.ts";
import { NO_ACCESS } from "./vendor-access.ts";

/** The parts of one call, each with its fallbacks. What is used of each vendor is noted. */
export interface CallParts {
  readonly recognizer: SpeechRecognizer;
  readonly synthesizer: SpeechSynthesizer;
  /** Null where there is none. */
  readonly model: LanguageModel | null;
}

/** A voice that speaks for a model that hears and speaks. */
export interface StandInVoice {
  readonly isLocal: boolean;
  /** What is the same for every call with the same voice. */
  readonly identity: string;
  readonly synthesizer: Pick<SpeechSynthesizer, "speak">;
}

export interface PartsDeps {
  readonly local: { readonly recognizer: SpeechRecognizer; readonly synthesizer: SpeechSynthesizer };
  /** The language model of the installation, as it is chosen at the moment. */
  readonly model: () => LanguageModel | null;
  readonly openModel: (settings: ModelSettings) => Promise<OpenLanguageModel | null>;
  readonly fetch: typeof fetch;
  /** The hosts of the operator's own addresses are added here: their names may be known to this machine only. */
  readonly ownHosts?: Set<string>;
  readonly clock: Clock;
  readonly vendors?: readonly Vendor[];
}

/** Where a call records what its engine did. Neither must throw. */
export interface PartRecord {
  readonly note: NotePartUse;
  noteIncident(what: IncidentKind, reason: string): void;
}

export interface OpenParts {
  /**
   * Rejects with a ProviderError when a part cannot be opened at all. Whatever cannot be opened is an incident, and a failure of its vendor, also if
   * there is another one. `voice` is the voice that the agent names, if any.
   */
  partsFor(recipe: EngineRecipe | null, voice: string | undefined, record: PartRecord): Promise<CallParts>;
  /** The models of an engine that hear and speak, each with its voice, in the order in which they are used. */
  speechFor(
    recipe: EngineRecipe,
    voice: string | undefined,
    record: PartRecord,
  ): Promise<{ readonly model: SpeechModel; readonly voiceId: string }[]>;
  /**
   * What else can speak for such a model, in order: none of them needs the model. One that cannot be opened fails when it is
   * asked to speak, because that is an incident only in calls that need it. The local one speaks with the voice of this machine that is requested, the others with their own.
   */
  standInsFor(recipe: EngineRecipe, voice: string | undefined, note: NotePartUse): Promise<StandInVoice[]>;
  /** Loads models of this machine before a call needs them. Calls until then use what comes after them, and say why. */
  load(recognizers: readonly SpeechChoice[]): void;
  /** Closes the parts of vendors. The local ones belong to the caller. */
  close(): Promise<void>;
}

const LOCAL: SpeechChoice = { provider: LOCAL_PROVIDER, model: null, voice: null, ...NO_ACCESS };
/** For a call without a recipe. */
const LOCAL_PARTS = { recognition: [LOCAL], synthesis: [LOCAL], models: null, language: undefined };

/**
 * The speech parts of a thread. Each vendor is opened once for each key and model and shared by calls, so that its
 * connections stay warm; what a call adds is only the note of what it used. They stay open until the thread ends: keys
 * change too rarely for that to add up.
 */
export function openParts(deps: PartsDeps): OpenParts {
  const { local, clock, vendors = VENDORS } = deps;
  const opened = new Map<string, Promise<{ close(): unknown }>>();
  // Kept between calls: a recognizer that failed in one call is not tried first in the next.
  const restUntilMs = new Map<unknown, number>();
  const restingVoices: SynthesizerRests["byVoice"] = new Map();

  function once<T extends { close(): unknown }>(key: unknown, open: () => Promise<T>): Promise<T> {
    const text = JSON.stringify(key);
    const found = opened.get(text) as Promise<T> | undefined;
    if (found) return found;
    const opening = open();
    opened.set(text, opening);
    // The next call tries again.
    opening.catch(() => opened.delete(text));
    return opening;
  }

  const vendorOf = (kind: Exclude<SpeechKind, "speech">, choice: SpeechChoice) => {
    const vendor = vendors.find(({ name }) => name === choice.provider);
    if (!vendor?.[kind])
      throw new ProviderError(choice.provider, "This vendor is not known here.", { retryable: false });
    return vendor;
  };
  const accessFor = ({ apiKey, baseUrl, folder, model }: SpeechChoice) => {
    if (baseUrl !== null) deps.ownHosts?.add(new URL(baseUrl).hostname);
    return { apiKey, baseUrl, folder, model: model ?? "", fetch: deps.fetch, clock };
  };

  function openRecognizer(choice: SpeechChoice): Promise<SpeechRecognizer> {
    const part = vendorOf("recognition", choice).recognition;
    if (!part) throw new Error("the vendor has no recognition");
    const { voice: _, ...access } = choice;
    return once(["recognition", access], () => part.open(accessFor(choice)));
  }
  function openSynthesizer(choice: SpeechChoice): Promise<SpeechSynthesizer> {
    const part = vendorOf("synthesis", choice).synthesis;
    if (!part) throw new Error("the vendor has no synthesis");
    const { voice: _, voicesBySex: __, ...access } = choice;
    return once(["synthesis", access], () => part.open(accessFor(choice)));
  }

  /** The voice of a choice that takes over for the first one. The agent and the operator may name it, otherwise it is similar. */
  function voiceLike(first: SpeechChoice, choice: SpeechChoice, asked: string | undefined): string {
    const isNamed = asked?.startsWith(`${choice.provider}/`);
    const sex = choice === first || isNamed ? null : sexOfPart(first, asked, vendors);
    return (sex === null ? undefined : choice.voicesBySex?.[sex]) ?? voiceOf(choice, asked);
  }

  return {
    async partsFor(recipe, voice, record) {
      const { note } = record;
      const { recognition, synthesis, models, language } = recipe ?? LOCAL_PARTS;
      const sources = new Map<SpeechRecognizer, SpeechRecognizer>();
      const recognizers = recognition.map(async (choice) => {
        const recognizer = isLocal(choice) ? local.recognizer : await openRecognizer(choice);
        const metered = meterRecognizer(recognizer, choice, { clock, note });
        sources.set(metered, recognizer);
        return metered;
      });
      const rests = { untilMs: restUntilMs, keyOf: (metered: SpeechRecognizer) => sources.get(metered) };
      const voices = new Map<SpeechSynthesizer, string>();
      const synthesizers = synthesis.map(async (choice) => {
        const { voicesBySex: _, ...access } = choice;
        const spoken = isLocal(choice) ? null : voiceLike(synthesis[0] ?? choice, choice, voice);
        const synthesizer =
          spoken === null ? local.synthesizer : withVoice(await openSynthesizer(choice), spoken, language);
        const metered = meterSynthesizer(synthesizer, choice, { clock, note });
        voices.set(metered, JSON.stringify({ ...access, voice: spoken }));
        return metered;
      });
      const model =
        models === null ? deps.model() : ((await once(["model", models], () => openModel(models))).model ?? null);
      return {
        recognizer: withFallbacks(await takeOpened("recognition", recognition, recognizers, record), (all) =>
          withRecognizerFallback(all, { clock, rests }),
        ),
        synthesizer: withFallbacks(await takeOpened("synthesis", synthesis, synthesizers, record), (all) =>
          speakInOrder(all, clock, { byVoice: restingVoices, keyOf: (each) => voices.get(each) }),
        ),
        model: model && meterModel(model, { clock, note }),
      };
    },
    async speechFor({ name, speech }, voice, record) {
      const { note } = record;
      const models = speech.map(async (choice) => {
        const part = vendorOfSpeech(choice.provider, vendors)?.speech;
        if (!part) throw new ProviderError(choice.provider, "This vendor is not known here.", { retryable: false });
        const { voice: _, ...access } = choice;
        const model = await once(["speech", access], () => part.open(accessFor(choice)));
        return { model: meterSpeechModel(model, choice, { clock, note }), voiceId: voiceOf(choice, voice) };
      });
      if (models.length === 0) throw new ProviderError(name, "None of its models is available.", { retryable: false });
      return takeOpened("speech", speech, models, record);
    },
    async standInsFor({ speech, synthesis, language }, voice, note) {
      const opening = synthesis.map(async (choice): Promise<StandInVoice> => {
        if (isLocal(choice)) return { isLocal: true, identity: LOCAL_PROVIDER, synthesizer: local.synthesizer };
        const model = speech.find(({ provider }) => vendorOfSpeech(provider, vendors)?.name === choice.provider);
        const first = speech[0] ?? choice;
        const spoken = choice.voice === null && model ? voiceOf(model, voice) : voiceLike(first, choice, voice);
        const identity = `${choice.provider}/${choice.model}/${spoken}`;
        try {
          const synthesizer = withVoice(await openSynthesizer(choice), spoken, language);
          return { isLocal: false, identity, synthesizer: meterSynthesizer(synthesizer, choice, { clock, note }) };
        } catch (error) {
          note(failedUse("synthesis", choice));
          return { isLocal: false, identity, synthesizer: failing(choice, error) };
        }
      });
      return Promise.all(opening);
    },
    load(recognizers) {
      for (const choice of recognizers) {
        openRecognizer(choice)
          .then((recognizer) => recognizer.open({ language: "en-US", sampleRateHz: TELEPHONE_RATE_HZ }))
          .then((stream) => stream.close())
          // A call that needs it tries again, and reports the reason.
          .catch(() => undefined);
      }
    },
    async close() {
      const parts = await Promise.allSettled(opened.values());
      await Promise.all(parts.map((part) => (part.status === "fulfilled" ? part.value.close() : undefined)));
    },
  };

  async function openModel(settings: ModelSettings): Promise<{ model: LanguageModel | null; close(): void }> {
    return (await deps.openModel(settings)) ?? { model: null, close: () => undefined };
  }
}

function withFallbacks<T>(parts: readonly [T, ...T[]], join: (parts: readonly T[]) => T): T {
  return parts.length === 1 ? parts[0] : join(parts);
}

/**
 * Each of these knows its own voice, and the local one speaks with the voice of this machine that was requested. For the
 * fallback, the requested voice is a different one at each of them, so that a call stays with the one it changed to.
 */
function speakInOrder(
  synthesizers: readonly SpeechSynthesizer[],
  clock: Clock,
  { byVoice, keyOf }: Pick<SynthesizerRests, "byVoice" | "keyOf">,
): SpeechSynthesizer {
  const spoken = new Set<unknown>();
  const speak = (request: SpeechRequest) => {
    const [, place = "0", plain = request.voiceId] = /^(\d+)@(.*)$/.exec(request.voiceId) ?? [];
    const sources = new Map<SpeechSynthesizer, SpeechSynthesizer>();
    const choices = synthesizers.map((source, index) => {
      const id = `${index}@${plain}`;
      const synthesizer = { ...withVoice(source, plain), voices: [{ id, language: "mul", description: "" }] };
      sources.set(synthesizer, source);
      return { synthesizer, voiceFor: () => id };
    });
    const rests = { byVoice, spoken, keyOf: (each: SpeechSynthesizer) => keyOf(sources.get(each) ?? each) };
    return withSynthesizerFallback(choices, { clock, rests }).speak({ ...request, voiceId: `${place}@${plain}` });
  };
  const voices = synthesizers.flatMap((synthesizer) => synthesizer.voices);
  return { name: synthesizers.map(({ name }) => name).join(", else "), voices, speak, close: async () => undefined };
}

function isLocal({ provider }: SpeechChoice): boolean {
  return provider === LOCAL_PROVIDER;
}

/** What a part that cannot be opened is to a call: whether another one takes its place, or none. */
const UNOPENED: Readonly<Record<SpeechKind, readonly [replaced: IncidentKind, missing: IncidentKind]>> = {
  recognition: ["recognition_failed", "recognition_failed"],
  synthesis: ["voice_changed", "speech_failed"],
  speech: ["model_failed", "model_failed"],
};

/** Those that could be opened, in order; the others are recorded. Rejects with the first failure when none could. */
async function takeOpened<T>(
  part: SpeechKind,
  choices: readonly SpeechChoice[],
  opening: readonly Promise<T>[],
  { note, noteIncident }: PartRecord,
): Promise<[T, ...T[]]> {
  const settled = await Promise.allSettled(opening);
  const [first, ...rest] = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const [replaced, missing] = UNOPENED[part];
  for (const [index, choice] of choices.entries()) {
    const one = settled[index];
    if (one?.status !== "rejected") continue;
    note(failedUse(part, choice));
    const reason = `${nameOf(choice)} could not be opened: ${reasonOf(one.reason)}`;
    noteIncident(first === undefined ? missing : replaced, reason);
  }
  if (first !== undefined) return [first, ...rest];
  throw settled.find((one) => one.status === "rejected")?.reason ?? new Error("a recipe has no parts");
}

function nameOf({ provider, model }: SpeechChoice): string {
  return model === null ? provider : `${provider}/${model}`;
}

/** A voice that could not be opened. */
function failing(choice: SpeechChoice, error: unknown): Pick<SpeechSynthesizer, "speak"> {
  return {
    // biome-ignore lint/correctness/useYield: it has nothing to say.
    async *speak() {
      throw new ProviderError(choice.provider, `${nameOf(choice)} could not be opened: ${reasonOf(error)}`, {
        retryable: false,
        cause: error,
      });
    },
  };
}

/** A vendor's voice speaks whatever voice of this machine was asked for, and in the language of the call. */
function withVoice(synthesizer: SpeechSynthesizer, voiceId: string, language?: string): SpeechSynthesizer {
  return {
    name: synthesizer.name,
    voices: synthesizer.voices,
    speak: (request) => synthesizer.speak({ ...request, voiceId, ...(language === undefined ? {} : { language }) }),
    close: () => synthesizer.close(),
  };
}

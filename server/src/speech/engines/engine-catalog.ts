import type { EngineModel, EnginePart } from "@parley/contract/engines";
import { KOKORO_LANGUAGES } from "@parley/providers/local/kokoro/kokoro-voices";
import { type SynthesisPart, VENDORS, type Vendor, vendorOfSpeech } from "@parley/providers/registry";
import { findKnownVoice, type VoiceSex } from "@parley/providers/speech/known-voices";
import {
  describeRecipe,
  type EngineSettings,
  LOCAL_PROVIDER,
  type PartName,
  type Recipe,
  splitName,
} from "../../platform/config/engine-settings.ts";
import {
  type ModelSettings,
  nameOfModel,
  type RawModelSettings,
  toModelSettings,
} from "../../platform/config/model-settings.ts";
import { type Access, accessOf, NO_ACCESS } from "./vendor-access.ts";

/** A speech part that can be opened, with its key. It can be sent to another thread. */
export interface SpeechChoice extends PartName, Access {
  /** What it speaks with instead of `voice` to sound like the voice that it replaces. Missing where the operator named a voice. */
  readonly voicesBySex?: Readonly<Partial<Record<VoiceSex, string>>>;
}

/** An engine with all that is needed to open it. It can be sent to another thread. */
export interface EngineRecipe {
  readonly name: string;
  /** The language of the call, as a BCP 47 tag. */
  readonly language: string;
  /** Models that hear and speak; empty for a cascade. The first choice, then the fallbacks. */
  readonly speech: readonly SpeechChoice[];
  readonly recognition: readonly SpeechChoice[];
  readonly synthesis: readonly SpeechChoice[];
  /** Null: the models of the installation. */
  readonly models: ModelSettings | null;
}

/** An engine that this release can conduct calls with, as it is configured at the moment. */
export interface KnownEngine {
  readonly name: string;
  readonly description: string;
  /** The voice engine that conducts its calls: `NAME-engine.ts` in `voice/src/engine`. */
  readonly adapter: "cascade" | "speech-to-speech";
  /** The settings between it and its first call, in full sentences. Empty when it is ready. */
  readonly missing: readonly string[];
  /** Its own language models, or those of the installation. Null if it is a model itself. */
  readonly model: EngineModel | "installation" | null;
  /** As ISO 639-1 codes; null if they are not known, because the operator's server decides. */
  readonly languages: readonly string[] | null;
  readonly speech: readonly EnginePart[];
  readonly recognition: readonly EnginePart[];
  readonly synthesis: readonly EnginePart[];
  /** The languages in which something else can speak for its model, as ISO 639-1 codes. Null if they are not known, or it is no model itself. */
  readonly standInLanguages: readonly string[] | null;
}

/** The engines of the installation. */
export interface EngineCatalog {
  /** `local`, the operator's own, the presets whose keys are set, and some whose keys are not. */
  list(): readonly KnownEngine[];
  /** Also presets that are not listed. */
  find(name: string): KnownEngine | undefined;
}

/** What the catalog is made from. */
export interface EngineSources {
  /** The models to ask, and the settings of vendors from the environment and operators. */
  readonly installed: () => ModelSettings & { readonly environment: RawModelSettings };
  readonly settings: EngineSettings;
  /** Whether this machine has voices that speak other languages than English: the light ones do not. Default: yes. */
  readonly hasNaturalVoices?: boolean;
  /** Default: all. */
  readonly vendors?: readonly Vendor[];
}

/** The languages that recognition and the voices of this machine know. */
export const LOCAL_LANGUAGES: Readonly<Record<SpeechKind, readonly string[]>> = {
  speech: [],
  recognition: ["en"],
  synthesis: KOKORO_LANGUAGES,
};

const LOCAL_PART: PartName = { provider: LOCAL_PROVIDER, model: null, voice: null };
const LOCAL_RECIPE: Recipe = {
  name: LOCAL_PROVIDER,
  description: "Runs on this installation and needs no key and no other service. A language model is optional.",
  speech: [],
  recognition: [LOCAL_PART],
  models: null,
  synthesis: [LOCAL_PART],
};

/** Shown with what they miss while their keys are not set, as examples of what can be combined. */
const EXAMPLES: readonly string[] = [
  "openai",
  "openai-realtime",
  "gemini-live",
  "deepgram-openai-elevenlabs",
  "deepgram-openai-cartesia",
  "deepgram-anthropic-elevenlabs",
];

export const LOCAL_ENGINE: KnownEngine = {
  name: LOCAL_PROVIDER,
  description: LOCAL_RECIPE.description,
  adapter: "cascade",
  missing: [],
  model: "installation",
  languages: LOCAL_LANGUAGES.recognition,
  speech: [],
  recognition: [{ provider: LOCAL_PROVIDER, model: null, voice: null, available: true }],
  synthesis: [{ provider: LOCAL_PROVIDER, model: null, voice: null, available: true }],
  standInLanguages: null,
};

export function openEngineCatalog(sources: EngineSources): EngineCatalog {
  const { installed, settings, vendors = VENDORS } = sources;
  const presets = presetRecipes(vendors);

  function list(): KnownEngine[] {
    const environment = installed().environment;
    const own = settings.own.map((recipe) => describe(recipe));
    const isSet = (name: string) =>
      name !== LOCAL_PROVIDER && accessOf(name, environment, vendors).missing.length === 0;
    const isSpeechSet = ({ provider }: PartName) => isSet(vendorOfSpeech(provider, vendors)?.name ?? LOCAL_PROVIDER);
    const hasModel = vendors.some(({ name, languageModel }) => languageModel !== undefined && isSet(name));
    const ready = [...presets.values()].filter(
      ({ speech, recognition, models, synthesis }) =>
        speech.every(isSpeechSet) &&
        [...recognition, ...synthesis].every(({ provider }) => isSet(provider)) &&
        (models === null ? speech.length > 0 || !hasModel : models.every(isSet)),
    );
    const examples = EXAMPLES.flatMap((name) => presets.get(name) ?? []);
    const names = new Set([LOCAL_PROVIDER, ...own.map(({ name }) => name)]);
    const shown = [...new Set([...ready, ...examples])].filter(({ name }) => !names.has(name)).map(describe);
    return [LOCAL_ENGINE, ...own, ...shown.filter(isReady), ...shown.filter((engine) => !isReady(engine))];
  }

  function describe(recipe: Recipe): KnownEngine {
    const { environment, choices } = installed();
    const speech = recipe.speech.map((part) => readPart("speech", part, sources));
    const recognition = recipe.recognition.map((part) => readPart("recognition", part, sources));
    const synthesis = recipe.synthesis.map((part) => readPart("synthesis", part, sources));
    const models = recipe.models && modelsOf(recipe.models, environment, choices, 0);
    return {
      name: recipe.name,
      description: recipe.description,
      adapter: speech.length > 0 ? "speech-to-speech" : "cascade",
      missing: [
        ...missingOf(speech),
        ...missingOf(recognition),
        ...(models === null || models.settings.choices.length > 0 ? [] : [models.missing]),
        // A model that speaks does not depend on the voices that speak for it.
        ...(speech.length > 0 ? [] : missingOf(synthesis)).filter(
          (sentence) => !missingOf(recognition).includes(sentence),
        ),
      ],
      model:
        speech.length > 0
          ? null
          : models === null
            ? "installation"
            : describeChoices(models.settings.choices, models.missing),
      languages:
        speech.length > 0 ? knownLanguages(usable(speech)) : commonLanguages(usable(recognition), usable(synthesis)),
      speech: speech.map(shownPart),
      recognition: recognition.map(shownPart),
      synthesis: synthesis.map(shownPart),
      standInLanguages: speech.length > 0 ? knownLanguages(standIns(sources, recipe)) : null,
    };
  }

  return {
    list,
    find(name) {
      const recipe = findRecipe(name, settings, presets);
      return recipe && (recipe === LOCAL_RECIPE ? LOCAL_ENGINE : describe(recipe));
    },
  };
}

/**
 * The engine for a call in a language, with what is configured now. Parts without their key, or without the language, are
 * left out; a part of which nothing is left is the local one, which says in the call's incidents what it cannot do.
 * Undefined when there is no engine of this name any more.
 */
export function recipeFor(sources: EngineSources, name: string, language: string): EngineRecipe | undefined {
  const { installed, settings, vendors = VENDORS } = sources;
  const { environment, choices, firstTokenTimeoutMs } = installed();
  const recipe = findRecipe(name, settings, presetRecipes(vendors));
  if (!recipe) return undefined;
  const open = (kind: SpeechKind, parts: readonly PartName[]): SpeechChoice[] => {
    const read = parts.map((part) => readPart(kind, part, sources, language));
    const found = read.filter((part) => part.missing.length === 0 && speaks(part.languages, language));
    const needsLocal = settings.hasLocalFallback && speaks(localLanguages(kind, sources), language);
    const hasLocal = found.some(({ part }) => part.provider === LOCAL_PROVIDER);
    const choices = found.map(toChoice);
    const local = { ...LOCAL_PART, ...NO_ACCESS };
    return choices.length === 0 || (needsLocal && !hasLocal) ? [...choices, local] : choices;
  };
  if (recipe.speech.length > 0) {
    const speech = recipe.speech
      .map((part) => readPart("speech", part, sources, language))
      .filter((part) => part.missing.length === 0 && speaks(part.languages, language))
      .map(toChoice);
    const synthesis = standIns(sources, recipe, language)
      .filter((part) => speaks(part.languages, language))
      .map(toChoice);
    return { name, language, speech, recognition: [], synthesis, models: null };
  }
  return {
    name,
    language,
    speech: [],
    recognition: open("recognition", recipe.recognition),
    synthesis: open("synthesis", recipe.synthesis),
    models: recipe.models && modelsOf(recipe.models, environment, choices, firstTokenTimeoutMs).settings,
  };
}

/** Recognition with models of the operator that run here. They take seconds to load, which no callee should wait for. */
export function ownRecognizers(sources: EngineSources): SpeechChoice[] {
  return (sources.vendors ?? VENDORS)
    .filter(({ needs, recognition }) => needs.folder !== undefined && recognition !== undefined)
    .map(({ name }) => readPart("recognition", { ...LOCAL_PART, provider: name }, sources))
    .filter(({ missing }) => missing.length === 0)
    .map(toChoice);
}

/**
 * What can speak for a model that hears and speaks, the first choice first: the voices of its recipe, those of this machine, and then those of
 * the vendors of its models, to whom the call is known already.
 */
function standIns(sources: EngineSources, { speech, synthesis }: Recipe, language?: string): ReadPart[] {
  const { vendors = VENDORS } = sources;
  const read = (part: PartName) => readPart("synthesis", part, sources, language);
  const named = synthesis.map(read);
  const ofModels = [...new Set(speech.map(({ provider }) => vendorOfSpeech(provider, vendors)))]
    .filter((vendor) => vendor?.synthesis !== undefined)
    .map((vendor) => read({ provider: vendor?.name ?? "", model: null, voice: null }))
    // With the voice of the model.
    .map(({ voicesBySex: _, ...each }) => ({ ...each, part: { ...each.part, voice: null } }));
  return [...named, read(LOCAL_PART), ...ofModels].filter(({ missing }) => missing.length === 0);
}

/** Whether an engine hears and speaks a language with what is configured now. */
export function hearsAndSpeaks(sources: EngineSources, name: string, language: string): boolean {
  const engine = openEngineCatalog(sources).find(name);
  return engine !== undefined && engine.missing.length === 0 && speaks(engine.languages, language);
}

/** Whether a language is among those codes; null knows all. */
export function speaks(languages: readonly string[] | null, language: string): boolean {
  const [code = ""] = language.toLowerCase().split("-");
  return languages === null || languages.includes(code);
}

export type SpeechKind = "speech" | "recognition" | "synthesis";

interface ReadPart {
  readonly part: PartName;
  readonly access: Access;
  readonly languages: readonly string[] | null;
  readonly missing: readonly string[];
  readonly voicesBySex?: SpeechChoice["voicesBySex"];
}

function toChoice({ part, access, voicesBySex }: ReadPart): SpeechChoice {
  return { ...part, ...access, ...(voicesBySex ? { voicesBySex } : {}) };
}

function localLanguages(kind: SpeechKind, { hasNaturalVoices = true }: EngineSources): readonly string[] {
  return kind === "synthesis" && !hasNaturalVoices ? ["en"] : LOCAL_LANGUAGES[kind];
}

function readPart(kind: SpeechKind, part: PartName, sources: EngineSources, language = "en"): ReadPart {
  if (part.provider === LOCAL_PROVIDER)
    return {
      part,
      access: NO_ACCESS,
      languages: localLanguages(kind, sources),
      missing: [],
    };
  const { installed, vendors = VENDORS } = sources;
  const { environment } = installed();
  const vendor =
    kind === "speech" ? vendorOfSpeech(part.provider, vendors) : vendors.find(({ name }) => name === part.provider);
  const offered = vendor?.[kind];
  if (!vendor || !offered) throw new Error(`a recipe names a provider without ${kind}: ${part.provider}`);
  const { missing, model, access } = accessOf(vendor.name, environment, vendors);
  const unset = part.model === null ? missing : missing.filter((setting) => setting !== vendor.needs.model);
  const voice = part.voice ?? (kind === "recognition" ? null : usualVoice(vendor, kind, language));
  return {
    part: { provider: part.provider, model: part.model ?? model ?? offered.defaultModel, voice },
    access,
    languages: offered.languages,
    ...(part.voice === null && kind === "synthesis" ? voicesBySex(vendor, language) : {}),
    missing:
      unset.length === 0
        ? [vendor.obstacle?.(access) ?? []].flat()
        : [`Set ${unset.join(" and ")}, or connect ${vendor.title} in the dashboard under Operator > Providers.`],
  };
}

function usualVoice({ synthesis, speech }: Vendor, kind: "speech" | "synthesis", language: string): string | null {
  if (kind === "speech") return speech?.defaultVoice ?? null;
  const { voicesByLanguage, defaultVoice }: Partial<SynthesisPart> = synthesis ?? {};
  return voicesByLanguage?.[language.split("-")[0] ?? ""] ?? defaultVoice ?? null;
}

function voicesBySex({ synthesis }: Vendor, language: string): Pick<ReadPart, "voicesBySex"> {
  const known = synthesis?.knownVoices ?? [];
  const found = (["woman", "man"] as const).flatMap((sex) => findKnownVoice(known, sex, language) ?? []);
  return found.length === 0 ? {} : { voicesBySex: Object.fromEntries(found.map(({ sex, id }) => [sex, id])) };
}

function shownPart({ part, missing }: ReadPart): EnginePart {
  return { ...part, available: missing.length === 0 };
}

/** One part that is set is enough: the others are fallbacks that are not used. */
function missingOf(parts: readonly ReadPart[]): string[] {
  if (parts.some(({ missing }) => missing.length === 0)) return [];
  return parts.flatMap(({ missing }) => missing);
}

function usable(parts: readonly ReadPart[]): readonly ReadPart[] {
  const set = parts.filter(({ missing }) => missing.length === 0);
  return set.length > 0 ? set : parts;
}

function knownLanguages(parts: readonly ReadPart[]): string[] | null {
  return parts.some(({ languages }) => languages === null)
    ? null
    : [...new Set(parts.flatMap(({ languages }) => languages ?? []))].toSorted();
}

function commonLanguages(recognition: readonly ReadPart[], synthesis: readonly ReadPart[]): string[] | null {
  const [heard, spoken] = [knownLanguages(recognition), knownLanguages(synthesis)];
  if (heard === null || spoken === null) return heard ?? spoken;
  return heard.filter((language) => spoken.includes(language));
}

/** The named models that are set, then the others of the installation. */
function modelsOf(
  names: readonly string[],
  environment: RawModelSettings,
  installed: ModelSettings["choices"],
  firstTokenTimeoutMs: number,
): { readonly settings: ModelSettings; readonly missing: string } {
  const named = names.flatMap((name) => {
    const { PARLEY_MODEL_FALLBACK: _, ...rest } = environment;
    return toModelSettings({ ...rest, PARLEY_MODEL: name }).settings.choices;
  });
  const others = installed.filter((choice) => !named.some((one) => nameOfModel(one) === nameOfModel(choice)));
  const choices = named.length === 0 ? [] : [...named, ...others];
  const titles = names.map((name) => {
    const { needs, title } = VENDORS.find((vendor) => vendor.name === splitName(name).provider) ?? {};
    return `${Object.values(needs ?? {}).join(" and ")} (${title ?? name})`;
  });
  return {
    settings: { choices, firstTokenTimeoutMs },
    missing: `Set ${titles.join(" or ")}, or add a key in the dashboard under Operator > Providers.`,
  };
}

function describeChoices(choices: ModelSettings["choices"], missing: string): EngineModel {
  const [first, ...rest] = choices.map(nameOfModel);
  return { name: first ?? null, fallbacks: rest, missing: first === undefined ? [missing] : [] };
}

function isReady({ missing }: KnownEngine): boolean {
  return missing.length === 0;
}

function findRecipe(name: string, { own }: EngineSettings, presets: ReadonlyMap<string, Recipe>): Recipe | undefined {
  if (name === LOCAL_PROVIDER) return LOCAL_RECIPE;
  return own.find((recipe) => recipe.name === name) ?? presets.get(name);
}

/** Every combination of vendors, by name: `recognition-model-synthesis`, in which equal neighbors are named once. */
function presetRecipes(vendors: readonly Vendor[]): ReadonlyMap<string, Recipe> {
  const having = (part: Exclude<SpeechKind, "speech">) => [
    ...vendors.flatMap((vendor) => (vendor[part] ? [vendor.name] : [])),
    LOCAL_PROVIDER,
  ];
  const models = [...vendors.flatMap(({ name, languageModel }) => (languageModel ? [name] : [])), null];
  const recipes = new Map<string, Recipe>();
  // Those with a model come first: `deepgram-openai` is OpenAI's model and voice, and not only its voice.
  for (const model of models) {
    for (const ears of having("recognition")) {
      for (const mouth of having("synthesis")) {
        if (ears === LOCAL_PROVIDER && mouth === LOCAL_PROVIDER) continue;
        const name = presetName([ears, ...(model === null ? [] : [model]), mouth]);
        const parts = {
          speech: [],
          recognition: [{ provider: ears, model: null, voice: null }],
          models: model === null ? null : [model],
          synthesis: [{ provider: mouth, model: null, voice: null }],
        };
        if (!recipes.has(name)) recipes.set(name, { name, ...parts, description: describeRecipe(parts, vendors) });
      }
    }
  }
  for (const { speech } of vendors) {
    if (speech === undefined) continue;
    const part = { provider: speech.name, model: null, voice: null };
    const parts = { speech: [part], recognition: [], models: null, synthesis: [] };
    recipes.set(speech.name, { name: speech.name, ...parts, description: describeRecipe(parts, vendors) });
  }
  return recipes;
}

function presetName(parts: readonly string[]): string {
  return parts.filter((part, index) => part !== parts[index - 1]).join("-");
}

import type { Engine, EngineModel } from "@parley/contract/engines";
import { AppError } from "@parley/contract/errors";
import type { Flow } from "@parley/contract/flow";
import { whyNotOneConversation } from "@parley/flow/one-conversation";
import { STANDARD_LANGUAGES } from "@parley/flow/standard-texts";
import { LANGUAGE_MODEL_PROVIDERS } from "@parley/providers/registry";
import { type ModelSettings, nameOfModel } from "../../platform/config/model-settings.ts";
import {
  type EngineCatalog,
  type KnownEngine,
  LOCAL_ENGINE,
  LOCAL_LANGUAGES,
  speaks,
} from "../engines/engine-catalog.ts";

/** The engines of this installation, by name. */
export interface EngineRegistry {
  readonly defaultName: string;
  /** The language models that engines which are none themselves ask for agents, the first one first. Empty while none is set. */
  readonly modelNames: readonly string[];
  list(): Engine[];
  /** Throws 422 `engine_unknown` when there is no engine of this name. It may still be unavailable. */
  requireKnownEngine(name: string): Engine;
  /** Throws 422 `engine_unknown`, or 409 `engine_unavailable` when the engine cannot conduct a call here. */
  requireEngine(name: string): Engine;
  /**
   * The same for a call to an agent: one that needs a language model is refused while there is none, with what to set,
   * and one that speaks a language that the engine does not.
   */
  chooseFor(name: string, agent: EngineNeeds): Engine;
  /** Why calls of an agent in this language would be refused, and what to do; null if they would not. */
  languageProblem(name: string | null, language: string): string | null;
  /** Whether the engine is one model for hearing, thinking and speaking. */
  conductsOnlyConversations(name: string | null): boolean;
  /** Why callees would hear nothing while a model that speaks is silent or being replaced, and what to do; null if they would hear something. */
  silenceProblem(name: string | null, language: string, flow: Pick<Flow, "settings">): string | null;
  /** Why calls with this flow would be refused; null if they would not. */
  flowProblem(name: string | null, flow: Pick<Flow, "nodes">): string | null;
}

/** What an agent needs of its engine. */
interface EngineNeeds {
  readonly needsModel: boolean;
  /** A BCP 47 tag. Left out: it does not matter. */
  readonly language?: string | undefined;
}

export interface EngineRegistryOptions {
  /** Default: only the engine of this machine. */
  readonly catalog?: EngineCatalog;
  readonly defaultName?: string;
  /** The installation's language models, as they are chosen at the moment. */
  readonly model?: () => EngineModel;
}

/** Creates the registry. The default engine must be one of those given, and ready for use. */
export function createEngineRegistry({
  catalog = LOCAL_ONLY,
  defaultName = DEFAULT_ENGINE_NAME,
  model = () => describeModel({ choices: [] }),
}: EngineRegistryOptions = {}): EngineRegistry {
  const describe = (engine: KnownEngine): Engine => ({
    name: engine.name,
    description: engine.description,
    available: engine.missing.length === 0,
    missing: [...engine.missing],
    isDefault: engine.name === defaultName,
    languages: engine.languages && [...engine.languages],
    speech: [...engine.speech],
    recognition: [...engine.recognition],
    model: engine.model === "installation" ? model() : engine.model,
    synthesis: [...engine.synthesis],
  });
  const isDefaultReady = catalog.find(defaultName)?.missing.length === 0;
  if (!isDefaultReady) throw new Error(`the default engine ${defaultName} is not available`);

  function requireKnownEngine(name: string): Engine {
    const engine = catalog.find(name);
    if (engine) return describe(engine);
    const names = catalog.list().map((known) => `"${known.name}"`);
    const message = `There is no engine named "${name}". The engines are ${names.join(", ")}.`;
    throw new AppError("engine_unknown", message, { param: "engine" });
  }

  function requireEngine(name: string): Engine {
    const engine = requireKnownEngine(name);
    if (engine.available) return engine;
    throw unavailable(`The engine "${name}" cannot be used here. ${engine.missing.join(" ")}`);
  }

  return {
    defaultName,
    get modelNames() {
      const { name, fallbacks } = model();
      return name === null ? [] : [name, ...fallbacks];
    },
    list: () => catalog.list().map(describe),
    requireKnownEngine,
    requireEngine,
    chooseFor(name, { needsModel, language }) {
      const engine = requireEngine(name);
      const problem = language === undefined ? null : languageProblem(engine, language, catalog);
      if (problem !== null) throw unavailable(problem);
      if (!needsModel || engine.model === null || engine.model.name !== null) return engine;
      throw unavailable(`The agent needs a language model. ${engine.model.missing.join(" ")}`);
    },
    languageProblem(name, language) {
      const engine = catalog.find(name ?? defaultName);
      return engine === undefined ? null : languageProblem(engine, language, catalog);
    },
    conductsOnlyConversations: (name) => catalog.find(name ?? defaultName)?.adapter === "speech-to-speech",
    silenceProblem(name, language, flow) {
      const engine = catalog.find(name ?? defaultName);
      if (engine?.adapter !== "speech-to-speech" || !speaks(engine.languages, language)) return null;
      return silenceProblem(engine, language, flow);
    },
    flowProblem(name, { nodes }) {
      const engine = catalog.find(name ?? defaultName);
      const problem = engine?.adapter === "speech-to-speech" ? whyNotOneConversation(nodes) : null;
      if (engine === undefined || problem === null) return null;
      return `The engine "${engine.name}" conducts agents that are one conversation. ${problem}`;
    },
  };
}

/** No one is called by an agent that cannot understand them or speak to them. */
function languageProblem(
  { name, languages, recognition }: Pick<KnownEngine, "name" | "languages" | "recognition">,
  language: string,
  catalog: EngineCatalog,
): string | null {
  if (speaks(languages, language)) return null;
  const title = titleOf(language);
  const others = catalog
    .list()
    .filter((engine) => engine.missing.length === 0 && speaks(engine.languages, language))
    .map((engine) => `"${engine.name}"`);
  const advice =
    others.length === 0
      ? "No engine that is set up here does; an operator connects a speech vendor under Operator > Providers."
      : `These do: ${others.join(", ")}.`;
  const problem = `The engine "${name}" does not speak ${title}, the language of the agent.`;
  const isHeardLocally = recognition.every(({ provider }) => provider === LOCAL_ENGINE.name);
  if (!isHeardLocally || !speaks(LOCAL_LANGUAGES.synthesis, language)) return `${problem} ${advice}`;
  return `${problem} Local recognition knows only English, although the local voices speak ${title}: an engine with another recognizer, such as "deepgram-local", can use them. ${advice}`;
}

/** A model that takes long to reply is covered by a sentence in another voice, if there are words and a voice for it. */
function silenceProblem(
  { name, standInLanguages }: Pick<KnownEngine, "name" | "standInLanguages">,
  language: string,
  { settings }: Pick<Flow, "settings">,
): string | null {
  const title = titleOf(language);
  const start = `While the model of the engine "${name}" is silent or being replaced, callees hear nothing:`;
  if (!speaks(standInLanguages, language))
    return `${start} no other voice speaks ${title}. An operator names one for it as "synthesis" of an engine of your own.`;
  if (settings?.phrases?.moment !== undefined || speaks(STANDARD_LANGUAGES, language)) return null;
  return `${start} there are no standard words in ${title}. Say how the agent asks for a moment in its settings.`;
}

function titleOf(language: string): string {
  return new Intl.DisplayNames("en", { type: "language" }).of(language) ?? language;
}

function unavailable(message: string): AppError {
  return new AppError("engine_unavailable", message, { param: "engine" });
}

/** The engine of an agent, or of a call, that names none. */
const DEFAULT_ENGINE_NAME = LOCAL_ENGINE.name;

const LOCAL_ONLY: EngineCatalog = {
  list: () => [LOCAL_ENGINE],
  find: (name) => (name === LOCAL_ENGINE.name ? LOCAL_ENGINE : undefined),
};

/** What an account sees of the installation's language models: their names, or what is missing. */
export function describeModel({ choices }: Pick<ModelSettings, "choices">): EngineModel {
  const [first, ...rest] = choices.map(nameOfModel);
  return { name: first ?? null, fallbacks: rest, missing: first === undefined ? [explainMissing()] : [] };
}

function explainMissing(): string {
  const ways = LANGUAGE_MODEL_PROVIDERS.map(({ title, needs }) => `${Object.values(needs).join(" and ")} (${title})`);
  return `No language model is set. The operator adds a key in the dashboard under Operator > Providers, or sets one of ${ways.join(", ")}.`;
}

import type { Engine, EngineModel } from "@parley/contract/engines";
import { AppError } from "@parley/contract/errors";
import { LANGUAGE_MODEL_PROVIDERS } from "@parley/providers/registry";
import { type ModelSettings, nameOfModel } from "../../platform/config/model-settings.ts";

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
  /** The same for a call to an agent: one that needs a language model is refused while there is none, with what to set. */
  chooseFor(name: string, agent: { readonly needsModel: boolean }): Engine;
}

export interface EngineRegistryOptions {
  readonly known?: readonly KnownEngine[];
  readonly defaultName?: string;
  /** The installation's language models, as they are chosen at the moment. */
  readonly model?: () => EngineModel;
}

/** Creates the registry. The default engine must be one of those given, and ready for use. */
export function createEngineRegistry({
  known = KNOWN_ENGINES,
  defaultName = DEFAULT_ENGINE_NAME,
  model = () => describeModel({ choices: [] }),
}: EngineRegistryOptions = {}): EngineRegistry {
  const engines = new Map(known.map((engine) => [engine.name, engine]));
  const describe = ({ name, description, missing, takesModel }: KnownEngine): Engine => ({
    name,
    description,
    available: missing.length === 0,
    missing: [...missing],
    isDefault: name === defaultName,
    model: takesModel ? model() : null,
  });
  const isDefaultReady = engines.get(defaultName)?.missing.length === 0;
  if (!isDefaultReady) throw new Error(`the default engine ${defaultName} is not available`);

  function requireKnownEngine(name: string): Engine {
    const engine = engines.get(name);
    if (engine) return describe(engine);
    const message = `There is no engine named "${name}". The engines are ${[...engines.keys()].map((known) => `"${known}"`).join(", ")}.`;
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
    list: () => [...engines.values()].map(describe),
    requireKnownEngine,
    requireEngine,
    chooseFor(name, { needsModel }) {
      const engine = requireEngine(name);
      if (!needsModel || engine.model === null || engine.model.name !== null) return engine;
      throw unavailable(`The agent needs a language model. ${engine.model.missing.join(" ")}`);
    },
  };
}

function unavailable(message: string): AppError {
  return new AppError("engine_unavailable", message, { param: "engine" });
}

/**
 * An engine that this release can conduct calls with. One is listed only when its adapter exists and settings alone can
 * make it available: whatever is listed here is offered in replies, prices, the builder and the reference.
 */
export interface KnownEngine {
  readonly name: string;
  readonly description: string;
  /** The voice engine that conducts its calls: `voice/src/engine/NAME-engine.ts`. */
  readonly adapter: "cascade";
  /** The settings between it and its first call, in full sentences. Empty when it is ready. */
  readonly missing: readonly string[];
  /** Whether agents that need a language model are given one beside it. */
  readonly takesModel: boolean;
}

/** The engine of an agent, or of a call, that names none. */
const DEFAULT_ENGINE_NAME = "local";

export const KNOWN_ENGINES: readonly KnownEngine[] = [
  {
    name: DEFAULT_ENGINE_NAME,
    description: "Runs on this installation. It needs no key and no other service; a language model is up to you.",
    adapter: "cascade",
    missing: [],
    takesModel: true,
  },
];

/** What an account sees of the installation's language models: their names, or what is missing. */
export function describeModel({ choices }: Pick<ModelSettings, "choices">): EngineModel {
  const [first, ...rest] = choices.map(nameOfModel);
  return { name: first ?? null, fallbacks: rest, missing: first === undefined ? [explainMissing()] : [] };
}

function explainMissing(): string {
  const ways = LANGUAGE_MODEL_PROVIDERS.map(({ title, needs }) => `${Object.values(needs).join(" and ")} (${title})`);
  return `No language model is set. The operator adds a key in the dashboard under Operator > Models, or sets one of ${ways.join(", ")}.`;
}

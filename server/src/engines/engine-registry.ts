import type { Engine } from "@parley/contract/engines";
import { AppError } from "@parley/contract/errors";
import { DEFAULT_ENGINE_NAME, KNOWN_ENGINES, type KnownEngine } from "./known-engines.ts";

/** The engines of this installation, by name. */
export interface EngineRegistry {
  readonly defaultName: string;
  list(): Engine[];
  /** Throws 422 `engine_unknown` when there is no engine of this name. It may still be unavailable. */
  requireKnownEngine(name: string): Engine;
  /** Throws 422 `engine_unknown`, or 409 `engine_unavailable` when the engine cannot conduct a call here. */
  requireEngine(name: string): Engine;
}

/** Makes the registry. The default engine must be one of those given, and ready for use. */
export function createEngineRegistry(
  known: readonly KnownEngine[] = KNOWN_ENGINES,
  defaultName: string = DEFAULT_ENGINE_NAME,
): EngineRegistry {
  const engines = new Map<string, Engine>(
    known.map(({ name, description, missing }) => [
      name,
      { name, description, available: missing.length === 0, missing: [...missing], isDefault: name === defaultName },
    ]),
  );
  if (!engines.get(defaultName)?.available) throw new Error(`the default engine ${defaultName} is not available`);

  function requireKnownEngine(name: string): Engine {
    const engine = engines.get(name);
    if (engine) return engine;
    const message = `There is no engine named ${name}. The engines are ${[...engines.keys()].join(", ")}.`;
    throw new AppError("engine_unknown", message, { param: "engine" });
  }

  return {
    defaultName,
    list: () => [...engines.values()],
    requireKnownEngine,
    requireEngine(name) {
      const engine = requireKnownEngine(name);
      if (engine.available) return engine;
      const message = `The engine ${name} cannot be used here. ${engine.missing.join(" ")}`;
      throw new AppError("engine_unavailable", message, { param: "engine" });
    },
  };
}

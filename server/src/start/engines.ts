import { type EngineSources, openEngineCatalog } from "../speech/engines/engine-catalog.ts";
import { createEngineRegistry, describeModel, type EngineRegistry } from "../speech/models/engine-registry.ts";
import type { ModelDirectory } from "../speech/models/model-directory.ts";
import type { ServiceContext } from "./service-context.ts";

/** Joins the engines of the installation: what is configured, and what operators set. */
export function joinEngines(
  { settings }: Pick<ServiceContext, "settings">,
  models: Pick<ModelDirectory, "current">,
): EngineRegistry {
  return createEngineRegistry({
    catalog: openEngineCatalog(engineSources(settings, models)),
    model: () => describeModel(models.current()),
  });
}

export function engineSources(
  { engines, conversations }: Pick<ServiceContext["settings"], "engines" | "conversations">,
  models: Pick<ModelDirectory, "current">,
): EngineSources {
  const { hasNaturalVoices } = conversations;
  return { installed: () => models.current(), settings: engines, hasNaturalVoices };
}

import { type ModelDirectory, openModelDirectory } from "../speech/models/model-directory.ts";
import type { Ground } from "./ground.ts";

/** Keeps the choice of language models at hand, from the environment and from what operators set. */
export function openModels({ db, secrets, listener, log, settings }: Ground): Promise<ModelDirectory> {
  return openModelDirectory({ db, secrets, listener, log, environment: settings.modelEnvironment });
}

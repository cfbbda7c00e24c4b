import type { EngineModel } from "@parley/contract/engines";
import { LANGUAGE_MODEL_PROVIDERS } from "@parley/providers/registry";
import { type ModelSettings, nameOfModel } from "../../platform/config/model-settings.ts";

/** What an account is told about the installation's language models: their names, or what is missing. */
export function describeModel({ choices }: Pick<ModelSettings, "choices">): EngineModel {
  const [first, ...rest] = choices.map(nameOfModel);
  return { name: first ?? null, fallbacks: rest, missing: first === undefined ? [explainMissing()] : [] };
}

function explainMissing(): string {
  const ways = LANGUAGE_MODEL_PROVIDERS.map(({ title, needs }) => `${Object.values(needs).join(" and ")} (${title})`);
  return `No language model is set. The operator adds a key in the dashboard under Operator > Models, or sets one of ${ways.join(", ")}.`;
}

import type { Engine } from "@parley/contract/engines";
import { queryOptions } from "@tanstack/react-query";
import { enginesQuery } from "../calls/agent-queries.ts";

/** The language models that nodes can ask, the installation's first one first. Empty while none is set up. */
export const modelNamesQuery = queryOptions({ ...enginesQuery, select: modelNamesOf });

function modelNamesOf(engines: readonly Engine[]): readonly string[] {
  // Engines that are no model themselves all ask the same ones.
  const model = engines.find((engine) => engine.model?.name != null)?.model;
  return model?.name == null ? [] : [model.name, ...model.fallbacks];
}

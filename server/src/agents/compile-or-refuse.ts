import type { FlowWarning } from "@parley/contract/agents";
import { AppError, type ErrorDetail } from "@parley/contract/errors";
import type { Flow } from "@parley/contract/flow";
import { type CompiledFlow, compileFlow } from "@parley/flow/compile";

export interface Compiled {
  readonly plan: CompiledFlow;
  readonly warnings: FlowWarning[];
}

/**
 * Throws 422 with one detail for each thing that keeps the flow from being held as a conversation. Warns by the names of the
 * language models that are configured.
 */
export function compileOrRefuse(flow: Flow, modelNames: readonly string[], whatFails: string): Compiled {
  const result = compileFlow(flow, { modelNames });
  if (result.ok) {
    const warnings = result.warnings.map(({ path, code, message }) => ({ param: `flow.${path}`, code, message }));
    return { plan: result.plan, warnings };
  }
  const details = result.problems.map(
    ({ path, code, message }): ErrorDetail => ({ param: `flow.${path}`, code, message }),
  );
  throw new AppError("validation_failed", `${whatFails} ${details[0]?.message ?? ""}`.trim(), { details });
}

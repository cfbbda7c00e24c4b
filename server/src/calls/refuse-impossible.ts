import type { NewCall } from "@parley/contract/calls";
import { invalidField } from "@parley/contract/errors";
import type { Mode } from "@parley/contract/shared-fields";

const AHEAD_MAX_MS = 90 * 86_400_000;

/** Refuses what the shape of a request does not tell: fields that do not go with the mode or with the moment. */
export function refuseImpossible(request: NewCall, mode: Mode, nowMs: number): void {
  if (request.simulation && mode === "live")
    throw invalidField("simulation", "test_only", "simulation works with test keys only.");
  if (request.agentVersion === "draft" && mode === "live")
    throw invalidField("agentVersion", "test_only", "agentVersion can be the draft with test keys only.");
  if (request.scheduledAt !== undefined && Date.parse(request.scheduledAt) > nowMs + AHEAD_MAX_MS)
    throw invalidField("scheduledAt", "too_far_ahead", "scheduledAt must not be more than 90 days ahead.");
}

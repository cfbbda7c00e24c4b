import { type AppError, invalidField } from "@parley/contract/errors";
import type { Mode } from "@parley/contract/shared-fields";
import type { TrunkDirectory } from "@parley/telephony/sip-carrier/trunk";

/**
 * Whether calls of a mode go out on trunks. Test calls never do. Live calls do as soon as an operator has connected one:
 * an enabled trunk that a route leads to. From then on no live call is simulated, also not to a number without a route.
 */
export function goesToTrunks(mode: Mode, { trunks, routes }: TrunkDirectory): boolean {
  if (mode === "test") return false;
  return trunks.some(({ id, isEnabled }) => isEnabled && routes.some(({ trunkId }) => trunkId === id));
}

/**
 * Why a number may not be shown to the callee, or null. Which numbers may be is the operator's business, so they are not
 * named. On the simulated network any number may be shown.
 */
export function refuseCallerId(mode: Mode, from: string | undefined, directory: TrunkDirectory): AppError | null {
  if (from === undefined || !goesToTrunks(mode, directory)) return null;
  const isAllowed = directory.trunks.some(
    ({ isEnabled, callerIds }) => isEnabled && (callerIds.length === 0 || callerIds.includes(from)),
  );
  if (isAllowed) return null;
  return invalidField(
    "from",
    "caller_id_not_allowed",
    "from must be a caller id that the operator allowed on a trunk. Leave it out to show the trunk's own.",
  );
}

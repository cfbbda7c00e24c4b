import { SIMULATED_NETWORK } from "@parley/contract/calls";
import { type AppError, invalidField } from "@parley/contract/errors";
import type { Mode } from "@parley/contract/shared-fields";
import { chooseTrunks } from "@parley/telephony/sip-carrier/trunks/choose-trunks";
import type { RoutedTrunk, TrunkDirectory } from "@parley/telephony/sip-carrier/trunks/trunk";

/**
 * Whether calls of a mode go out on trunks. Test calls never do. Live calls do as soon as an operator has connected one:
 * an enabled trunk that a route leads to. From then on no live call is simulated, also not to a number without a route.
 */
export function goesToTrunks(mode: Mode, { trunks, routes }: TrunkDirectory<RoutedTrunk>): boolean {
  if (mode === "test") return false;
  return trunks.some(({ id, isEnabled }) => isEnabled && routes.some(({ trunkId }) => trunkId === id));
}

/** Where a call goes, and whether it moves credit. */
export interface CallRouting {
  /** The simulated network, or the name of the trunk that the route prefers; null while that is not known. */
  readonly network: string | null;
  readonly isCharged: boolean;
}

export interface CallRouter {
  /** Whether calls of a mode would really be dialed. */
  goesToTrunks(mode: Mode): boolean;
  routeCall(mode: Mode, to: string, from: string | null): CallRouting;
}

/** Routes calls by the trunks as they are now. Calls on trunks are charged; simulated live calls where the operator says so. */
export function createCallRouter(
  directory: { current(): TrunkDirectory<RoutedTrunk> },
  { chargesSimulatedCalls }: { readonly chargesSimulatedCalls: boolean },
): CallRouter {
  return {
    goesToTrunks: (mode) => goesToTrunks(mode, directory.current()),
    routeCall(mode, to, from) {
      if (goesToTrunks(mode, directory.current()))
        return { network: preferredTrunk(directory.current(), to, from), isCharged: true };
      return { network: SIMULATED_NETWORK, isCharged: mode === "live" && chargesSimulatedCalls };
    },
  };
}

/** Null where weights leave the first trunk to chance, and where no trunk leads to the number. */
function preferredTrunk(directory: TrunkDirectory<RoutedTrunk>, to: string, from: string | null): string | null {
  const healthOf = () => ({ isReachable: null, isRegistered: null, circuit: "closed", trouble: null }) as const;
  const [first, other] = [0, 1 - Number.EPSILON].map((fraction) => {
    return chooseTrunks({ directory, healthOf, fraction: () => fraction }, { to, from }).choices[0]?.trunk;
  });
  return first && first.id === other?.id ? first.name : null;
}

/**
 * Why a number may not be shown to the callee, or null. Which numbers may be is the operator's business, so they are not
 * named. On the simulated network any number may be shown.
 */
export function refuseCallerId(
  mode: Mode,
  from: string | undefined,
  directory: TrunkDirectory<RoutedTrunk>,
): AppError | null {
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

import type { Clock } from "@parley/time/clock";
import { UnreadableSecret } from "../../platform/config/sealed-text.ts";
import type { Secrets } from "../../platform/config/secret.ts";
import type { Database } from "../../platform/database/database.ts";
import { type KeptCurrent, keepCurrent } from "../../platform/database/keep-current.ts";
import type { Listener } from "../../platform/database/listen.ts";
import type { Log } from "../../platform/telemetry/log.ts";
import { type CarrierDirectory, type CarrierTrunk, toCarrierRoute, toCarrierTrunk } from "./to-carrier-trunk.ts";
import type { TrunkRow } from "./trunk-record.ts";
import { readAllRouteRows } from "./trunk-route-store.ts";
import { readAllTrunkRows } from "./trunk-store.ts";

export interface TrunkDirectoryDeps {
  readonly db: Database;
  readonly listener: Pick<Listener, "on" | "onReconnect">;
  readonly secrets: Pick<Secrets, "open">;
  readonly log: Pick<Log, "warn" | "error">;
  /** Default: the real one. */
  readonly clock?: Clock;
}

/** Trunks and routes as they were last read. */
export type OpenTrunkDirectory = KeptCurrent<CarrierDirectory>;

/** Caches trunks and routes, so that dialing needs no query. */
export function openTrunkDirectory(deps: TrunkDirectoryDeps): Promise<OpenTrunkDirectory> {
  const { listener, log, clock } = deps;
  return keepCurrent({
    listener,
    channel: "parley_trunks",
    read: () => readDirectory(deps),
    onTrouble: (error) => log.warn({ error }, "trunks could not be reloaded; keeping the current ones"),
    ...(clock ? { clock } : {}),
  });
}

async function readDirectory({ db, secrets, log }: TrunkDirectoryDeps): Promise<CarrierDirectory> {
  const rows = await readAllTrunkRows(db);
  const trunks = rows.flatMap((row) => readableTrunk(row, secrets, log));
  const known = new Set(trunks.map(({ id }) => id));
  const routes = (await readAllRouteRows(db)).map(toCarrierRoute).filter(({ trunkId }) => known.has(trunkId));
  return { trunks, routes };
}

/** A trunk whose password cannot be read gets no calls; the others are unaffected. */
function readableTrunk(
  row: TrunkRow,
  secrets: TrunkDirectoryDeps["secrets"],
  log: TrunkDirectoryDeps["log"],
): CarrierTrunk[] {
  try {
    return [toCarrierTrunk(row, secrets)];
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    log.error({ trunkId: row.id, trunk: row.name, reason: error.message }, "trunk password cannot be decrypted");
    return [];
  }
}

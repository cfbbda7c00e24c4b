import { type Clock, systemClock } from "@parley/telephony/clock";
import type { Trunk, TrunkDirectory } from "@parley/telephony/sip-carrier/trunk";
import { UnreadableSecret } from "../config/sealed-text.ts";
import type { Secrets } from "../config/secret.ts";
import type { Database } from "../database/database.ts";
import type { Listener } from "../database/listen.ts";
import type { Log } from "../telemetry/log.ts";
import { toCarrierRoute, toCarrierTrunk } from "./to-carrier-trunk.ts";
import type { TrunkRow } from "./trunk-record.ts";
import { readAllRouteRows } from "./trunk-route-store.ts";
import { readAllTrunkRows } from "./trunk-store.ts";

const RETRY_MS = 1000;

export interface TrunkDirectoryDeps {
  readonly db: Database;
  readonly listener: Pick<Listener, "on" | "onReconnect">;
  readonly secrets: Pick<Secrets, "open">;
  readonly log: Pick<Log, "warn" | "error">;
  /** Default: the real one. */
  readonly clock?: Clock;
}

export interface OpenTrunkDirectory {
  /** Trunks and routes as they were last read. The same object until something changed. */
  current(): TrunkDirectory;
  /** Called after each change that was read. Returns the function that stops it. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

/**
 * Keeps trunks and routes at hand, so that a dial asks nobody. They are read again when the database says that they
 * changed, and when the connection it says so by was lost meanwhile. While the database is away the last known ones serve.
 */
export async function openTrunkDirectory(deps: TrunkDirectoryDeps): Promise<OpenTrunkDirectory> {
  const { listener, log, clock = systemClock } = deps;
  const listeners = new Set<() => void>();
  let directory: TrunkDirectory = { trunks: [], routes: [] };
  let isStale = false;
  let isBusy = true;
  let isClosed = false;
  let reading: Promise<void> = Promise.resolve();
  let cancelRetry: () => void = () => undefined;

  /** Reads until nothing was announced during the reading. */
  async function readAnew(): Promise<void> {
    isBusy = true;
    try {
      while (isStale && !isClosed) {
        isStale = false;
        const next = await readDirectory(deps);
        if (isClosed || isSame(next, directory)) continue;
        directory = next;
        for (const each of listeners) each();
      }
    } catch (error) {
      log.warn({ error }, "trunks could not be read anew; the last known ones stay in use");
      if (!isClosed) cancelRetry = clock.setTimer(RETRY_MS, refresh);
    } finally {
      isBusy = false;
    }
  }
  function refresh(): void {
    isStale = true;
    cancelRetry();
    if (!isBusy && !isClosed) reading = readAnew();
  }

  const stops = [listener.on("parley_trunks", refresh), listener.onReconnect(refresh)];
  try {
    directory = await readDirectory(deps);
  } catch (error) {
    for (const stop of stops) stop();
    throw error;
  }
  // What was announced during the first reading is read now.
  reading = readAnew();
  return {
    current: () => directory,
    onChange(each) {
      listeners.add(each);
      return () => listeners.delete(each);
    },
    async close() {
      isClosed = true;
      cancelRetry();
      for (const stop of stops) stop();
      listeners.clear();
      await reading;
    },
  };
}

async function readDirectory({ db, secrets, log }: TrunkDirectoryDeps): Promise<TrunkDirectory> {
  const rows = await readAllTrunkRows(db);
  const trunks = rows.flatMap((row) => readableTrunk(row, secrets, log));
  const known = new Set(trunks.map(({ id }) => id));
  const routes = (await readAllRouteRows(db)).map(toCarrierRoute).filter(({ trunkId }) => known.has(trunkId));
  return { trunks, routes };
}

/** A trunk whose password cannot be read gets no calls, and the others go on. */
function readableTrunk(row: TrunkRow, secrets: TrunkDirectoryDeps["secrets"], log: TrunkDirectoryDeps["log"]): Trunk[] {
  try {
    return [toCarrierTrunk(row, secrets)];
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error;
    log.error({ trunkId: row.id, trunk: row.name, why: error.message }, "a trunk cannot be used: its password");
    return [];
  }
}

function isSame(one: TrunkDirectory, other: TrunkDirectory): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

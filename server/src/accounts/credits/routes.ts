import { SIMULATED_NETWORK } from "@parley/contract/calls";
import type { Account, LedgerEntry, Rate } from "@parley/contract/credits";
import { formatUsd } from "@parley/contract/money";
import { getAccount, getRate, listLedger } from "@parley/contract/routes/account";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Database } from "../../platform/database/database.ts";
import { type Cursors, toPage } from "../../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import type { EngineRegistry } from "../../speech/models/engine-registry.ts";
import { findRate } from "./find-rate.ts";
import { type AccountStanding, type LedgerRow, listLedgerRows, readAccountStanding } from "./ledger-reader-store.ts";
import { readEngineRates } from "./rate-store.ts";

export interface CreditDeps {
  readonly db: Database;
  readonly cursors: Cursors;
  readonly engines: EngineRegistry;
  /** The limit of the API per account and mode. */
  readonly requestsPerSecond: number;
  /** Whether live calls reach the telephone network, and whether they are charged. */
  readonly liveCalls: { goToTrunks(): boolean; areCharged(): boolean };
}

/** Balance, ledger and rates. */
export function creditRoutes(deps: CreditDeps): BoundRoute[] {
  const { db, cursors, engines } = deps;
  return [
    handle(getAccount, async ({ accountId, mode }) => {
      const standing = await readAccountStanding(db, accountId, mode);
      return { data: toAccount(accountId, standing, deps) };
    }),

    handle(listLedger, async ({ accountId, query }) => {
      const filter = { list: "ledger", accountId };
      const after = query.cursor === undefined ? null : readPosition(cursors.read(query.cursor, filter));
      const rows = await listLedgerRows(db, accountId, after, query.limit + 1);
      const page = toPage(rows, query.limit, (last) => cursors.write([last.created_at.toISOString(), last.id], filter));
      return { data: page.rows.map(toLedgerEntry), nextCursor: page.nextCursor };
    }),

    handle(getRate, async ({ query }) => ({ data: await priceOf(db, engines, query.phoneNumber) })),
  ];
}

async function priceOf(db: Database, engines: EngineRegistry, phoneNumber: string): Promise<Rate> {
  const [{ prefix, routePerMinuteMicros }, engineRates] = await Promise.all([
    findRate(db, phoneNumber, engines.defaultName),
    readEngineRates(db),
  ]);
  return {
    phoneNumber,
    prefix,
    country: parsePhoneNumberFromString(phoneNumber)?.country ?? null,
    routePerMinute: formatUsd(routePerMinuteMicros),
    engines: engines.list().map(({ name, available, missing }) => {
      const perMinuteMicros = engineRates.get(name) ?? 0n;
      return {
        engine: name,
        perMinute: formatUsd(perMinuteMicros),
        totalPerMinute: formatUsd(routePerMinuteMicros + perMinuteMicros),
        available,
        missing,
      };
    }),
    currency: "USD",
  };
}

function toAccount(id: string, standing: AccountStanding, deps: CreditDeps): Account {
  const cap = standing.daily_spend_cap_micros;
  return {
    id,
    name: standing.name,
    createdAt: standing.created_at.toISOString(),
    balance: formatUsd(standing.available_micros),
    held: formatUsd(standing.held_micros),
    currency: "USD",
    limits: {
      requestsPerSecond: deps.requestsPerSecond,
      concurrentCalls: standing.concurrency_max,
      callsPerSecond: standing.calls_per_second,
      queuedCalls: standing.queued_max,
      dailySpendCap: cap === null ? null : formatUsd(cap),
    },
    liveNetwork: deps.liveCalls.goToTrunks() ? "trunks" : SIMULATED_NETWORK,
    liveCallsCharged: deps.liveCalls.areCharged(),
    usage: {
      activeCalls: standing.active_count,
      queuedCalls: standing.queued_count,
      spentToday: formatUsd(standing.spent_today_micros),
    },
  };
}

function readPosition([createdAt = "", id = ""]: readonly string[]) {
  return { createdAt: new Date(createdAt), id };
}

function toLedgerEntry(row: LedgerRow): LedgerEntry {
  return {
    id: row.id,
    kind: row.kind,
    createdAt: row.created_at.toISOString(),
    callId: row.call_id,
    phoneNumber: row.phone_number,
    note: row.note,
    amount: formatUsd(row.amount_micros),
  };
}

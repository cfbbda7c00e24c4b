import type { RouteRate } from "@parley/contract/credits";
import { formatUsd } from "@parley/contract/money";
import * as routes from "@parley/contract/routes/operator";
import type { Database } from "../../platform/database/database.ts";
import type { MemberActor } from "../../platform/http/authenticate.ts";
import { type Cursors, toPage } from "../../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import type { EngineRegistry } from "../../speech/models/engine-registry.ts";
import {
  importRates,
  listProviderRates,
  type RateChanger,
  removeRouteRate,
  setEngineRate,
  setProviderRate,
  setRouteRate,
} from "./change-rates.ts";
import { listRouteRates, type RouteRateRow, readEngineRates } from "./rate-store.ts";

export interface RateDeps {
  readonly db: Database;
  readonly cursors: Cursors;
  readonly engines: EngineRegistry;
}

/** What calls cost, for operators to see and to change. */
export function rateRoutes({ db, cursors, engines }: RateDeps): BoundRoute[] {
  return [
    handle(routes.listRouteRates, async ({ query }) => {
      const { country, q: words } = query;
      const filter = ["rates", query.prefix, country, words];
      const [after = null] = query.cursor ? cursors.read(query.cursor, filter) : [];
      const rows = await listRouteRates(db, query.prefix ?? "+", after, query.limit + 1, { country, words });
      const page = toPage(rows, query.limit, (last) => cursors.write([last.prefix], filter));
      return { data: page.rows.map(toRouteRate), nextCursor: page.nextCursor };
    }),
    handle(routes.setRouteRate, async (request) => ({
      data: await setRouteRate(db, request.body, changerOf(request)),
    })),
    handle(routes.importRouteRates, async (request) => ({
      data: await importRates(db, request.body.rates, changerOf(request)),
    })),
    handle(routes.removeRouteRate, async (request) => {
      await removeRouteRate(db, request.query.prefix, changerOf(request));
      return { data: {} };
    }),
    handle(routes.listEngineRates, async () => {
      const rates = await readEngineRates(db);
      return {
        data: engines.list().map(({ name }) => ({ engine: name, perMinute: formatUsd(rates.get(name) ?? 0n) })),
      };
    }),
    handle(routes.listProviderRates, async () => ({ data: await listProviderRates(db) })),
    handle(routes.setProviderRate, async (request) => {
      await setProviderRate(db, request.body, changerOf(request));
      return { data: await listProviderRates(db) };
    }),
    handle(routes.setEngineRate, async (request) => {
      const { engine, perMinute } = request.body;
      engines.requireKnownEngine(engine);
      return { data: await setEngineRate(db, engine, perMinute, changerOf(request)) };
    }),
  ];
}

export function toRouteRate(row: RouteRateRow): RouteRate {
  return { prefix: row.prefix, perMinute: formatUsd(row.per_minute_micros), description: row.description };
}

function changerOf(request: {
  readonly accountId: string;
  readonly member: MemberActor;
  readonly ip: string;
  readonly client: string | null;
}): RateChanger {
  const { accountId, member, ip, client } = request;
  return { accountId, actor: member.memberId, ip, client };
}

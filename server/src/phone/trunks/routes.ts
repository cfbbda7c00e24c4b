import * as routes from "@parley/contract/routes/operator";
import type { Secrets } from "../../platform/config/secret.ts";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import type { MemberActor } from "../../platform/http/authenticate.ts";
import { type Cursors, toPage } from "../../platform/http/cursor.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { changeTrunk, createTrunk, removeTrunk, type TrunkWriter } from "./change-trunk.ts";
import { type ReachSettings, refuseUnreachable } from "./reach.ts";
import { listTrunks, readTrunk } from "./read-trunks.ts";
import { listRouteRows } from "./trunk-route-store.ts";
import { changeTrunkRoute, createTrunkRoute, removeTrunkRoute, toTrunkRoute } from "./trunk-routes.ts";

export interface TrunkRouteDeps {
  readonly db: Database;
  readonly secrets: Pick<Secrets, "seal">;
  readonly reach: ReachSettings;
  readonly cursors: Cursors;
  /** Makes a change known to this process, so that the caller's next request already sees it. */
  reload(): Promise<void>;
}

/** Trunks and which numbers go out on them: for operators only. */
export function trunkRoutes(deps: TrunkRouteDeps): BoundRoute[] {
  return [...boundToTrunks(deps), ...boundToRoutes(deps)];
}

function boundToTrunks({ db, secrets, reach, cursors, reload }: TrunkRouteDeps): BoundRoute[] {
  return [
    handle(routes.listTrunks, async ({ query }) => {
      const filter = ["trunks"];
      const [afterId = null] = query.cursor ? cursors.read(query.cursor, filter) : [];
      const trunks = await listTrunks(db, query.limit + 1, afterId);
      const page = toPage(trunks, query.limit, (last) => cursors.write([last.id], filter));
      return { data: page.rows, nextCursor: page.nextCursor };
    }),
    handle(routes.createTrunk, async (request) => {
      refuseUnreachable(request.body.kind, reach);
      const trunk = await inTransaction(db, async (tx) => {
        const id = await createTrunk(tx, secrets, request.body, writerOf(request));
        return readTrunk(tx, id);
      });
      await reload();
      return { data: trunk };
    }),
    handle(routes.getTrunk, async ({ params }) => ({ data: await readTrunk(db, params.id) })),
    handle(routes.changeTrunk, async (request) => {
      const trunk = await inTransaction(db, async (tx) => {
        const { id } = request.params;
        await changeTrunk(tx, secrets, id, request.body, writerOf(request));
        return readTrunk(tx, id);
      });
      await reload();
      return { data: trunk };
    }),
    handle(routes.deleteTrunk, async (request) => {
      await removeTrunk(db, request.params.id, writerOf(request));
      await reload();
      return { data: {} };
    }),
  ];
}

function boundToRoutes({ db, cursors, reload }: TrunkRouteDeps): BoundRoute[] {
  return [
    handle(routes.listTrunkRoutes, async ({ query }) => {
      const filter = ["trunk-routes"];
      const [prefix, id] = query.cursor ? cursors.read(query.cursor, filter) : [];
      const after = prefix !== undefined && id !== undefined ? { prefix, id } : null;
      const rows = await listRouteRows(db, query.limit + 1, after);
      const page = toPage(rows, query.limit, (last) => cursors.write([last.prefix, last.id], filter));
      return { data: page.rows.map(toTrunkRoute), nextCursor: page.nextCursor };
    }),
    handle(routes.createTrunkRoute, async (request) => {
      const route = await createTrunkRoute(db, request.body, writerOf(request));
      await reload();
      return { data: route };
    }),
    handle(routes.changeTrunkRoute, async (request) => {
      const route = await changeTrunkRoute(db, request.params.id, request.body, writerOf(request));
      await reload();
      return { data: route };
    }),
    handle(routes.deleteTrunkRoute, async (request) => {
      await removeTrunkRoute(db, request.params.id, writerOf(request));
      await reload();
      return { data: {} };
    }),
  ];
}

function writerOf(request: {
  readonly member: MemberActor;
  readonly ip: string;
  readonly client: string | null;
}): TrunkWriter {
  const { accountId, memberId } = request.member;
  return { accountId, actor: memberId, ip: request.ip, client: request.client };
}

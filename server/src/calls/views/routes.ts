import { CALL_VIEWS_MAX, type CallView } from "@parley/contract/calls";
import { AppError } from "@parley/contract/errors";
import { makeId } from "@parley/contract/ids";
import * as routes from "@parley/contract/routes/calls";
import type { Database } from "../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { deleteView, listViewRows, saveView, type ViewRow } from "./view-store.ts";

/** Saved views of the list of calls. */
export function callViewRoutes({ db }: { readonly db: Database }): BoundRoute[] {
  return [
    handle(routes.listCallViews, async ({ accountId }) => ({
      data: (await listViewRows(db, accountId)).map(toView),
    })),

    handle(routes.createCallView, (request) =>
      request.once(async (tx) => {
        const { name, query } = request.body;
        const wanted = Object.entries(query).filter(([, value]) => value !== undefined);
        const row = await saveView(
          tx,
          request.accountId,
          { id: makeId("callView"), name, query: Object.fromEntries(wanted) as CallView["query"] },
          CALL_VIEWS_MAX,
        );
        if (!row) {
          throw new AppError(
            "invalid_state",
            `An account has at most ${CALL_VIEWS_MAX} saved views; delete one first.`,
          );
        }
        return { data: toView(row) };
      }),
    ),

    handle(routes.deleteCallView, async ({ accountId, params }) => {
      if (!(await deleteView(db, accountId, params.id))) {
        throw new AppError("not_found", "The account has no such view.");
      }
      return { data: {} };
    }),
  ];
}

function toView({ id, name, query, created_at: createdAt }: ViewRow): CallView {
  return { id, name, query, createdAt: createdAt.toISOString() };
}

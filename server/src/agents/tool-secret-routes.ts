import * as routes from "@parley/contract/routes/agents";
import { auditRequest } from "../accounts/audit/record-audit.ts";
import { type Database, inTransaction } from "../platform/database/database.ts";
import { type BoundRoute, handle } from "../platform/http/handler.ts";
import { readToolSecret, rotateToolSecret, type ToolSecretDeps } from "./tool-secrets.ts";

/** What signs the requests that tools send. */
export function toolSecretRoutes(deps: ToolSecretDeps & { readonly db: Database }): BoundRoute[] {
  return [
    handle(routes.getToolSecret, (request) =>
      inTransaction(deps.db, async (tx) => {
        const data = await readToolSecret(deps, tx, request.accountId);
        await auditRequest(tx, request, "tool_secret.shown", request.accountId);
        return { data };
      }),
    ),
    handle(routes.rotateToolSecret, (request) =>
      inTransaction(deps.db, async (tx) => {
        const data = await rotateToolSecret(deps, tx, request.accountId);
        await auditRequest(tx, request, "tool_secret.rotated", request.accountId);
        return { data };
      }),
    ),
  ];
}

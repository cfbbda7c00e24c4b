import { getUsage } from "@parley/contract/routes/account";
import type { Database } from "../../platform/database/database.ts";
import { type BoundRoute, handle } from "../../platform/http/handler.ts";
import { readUsage } from "./read-usage.ts";

export interface UsageDeps {
  readonly db: Database;
  nowMs(): number;
}

export function usageRoutes({ db, nowMs }: UsageDeps): BoundRoute[] {
  return [
    handle(getUsage, async ({ accountId, mode, query }) => ({
      data: await readUsage(db, accountId, mode, query, nowMs()),
    })),
  ];
}

import { listTrunkRoutes } from "@parley/contract/routes/operator";
import { pagesOf } from "../../api/pages-of.ts";
import { trunkKeys } from "../trunks/trunk-queries.ts";

export const routesQuery = pagesOf(trunkKeys.routes, listTrunkRoutes);

import { listRouteRows, type TrunkRouteRow } from "../phone/trunks/trunk-route-store.ts";
import { toTrunkRoute } from "../phone/trunks/trunk-routes.ts";
import type { Command } from "./command.ts";
import { formatTable } from "./format-table.ts";
import { readPages } from "./read-pages.ts";

export const routesList: Command = {
  name: "routes list",
  summary: "Show which numbers go out on which trunk",
  words: [],
  options: {},
  async run(_input, context) {
    const { db } = await context.openGround();
    const rows = await readPages<TrunkRouteRow>((rowsMax, last) => listRouteRows(db, rowsMax, last));
    const routes = rows.map(toTrunkRoute);
    const table = routes.map((route) => [
      route.prefix === "" ? "all" : `+${route.prefix}`,
      route.trunkName,
      String(route.priority),
      String(route.weight),
      route.managedBy,
      route.id,
    ]);
    return { json: routes, text: formatTable(["numbers", "trunk", "priority", "weight", "managed by", "id"], table) };
  },
};

import { AppError } from "@parley/contract/errors";
import { NewTrunkRoute } from "@parley/contract/trunk-routes";
import { listRouteRows, type TrunkRouteRow } from "../phone/trunks/trunk-route-store.ts";
import { createTrunkRoute, removeTrunkRoute, toTrunkRoute } from "../phone/trunks/trunk-routes.ts";
import { readPages } from "./account-lookup.ts";
import { type Command, CommandFailure, readField, UsageError } from "./command.ts";
import { formatTable, printable } from "./table.ts";
import { BY_OPERATOR, findTrunk } from "./trunks.ts";

export const routesList: Command = {
  name: "routes list",
  summary: "Show which numbers go out on which trunk",
  words: [],
  options: {},
  async run(_input, context) {
    const { db } = await context.openService();
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

export const routesAdd: Command = {
  name: "routes add",
  summary: "Send numbers that begin with a prefix (such as 49, or all) out on a trunk",
  words: ["PREFIX", "TRUNK"],
  options: {
    priority: { value: "N", help: "Lower goes first, the next when that fails; 0 if left out" },
    weight: { value: "N", help: "Its share among routes of the same prefix and priority; 1 if left out" },
  },
  async run(input, context) {
    const word = input.word("PREFIX");
    const fields = {
      // People write numbers with the plus sign.
      prefix: readField(NewTrunkRoute.shape.prefix, "PREFIX", word === "all" ? "" : word.replace(/^\+/, "")),
      priority: readField(NewTrunkRoute.shape.priority, "--priority", readNumber("priority", input.option("priority"))),
      weight: readField(NewTrunkRoute.shape.weight, "--weight", readNumber("weight", input.option("weight"))),
    };
    const { db } = await context.openService();
    const trunk = await findTrunk(db, input.word("TRUNK"));
    try {
      const route = await createTrunkRoute(db, { ...fields, trunkId: trunk.id }, BY_OPERATOR);
      const numbers = route.prefix === "" ? "All numbers" : `Numbers that begin with +${route.prefix}`;
      return {
        json: route,
        text: route.id,
        notes: [`${numbers} may go out on ${printable(trunk.name)}.`, ...(trunk.is_enabled ? [] : [DISABLED])],
      };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
      throw new CommandFailure("There is such a route already. `routes list` shows them all.", { cause: error });
    }
  },
};

const DISABLED = "The trunk is disabled: nothing goes out on it before `trunks enable`.";

function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`--${name} must be a whole number, not "${text}".`);
  return Number(text);
}

export const routesRemove: Command = {
  name: "routes remove",
  summary: "Remove a route by its id, which `routes list` shows",
  words: ["ROUTE_ID"],
  options: {},
  async run(input, context) {
    const id = input.word("ROUTE_ID");
    const { db } = await context.openService();
    await removeTrunkRoute(db, id, BY_OPERATOR);
    return { json: { id }, text: `Route ${id} was removed.` };
  },
};

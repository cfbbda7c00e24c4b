import { removeTrunkRoute } from "../phone/trunks/trunk-routes.ts";
import type { Command } from "./command.ts";
import { BY_OPERATOR } from "./trunks-find.ts";

export const routesRemove: Command = {
  name: "routes remove",
  summary: "Remove a route by its id, which `routes list` shows",
  words: ["ROUTE_ID"],
  options: {},
  async run(input, context) {
    const id = input.word("ROUTE_ID");
    const { db } = await context.openGround();
    await removeTrunkRoute(db, id, BY_OPERATOR);
    return { json: { id }, text: `Route ${id} was removed.` };
  },
};

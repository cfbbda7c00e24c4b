import { AppError } from "@parley/contract/errors";
import { NewTrunkRoute } from "@parley/contract/trunk-routes";
import { createTrunkRoute } from "../phone/trunks/trunk-routes.ts";
import { type Command, CommandFailure, UsageError } from "./command.ts";
import { printable } from "./format-table.ts";
import { readField } from "./read-field.ts";
import { BY_OPERATOR, findTrunk } from "./trunks-find.ts";

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
    const { db } = await context.openGround();
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

import { removeTrunk } from "../phone/trunks/remove-trunk.ts";
import type { Command } from "./command.ts";
import { printable } from "./format-table.ts";
import { BY_OPERATOR, findTrunk } from "./trunks-find.ts";

export const trunksRemove: Command = {
  name: "trunks remove",
  summary: "Remove a trunk that no route leads to and no call is on",
  words: ["TRUNK"],
  options: {},
  async run(input, context) {
    const { db } = await context.openGround();
    const { id, name } = await findTrunk(db, input.word("TRUNK"));
    await removeTrunk(db, id, BY_OPERATOR);
    return { json: { id, name }, text: `Trunk ${printable(name)} was removed.` };
  },
};

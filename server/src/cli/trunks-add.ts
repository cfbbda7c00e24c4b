import { NewTrunk, TrunkChanges } from "@parley/contract/trunks";
import { changeTrunk } from "../phone/trunks/change-trunk.ts";
import { createTrunk } from "../phone/trunks/create-trunk.ts";
import type { Command } from "./command.ts";
import { printable } from "./format-table.ts";
import { BY_OPERATOR, findTrunk } from "./trunks-find.ts";
import { inWordsOfOptions, readTrunkOptions, trunkOptions } from "./trunks-options.ts";

export const trunksAdd: Command = {
  name: "trunks add",
  summary: "Add a trunk; calls go out on it once a route leads to it",
  words: [],
  options: trunkOptions(["name", "host"]),
  async run(input, context) {
    const wish = await readTrunkOptions(NewTrunk, input, context);
    const { db, secrets } = await context.openGround();
    const id = await inWordsOfOptions(() => createTrunk(db, secrets, wish, BY_OPERATOR));
    return {
      json: { id, name: wish.name },
      text: id,
      notes: [`Trunk ${printable(wish.name)}. Lead numbers to it by \`routes add PREFIX TRUNK\`.`],
    };
  },
};

export const trunksChange: Command = {
  name: "trunks change",
  summary: "Change what is named of a trunk and leave the rest",
  words: ["TRUNK"],
  options: trunkOptions([]),
  async run(input, context) {
    const changes = await readTrunkOptions(TrunkChanges, input, context);
    const { db, secrets } = await context.openGround();
    const { id, name } = await findTrunk(db, input.word("TRUNK"));
    await inWordsOfOptions(() => changeTrunk(db, secrets, id, changes, BY_OPERATOR));
    return { json: { id, name: changes.name ?? name }, text: `Trunk ${printable(changes.name ?? name)} was changed.` };
  },
};

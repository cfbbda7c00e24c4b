import { changeTrunk } from "../phone/trunks/change-trunk.ts";
import type { Command } from "./command.ts";
import { printable } from "./format-table.ts";
import { BY_OPERATOR, findTrunk } from "./trunks-find.ts";

export const trunksEnable: Command = enabling("enable", "Let calls go out on a trunk", true);
export const trunksDisable: Command = enabling("disable", "Send no more calls out on a trunk; live ones go on", false);

function enabling(verb: "enable" | "disable", summary: string, isEnabled: boolean): Command {
  return {
    name: `trunks ${verb}`,
    summary,
    words: ["TRUNK"],
    options: {},
    async run(input, context) {
      const { db, secrets } = await context.openGround();
      const trunk = await findTrunk(db, input.word("TRUNK"));
      await changeTrunk(db, secrets, trunk.id, { isEnabled }, BY_OPERATOR);
      const live = isEnabled || trunk.active_count === 0 ? "" : ` Calls still on it: ${trunk.active_count}.`;
      return {
        json: { id: trunk.id, name: trunk.name, isEnabled },
        text: `Trunk ${printable(trunk.name)} is ${verb}d.${live}`,
      };
    },
  };
}

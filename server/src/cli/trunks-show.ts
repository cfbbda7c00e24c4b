import { readTrunk } from "../phone/trunks/read-trunks.ts";
import type { Command } from "./command.ts";
import { formatColumns, formatTable } from "./format-table.ts";
import { findTrunk } from "./trunks-find.ts";
import { describeHealth, describeRate } from "./trunks-list.ts";

export const trunksShow: Command = {
  name: "trunks show",
  summary: "Show everything about a trunk but its password",
  words: ["TRUNK"],
  options: {},
  async run(input, context) {
    const { db } = await context.openGround();
    const trunk = await readTrunk(db, (await findTrunk(db, input.word("TRUNK"))).id);
    const { answers, answersByCallerId, answersByDay, health: _, ...fields } = trunk;
    const rows = Object.entries(fields).map(([field, value]) => [field, spell(value)]);
    const callers = answersByCallerId.map(({ callerId, ...counts }) => [callerId ?? "none", describeRate(counts)]);
    const days = answersByDay.map(({ day, ...counts }) => [day, describeRate(counts)]);
    return {
      json: trunk,
      text: [
        ...formatColumns([...rows, ["health", describeHealth(trunk)], ["answered (7 days)", describeRate(answers)]]),
        ...(callers.length > 0 ? ["", formatTable(["caller id", "answered (7 days)"], callers)] : []),
        ...(days.length > 0 ? ["", formatTable(["day", "answered"], days)] : []),
      ].join("\n"),
    };
  },
};

function spell(value: unknown): string {
  if (value === null || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  if (typeof value === "object") return Object.values(value).join(":");
  return String(value);
}

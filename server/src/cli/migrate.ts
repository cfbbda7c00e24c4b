import { refuseMissingDatabase } from "../start/prepare-database.ts";
import type { Command } from "./command.ts";

export const migrate: Command = {
  name: "migrate",
  summary: "Bring the schema of the database up to date, and start nothing",
  words: [],
  options: {},
  async run(_input, context) {
    refuseMissingDatabase(context.settings);
    const { applied } = await context.openDatabase();
    const text = applied.length === 0 ? "The schema is up to date." : `Applied ${applied.join(", ")}.`;
    return { json: { applied }, text };
  },
};

import { NotDistributable, writeDistributionScript } from "../platform/database/distribution/write-script.ts";
import { refuseMissingDatabase } from "../start/prepare-database.ts";
import { type Command, CommandFailure } from "./command.ts";

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

export const distribute: Command = {
  name: "distribute",
  summary: "Print the SQL that prepares the database for Citus, and change nothing",
  words: [],
  options: {
    tables: { help: "The second part, which hands the tables to Citus, instead of the first" },
  },
  async run(input, context) {
    const { db } = await context.openService();
    const script = await writeDistributionScript(db).catch((error: unknown) => {
      throw error instanceof NotDistributable ? new CommandFailure(`${error.message}.`) : error;
    });
    const text = input.has("tables") ? script.tables : script.keys;
    return {
      json: script,
      text: text.trimEnd(),
      notes: ["Read docs/operations/citus.md first. Run it with psql -v ON_ERROR_STOP=1."],
    };
  },
};

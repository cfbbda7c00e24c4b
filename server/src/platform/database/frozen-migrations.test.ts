import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { FORMER_MIGRATION_NAMES, presentMigrationName } from "./former-migration-names.ts";
import { checksumOf, readMigrations } from "./migrate.ts";

const LIST = new URL("../../../migrations/SHA256SUMS", import.meta.url);

async function readFrozen(): Promise<Map<string, string>> {
  const lines = (await readFile(LIST, "utf8")).split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const [, sum = "", name = ""] = /^([0-9a-f]{64}) {2}(\S+\.sql)$/.exec(line) ?? [];
      if (name === "") throw new Error(`server/migrations/SHA256SUMS: this line cannot be read: ${line}`);
      return [name, sum];
    }),
  );
}

test("migrations that were committed are never renamed, edited or deleted: databases out there have them", async () => {
  const present = new Map((await readMigrations()).map(({ name, sql }) => [name, checksumOf(sql)]));
  const faults: string[] = [];
  for (const [name, sum] of await readFrozen()) {
    if (!present.has(name))
      faults.push(`${name} is gone. Put it back under this name; undo what it did in a new migration.`);
    else if (present.get(name) !== sum)
      faults.push(
        `${name} was edited. Put it back (git checkout main -- server/migrations/${name}) and write a new migration.`,
      );
  }
  expect(faults).toEqual([]);
});

test("a new migration is entered in the list", async () => {
  const frozen = await readFrozen();
  const missing = (await readMigrations()).map(({ name }) => name).filter((name) => !frozen.has(name));
  const commands = missing.map((name) => `cd server/migrations && sha256sum ${name} >> SHA256SUMS`);
  expect(commands, "run this once the migration is as it shall stay").toEqual([]);
});

test("each migration has a number of its own, and is in the list once", async () => {
  const text = await readFile(LIST, "utf8");
  const names = text.match(/\S+\.sql$/gm) ?? [];
  expect(names).toHaveLength(new Set(names).size);
  const subjects = names.map((name) => name.slice("0000_".length));
  expect(subjects).toHaveLength(new Set(subjects).size);
});

test("every former name leads to a migration that is there", async () => {
  const present = new Set((await readMigrations()).map(({ name }) => name));
  const lost = FORMER_MIGRATION_NAMES.filter((name) => present.has(name) || !present.has(presentMigrationName(name)));
  expect(lost).toEqual([]);
});

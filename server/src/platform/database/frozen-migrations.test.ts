import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { checksumOf, FORMER_MIGRATION_NAMES, presentMigrationName, readMigrations } from "./migrations.ts";

const MIGRATIONS = new URL("../../../migrations/", import.meta.url);
/** Each folder has its own list. A folder without migrations needs none. */
const LISTS = ["before-baseline/SHA256SUMS", "SHA256SUMS"];

async function readFrozen(): Promise<{ name: string; sum: string }[]> {
  const lists = LISTS.map((list) => new URL(list, MIGRATIONS)).filter((list) => existsSync(list));
  const texts = await Promise.all(lists.map((list) => readFile(list, "utf8")));
  const lines = texts.flatMap((text) => text.split("\n")).filter((line) => line !== "");
  return lines.map((line) => {
    const [, sum = "", name = ""] = /^([0-9a-f]{64}) {2}(\S+\.sql)$/.exec(line) ?? [];
    if (name === "") throw new Error(`SHA256SUMS: this line cannot be read: ${line}`);
    return { name, sum };
  });
}

test("migrations that were committed are never renamed, edited or deleted: existing databases have them", async () => {
  const { numbered } = await readMigrations();
  const present = new Map(numbered.map(({ name, sql }) => [name, checksumOf(sql)]));
  const faults: string[] = [];
  for (const { name, sum } of await readFrozen()) {
    if (!present.has(name))
      faults.push(`${name} is gone. Put it back under this name; undo what it did in a new migration.`);
    else if (present.get(name) !== sum)
      faults.push(`${name} was edited. Put it back as it was (git log -- '*${name}') and write a new migration.`);
  }
  expect(faults).toEqual([]);
});

test("a new migration is entered in the list", async () => {
  const frozen = new Set((await readFrozen()).map(({ name }) => name));
  const missing = (await readMigrations()).numbered.map(({ name }) => name).filter((name) => !frozen.has(name));
  const commands = missing.map((name) => `cd server/migrations && sha256sum ${name} >> SHA256SUMS`);
  expect(commands, "run this once the migration is final").toEqual([]);
});

test("each migration has its own name and is listed once", async () => {
  const names = (await readFrozen()).map(({ name }) => name);
  expect(names).toHaveLength(new Set(names).size);
  const subjects = names.map((name) => name.slice("0000_".length));
  expect(subjects).toHaveLength(new Set(subjects).size);
});

test("every former name leads to an existing migration", async () => {
  const present = new Set((await readMigrations()).numbered.map(({ name }) => name));
  const lost = FORMER_MIGRATION_NAMES.filter((name) => present.has(name) || !present.has(presentMigrationName(name)));
  expect(lost).toEqual([]);
});

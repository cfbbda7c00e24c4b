import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { run } from "./database.ts";
import { deleteInBatches } from "./delete-in-batches.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let t: TestDatabase;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await run(t.db, "create table samples (n integer, at timestamptz)");
  await run(t.db, "create table statements (rows integer)");
  await run(
    t.db,
    `create function note_statement() returns trigger language plpgsql as $$
     begin insert into statements select count(*) from gone; return null; end $$`,
  );
  await run(
    t.db,
    "create trigger note after delete on samples referencing old table as gone for each statement execute function note_statement()",
  );
});
afterAll(() => t.close());

test("deletes all and only matching rows, in batches", async () => {
  await run(t.db, "insert into samples select n from generate_series(1, 25) n");
  const sum = await deleteInBatches(t.db, { table: "samples", where: "n <= $1", values: [20], rowsPerStatement: 8 });
  expect(sum).toBe(20);
  expect(await run(t.db, "select n from samples order by n")).toEqual([21, 22, 23, 24, 25].map((n) => ({ n })));
  expect(await run(t.db, "select rows from statements order by rows desc")).toEqual([
    { rows: 8 },
    { rows: 8 },
    { rows: 4 },
  ]);
});

test("asks once more when the last batch was full, and deletes nothing from an empty table", async () => {
  await run(t.db, "truncate samples, statements");
  await run(t.db, "insert into samples select n from generate_series(1, 16) n");
  expect(await deleteInBatches(t.db, { table: "samples", where: "true", rowsPerStatement: 8 })).toBe(16);
  expect(await deleteInBatches(t.db, { table: "samples", where: "true" })).toBe(0);
});

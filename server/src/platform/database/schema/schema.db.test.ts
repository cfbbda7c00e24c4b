import { readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { describeSchema, generateRowTypes } from "./describe-schema.ts";

let t: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  client = new pg.Client({ connectionString: t.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await t.close();
});

test("server/schema.sql is what the migrations make; otherwise run `npm run schema`", async () => {
  const file = new URL("../../../../schema.sql", import.meta.url);
  expect(await readFile(file, "utf8")).toBe(await describeSchema(client));
});

test("the row types are those of the tables; otherwise run `npm run schema`", async () => {
  const file = new URL("row-types.ts", import.meta.url);
  expect(await readFile(file, "utf8")).toBe(await generateRowTypes(t.url));
});

test("the description shows every kind of difference, and refuses what it does not know", async () => {
  const changes = [
    "alter table rates alter column description drop default",
    "alter table rates alter column description drop not null",
    "alter table rates alter column per_minute_micros type numeric",
    "alter table rates add check (per_minute_micros < 10) not valid",
    "create index rates_by_price on rates (per_minute_micros)",
    "alter table audit_log disable trigger audit_log_append_only",
    "drop trigger trunks_changed on trunks",
    "comment on table rates is 'Prices'",
    "alter table rates set (fillfactor = 70)",
    "alter table rate_windows set logged",
    "create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$",
  ];
  const seen = new Set([await describeSchema(client)]);
  for (const change of changes) {
    await client.query(change);
    seen.add(await describeSchema(client));
    expect(seen.size, change).toBe(changes.indexOf(change) + 2);
  }
  await client.query("create view prices as select * from rates");
  await expect(describeSchema(client)).rejects.toThrow("cannot describe prices (v)");
});

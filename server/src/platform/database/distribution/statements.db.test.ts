import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import {
  CALLS_OF_FUNCTIONS,
  CLAIMS,
  FUNCTIONS,
  type Listed,
  OF_ALL_ACCOUNTS,
  OF_ONE_ROW,
  READ_BY_HAND,
} from "./statements.ts";
import { addAccountToKeys } from "./testing/add-account-to-keys.ts";
import { findStatements } from "./testing/find-statements.ts";
import { judgeBuilt, judgeStatement, type KnownSchema, readKnownSchema } from "./testing/judge-statement.ts";

const SERVER = fileURLToPath(new URL("../../../", import.meta.url));
/** They set up a session and read no table. */
const OF_SESSION = /^(set|begin|commit|rollback)\b/;

let t: TestDatabase;
let client: pg.Client;
let schema: KnownSchema;
beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  await addAccountToKeys(t.url);
  client = new pg.Client({ connectionString: t.url });
  await client.connect();
  schema = await readKnownSchema(client);
});
afterAll(async () => {
  await client.end();
  await t.close();
});

const judge = (text: string) => judgeStatement(client, schema, text);

describe("the statements of the stores", () => {
  test("are bound to one account; otherwise name it, or add the statement to a list of statements.ts", async () => {
    const { written, built } = await findStatements(SERVER);
    const found = new Map<string, Set<string>>();
    const add = (name: string, findings: readonly string[]) => {
      if (findings.length > 0) found.set(name, new Set([...(found.get(name) ?? []), ...findings]));
    };
    for (const { name, text } of written)
      if (text !== null && !OF_SESSION.test(text)) {
        const findings = await judge(text).catch((error: Error) => [`fails: ${error.message}`]);
        add(name, findings);
      }
    for (const { name, source } of built) add(name, judgeBuilt(source));

    const listed = Object.entries({ ...OF_ONE_ROW, ...OF_ALL_ACCOUNTS, ...CLAIMS, ...CALLS_OF_FUNCTIONS });
    const toRead = listed.filter(([name]) => !(name in READ_BY_HAND));
    const read = [...found].filter(([name]) => !(name in READ_BY_HAND));
    expect(toObject(read.map(([name, findings]) => [name, describeFindings(findings)]))).toEqual(toObject(toRead));
    // A function with one statement that can be read and one that cannot.
    for (const [name, findings] of found)
      if (name in READ_BY_HAND)
        expect(toObject(listed)[name]?.split(" ")).toEqual(expect.arrayContaining([...findings]));
  });

  test("that no test can read are known", async () => {
    const { written } = await findStatements(SERVER);
    const unreadable = new Set(written.filter(({ text }) => text === null).map(({ name }) => name));
    expect([...unreadable].sort()).toEqual(Object.keys(READ_BY_HAND).sort());
  });

  test("are each in one list, and call only functions that were judged", () => {
    const lists: readonly Listed[] = [OF_ONE_ROW, OF_ALL_ACCOUNTS, CLAIMS, CALLS_OF_FUNCTIONS];
    const names = lists.flatMap((list) => Object.keys(list));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const called = lists
      .flatMap((list) => Object.values(list))
      .flatMap((findings) => findings.match(/(?<=calls )\w+/g) ?? []);
    expect([...new Set(called)].sort()).toEqual(Object.keys(FUNCTIONS).sort());
  });
});

const describeFindings = (findings: ReadonlySet<string>) =>
  [...findings]
    .sort((a, b) => Number(a.startsWith("calls ")) - Number(b.startsWith("calls ")) || (a < b ? -1 : 1))
    .join(" ");
const toObject = (entries: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries(entries);

describe("a statement", () => {
  test.each([
    ["names its account", "select * from calls where account_id = $1 and id = $2 for update", []],
    [
      "names it once for all tables that it joins by it",
      "select 1 from calls c join call_runs r on r.account_id = c.account_id and r.call_id = c.id where c.account_id = $1",
      [],
    ],
    [
      "names it through the account itself",
      "select 1 from accounts a join account_balances b on b.account_id = a.id where a.id = $1",
      [],
    ],
    ["needs none", "update trunk_channels set active_count = active_count - 1 where trunk_id = $1", []],
    ["names its call only", "select * from calls where id = $1", ["reads"]],
    ["names several accounts", "select * from calls where account_id = any($1)", ["reads"]],
    [
      "names the account of one table only",
      "select 1 from calls c join call_runs r on r.call_id = c.id where c.account_id = $1",
      ["joins", "reads"],
    ],
    [
      "locks rows of any account",
      "select * from calls where state = 'queued' limit 1 for update skip locked",
      ["locks", "reads"],
    ],
    ["writes a row of any account", "update calls set version = 2 where id = $1", ["writes"]],
    ["reads a partition", "select * from call_events where call_id = $1", ["reads"]],
    ["inserts without the account", "insert into redials (call_id, call_at) values ($1, $2)", ["inserts"]],
    ["inserts with it", "insert into call_notes (call_id, account_id) values ($1, $2)", []],
    [
      "asks for the time while it writes",
      "update calls set ended_at = clock_timestamp() where account_id = $1",
      ["volatile"],
    ],
    [
      "walks through an index of all accounts",
      "with recursive w as (select min(id) as id from calls union all select (select min(c.id) from calls c where c.id > w.id) from w where w.id is not null) select * from w",
      ["reads", "recurses"],
    ],
    ["calls a function", "select post_transfer($1, $2, $3, $4, $5, $6, $7, $8, $9)", ["calls post_transfer"]],
  ])("that %s is judged so", async (_what, text, findings) => {
    expect(await judge(text)).toEqual(findings);
  });

  test("whose conflict has no key any more is an error", async () => {
    await expect(
      judge("insert into call_notes (call_id, account_id) values ($1, $2) on conflict (call_id) do nothing"),
    ).rejects.toThrow("no unique or exclusion constraint");
  });

  test.each([
    ['.selectFrom("calls").selectAll().where("account_id", "=", accountId)', []],
    ['.selectFrom("calls").selectAll().where("id", "=", id).forUpdate()', ["locks", "reads"]],
    [
      '.selectFrom("outbox as o").innerJoin("calls as c", "c.id", "o.call_id").where("c.account_id", "=", accountId)',
      ["reads"],
    ],
    ['.updateTable("agents").set({ at: sql`clock_timestamp()` }).where("id", "=", id)', ["volatile", "writes"]],
    ['.insertInto("mcp_tools").values(tools)', ["inserts"]],
    ['.insertInto("mcp_servers").values(server)', []],
    ['.deleteFrom("members").where("id", "=", id)', []],
  ])("of the query builder is judged as it is written: %s", (source, findings) => {
    expect(judgeBuilt(source)).toEqual(findings);
  });
});

import { describe, expect, test } from "vitest";
import { checkEnvironment, checkProcessImports, checkSql, checkStoreImports } from "./server-rules.ts";
import type { SourceFile, Violation } from "./source-file.ts";

const linesBroken = (check: (file: SourceFile) => Violation[], path: string, ...lines: string[]) =>
  check({ path, text: lines.join("\n") }).map(({ line }) => line);

describe("stores", () => {
  const importing = 'import { postTransfer } from "../credits/ledger-store.ts";';

  test("a feature may not import the store of another", () => {
    expect(linesBroken(checkStoreImports, "server/src/calls/create-call.ts", "", importing)).toEqual([2]);
  });

  test("a feature may import its own store and the named functions of another", () => {
    const own = 'import { postTransfer } from "./ledger-store.ts";';
    expect(linesBroken(checkStoreImports, "server/src/credits/hold-credit.ts", own)).toEqual([]);
    const named = 'import { holdCredit } from "../credits/hold-credit.ts";';
    expect(linesBroken(checkStoreImports, "server/src/calls/create-call.ts", named)).toEqual([]);
  });

  test("tests, what serves them, and the place where parts are joined may", () => {
    expect(linesBroken(checkStoreImports, "server/src/processes/api.ts", importing)).toEqual([]);
    expect(linesBroken(checkStoreImports, "server/src/calls/create-call.db.test.ts", importing)).toEqual([]);
    expect(linesBroken(checkStoreImports, "server/src/calls/testing/scene.ts", importing)).toEqual([]);
  });
});

describe("SQL", () => {
  test.each([
    "run(db, `/* find_call */ select id from calls where id = $1`, [id])",
    'query("insert into calls (id) values ($1)")',
    "query(`\n  update calls set status = $1`)",
    "query('delete from calls')",
    "sql<Row>`now()`",
    'db.selectFrom("calls")',
    'tx.insertInto("calls")',
  ])("is refused outside a store: %s", (line) => {
    expect(linesBroken(checkSql, "server/src/calls/create-call.ts", line)).toHaveLength(1);
    expect(linesBroken(checkSql, "server/src/calls/call-store.ts", line)).toEqual([]);
    expect(linesBroken(checkSql, "server/src/database/migrate.ts", line)).toEqual([]);
  });

  test.each([
    '"Select one of the engines from the list."',
    "// select the lane with the longest wait from those that may send",
    'log.info("update finished")',
    "const updated = set.delete(from);",
  ])("is not seen in ordinary words: %s", (line) => {
    expect(linesBroken(checkSql, "server/src/calls/create-call.ts", line)).toEqual([]);
  });
});

describe("processes", () => {
  test("a feature may not know how it is joined to others", () => {
    const importing = 'import { startAll } from "../processes/start-all.ts";';
    expect(linesBroken(checkProcessImports, "server/src/calls/a.ts", importing)).toEqual([1]);
    expect(linesBroken(checkProcessImports, "server/src/calls/a.test.ts", importing)).toEqual([]);
  });

  test("the entry points, processes themselves and end-to-end tests may", () => {
    const fromMain = 'import { startAll } from "./processes/start-all.ts";';
    expect(linesBroken(checkProcessImports, "server/src/main.ts", fromMain)).toEqual([]);
    const byName = 'import { startAll } from "@parley/server/processes/start-all";';
    expect(linesBroken(checkProcessImports, "e2e/first-call.test.ts", byName)).toEqual([]);
    expect(linesBroken(checkProcessImports, "tools/test.ts", byName)).toEqual([1]);
  });
});

describe("the environment", () => {
  test("is read in the one file that reads settings", () => {
    const reading = 'const port = process.env["PORT"];';
    expect(linesBroken(checkEnvironment, "server/src/http/api-server.ts", reading)).toEqual([1]);
    expect(linesBroken(checkEnvironment, "voice/src/a.ts", 'import { env } from "node:process";')).toEqual([1]);
    expect(linesBroken(checkEnvironment, "server/src/config/read-settings.ts", reading)).toEqual([]);
    expect(linesBroken(checkEnvironment, "tools/test.ts", reading)).toEqual([]);
  });
});

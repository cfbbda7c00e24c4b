import { describe, expect, test } from "vitest";
import { checkEnvironment, checkProcessImports, checkSql } from "./rules.ts";
import type { SourceFile, Violation } from "./source-file.ts";

const linesBroken = (check: (file: SourceFile) => Violation[], path: string, ...lines: string[]) =>
  check({ path, text: lines.join("\n") }).map(({ line }) => line);

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
    expect(linesBroken(checkSql, "server/src/platform/database/migrate.ts", line)).toEqual([]);
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

describe("where the parts are joined", () => {
  test("a feature may not know how it is joined to others", () => {
    const importing = 'import { startAll } from "../start/start-all.ts";';
    expect(linesBroken(checkProcessImports, "server/src/calls/a.ts", importing)).toEqual([1]);
    expect(linesBroken(checkProcessImports, "server/src/calls/a.test.ts", importing)).toEqual([]);
  });

  test("the entry points, those places themselves and end-to-end tests may", () => {
    const fromMain = 'import { startAll } from "./start/start-all.ts";';
    expect(linesBroken(checkProcessImports, "server/src/main.ts", fromMain)).toEqual([]);
    const byName = 'import { startAll } from "@parley/server/start/start-all";';
    expect(linesBroken(checkProcessImports, "e2e/first-call.test.ts", byName)).toEqual([]);
    expect(linesBroken(checkProcessImports, "tools/test.ts", byName)).toEqual([1]);
  });
});

describe("the environment", () => {
  test("is read in the one file that reads settings", () => {
    const reading = 'const port = process.env["PORT"];';
    expect(linesBroken(checkEnvironment, "server/src/platform/http/api-server.ts", reading)).toEqual([1]);
    expect(linesBroken(checkEnvironment, "voice/src/a.ts", 'import { env } from "node:process";')).toEqual([1]);
    expect(linesBroken(checkEnvironment, "server/src/platform/config/read-settings.ts", reading)).toEqual([]);
    expect(linesBroken(checkEnvironment, "tools/test.ts", reading)).toEqual([]);
  });
});

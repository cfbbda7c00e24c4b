import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type DescribedColumn, describeStatement } from "./testing/describe-statement.ts";
import { readStatements, type TypedStatement } from "./testing/read-statements.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

const SERVER = fileURLToPath(new URL("../../", import.meta.url));

/** What the driver makes of a type of the database. JSON, and types that are not here, may be anything. */
const READ_AS: Readonly<Record<number, RegExp>> = {
  16: /^boolean$|^true$|^false$/,
  17: /^Buffer$/,
  20: /^bigint$/,
  21: /^number$/,
  23: /^number$/,
  // Text is a string, or a type that names its values.
  25: /^(?!(number|bigint|boolean|Date|Buffer)$)/,
  700: /^number$/,
  701: /^number$/,
  1009: /\[\]$/,
  1082: /^string$/,
  // Infinities are read as numbers.
  1184: /^Date( \| number)?$/,
  1700: /^string$/,
};

let t: TestDatabase;
let client: pg.Client;
let nullable: ReadonlySet<string>;
const { readable, unreadable } = await readStatements(SERVER);

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  client = new pg.Client({ connectionString: t.url });
  await client.connect();
  const { rows } = await client.query<{ key: string }>(
    "select attrelid || '.' || attnum as key from pg_attribute where not attnotnull",
  );
  nullable = new Set(rows.map(({ key }) => key));
});
afterAll(async () => {
  await client.end();
  await t.close();
});

async function findFaults({ text, fields }: Pick<TypedStatement, "text" | "fields">): Promise<string[]> {
  const columns = new Map((await describeStatement(client, text)).map((column) => [column.name, column]));
  return [...fields].flatMap(([name, written]) => {
    const column = columns.get(name);
    return column ? findFaultsOf(column, written, text) : [`${name} is not selected`];
  });
}

function findFaultsOf(column: DescribedColumn, written: string, text: string): string[] {
  const faults: string[] = [];
  const value = written.replace(/ \| null$/, "");
  if (!(READ_AS[column.dataTypeID]?.test(value) ?? true))
    faults.push(`${column.name} is read as another type than ${value}`);
  const mayBeNull = nullable.has(`${column.tableID}.${column.columnID}`);
  // What is compared with something is not null in what is found.
  const isExcluded = new RegExp(`\\b${column.name}(, [\\w.]+\\))? (is not null|[<>]=?)`).test(text);
  if (mayBeNull && value === written && !isExcluded) faults.push(`${column.name} may be null`);
  return faults;
}

describe("rows that are typed by hand", () => {
  test.each(readable.map((each) => [`${each.file}:${each.line}`, each] as const))(
    "%s is what the statement selects",
    async (_where, statement) => {
      expect(await findFaults(statement)).toEqual([]);
    },
  );

  test("can mostly be read from the source", () => {
    expect(readable.length).toBeGreaterThan(2 * unreadable.length);
  });

  test("are refused with a wrong name, type or nullability", async () => {
    const text = "select id, email, created_at, 1::bigint as n from members where id = $1";
    const faults = (fields: Record<string, string>) => findFaults({ text, fields: new Map(Object.entries(fields)) });
    expect(await faults({ id: "string", email: "string | null", created_at: "Date", n: "bigint" })).toEqual([]);
    expect(await faults({ mail: "string" })).toEqual(["mail is not selected"]);
    expect(await faults({ email: "string" })).toEqual(["email may be null"]);
    expect(await faults({ created_at: "string", n: "number" })).toEqual([
      "created_at is read as another type than string",
      "n is read as another type than number",
    ]);
    await expect(describeStatement(client, "select nothing from members")).rejects.toThrow('"nothing" does not exist');
  });
});

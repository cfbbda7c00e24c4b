import { expect, test } from "vitest";
import { readableSince, readMigrations } from "./migrations.ts";

/** A line in a migration that allows what follows, with the reason why no running process needs it any more. */
const ALLOWED = /--\s*contract: \S.*\n/;

/** What breaks processes of the previous release, which run beside the new ones during an upgrade. */
const BREAKING: readonly [RegExp, string][] = [
  [/\bdrop (table|view|materialized view|type|function|procedure|sequence|column)\b/i, "removes what they use"],
  [/\brename (to|column|constraint|attribute|value)?\b/i, "renames what they use"],
  [/\balter (column )?\S+ (set data )?type\b/i, "changes a type that they read"],
  [/\bset not null\b/i, "requires a value that they do not write"],
  [/\badd column (?!.*\bdefault\b).*\bnot null\b/i, "requires a value that they do not write"],
  [/\balter table\b.*\badd (constraint \S+ )?(check|unique|foreign key|exclude)\b/i, "refuses what they write"],
];

function findBreaking(sql: string): string[] {
  // Bodies of functions are replaced as a whole; what is in them is not a change of the schema.
  const statements = sql.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''").split(";");
  return statements
    .filter((statement) => !ALLOWED.test(statement))
    .map((statement) => statement.replace(/--.*$/gm, "").replace(/\s+/g, " ").trim())
    .flatMap((statement) =>
      BREAKING.filter(([pattern]) => statement.split(/,(?![^(]*\))/).some((part) => pattern.test(part)))
        .slice(0, 1)
        .map(([, reason]) => `${reason}: ${statement.slice(0, 120)}`),
    );
}

test.each([
  ["drop table call_notes", "removes"],
  ["alter table calls add column a int, drop column note", "removes"],
  ["drop function report_event(text)", "removes"],
  ["alter table calls rename column note to notes", "renames"],
  ["alter table calls alter column cost_micros type numeric", "changes a type"],
  ["alter table calls alter note set not null", "requires"],
  ["alter table calls add column kind text not null", "requires"],
  ["alter table calls add constraint paid check (cost_micros > 0)", "refuses"],
])("an upgrade with `%s` would break the processes that it replaces", (sql, reason) => {
  expect(findBreaking(`${sql};`)).toEqual([expect.stringContaining(reason)]);
});

test.each([
  "alter table calls add column kind text not null default 'sip' check (kind ~ '^[a-z]+$')",
  "create table notes (id text primary key, note text not null check (note <> ''))",
  "drop index concurrently if exists calls_by_note; create index calls_by_note on calls (note)",
  "create or replace function f() returns void language sql as $$ alter table calls rename to gone $$",
  "-- contract: the release before no longer reads it\nalter table calls drop column note",
])("`%s` is possible beside the previous release", (sql) => {
  expect(findBreaking(`${sql};`)).toEqual([]);
});

test("every migration leaves the processes of the previous release working", async () => {
  const { numbered, baseline } = await readMigrations();
  const old = new Set(baseline?.standsFor);
  const newer = numbered.filter(({ name }) => !old.has(name));
  expect(newer.length).toBeGreaterThan(10);
  expect(newer.flatMap(({ name, sql }) => findBreaking(sql).map((fault) => `${name} ${fault}`))).toEqual([]);
});

/** Releases that know this one start on a newer schema if it says that they can. */
const FIRST_THAT_TELLS = "0068_audit_log_is_kept_for_a_time.sql";

test("a migration that takes something away says since which migration no release uses it", async () => {
  const { numbered } = await readMigrations();
  const names = numbered.map(({ name }) => name);
  expect(names).toContain(FIRST_THAT_TELLS);
  for (const migration of numbered) {
    const since = readableSince(migration, numbered);
    expect([migration.name, names.includes(since), since < migration.name || since === names[0]]).toEqual([
      migration.name,
      true,
      true,
    ]);
    if (migration.name > FIRST_THAT_TELLS && ALLOWED.test(migration.sql))
      expect([migration.name, since > FIRST_THAT_TELLS || since === FIRST_THAT_TELLS]).toEqual([migration.name, true]);
  }
});

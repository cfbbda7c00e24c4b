import { ColumnTypeNode, generate, getDialect, IdentifierNode, Logger } from "kysely-codegen";
import type pg from "pg";

/**
 * The schema of a database as SQL, always the same for the same schema: tables with their constraints, indexes, triggers
 * and comments, then functions, each sorted by name. Columns are in the order of the table, or sorted by name: the order
 * depends on how a table came about, and nothing else does. Partitions are left out: which there are depends on the date.
 */
export async function describeSchema(client: pg.Client, columnOrder: "table" | "name" = "table"): Promise<string> {
  await refuseUnknownObjects(client);
  const columns = await readLines(client, COLUMNS(columnOrder));
  const constraints = await readLines(client, CONSTRAINTS);
  const additions = [
    await readLines(client, INDEXES),
    await readLines(client, TRIGGERS),
    await readLines(client, COMMENTS),
  ];
  const parts: string[] = [];
  for (const { oid, name, unlogged, options, partitioning } of await readTables(client)) {
    const body = [...(columns.get(oid) ?? []), ...(constraints.get(oid) ?? [])].map((line) => `  ${line}`).join(",\n");
    const suffix = `${partitioning ? ` partition by ${partitioning}` : ""}${options ? ` with (${options})` : ""}`;
    parts.push(`create ${unlogged ? "unlogged " : ""}table ${name} (\n${body}\n)${suffix};`);
    for (const lines of additions) {
      const own = lines.get(oid);
      if (own) parts.push(own.map((line) => `${line};`).join("\n"));
    }
  }
  const { rows: functions } = await client.query<{ line: string }>(FUNCTIONS);
  parts.push(...functions.map(({ line }) => `${line.trimEnd()};`));
  return `${parts.join("\n\n")}\n`;
}

interface Table {
  readonly oid: number;
  readonly name: string;
  readonly unlogged: boolean;
  readonly options: string | null;
  /** How it is split into partitions, or null. */
  readonly partitioning: string | null;
}

async function readTables(client: pg.Client): Promise<Table[]> {
  // parley_migrations belongs to what runs the migrations, not to what they make.
  const { rows } = await client.query<Table>(
    `select oid::int, relname as name, relpersistence = 'u' as unlogged, array_to_string(reloptions, ', ') as options,
       pg_get_partkeydef(oid) as partitioning
     from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'parley_migrations'
     order by relname collate "C"`,
  );
  return rows;
}

/** By the table that they belong to. */
async function readLines(client: pg.Client, query: string): Promise<ReadonlyMap<number, string[]>> {
  const { rows } = await client.query<{ table: number; line: string }>(query);
  const lines = new Map<number, string[]>();
  for (const { table, line } of rows) lines.set(table, [...(lines.get(table) ?? []), line]);
  return lines;
}

const COLUMNS = (order: "table" | "name") => `
  select a.attrelid::int as table, concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then 'not null' end,
    case when a.attgenerated <> '' then 'generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
      when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end) as line
  from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  order by ${order === "table" ? "a.attnum" : 'a.attname collate "C"'}`;

// Not-null constraints are separate constraints from PostgreSQL 18 on; the columns show them. Constraint triggers are
// shown as triggers.
const CONSTRAINTS = `
  select conrelid::int as table, 'constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid) as line
  from pg_constraint where connamespace = 'public'::regnamespace and contype not in ('n', 't')
  order by position(contype::text in 'pufcx'), conname collate "C"`;

const INDEXES = `
  select i.indrelid::int as table, pg_get_indexdef(i.indexrelid) || case when i.indisvalid then '' else ' -- invalid' end as line
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace
    and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
  order by c.relname collate "C"`;

const TRIGGERS = `
  select tgrelid::int as table, pg_get_triggerdef(t.oid) || case when tgenabled = 'O' then '' else ' -- ' || tgenabled::text end as line
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not tgisinternal order by tgname collate "C"`;

const COMMENTS = `
  select d.objoid::int as table, case when d.objsubid = 0 then 'comment on table ' || d.objoid::regclass
    else 'comment on column ' || d.objoid::regclass || '.' || quote_ident(a.attname) end || ' is ' || quote_literal(d.description) as line
  from pg_description d left join pg_attribute a on a.attrelid = d.objoid and a.attnum = d.objsubid and d.objsubid > 0
  join pg_class c on c.oid = d.objoid
  where c.relnamespace = 'public'::regnamespace and d.classoid = 'pg_class'::regclass order by a.attname collate "C" nulls first`;

const FUNCTIONS = `
  select pg_get_functiondef(p.oid) as line from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
    and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by p.proname collate "C", pg_get_function_identity_arguments(p.oid) collate "C"`;

/** What this description would leave out is refused, so that it never does so unnoticed. */
async function refuseUnknownObjects(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ what: string }>(
    `select relname || ' (' || relkind::text || ')' as what from pg_class
       where relnamespace = 'public'::regnamespace and relkind not in ('r', 'i', 't', 'p', 'I')
     union all
     select typname || ' (type)' from pg_type t where typnamespace = 'public'::regnamespace and typtype in ('e', 'd', 'r')
     union all
     select polname || ' (policy)' from pg_policy
     union all
     select rulename || ' (rule)' from pg_rules where schemaname = 'public'
     union all
     select s.stxname || ' (statistics)' from pg_statistic_ext s where s.stxnamespace = 'public'::regnamespace`,
  );
  if (rows.length > 0) {
    throw new Error(`describe-schema.ts cannot describe ${rows.map(({ what }) => what).join(", ")}; teach it to`);
  }
}

/** The tables of a database as TypeScript, with values as our driver reads and takes them. */
export async function generateRowTypes(url: string): Promise<string> {
  const dialect = getDialect("postgres", { dateParser: "string" });
  // Read as a value, written as JSON text.
  const [unknown, string] = [new IdentifierNode("unknown"), new IdentifierNode("string")];
  Object.assign(dialect.adapter.definitions, { Json: new ColumnTypeNode(unknown, string, string) });
  const db = await dialect.introspector.connect({ connectionString: url, dialect });
  try {
    return await generate({
      db,
      dialect,
      excludePattern: "parley_migrations",
      logger: new Logger("silent"),
      outFile: null,
      // Money must not lose a micro.
      typeMapping: { int8: "bigint" },
    });
  } finally {
    await db.destroy();
  }
}

import { type Database, run } from "../database.ts";
import { DISTRIBUTED, LOCAL, REFERENCE, TRIGGERS } from "./tables.ts";

const SPLIT_BY = "account_id";
/** All others are kept on the nodes of this one. */
const FIRST = "calls";

/** The script in its two parts. */
export interface DistributionScript {
  /** Plain PostgreSQL: the account becomes part of every key. The service runs on the result as before. */
  readonly keys: string;
  /** Hands the tables to Citus. */
  readonly tables: string;
}

/** The schema of this database does not fit what is known about its tables. */
export class NotDistributable extends Error {
  override readonly name = "NotDistributable";
}

interface Catalog {
  readonly tables: readonly string[];
  readonly columns: ReadonlySet<string>;
  readonly keys: readonly Key[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly triggers: readonly { readonly name: string; readonly table: string; readonly definition: string }[];
}

/** A primary key, a unique constraint or a unique index, each with its definition as PostgreSQL writes it. */
interface Key {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly isConstraint: boolean;
  readonly definition: string;
  readonly index: string;
}

interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly refersTo: string;
  readonly columns: readonly string[];
  readonly definition: string;
}

/** Writes the script for the database as it is, or refuses when tables.ts lacks a table or a trigger. */
export async function writeDistributionScript(db: Database): Promise<DistributionScript> {
  const catalog = await readCatalog(db);
  const unlisted = findUnlisted(catalog);
  if (unlisted.length > 0)
    throw new NotDistributable(`distribution/tables.ts does not say what becomes of ${unlisted.join(", ")}`);
  return { keys: writeKeys(catalog), tables: writeTables(widen(catalog)) };
}

/** Tables in no list or in two, tables that are gone, and the same for triggers. */
function findUnlisted({ tables, triggers }: Catalog): string[] {
  const listed = [DISTRIBUTED, REFERENCE, LOCAL].flatMap((list) => Object.keys(list));
  const judged = triggers.filter(({ table }) => isSplit(table) || table in REFERENCE).map(({ name }) => name);
  return [
    ...tables.filter((table) => listed.filter((each) => each === table).length !== 1),
    ...listed.filter((table) => !tables.includes(table)),
    ...judged.filter((trigger) => !(trigger in TRIGGERS)),
    ...Object.keys(TRIGGERS).filter((trigger) => !judged.includes(trigger)),
  ];
}

const isSplit = (table: string) => table in DISTRIBUTED;
/** Those between two distributed tables, which have to name the account. */
const isInside = ({ table, refersTo }: ForeignKey) => isSplit(table) && isSplit(refersTo);
const lacksAccount = ({ columns }: { readonly columns: readonly string[] }) => !columns.includes(SPLIT_BY);

function writeKeys({ columns, keys, foreignKeys, triggers }: Catalog): string {
  const narrow = keys.filter((key) => isSplit(key.table) && lacksAccount(key));
  const links = foreignKeys.filter((key) => isInside(key) && lacksAccount(key));
  const children = Object.entries(DISTRIBUTED).flatMap(([table, parent]) =>
    parent && !columns.has(`${table}.${SPLIT_BY}`) ? [{ table, parent }] : [],
  );
  const guarded = new Set(triggers.map(({ table }) => table));
  return lines(
    "-- Part 1. Plain PostgreSQL: the account becomes part of every key of the tables that are to be distributed.",
    "-- Stop the service and make a backup first. Tables are locked until the end, and all their unique indexes are built anew.",
    "begin;",
    "",
    "-- The account of rows that only name their call, agent, endpoint and so on. Rows of removed calls, which wait in their",
    "-- month until it is dropped, have none and go now.",
    ...children.flatMap(({ table, parent }) => [
      `alter table ${table} add column ${SPLIT_BY} text;`,
      ...(guarded.has(table) ? [`alter table ${table} disable trigger user;`] : []),
      `update ${table} t set ${SPLIT_BY} = p.${SPLIT_BY} from ${parent.table} p where p.id = t.${parent.column};`,
      `delete from ${table} where ${SPLIT_BY} is null;`,
      ...(guarded.has(table) ? [`alter table ${table} enable trigger user;`] : []),
      `alter table ${table} alter column ${SPLIT_BY} set not null;`,
    ]),
    "",
    "-- Keys. The columns that were unique keep an index, because many statements find a row by them alone.",
    ...links.map(({ table, name }) => `alter table ${table} drop constraint ${name};`),
    ...narrow.flatMap((key) => [
      key.isConstraint ? `alter table ${key.table} drop constraint ${key.name};` : `drop index ${key.name};`,
      createKey(widenKey(key)),
      `${key.index.replace(/^CREATE UNIQUE INDEX \w+ ON (ONLY )?/, `CREATE INDEX ${key.name}_alone ON `)};`,
    ]),
    ...links.map((link) => addForeignKey(widenForeignKey(link))),
    "",
    "-- The service does not name the account when it writes these rows. On one PostgreSQL a trigger does.",
    ...uniqueBy(children, ({ parent }) => parent.column).map(({ parent }) => createFill(parent.column, parent.table)),
    ...children.map(
      ({ table, parent }) =>
        `create trigger fills_account before insert on ${table} for each row execute function ${fillName(parent.column)}();`,
    ),
    "commit;",
  );
}

const fillName = (column: string) => `fill_account_by_${column}`;
const createFill = (column: string, table: string) =>
  `create function ${fillName(column)}() returns trigger language plpgsql as $$ begin
  if new.${SPLIT_BY} is null then select p.${SPLIT_BY} into new.${SPLIT_BY} from ${table} p where p.id = new.${column}; end if;
  return new;
end $$;`;

/** The catalog as the first part leaves it, except for the triggers that it adds. */
function widen(catalog: Catalog): Catalog {
  return {
    ...catalog,
    foreignKeys: catalog.foreignKeys.map((key) => (isInside(key) && lacksAccount(key) ? widenForeignKey(key) : key)),
  };
}

function widenKey(key: Key): Key {
  return {
    ...key,
    definition: key.definition.replace("(", `(${SPLIT_BY}, `),
    index: key.index.replace(/ ON ONLY /, " ON ").replace("(", `(${SPLIT_BY}, `),
  };
}
const createKey = ({ table, name, isConstraint, definition, index }: Key) =>
  isConstraint ? `alter table ${table} add constraint ${name} ${definition};` : `${index};`;

const widenForeignKey = (key: ForeignKey): ForeignKey => ({
  ...key,
  columns: [SPLIT_BY, ...key.columns],
  definition: key.definition.replaceAll(/FOREIGN KEY \(|REFERENCES \w+\(/g, `$&${SPLIT_BY}, `),
});
const addForeignKey = ({ table, name, definition }: ForeignKey) =>
  `alter table ${table} add constraint ${name} ${definition};`;

function writeTables({ foreignKeys, triggers }: Catalog): string {
  const isMoved = (table: string) => isSplit(table) || table in REFERENCE;
  const links = foreignKeys.filter(({ table, refersTo }) => isMoved(table) || isMoved(refersTo));
  const moved = triggers.filter(({ table, name }) => isMoved(table) && name !== "fills_account");
  const kept = moved.filter(({ name }) => TRIGGERS[name] === "keeps");
  const filled = Object.entries(DISTRIBUTED).filter(([, parent]) => parent);
  return lines(
    "-- Part 2. Needs the extension citus, its nodes, and the coordinator among them (citus_set_coordinator_host).",
    "-- NOT FOR USE WITH THIS RELEASE: statements and triggers that Citus refuses are listed in docs/operations/citus.md.",
    "begin;",
    "set local citus.multi_shard_modify_mode = 'sequential';",
    "set local citus.shard_replication_factor = 1;",
    "",
    "-- Foreign keys come back at the end, when Citus knows both of their tables.",
    ...links.map(({ table, name }) => `alter table ${table} drop constraint ${name};`),
    "-- Citus refuses tables with triggers.",
    ...moved.map(({ table, name }) => `drop trigger ${name} on ${table};`),
    ...filled.map(([table]) => `drop trigger fills_account on ${table};`),
    "",
    ...Object.keys(REFERENCE).map((table) => `select create_reference_table('${table}');`),
    `select create_distributed_table('${FIRST}', '${SPLIT_BY}');`,
    ...Object.keys(DISTRIBUTED)
      .filter((table) => table !== FIRST)
      .map((table) => `select create_distributed_table('${table}', '${SPLIT_BY}', colocate_with => '${FIRST}');`),
    "",
    ...links.map(addForeignKey),
    "",
    "-- Guards that look only at the row itself.",
    "set local citus.enable_unsafe_triggers = on;",
    ...kept.map(({ definition }) => `${definition};`),
    "-- Without their triggers, the program has to do this:",
    ...moved.flatMap(({ table, name }) => {
      const onCitus = TRIGGERS[name];
      return typeof onCitus === "object" ? [`-- ${name} on ${table}: ${onCitus.lost}`] : [];
    }),
    "commit;",
  );
}

const lines = (...all: readonly string[]) => `${all.join("\n")}\n`;
const uniqueBy = <T>(all: readonly T[], keyOf: (one: T) => string) => [
  ...new Map(all.map((one) => [keyOf(one), one])).values(),
];

const OF_PUBLIC = "c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition";

async function readCatalog(db: Database): Promise<Catalog> {
  const tables = await run<{ name: string }>(
    db,
    `select c.relname as name from pg_class c where ${OF_PUBLIC} order by c.relname`,
  );
  const columns = await run<{ name: string }>(
    db,
    `select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where ${OF_PUBLIC} and a.attnum > 0 and not a.attisdropped`,
  );
  const keys = await run<Key>(
    db,
    `select i.relname as name, c.relname as table, k.oid is not null as "isConstraint",
       coalesce(pg_get_constraintdef(k.oid), '') as definition, pg_get_indexdef(x.indexrelid) as index,
       array(select a.attname::text from unnest(x.indkey[:x.indnkeyatts - 1]) with ordinality p(number, place)
         left join pg_attribute a on a.attrelid = c.oid and a.attnum = p.number order by p.place) as columns
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
     left join pg_constraint k on k.conindid = x.indexrelid and k.contype in ('p', 'u')
     where ${OF_PUBLIC} and x.indisunique order by c.relname, i.relname`,
  );
  const foreignKeys = await run<ForeignKey>(
    db,
    `select k.conname as name, c.relname as table, k.confrelid::regclass::text as "refersTo", pg_get_constraintdef(k.oid) as definition,
       array(select a.attname::text from unnest(k.conkey) with ordinality p(number, place)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = p.number order by p.place) as columns
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where ${OF_PUBLIC} and k.contype = 'f' and k.conparentid = 0 order by c.relname, k.conname`,
  );
  const triggers = await run<{ name: string; table: string; definition: string }>(
    db,
    `select t.tgname as name, c.relname as table, pg_get_triggerdef(t.oid) as definition
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where ${OF_PUBLIC} and not t.tgisinternal and t.tgname <> 'fills_account' order by c.relname, t.tgname`,
  );
  return {
    tables: tables.map(({ name }) => name),
    columns: new Set(columns.map(({ name }) => name)),
    keys,
    foreignKeys,
    triggers,
  };
}

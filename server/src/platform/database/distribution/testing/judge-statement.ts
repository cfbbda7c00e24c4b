import type pg from "pg";
import { DISTRIBUTED } from "../tables.ts";

/**
 * What keeps Citus from running a statement as it is:
 *
 * - `reads`, `writes`, `locks`: rows of a distributed table whose account the statement does not name. Citus reads and writes them on
 *   every node, and refuses to lock them.
 * - `inserts`: a row of a distributed table without its account, which Citus refuses.
 * - `joins`: distributed tables that are joined by something else than the account, which Citus refuses.
 * - `recurses`: a recursive query over all accounts, which Citus refuses.
 * - `volatile`: a function such as clock_timestamp() in an update of a distributed table, which Citus refuses.
 * - `calls NAME`: a function of the service, whose statements are judged in statements.ts.
 */
export type Finding = "reads" | "writes" | "locks" | "inserts" | "joins" | "recurses" | "volatile" | `calls ${string}`;

interface PlanNode {
  readonly "Node Type": string;
  readonly "Parent Relationship"?: string;
  readonly Operation?: string;
  readonly "Relation Name"?: string;
  readonly Alias?: string;
  readonly Filter?: string;
  readonly "Hash Cond"?: string;
  readonly "Merge Cond"?: string;
  readonly "Join Filter"?: string;
  readonly Output?: readonly string[];
  readonly Plans?: readonly PlanNode[];
}

/** What is known about the schema, for judging statements. */
export interface KnownSchema {
  /** Partitions and tables, by the name of their table. */
  readonly tableOf: ReadonlyMap<string, string>;
  /** The place of `account_id` among the columns of a table. */
  readonly placeOfAccount: ReadonlyMap<string, number>;
  readonly functions: readonly string[];
}

const VOLATILE = /\b(clock_timestamp|gen_random_uuid|random|nextval)\(/;

export async function readKnownSchema(client: pg.Client): Promise<KnownSchema> {
  const tables = await client.query<{ name: string; table: string }>(
    `select c.relname as name, coalesce(i.inhparent::regclass::text, c.relname) as table
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  );
  const columns = await client.query<{ table: string; place: number }>(
    `select c.relname as table, (select count(*)::int from pg_attribute b
       where b.attrelid = c.oid and b.attnum > 0 and b.attnum < a.attnum and not b.attisdropped) as place
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where a.attname = 'account_id' and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  );
  const functions = await client.query<{ name: string }>(
    `select distinct proname as name from pg_proc
     where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype and provolatile = 'v'`,
  );
  return {
    tableOf: new Map(tables.rows.map(({ name, table }) => [name, table])),
    placeOfAccount: new Map(columns.rows.map(({ table, place }) => [table, place])),
    functions: functions.rows.map(({ name }) => name),
  };
}

/**
 * Has PostgreSQL plan the statement, and reads from the plan whether every distributed table in it is bound to an account. The planner
 * carries `account_id = $1` over joins, as Citus does. Without indexes all conditions of a table are in one place.
 */
export async function judgeStatement(
  client: pg.Client,
  schema: KnownSchema,
  text: string,
): Promise<readonly Finding[]> {
  await client.query("set enable_indexscan = off; set enable_indexonlyscan = off; set enable_bitmapscan = off");
  const { rows } = await client.query<{ "QUERY PLAN": readonly { Plan: PlanNode }[] }>(
    `explain (generic_plan, verbose, format json) ${text}`,
  );
  const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
  if (!plan) return [];
  const nodes = flatten(plan);
  const splitTable = (node: PlanNode) => {
    const table = schema.tableOf.get(node["Relation Name"] ?? "");
    return table !== undefined && table in DISTRIBUTED ? table : undefined;
  };
  const scans = nodes.filter((node) => splitTable(node) && node["Node Type"] !== "ModifyTable");
  const bound = findBound(scans);
  const isLoose = (node: PlanNode) => scans.includes(node) && !bound.has(node);
  const hasLoose = (node: PlanNode) => flatten(node).some(isLoose);

  const found = new Set<Finding>();
  for (const node of nodes) {
    if (node["Node Type"] === "LockRows" && hasLoose(node)) found.add("locks");
    if (hasLoose(node) && isJoinedOtherwise(node, (each) => scans.includes(each))) found.add("joins");
    if (node["Node Type"] === "Recursive Union" && hasLoose(node)) found.add("recurses");
    const table = splitTable(node);
    if (node["Node Type"] !== "ModifyTable" || !table) continue;
    if (node.Operation === "Insert") {
      const rows = node.Plans?.find((each) => each["Parent Relationship"] === "Outer");
      const value = rows?.Output?.[schema.placeOfAccount.get(table) ?? 0];
      if (value === undefined || value.startsWith("NULL::")) found.add("inserts");
      if (VOLATILE.test(/ do update (.*)/s.exec(text)?.[1] ?? "")) found.add("volatile");
    } else {
      if (flatten(node).some((each) => isLoose(each) && splitTable(each) === table)) found.add("writes");
      if (VOLATILE.test(JSON.stringify(node))) found.add("volatile");
    }
  }
  if (scans.some(isLoose) && !found.has("writes")) found.add("reads");
  for (const name of schema.functions) if (new RegExp(`\\b${name}\\(`).test(text)) found.add(`calls ${name}`);
  return [...found].sort();
}

/** Judges a statement of the query builder by what is written. A column without a table is one of the first table. */
export function judgeBuilt(source: string): readonly Finding[] {
  const named = [...source.matchAll(/(selectFrom|insertInto|updateTable|deleteFrom|[jJ]oin)\("(\w+)(?: as (\w+))?"/g)];
  const found = new Set<Finding>();
  for (const [index, [, verb = "", table = "", alias = table]] of named.entries()) {
    if (!(table in DISTRIBUTED)) continue;
    if (verb === "updateTable" && VOLATILE_BUILT.test(source)) found.add("volatile");
    if (verb === "insertInto") {
      // A table's own account may not be null, so the types of the builder ask for it.
      if (DISTRIBUTED[table] !== null) found.add("inserts");
      continue;
    }
    if (new RegExp(`"(${alias}\\.)${index === 0 ? "?" : ""}account_id", "="`).test(source)) continue;
    found.add(verb === "updateTable" || verb === "deleteFrom" ? "writes" : "reads");
    if (/\.for\w*(Update|Share)\(\)/.test(source)) found.add("locks");
  }
  return [...found].sort();
}
const VOLATILE_BUILT = /\b(clock_timestamp|gen_random_uuid|random)\b/;

/** Whether more than one part of a plan reads distributed tables, and not of the same account. */
function isJoinedOtherwise(node: PlanNode, isScan: (node: PlanNode) => boolean): boolean {
  const parts = (node.Plans ?? []).filter((part) => flatten(part).some(isScan));
  if (parts.length < 2 || /^(Append|Merge Append|ModifyTable)$/.test(node["Node Type"])) return false;
  const conditions = [node["Hash Cond"], node["Merge Cond"], node["Join Filter"]].join(" ");
  return !/\.account_id = \w+\.account_id/.test(conditions);
}

const flatten = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

/** Scans whose account is given, or equals that of a bound scan around them. */
function findBound(scans: readonly PlanNode[]): ReadonlySet<PlanNode> {
  const bound = new Set<PlanNode>();
  for (let size = -1; size < bound.size; ) {
    size = bound.size;
    const aliases = [...bound].map(({ Alias }) => Alias);
    for (const scan of scans) {
      const condition = new RegExp(`\\(${scan.Alias}\\.account_id = (\\$\\d+|'[^']*'::text|\\w+(?=\\.account_id))`);
      const value = condition.exec(scan.Filter ?? "")?.[1];
      if (value && (!/^[a-z]/.test(value) || aliases.includes(value))) bound.add(scan);
    }
  }
  return bound;
}

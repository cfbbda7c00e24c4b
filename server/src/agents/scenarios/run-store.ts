import { makeId } from "@parley/contract/ids";
import type { Scenario, ScenarioResult, ScenarioRun } from "@parley/contract/scenarios";
import { type Selectable, sql } from "kysely";
import { type Database, run, type Tx } from "../../platform/database/database.ts";
import type { RunPlacer, Schema } from "../../platform/database/schema/schema.ts";
import { toRunningResult } from "./judge-scenario.ts";

export type RunRow = Selectable<Schema["scenario_runs"]>;
export type ResultRow = Selectable<Schema["scenario_results"]>;

export interface NewRun {
  readonly accountId: string;
  readonly agentId: string;
  readonly medium: "text" | "audio";
  /** The version that calls are pinned to; null where none is placed. */
  readonly agentVersion: number | null;
  readonly placedBy: RunPlacer;
  readonly results: readonly { readonly scenario: Scenario; readonly result: ScenarioResult | null }[];
}

export async function insertRun(tx: Tx, given: NewRun): Promise<RunRow> {
  const isFinished = given.results.every(({ result }) => result !== null);
  const row = await tx
    .insertInto("scenario_runs")
    .values({
      id: makeId("scenarioRun"),
      account_id: given.accountId,
      agent_id: given.agentId,
      medium: given.medium,
      agent_version: given.agentVersion,
      placed_by: JSON.stringify(given.placedBy),
      finished_at: isFinished ? sql<Date>`clock_timestamp()` : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("scenario_results")
    .values(
      given.results.map(({ scenario, result }, ordinal) => ({
        run_id: row.id,
        ordinal,
        scenario: JSON.stringify(scenario),
        result: result && JSON.stringify(result),
      })),
    )
    .execute();
  return row;
}

export async function findRun(db: Database, accountId: string, runId: string): Promise<RunRow | null> {
  const row = await db
    .selectFrom("scenario_runs")
    .selectAll()
    .where("id", "=", runId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row ?? null;
}

/** Keeps others from taking the run a step further until the transaction ends. */
export async function lockRun(tx: Tx, runId: string): Promise<RunRow | null> {
  const row = await tx.selectFrom("scenario_runs").selectAll().where("id", "=", runId).forUpdate().executeTakeFirst();
  return row ?? null;
}

async function hasUnfinishedRun(db: Database, runId: string): Promise<boolean> {
  const row = await db
    .selectFrom("scenario_runs")
    .select("id")
    .where("id", "=", runId)
    .where("finished_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function readResults(db: Database, runId: string): Promise<ResultRow[]> {
  return db.selectFrom("scenario_results").selectAll().where("run_id", "=", runId).orderBy("ordinal").execute();
}

export async function noteCall(tx: Tx, { run_id, ordinal }: ResultRow, callId: string): Promise<void> {
  await tx
    .updateTable("scenario_results")
    .set({ call_id: callId })
    .where("run_id", "=", run_id)
    .where("ordinal", "=", ordinal)
    .execute();
}

export async function noteResult(tx: Tx, { run_id, ordinal }: ResultRow, result: ScenarioResult): Promise<void> {
  await tx
    .updateTable("scenario_results")
    .set({ result: JSON.stringify(result) })
    .where("run_id", "=", run_id)
    .where("ordinal", "=", ordinal)
    .execute();
}

export async function finishRun(tx: Tx, runId: string): Promise<void> {
  await tx
    .updateTable("scenario_runs")
    .set({ finished_at: sql<Date>`clock_timestamp()` })
    .where("id", "=", runId)
    .execute();
}

/** Results are read soon after the run: older ones say nothing about the current agent. */
const KEPT_DAYS = 30;

export async function deleteOldRuns(db: Database): Promise<void> {
  await run(
    db,
    `/* forget_old_runs */ with old as (
       select id from scenario_runs where created_at < clock_timestamp() - make_interval(days => $1) limit 1000 for update
     ), gone as (delete from scenario_results where run_id in (select id from old) returning 1)
     delete from scenario_runs where id in (select id from old) and (select count(*) from gone) >= 0`,
    [KEPT_DAYS],
  );
}

/** Also true of a run that was forgotten. */
export async function isRunFinished(db: Database, runId: string): Promise<boolean> {
  return !(await hasUnfinishedRun(db, runId));
}

export function toRun(run: RunRow, rows: readonly ResultRow[]): ScenarioRun {
  const results = rows.map(({ result, scenario, call_id }) => result ?? toRunningResult(scenario, call_id));
  const count = (status: string) => results.filter((result) => result.status === status).length;
  return {
    id: run.id,
    agentId: run.agent_id,
    on: run.medium,
    status: run.finished_at === null ? "running" : "done",
    passed: count("passed"),
    failed: count("failed"),
    results,
    createdAt: run.created_at.toISOString(),
  };
}

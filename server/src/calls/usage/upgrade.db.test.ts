import { makeId } from "@parley/contract/ids";
import { expect, inject, test } from "vitest";
import { run } from "../../platform/database/database.ts";
import { migrate } from "../../platform/database/migrate.ts";
import { readMigrations } from "../../platform/database/migrations.ts";
import { createTestDatabase } from "../../platform/database/testing/test-database.ts";

const COUNTS_INTERRUPTIONS = "0065_responses_and_interruptions.sql";

test("an upgrade counts the interruptions of earlier calls, except where calls were removed", async () => {
  const { db, url, close } = await createTestDatabase(inject("postgresUrl"), "empty");
  try {
    const { baseline, numbered } = await readMigrations();
    await migrate(url, { baseline, numbered: numbered.filter(({ name }) => name < COUNTS_INTERRUPTIONS) });
    const [accountId, agentId] = [makeId("account"), makeId("agent")];
    await run(db, "insert into accounts (id, name) values ($1, 'Ours')", [accountId]);
    await run(
      db,
      "insert into dispatch_lanes (account_id, mode, concurrency_max, calls_per_second, queued_max) values ($1, 'test', 9, 9, 9)",
      [accountId],
    );
    await run(db, "insert into agents (id, account_id, name, language, flow) values ($1, $2, 'Agent', 'en-US', '{}')", [
      agentId,
      accountId,
    ]);
    await run(
      db,
      "insert into agent_versions (id, agent_id, version, language, flow) values ($1, $2, 1, 'en-US', '{}')",
      [makeId("agentVersion"), agentId],
    );
    const end = async (at: string, reason: string, interruptions: number | null): Promise<string> => {
      const id = makeId("call");
      await run(
        db,
        `insert into calls (id, account_id, mode, phone_number, agent_id, agent_version, engine, max_duration_seconds,
           ring_timeout_seconds, created_at)
         values ($1, $2, 'test', '+15550100001', $3, 1, 'local', 600, 30, $4)`,
        [id, accountId, agentId, at],
      );
      if (interruptions !== null) await run(db, "update calls set answered_at = created_at where id = $1", [id]);
      await run(
        db,
        `update calls set state = 'ended', status = 'completed', end_reason = $2, ended_at = created_at,
           latency = case when $3::int is not null then jsonb_build_object('interruptions', $3::int) end where id = $1`,
        [id, reason, interruptions],
      );
      return id;
    };
    await end("2026-05-31T23:59:00Z", "callee_hangup", 3);
    await end("2026-06-01T00:00:00Z", "callee_hangup", 1);
    await end("2026-06-01T00:14:00Z", "callee_hangup", 1);
    const removed = [
      await end("2026-06-01T00:15:00Z", "callee_hangup", 5),
      await end("2026-06-01T00:15:00Z", "busy", null),
    ];
    await end("2026-06-01T00:16:00Z", "callee_hangup", 2);
    await run(db, "select remove_calls($1)", [removed]);

    await migrate(url);
    expect(
      await run(
        db,
        `select to_char(quarter_at at time zone 'UTC', 'MM-DD HH24:MI') as at, end_reason as reason, calls, interruptions
         from usage_quarters order by quarter_at, end_reason`,
      ),
    ).toEqual([
      { at: "05-31 23:45", reason: "callee_hangup", calls: 1, interruptions: 3 },
      { at: "06-01 00:00", reason: "callee_hangup", calls: 2, interruptions: 2 },
      { at: "06-01 00:15", reason: "busy", calls: 1, interruptions: 0 },
      { at: "06-01 00:15", reason: "callee_hangup", calls: 2, interruptions: null },
    ]);
  } finally {
    await close();
  }
});

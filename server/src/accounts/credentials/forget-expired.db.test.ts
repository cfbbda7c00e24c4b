import { getMe, resetPassword } from "@parley/contract/routes/members";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { run } from "../../platform/database/database.ts";
import { ensureFirstAccount } from "../create-account.ts";
import { type AccountScene, openAccountScene } from "../testing/account-scene.ts";
import { forgetExpired } from "./forget-expired.ts";

let scene: AccountScene;
beforeAll(async () => {
  scene = await openAccountScene(inject("postgresUrl"));
});
afterAll(() => scene.close());

test("expired rows are deleted; usable ones stay", async () => {
  await ensureFirstAccount(scene.deps);
  const [gone, idle, here] = [await scene.signUp(), await scene.signUp(), await scene.signUp()];
  await scene.call(resetPassword, { body: { email: gone.email } });
  const { db, secrets } = scene.deps;
  const change = (what: string, token: string) =>
    run(db, `update sign_ins set ${what} where token_digest = $1`, [secrets.digest(token)]);
  await change("expires_at = clock_timestamp() - interval '1 second'", gone.token);
  await change("last_seen_at = clock_timestamp() - interval '13 hours'", idle.token);
  await run(db, "update links set expires_at = expires_at - interval '32 days' where kind = 'reset'");
  await run(db, "update failed_attempts set window_start = window_start - interval '2 days'");
  await forgetExpired(db);
  expect(await db.selectFrom("sign_ins").select("member_id").execute()).toEqual([{ member_id: here.me.member.id }]);
  expect(await db.selectFrom("links").select("kind").execute()).toEqual([{ kind: "claim" }]);
  expect(await db.selectFrom("failed_attempts").selectAll().execute()).toEqual([]);
  expect((await scene.call(getMe, { as: here.token })).status).toBe(200);
});

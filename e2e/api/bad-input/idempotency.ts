import { inTransaction } from "@parley/server/platform/database/database";
import { tryLockIdempotencyKey } from "@parley/server/platform/http/idempotency-store";
import { describe, expect, test } from "vitest";
import { addMember } from "../../harness/accounts.ts";
import { until } from "../../harness/api-client.ts";
import { send } from "../../harness/http-client.ts";
import type { ServiceProcess } from "../../harness/service-process.ts";
import type { RefusalScene } from "../refusal-scene.ts";

/** Idempotency-Key: what it may be, and what a second request with it gets. */
export function describeIdempotency(scene: () => RefusalScene, restart: () => Promise<ServiceProcess>): void {
  const post = (key: string, fields: object = {}, headers = scene().test) => ({
    path: "/api/v1/calls",
    headers: { ...headers, "idempotency-key": key },
    json: { phoneNumber: "+15550100001", agentId: scene().agentId, ...fields },
  });

  describe("Idempotency-Key", () => {
    test.each(["", '""', "a".repeat(256), "caf\u00e9", "tab\there"])("%j is no key", async (key) => {
      await scene().refuses(post(key), "422 validation_failed", "Idempotency-Key");
    });

    test("the longest key is accepted, and bare or quoted it is the same", async () => {
      const key = "k".repeat(255);
      const first = await scene().ask(post(key));
      const again = await scene().ask(post(`"${key}"`));
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.text).toBe(first.text);
    });

    test("the same body again gets the same reply, byte for byte, and is marked as replayed", async () => {
      const first = await scene().ask(post("same", { metadata: { a: "1", b: "2" } }));
      const again = await scene().ask(post("same", { metadata: { b: "2", a: "1" } }));
      expect(first.headers["idempotent-replayed"]).toBeUndefined();
      expect(again.headers["idempotent-replayed"]).toBe("true");
      expect(again.text).toBe(first.text);
    });

    test("another body is refused; another mode, path or account has its own keys", async () => {
      const first = await scene().ask(post("mine"));
      await scene().refuses(post("mine", { ringTimeoutSeconds: 5 }), "422 idempotency_mismatch");
      const live = await scene().ask(post("mine", {}, scene().live));
      expect(live.body.data.id).not.toBe(first.body.data.id);
      const hangup = `/api/v1/calls/${first.body.data.id}/hangup`;
      const ended = await scene().ask({
        method: "POST",
        path: hangup,
        headers: { ...scene().test, "idempotency-key": "mine" },
      });
      expect(ended.body.data).toMatchObject({ id: first.body.data.id, endReason: "canceled" });
    });

    test("a refused request leaves its key free", async () => {
      await scene().refuses(post("mended", { engine: "nope" }), "422 engine_unknown");
      expect((await scene().ask(post("mended"))).status).toBe(200);
    });

    test("while another request with it runs, the second has to wait, and nothing is done", async () => {
      const { accountId } = scene().owner;
      const scope = {
        accountId,
        mode: "test",
        method: "POST",
        path: "/api/v1/calls",
        key: "busy",
        askedBy: "key",
      } as const;
      await inTransaction(scene().world.db, async (tx) => {
        expect(await tryLockIdempotencyKey(tx, scope)).toBe(true);
        const reply = await scene().refuses(post("busy"), "409 idempotency_in_progress");
        expect(reply.headers["retry-after"]).toBe("1");
      });
      expect((await scene().ask(post("busy"))).status).toBe(200);
    });

    test("a reply is replayed by a process that has started since", async () => {
      const first = await scene().ask(post("kept"));
      expect(first.status, first.text).toBe(200);
      const { url } = await restart();
      // The second process allows fewer requests in a second than the first has just served to this account.
      const again = await until(
        async () => scene().check(await send(url, post("kept"))),
        ({ status }) => status !== 429,
        10_000,
      );
      expect(again.headers["idempotent-replayed"]).toBe("true");
      expect(again.text).toBe(first.text);
    });

    test("a signed-in member who sends the same request again places one call; others have keys of their own", async () => {
      const { owner, base } = scene();
      const colleague = await addMember(base, owner.cookie);
      const first = await scene().ask(post("by hand", {}, owner.cookie));
      const again = await scene().ask(post("by hand", {}, owner.cookie));
      expect(again.headers["idempotent-replayed"]).toBe("true");
      expect(again.text).toBe(first.text);
      await scene().refuses(post("by hand", { ringTimeoutSeconds: 5 }, owner.cookie), "422 idempotency_mismatch");
      const byKey = await scene().ask(post("by hand"));
      const byColleague = await scene().ask(post("by hand", {}, colleague.cookie));
      const ids = [first, byKey, byColleague].map(({ body }) => body.data.id);
      expect(new Set(ids).size).toBe(3);
    });

    test("the key is not stored if a reply contains a secret", async () => {
      const json = { name: "twice", mode: "test" };
      const request = { path: "/api/v1/api-keys", json, headers: { ...scene().owner.cookie, "idempotency-key": "s" } };
      const [one, two] = [await scene().ask(request), await scene().ask(request)];
      expect(one.body.data.key).not.toBe(two.body.data.key);
    });
  });
}

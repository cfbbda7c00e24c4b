import { makeId } from "@parley/contract/ids";
import { run } from "@parley/server/platform/database/database";
import { describe, expect, test } from "vitest";
import { byKey, createKey, dataOf, freshEmail, PASSWORD, signUp } from "../../harness/accounts.ts";
import { send } from "../../harness/http-client.ts";
import { addRecording } from "../../harness/recorded-call.ts";
import type { RefusalScene } from "../refusal-scene.ts";

/** Requests that are well-formed and still refused, because of the current state. */
export function describeStates(scene: () => RefusalScene): void {
  const call = (headers: Readonly<Record<string, string>>, fields: object = {}) => ({
    path: "/api/v1/calls",
    headers,
    json: { phoneNumber: "+15550100001", agentId: scene().agentId, ...fields },
  });
  const make = async (path: string, json: object) => dataOf(await scene().ask({ path, headers: scene().test, json }));

  describe("the recording of a call", () => {
    test("does not exist before the call was answered, and has no range beyond its end", async () => {
      const { id } = await make("/api/v1/calls", { phoneNumber: "+15550100001", agentId: scene().agentId });
      const recording = { path: `/api/v1/calls/${id}/recording`, headers: scene().test };
      await scene().refuses(recording, "404 not_found");
      await addRecording(scene().world, id);
      const beyond = { ...recording, headers: { ...recording.headers, range: "bytes=44-" } };
      const { headers } = await scene().refuses(beyond, "416 range_not_satisfiable");
      expect(headers["content-range"]).toBe("bytes */44");
    });
  });

  describe("the agent of a call", () => {
    test("an unknown or deleted agent is not found", async () => {
      await scene().refusesCall({ agentId: makeId("agent") }, "404 agent_not_found", "agentId");
      await scene().refusesCall({ agentId: "nonsense" }, "404 agent_not_found", "agentId");
      const { id } = await make("/api/v1/agents", { name: "Short-lived" });
      await scene().ask({ method: "DELETE", path: `/api/v1/agents/${id}`, headers: scene().test });
      await scene().refusesCall({ agentId: id }, "404 agent_not_found", "agentId");
      await scene().refuses({ path: `/api/v1/agents/${id}`, headers: scene().test }, "404 agent_not_found");
    });

    test("a draft is not called, and its flow not published before it is complete", async () => {
      const { id } = await make("/api/v1/agents", { name: "Empty" });
      await scene().refusesCall({ agentId: id }, "409 agent_not_published", "agentId");
      const publish = { method: "POST", path: `/api/v1/agents/${id}/publish`, headers: scene().test };
      await scene().refuses(publish, "422 validation_failed");
    });

    test("a version that was never published is refused, here and in a rollback", async () => {
      await scene().refusesCall({ agentVersion: 999 }, "422 validation_failed", "agentVersion");
      const path = `/api/v1/agents/${scene().agentId}`;
      await scene().refuses({ path: `${path}/versions/999`, headers: scene().test }, "404 not_found");
      const rollback = { path: `${path}/rollback`, headers: scene().test, json: { version: 999 } };
      await scene().refuses(rollback, "404 not_found");
    });

    test("an unknown engine is refused with the available names", async () => {
      const engines: { name: string }[] = dataOf(await scene().ask({ path: "/api/v1/engines", headers: scene().test }));
      const { body } = await scene().refusesCall({ engine: "nope" }, "422 engine_unknown", "engine");
      for (const { name } of engines) expect(body.error.message).toContain(name);
      const agent = { path: "/api/v1/agents", headers: scene().test, json: { name: "A", engine: "nope" } };
      await scene().refuses(agent, "422 engine_unknown", "engine");
    });

    test.each(["nova-sonic", "ultravox"])("%s, which has no adapter, is offered nowhere", async (name) => {
      await scene().refusesCall({ engine: name }, "422 engine_unknown", "engine");
      const paths = ["/api/v1/engines", "/api/v1/rates?phoneNumber=%2B15550100001", "/api/v1/openapi.json"];
      for (const path of paths) {
        const { status, text } = await send(scene().base, { path, headers: scene().test });
        expect(status, path).toBe(200);
        expect(text, path).not.toContain(name);
      }
    });

    test("an agent that needs a language model is refused with the settings that would provide one", async () => {
      const nodes = [
        { id: "begin", type: "start", next: "talk" },
        { id: "talk", type: "conversation", prompt: "Be kind.", exits: [], otherwise: "bye" },
        { id: "bye", type: "end", text: "Goodbye." },
      ];
      const { id } = await make("/api/v1/agents", { name: "Receptionist", flow: { schemaVersion: 1, nodes } });
      await make(`/api/v1/agents/${id}/publish`, {});
      const { body } = await scene().refusesCall({ agentId: id }, "409 engine_unavailable", "engine");
      for (const setting of ["PARLEY_OPENAI_API_KEY", "PARLEY_MODEL_URL"]) {
        expect(body.error.message).toContain(setting);
      }
    });

    test("a draft that was changed since is not overwritten", async () => {
      const { id } = await make("/api/v1/agents", { name: "Shared" });
      const patch = (ifMatch?: string) => ({
        method: "PATCH",
        path: `/api/v1/agents/${id}`,
        headers: { ...scene().test, ...(ifMatch === undefined ? {} : { "if-match": ifMatch }) },
        json: { description: "mine" },
      });
      for (const ifMatch of [undefined, "", "*", '"7"', "abc", '"1", "2"', '"99999999999999999999"', '"-1"']) {
        await scene().refuses(patch(ifMatch), "412 draft_conflict", "If-Match");
      }
      expect((await scene().ask(patch('"1"'))).body.data.revision).toBe(2);
      await scene().refuses(patch('"1"'), "412 draft_conflict", "If-Match");
      expect((await scene().ask(patch("2"))).status).toBe(200);
    });
  });

  describe("money", () => {
    test("a live call that the credit does not cover is refused; a test call is not", async () => {
      const poor = await signUp(scene().base);
      const { key } = await createKey(scene().base, poor.cookie, { mode: "live" });
      const agents = dataOf(await scene().ask({ path: "/api/v1/agents", headers: byKey(key) }));
      await run(
        scene().world.db,
        `insert into ledger_transfers (id, account_id, kind, available_micros, funded_micros)
         values ($1, $2, 'credit_removed', -9950000, 9950000)`,
        [makeId("transfer"), poor.accountId],
      );
      const fields = { agentId: agents[0].id };
      await scene().refuses(call(byKey(key), fields), "402 insufficient_credit");
      expect((await scene().ask(call(poor.cookie, fields))).status).toBe(200);
    });

    test("the daily cap of a key and of the account hold", async () => {
      const { key } = await createKey(scene().base, scene().owner.cookie, { mode: "live", dailySpendCap: "0.07" });
      expect((await scene().ask(call(byKey(key)))).status).toBe(200);
      await scene().refuses(call(byKey(key)), "402 spend_limit_reached");
      const cap = (dailySpendCap: string | null) =>
        scene().ask({
          method: "PATCH",
          path: "/api/v1/settings",
          headers: scene().owner.cookie,
          json: { dailySpendCap },
        });
      await cap("0.10");
      await scene().refuses(call(scene().live), "402 spend_limit_reached");
      await cap(null);
      expect((await scene().ask(call(scene().live))).status).toBe(200);
    });
  });

  describe("where a call may go", () => {
    test("a number on the suppression list is not called until it is removed", async () => {
      const phoneNumber = "+15550100055";
      await make("/api/v1/suppressions", { phoneNumber });
      await scene().refusesCall({ phoneNumber }, "403 destination_not_allowed", "phoneNumber");
      await scene().refuses(call(scene().live, { phoneNumber }), "403 destination_not_allowed", "phoneNumber");
      const remove = {
        method: "DELETE",
        path: `/api/v1/suppressions?phoneNumber=${encodeURIComponent(phoneNumber)}`,
        headers: scene().test,
      };
      await scene().ask(remove);
      expect((await scene().ask(call(scene().test, { phoneNumber }))).status).toBe(200);
      await scene().refuses(remove, "404 not_found");
    });

    test("a number without a rate is not called live", async () => {
      const { db } = scene().world;
      await run(db, "update rates set prefix = '+99999' where prefix = '+'");
      await scene().refuses(call(scene().live, { phoneNumber: "+9990000001" }), "403 destination_not_allowed");
      await run(db, "update rates set prefix = '+' where prefix = '+99999'");
    });

    test("no more calls wait than allowed", async () => {
      const crowded = await signUp(scene().base);
      const limit = {
        method: "PATCH",
        path: `/api/v1/operator/accounts/${crowded.accountId}`,
        headers: scene().operator.cookie,
      };
      const agents = dataOf(await scene().ask({ path: "/api/v1/agents", headers: crowded.cookie }));
      const place = call({ ...crowded.cookie, "x-parley-mode": "live" }, { agentId: agents[0].id });
      await scene().ask({ ...limit, json: { queuedMax: 1 } });
      expect((await scene().ask(place)).status).toBe(200);
      await scene().refuses(place, "429 queue_full");
      await scene().ask({ ...limit, json: { queuedMax: 0 } });
      await scene().refuses(place, "429 queue_full");
    });
  });

  describe("people", () => {
    test("the sixth wrong password in a row is refused unread, and then so is the right one", async () => {
      const { email } = await signUp(scene().base);
      const attempt = (password: string) => ({ path: "/auth/sign-in", json: { email, password } });
      for (let i = 0; i < 5; i += 1) await scene().refuses(attempt("wrong password"), "401 not_signed_in");
      for (const password of ["wrong password", PASSWORD]) {
        const reply = await scene().refuses(attempt(password), "429 too_many_attempts");
        expect(Number(reply.headers["retry-after"])).toBeLessThanOrEqual(900);
      }
    });

    test("an unknown e-mail is answered exactly as a wrong password", async () => {
      const { email } = await signUp(scene().base);
      const answer = async (who: string) => {
        const reply = await scene().refuses(
          { path: "/auth/sign-in", json: { email: who, password: "wrong password" } },
          "401 not_signed_in",
        );
        const { requestId: _requestId, ...error } = reply.body.error;
        return error;
      };
      expect(await answer(email)).toEqual(await answer(freshEmail()));
    });

    test("no one is signed in, signed up or reset from another site", async () => {
      const json = { email: freshEmail(), password: PASSWORD };
      for (const path of ["/auth/sign-in", "/auth/sign-up", "/auth/claim", "/auth/reset", "/auth/links/check"]) {
        for (const headers of [
          { origin: "https://evil.example" },
          { origin: "null" },
          { "sec-fetch-site": "cross-site" },
        ]) {
          await scene().refuses({ path, headers, json }, "403 cross_site");
        }
      }
    });

    test("an unknown link, and an e-mail address in use, are refused", async () => {
      const json = { token: `lt_${"x".repeat(43)}`, password: PASSWORD };
      await scene().refuses({ path: "/auth/claim", json: { ...json, email: freshEmail() } }, "404 not_found");
      await scene().refuses({ path: "/auth/reset", json }, "404 not_found");
      await scene().refuses({ path: "/auth/links/check", json: { token: json.token } }, "404 not_found");
      const { email, memberId, cookie } = scene().owner;
      await scene().refuses({ path: "/auth/sign-up", json: { email, password: PASSWORD } }, "422 validation_failed");
      await scene().refuses({ path: "/api/v1/members", headers: cookie, json: { email } }, "409 invalid_state");
      const self = { method: "DELETE", path: `/api/v1/members/${memberId}`, headers: cookie };
      await scene().refuses(self, "409 invalid_state");
    });

    test.each(["short", "a".repeat(129), "aaaaaaaaaaaaaa", "passwordpassword", "qwertyuiop123"])(
      "the password %j is refused",
      async (password) => {
        const json = { email: freshEmail(), password };
        await scene().refuses({ path: "/auth/sign-up", json }, "422 validation_failed", "password");
      },
    );

    test("a caller without permission is told why", async () => {
      const { cookie } = scene().owner;
      const none = await createKey(scene().base, cookie, { scopes: ["billing:read"] });
      await scene().refuses(call(byKey(none.key)), "403 insufficient_scope");
      const elsewhere = await createKey(scene().base, cookie, { allowedIps: ["203.0.113.0/24"] });
      await scene().refuses(call(byKey(elsewhere.key)), "403 ip_not_allowed");
      await scene().refuses({ path: "/api/v1/operator/accounts", headers: cookie }, "403 not_allowed");
      await scene().refuses(call({}), "401 missing_api_key");
      await scene().refuses(call(byKey("svc_test_nope")), "401 invalid_api_key");
    });

    test("keys that could never work are refused, and so is the fifty-first", async () => {
      const { cookie } = await signUp(scene().base);
      const key = (changes: object) => ({
        path: "/api/v1/api-keys",
        headers: cookie,
        json: { name: "k", mode: "test", ...changes },
      });
      const wrong: [object, string][] = [
        [{ expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
        [{ scopes: [] }, "scopes"],
        [{ scopes: ["calls:everything"] }, "scopes[0]"],
        [{ allowedIps: ["localhost"] }, "allowedIps[0]"],
        [{ allowedIps: ["10.0.0.1/99"] }, "allowedIps[0]"],
        [{ dailySpendCap: "-1" }, "dailySpendCap"],
        [{ dailySpendCap: 5 }, "dailySpendCap"],
        [{ dailySpendCap: "0.0000001" }, "dailySpendCap"],
        [{ dailySpendCap: "1e3" }, "dailySpendCap"],
        [{ mode: "prod" }, "mode"],
        [{ name: "   " }, "name"],
      ];
      for (const [changes, param] of wrong) await scene().refuses(key(changes), "422 validation_failed", param);
      for (let i = 0; i < 50; i += 1) expect((await scene().ask(key({}))).status).toBe(200);
      await scene().refuses(key({}), "409 invalid_state");
    });
  });
}

import { ROUTES } from "@parley/contract/routes";
import { describe, expect, test } from "vitest";
import { byKey, createKey, signUp } from "../../harness/accounts.ts";
import { send } from "../../harness/http-client.ts";
import type { RefusalScene } from "../refusal-scene.ts";

/** What a path may contain, where that is not any text. */
const PATH_PARTS: Readonly<Record<string, string>> = { version: "1", code: "BCDF-GHJK" };

/** Cursors, limits, query strings, paths and methods. */
export function describeListsAndPaths(scene: () => RefusalScene): void {
  const reads = ROUTES.filter(({ method, access }) => method === "GET" && access.by !== "anyone");
  const credentialsFor = (route: (typeof ROUTES)[number]) =>
    route.access.by === "key_or_member" ? scene().test : scene().operator.cookie;
  const get = (path: string, headers = scene().test) => ({ path, headers });

  describe("lists", () => {
    const paged = reads.filter((route) => route.paged && !route.path.includes("{"));

    test.each(paged)("$path accepts limits from 1 to 100 and nothing else", async (route) => {
      const headers = credentialsFor(route);
      for (const limit of ["0", "101", "-1", "abc", "", "1.5", "1e99", "NaN", "Infinity", "null", "%00", "1&limit=2"]) {
        await scene().refuses(get(`${route.path}?limit=${limit}`, headers), "422 validation_failed", "limit");
      }
      for (const limit of ["1", "100"]) {
        expect((await scene().ask(get(`${route.path}?limit=${limit}`, headers))).status).toBe(200);
      }
    });

    test.each(paged)("$path accepts no cursor but its own", async (route) => {
      const headers = credentialsFor(route);
      const signed = Buffer.concat([Buffer.alloc(12), Buffer.from('["2026-01-31T09:30:00.000Z","call_x"]')]);
      for (const cursor of ["x", "AAAA", "a".repeat(512), signed.toString("base64url"), "..", "%F0%9F%92%A9"]) {
        await scene().refuses(get(`${route.path}?cursor=${cursor}`, headers), "422 validation_failed", "cursor");
      }
      await scene().refuses(get(`${route.path}?cursor=${"a".repeat(513)}`, headers), "422 validation_failed", "cursor");
    });

    test("a cursor works again unchanged, but not altered, nor for another filter, list, mode or account", async () => {
      const json = { phoneNumber: "+15550100001", agentId: scene().agentId };
      for (let i = 0; i < 3; i += 1) await scene().ask({ path: "/api/v1/calls", headers: scene().test, json });
      const { body } = await scene().ask(get("/api/v1/calls?limit=2"));
      const cursor: string = body.nextCursor;
      expect(body.data).toHaveLength(2);
      const next = await scene().ask(get(`/api/v1/calls?limit=1&cursor=${cursor}`));
      expect(next.body.data).toHaveLength(1);
      expect(body.data.map(({ id }: { id: string }) => id)).not.toContain(next.body.data[0].id);

      const stranger = await signUp(scene().base);
      const foreignKey = byKey((await createKey(scene().base, stranger.cookie)).key);
      const flipped = `${cursor.startsWith("A") ? "B" : "A"}${cursor.slice(1)}`;
      const asks = [
        get(`/api/v1/calls?cursor=${flipped}`),
        get(`/api/v1/calls?cursor=${cursor.slice(0, -1)}`),
        get(`/api/v1/calls?cursor=${cursor}A`),
        get(`/api/v1/calls?cursor=${cursor}%3D`),
        get(`/api/v1/calls?status=failed&cursor=${cursor}`),
        get(`/api/v1/agents?cursor=${cursor}`),
        get(`/api/v1/calls?cursor=${cursor}`, scene().live),
        get(`/api/v1/calls?cursor=${cursor}`, foreignKey),
      ];
      for (const ask of asks) await scene().refuses(ask, "422 validation_failed", "cursor");
    });
  });

  describe("query strings", () => {
    test.each(reads)("$path refuses parameters it does not have", async (route) => {
      const headers = credentialsFor(route);
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => PATH_PARTS[name] ?? "x");
      for (const name of ["colour", "__proto__", "constructor", "limit%00", "Limit", "limit[]", "%F0%9F%92%A9"]) {
        const { body } = await scene().refuses(get(`${path}?${name}=1`, headers), "422 validation_failed");
        const codes = body.error.details.map(({ code }: { code: string }) => code);
        expect(codes).toContain("unknown_field");
      }
    });

    test.each(["status", "phase", "endReason", "createdAfter", "createdBefore", "phoneNumber", "engine", "agentId"])(
      "the filter %s refuses invalid values",
      async (name) => {
        const values = ["", "%00", "a".repeat(300), `1&${name}=2`];
        for (const value of values) {
          await scene().refuses(get(`/api/v1/calls?${name}=${value}`), "422 validation_failed", name);
        }
      },
    );

    test("a mode is one of the two, given once, and a key has its own", async () => {
      const { cookie } = scene().owner;
      const bad = ["?mode=prod", "?mode=", "?mode=test&mode=live", "?mode=live&mode=live", "?mode=TEST"];
      for (const query of bad) {
        await scene().refuses(get(`/api/v1/account${query}`, cookie), "422 validation_failed", "mode");
      }
      const header = { ...cookie, "x-parley-mode": "prod" };
      await scene().refuses(get("/api/v1/account", header), "422 validation_failed", "mode");
      await scene().refuses(get("/api/v1/account?mode=live"), "422 validation_failed", "mode");
    });
  });

  describe("paths and methods", () => {
    test.each([
      "/nope",
      "/api",
      "/api/v1",
      "/api/v2/calls",
      "/api/v1/calls//",
      "/api/v1/calls//events",
      "//api/v1/calls",
      "/API/V1/CALLS",
    ])("there is nothing at %s", async (path) => {
      await scene().refuses(get(path), "404 not_found");
      await scene().refuses({ method: "POST", path, bytes: "no JSON" }, "404 not_found");
    });

    test.each([
      "/carriers/twilio/worker/trunk/calls/token",
      "/carriers/telnyx/worker/trunk/calls/token",
      "/carriers/nothing/1/2/3",
    ])("%s is for signed requests of phone vendors", async (path) => {
      await scene().refuses(get(path), "403 not_signed");
      await scene().refuses({ method: "POST", path, bytes: "CallSid=CA1" }, "403 not_signed");
    });

    test.each(["PUT", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "PURGE", "M-SEARCH"])(
      "%s is refused with the allowed methods",
      async (method) => {
        const reply = await scene().refuses({ method, path: "/api/v1/calls" }, "405 method_not_allowed");
        expect(reply.headers.allow).toBe("GET, HEAD, POST");
      },
    );

    test("a known path with another method is refused before its body is read", async () => {
      const headers = { "content-type": "text/plain" };
      await scene().refuses(
        { method: "PATCH", path: "/api/v1/calls", bytes: "no JSON", headers },
        "405 method_not_allowed",
      );
    });

    test("HEAD is refused where there is no GET, without a body", async () => {
      const reply = await send(scene().base, { method: "HEAD", path: "/auth/sign-in" });
      expect([reply.status, reply.text, reply.headers.allow]).toEqual([405, "", "POST"]);
    });

    test.each(["%zz", "%", "%E0%A4%A", "%ff", "%C0%80", "%ED%A0%80"])("the path part %s is not a URL", async (part) => {
      await scene().refuses(get(`/api/v1/calls/${part}`), "400 bad_request");
    });

    test.each(["..%2f..%2fetc%2fpasswd", "%2e%2e", "'; drop table calls; --", "call_%F0%9F%92%A9", "null", "0"])(
      "the id %j is unknown",
      async (id) => {
        await scene().refuses(get(`/api/v1/calls/${encodeURI(id)}`), "404 call_not_found");
        await scene().refuses(get(`/api/v1/agents/${encodeURI(id)}`), "404 agent_not_found");
      },
    );

    test("an id that is too long or has a NUL is refused, a very long path too", async () => {
      await scene().refuses(get(`/api/v1/calls/${"a".repeat(65)}`), "422 validation_failed", "id");
      await scene().refuses(get("/api/v1/calls/a%00b"), "422 validation_failed", "id");
      await scene().refuses(get(`/api/v1/calls/${"a".repeat(201)}`), "400 bad_request");
      await scene().refuses(get(`/api/v1/calls/${"a".repeat(12_000)}`), "400 bad_request");
      await scene().refuses(get(`/${"a/".repeat(6000)}`), "404 not_found");
    });

    test.each(["0", "-1", "1.5", "abc", "1000001", "1e99"])("%s is not a version", async (version) => {
      const path = `/api/v1/agents/${scene().agentId}/versions/${version}`;
      await scene().refuses(get(path), "422 validation_failed", "version");
    });
  });
}

import { describe, expect, test } from "vitest";
import { byKey, createKey, freshEmail, PASSWORD, signUp } from "../../harness/accounts.ts";
import { until } from "../../harness/api-client.ts";
import type { CuttableProxy } from "../../harness/cuttable-proxy.ts";
import { type HttpRequest, send } from "../../harness/http-client.ts";
import type { RefusalScene } from "../refusal-scene.ts";

export const SECOND_RATE_LIMIT = 5;

/** A second process with sign-up closed, a limit of five requests a second, and a database that can be cut off. */
export function describeSecondProcess(scene: () => RefusalScene, url: () => string, proxy: () => CuttableProxy): void {
  const ask = async (request: HttpRequest) => scene().check(await send(url(), request));
  /** Waits until the limits allow a request again. */
  const comesThrough = (request: HttpRequest, wanted: number) =>
    until(
      async () => (await ask(request)).status,
      (status) => status === wanted,
      30_000,
    );

  describe("a process that is closed, slow or cut off", () => {
    test("no one can sign up when sign-up is closed", async () => {
      const reply = await ask({ path: "/auth/sign-up", json: { email: freshEmail(), password: PASSWORD } });
      expect(`${reply.status} ${reply.body.error.code}`).toBe("403 sign_up_closed");
    });

    test("requests above the limit are told when to retry, per account and mode", async () => {
      // The first process has another limit, so this account's live bucket must be one that it never filled.
      const { cookie } = await signUp(scene().base);
      const headers = byKey((await createKey(scene().base, cookie, { mode: "live" })).key);
      const replies = await Promise.all(Array.from({ length: 30 }, () => ask({ path: "/api/v1/account", headers })));
      const refused = replies.filter(({ status }) => status === 429);
      expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(SECOND_RATE_LIMIT);
      expect(refused.length).toBeGreaterThan(10);
      for (const { headers, body } of refused) {
        expect(body.error.code).toBe("rate_limited");
        expect(headers["retry-after"]).toBe("1");
        expect(headers["ratelimit"]).toBe('"api";r=0;t=1');
      }
      for (const { headers } of replies) expect(headers["ratelimit-policy"]).toBe(`"api";q=${SECOND_RATE_LIMIT};w=1`);
      await comesThrough({ path: "/api/v1/account", headers: scene().test }, 200);
    });

    test("requests that name no account are counted by address", async () => {
      const burst = () => Array.from({ length: 150 }, () => ask({ path: "/auth/sign-in", json: { email: 7 } }));
      const isRefused = ({ status }: { readonly status: number | undefined }) => status === 429;
      const replies = await Promise.all(burst());
      // A busy machine may spread a burst over more than a second, and then nothing has to be refused.
      for (let round = 0; round < 10 && !replies.some(isRefused); round++)
        replies.push(...(await Promise.all(burst())));
      expect(replies.filter(isRefused).length).toBeGreaterThan(0);
      for (const { headers } of replies) expect(headers["ratelimit-policy"]).toBe('"address";q=100;w=1');
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([422, 429]));
    });

    test("without its database it says so, does nothing, and recovers automatically", async () => {
      await comesThrough({ path: "/api/v1/account", headers: scene().test }, 200);
      await comesThrough({ path: "/auth/sign-in", json: {} }, 422);
      proxy().cut();
      const json = { phoneNumber: "+15550100001", agentId: scene().agentId };
      for (const request of [
        { path: "/api/v1/calls", headers: scene().live, json },
        { path: "/api/v1/account", headers: scene().owner.cookie },
        { path: "/auth/sign-in", json: { email: freshEmail(), password: PASSWORD } },
        { path: "/readyz" },
      ]) {
        const reply = await ask(request);
        expect(`${reply.status} ${reply.body?.error?.code}`, request.path).toBe("503 unavailable");
        expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
      }
      expect((await send(url(), { path: "/healthz" })).status).toBe(200);
      proxy().restore();
      await comesThrough({ path: "/api/v1/account", headers: scene().test }, 200);
    });
  });
}

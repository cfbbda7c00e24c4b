import { Call } from "@parley/contract/calls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, until } from "./harness/api-client.ts";
import { makeDataFolder } from "./harness/data-folder.ts";
import { readFirstRun, type ServiceProcess, startService } from "./harness/service-process.ts";

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let service: ServiceProcess;
let key: string;
let agentId: string;

beforeAll(async () => {
  folder = await makeDataFolder();
  service = await startService({ dataDir: folder.path });
  ({ key, agentId } = await readFirstRun(service));
});
afterAll(async () => {
  await service?.end("SIGINT");
  await folder?.remove();
});

const place = (phoneNumber: string, more: object = {}) =>
  ask(service.url, "/api/v1/calls", { key, body: { phoneNumber, agentId, engine: "local", ...more } });
const get = async (id: string) => (await ask(service.url, `/api/v1/calls/${id}`, { key })).body.data;

describe("the given example", () => {
  test("three fields in, HTTP 200, the envelope, the six given fields echoed, and the call proceeds to completed", async () => {
    const reply = await place("+15550100001");
    expect(reply.status).toBe(200);
    expect(reply.body.success).toBe(true);
    const call = reply.body.data;
    expect(call).toMatchObject({ phoneNumber: "+15550100001", agentId, engine: "local", status: "initiated" });
    expect(call.id).toMatch(/^call_/);
    expect(call.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(() => Call.parse(call)).not.toThrow();

    const seen = new Set<string>([call.status]);
    const ended = await until(
      async () => {
        const now = await get(call.id);
        seen.add(now.status);
        return now;
      },
      (now) => now.status === "completed" || now.status === "failed",
      30_000,
    );
    expect([...seen]).toEqual(["initiated", "in_progress", "completed"]);
    expect(ended).toMatchObject({ status: "completed", phase: "ended", endReason: "callee_hangup", endedBy: "callee" });
    expect(() => Call.parse(ended)).not.toThrow();
  });

  test.each([
    ["+15550100002", "busy"],
    ["+15550100003", "no_answer"],
    ["+15550100004", "declined"],
    ["+15550100005", "invalid_number"],
    ["+15550100006", "carrier_unavailable"],
  ])("a call to %s ends failed with the reason %s", async (phoneNumber, endReason) => {
    const { body } = await place(phoneNumber, { ringTimeoutSeconds: 5 });
    const ended = await until(
      () => get(body.data.id),
      (now) => now.phase === "ended",
      20_000,
    );
    expect(ended).toMatchObject({ status: "failed", endReason, durationSeconds: null, answeredAt: null });
  });

  test("a call that rings can be canceled and a call that talks can be hung up", async () => {
    const ringing = (await place("+15550100003")).body.data.id;
    await until(
      () => get(ringing),
      (now) => now.phase === "ringing",
      30_000,
    );
    await ask(service.url, `/api/v1/calls/${ringing}/hangup`, { key, method: "POST" });
    expect(
      await until(
        () => get(ringing),
        (now) => now.phase === "ended",
        30_000,
      ),
    ).toMatchObject({ status: "failed", endReason: "canceled", endedBy: "api" });

    const talking = (await place("+15550100009", { simulation: { answerAfterMs: 0 } })).body.data.id;
    await until(
      () => get(talking),
      (now) => now.phase === "talking",
      30_000,
    );
    await ask(service.url, `/api/v1/calls/${talking}/hangup`, { key, method: "POST" });
    const ended = await until(
      () => get(talking),
      (now) => now.phase === "ended",
      30_000,
    );
    expect(ended).toMatchObject({ status: "completed", endReason: "api_hangup", endedBy: "api" });
    const again = await ask(service.url, `/api/v1/calls/${talking}/hangup`, { key, method: "POST" });
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual(ended);
  });

  test("a call that reaches its maximum duration is ended for that reason", async () => {
    const { body } = await place("+15550100009", { maxDurationSeconds: 2, simulation: { answerAfterMs: 0 } });
    const ended = await until(
      () => get(body.data.id),
      (now) => now.phase === "ended",
      20_000,
    );
    expect(ended).toMatchObject({ status: "completed", endReason: "max_duration", endedBy: "service" });
    expect(ended.durationSeconds).toBeGreaterThanOrEqual(2);
    expect(ended.durationSeconds).toBeLessThanOrEqual(3);
  });

  test("the timeline can be followed live, resumed in the middle, and ends after the final event", async () => {
    const { id } = (
      await place("+15550100011", { simulation: { answerAfterMs: 0, script: [{ waitMs: 500 }, { hangUp: true }] } })
    ).body.data;
    const follow = async (headers: Record<string, string>) => {
      const reply = await fetch(`${service.url}/api/v1/calls/${id}/events`, {
        headers: { authorization: `Bearer ${key}`, accept: "text/event-stream", ...headers },
        signal: AbortSignal.timeout(20_000),
      });
      const text = await reply.text();
      return [...text.matchAll(/^id: (\d+)\nevent: (\S+)$/gm)].map((match) => `${match[1]} ${match[2]}`);
    };
    const types = ["initiated", "dialing", "ringing", "early_media", "in_progress", "completed"];
    const all = types.map((type, index) => `${index + 1} call.${type}`);
    expect(await follow({})).toEqual(all);
    expect(await follow({ "last-event-id": "3" })).toEqual(all.slice(3));
  });
});

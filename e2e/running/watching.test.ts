import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { completeCall } from "../harness/calls.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";

const TOKEN = "an-operator-token-of-a-test";

let scene: Scene;
let service: ServiceProcess;

beforeAll(async () => {
  scene = await Scene.open();
  service = await scene.start({ env: { PARLEY_OPERATOR_TOKEN: TOKEN, PARLEY_LOG_LEVEL: "debug" } });
  await completeCall({ url: service.url, ...(await readFirstRun(service)) });
});
afterAll(() => scene?.close());

const status = async (path: string, key?: string) => (await ask(service.url, path, key ? { key } : {})).status;

test("metrics open with the operator's token only", async () => {
  expect(await status("/metrics")).toBe(401);
  expect(await status("/metrics", `${TOKEN}x`)).toBe(401);
  expect(await status("/metrics", TOKEN)).toBe(200);
});

test("metrics are Prometheus text: every line is well formed and every sample has a type", async () => {
  const reply = await ask(service.url, "/metrics", { key: TOKEN });
  expect(reply.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (reply.body as string).split("\n").filter(Boolean);
  expect(reply.body).toMatch(/\n$/);
  const types = new Map(
    lines.flatMap((line) => {
      const match = /^# TYPE (\w+) (counter|gauge|histogram|summary)$/.exec(line);
      return match ? [[match[1], match[2]] as const] : [];
    }),
  );
  const sample =
    /^([a-zA-Z_:][\w:]*)(\{(?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*\})? (N[aA][nN]|[+-]?Inf|[+-]?[\d.]+(?:e[+-]?\d+)?)$/;
  const wrong = lines
    .filter((line) => !/^# (HELP|TYPE) \w+ \S/.test(line))
    .filter((line) => {
      const name = sample.exec(line)?.[1] ?? "";
      return !types.has(name) && !types.has(name.replace(/_(bucket|sum|count)$/, ""));
    });
  expect(wrong).toEqual([]);
  expect([...types.keys()]).toEqual(
    expect.arrayContaining(["parley_http_request_seconds", "parley_live_calls", "parley_process_cpu_seconds_total"]),
  );
});

test("a frozen database makes the service alive but not ready, until it resumes", async () => {
  expect([await status("/healthz"), await status("/readyz")]).toEqual([200, 200]);
  const database = scene.processes().filter(({ command }) => command.includes("postgres"));
  for (const { pid } of database) process.kill(pid, "SIGSTOP");
  try {
    const reply = await ask(service.url, "/readyz");
    expect([reply.status, reply.body.error.code, reply.body.error.retryable]).toEqual([503, "unavailable", true]);
    expect(await status("/healthz")).toBe(200);
  } finally {
    for (const { pid } of database) process.kill(pid, "SIGCONT");
  }
  await until(
    () => status("/readyz"),
    (seen) => seen === 200,
    60_000,
  );
});

test("every line of the log is JSON with a level, a time and a message, even in trouble", async () => {
  process.kill(scene.postmasterPid(), "SIGKILL");
  await until(
    async () => service.output(),
    (text) => text.includes("PostgreSQL restarted"),
    60_000,
  );
  await ask(service.url, "/api/v1/calls", { body: "{" });
  expect(await service.end("SIGINT")).toEqual({ code: 0, signal: null });
  const lines = service
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) {
    expect(line.length).toBeLessThan(4_000);
    expect(JSON.parse(line)).toMatchObject({
      level: expect.stringMatching(/^(debug|info|warn|error)$/),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: expect.stringMatching(/./),
    });
  }
});

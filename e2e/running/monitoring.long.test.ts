import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../harness/api-client.ts";
import { QUICK_CALLEE, untilPhase } from "../harness/calls.ts";
import { freePort } from "../harness/free-port.ts";
import { type OtlpCollector, openOtlpCollector, type ReceivedSpan } from "../harness/otlp-collector.ts";
import { Scene } from "../harness/scene.ts";
import { REPOSITORY, readFirstRun, type ServiceProcess } from "../harness/service-process.ts";

const DEPLOY = join(REPOSITORY, "deploy");
const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const CLIENT_SPAN_ID = "00f067aa0ba902b7";
const PHONE_NUMBER = "+15550100001";
const PATIENT = "Wilhelmina Featherstonehaugh";

let scene: Scene;
let collector: OtlpCollector;
let service: ServiceProcess;
let worker: ServiceProcess;
let healthPorts: { api: number; calls: number; jobs: number };
let callId: string;
const webhooks: { headers: IncomingHttpHeaders; body: string }[] = [];
const receiver = createServer(async (request, reply) => {
  webhooks.push({ headers: request.headers, body: await text(request) });
  reply.writeHead(204).end();
});

const metricsOf = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

beforeAll(async () => {
  scene = await Scene.open();
  collector = await openOtlpCollector();
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  healthPorts = { api: await freePort(), calls: await freePort(), jobs: await freePort() };
  const env = (role: keyof typeof healthPorts) => ({
    PARLEY_ROLES: role,
    PARLEY_HEALTH_PORT: String(healthPorts[role]),
    PARLEY_OUTBOUND_ALLOW: "loopback",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  service = await scene.start({ env: env("api") });
  const { key, agentId } = await readFirstRun(service);
  [worker] = await Promise.all([
    scene.startRole("calls", { env: env("calls") }),
    scene.startRole("jobs", { env: env("jobs") }),
  ]);
  const post = (path: string, body: object, headers = {}) =>
    fetch(`${service.url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  expect((await post("/api/v1/webhooks", { url })).status).toBe(200);
  const placed = await post(
    "/api/v1/calls",
    { phoneNumber: PHONE_NUMBER, agentId, engine: "local", metadata: { patient: PATIENT }, ...QUICK_CALLEE },
    { traceparent: `00-${TRACE_ID}-${CLIENT_SPAN_ID}-01` },
  );
  callId = ((await placed.json()) as { data: { id: string } }).data.id;
  await untilPhase({ url: service.url, key, agentId }, callId, "ended");
});
afterAll(async () => {
  await collector?.close();
  receiver.close();
  await scene?.close();
});

const named = (name: string): ReceivedSpan | undefined => collector.spans.find((span) => span.name === name);

test("one trace leads from the client's request over the call to the webhook, across three processes", async () => {
  await until(
    async () => collector.spans.filter(({ name }) => name === "webhook").length > 0 && named("call") !== undefined,
    (isThere) => isThere,
    30_000,
  );
  const [request, call, ring, conversation] = ["POST /api/v1/calls", "call", "ring", "conversation"].map(named);
  expect(collector.spans.map(({ traceId }) => traceId)).toEqual(collector.spans.map(() => TRACE_ID));
  expect(request?.parentSpanId).toBe(CLIENT_SPAN_ID);
  expect(call?.parentSpanId).toBe(request?.spanId);
  expect([ring?.parentSpanId, conversation?.parentSpanId]).toEqual([call?.spanId, call?.spanId]);
  expect(named("webhook")?.parentSpanId).toBe(request?.spanId);
  expect(call?.attributes).toContainEqual({ key: "parley.call.id", value: { stringValue: callId } });
  // The receiver can go on with the trace.
  const delivered = webhooks.find(({ body }) => body.includes(callId));
  expect(String(delivered?.headers["traceparent"])).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
  for (const { startTimeUnixNano, endTimeUnixNano } of collector.spans)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
});

test("logs arrive too, and neither they nor the spans contain who was called or what the customer said", async () => {
  await until(
    async () => collector.logs.filter(({ body }) => body.stringValue === "ready").length,
    (count) => count === 3,
    30_000,
  );
  expect(collector.logs.find(({ body }) => body.stringValue === "ready")).toMatchObject({ severityText: "info" });
  for (const personal of [PHONE_NUMBER, PHONE_NUMBER.slice(1), PATIENT, "Featherstonehaugh"])
    expect(collector.received()).not.toContain(personal);
});

test("every role says that it is alive and ready, and shows its metrics", async () => {
  for (const port of Object.values(healthPorts)) {
    for (const path of ["/healthz", "/readyz"])
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
    expect(await metricsOf(port)).toContain("parley_database_connections{");
  }
  expect(await metricsOf(healthPorts.calls)).toMatch(
    /parley_calls_ended_total\{mode="test",status="completed",reason="\w+"\} 1\n/,
  );
  expect(await metricsOf(healthPorts.jobs)).toMatch(/parley_webhook_attempts_total\{outcome="delivered"\} [1-9]/);
});

/** The metrics that an expression of PromQL reads. */
const metricsIn = (expression: string) =>
  [...expression.matchAll(/\bparley_[a-z0-9_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ""));

test("the dashboard has the form that Grafana reads, and it and the alerts ask only for metrics that exist", async () => {
  const texts = await Promise.all(Object.values(healthPorts).map(metricsOf));
  const exported = new Set(texts.flatMap((each) => [...each.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)));
  const dashboard = JSON.parse(readFileSync(join(DEPLOY, "grafana/parley.json"), "utf8"));
  expect(dashboard).toMatchObject({ title: "Parley", uid: "parley", schemaVersion: expect.any(Number) });
  expect(new Set(dashboard.panels.map(({ id }: { id: number }) => id)).size).toBe(dashboard.panels.length);
  for (const panel of dashboard.panels) {
    expect(panel).toMatchObject({ type: "timeseries", title: expect.any(String), gridPos: { w: 8, h: 8 } });
    for (const { expr, refId } of panel.targets) {
      expect(refId).toMatch(/^[A-Z]$/);
      expect(metricsIn(expr).length).toBeGreaterThan(0);
      for (const name of metricsIn(expr)) expect(exported).toContain(name);
    }
  }
  const alerts = readFileSync(join(DEPLOY, "prometheus/alerts.yml"), "utf8");
  for (const [, expr = ""] of alerts.matchAll(/^ +expr: (.*)$/gm))
    for (const name of metricsIn(expr)) expect(exported).toContain(name);
});

test("each alert fires in its scenario and stays quiet in the other", () => {
  const folder = join(DEPLOY, "prometheus");
  for (const args of [
    ["check", "rules", "alerts.yml"],
    ["check", "config", "prometheus.yml"],
    ["test", "rules", "alerts.test.yml"],
  ]) {
    const { status, stdout, stderr } = spawnSync("promtool", args, { cwd: folder, encoding: "utf8" });
    expect([status, stdout + stderr]).toEqual([0, expect.any(String)]);
  }
  const names = [...readFileSync(join(folder, "alerts.yml"), "utf8").matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  const scenarios = readFileSync(join(folder, "alerts.test.yml"), "utf8");
  for (const name of names)
    expect([scenarios.includes(`${name} fires`), scenarios.includes(`${name} stays quiet`)]).toEqual([true, true]);
});

/** What the API of Prometheus answers, as far as it is read here. */
interface PrometheusData {
  readonly result?: readonly { readonly value: readonly [number, string] }[];
  readonly groups?: readonly { readonly rules: readonly { readonly health: string; readonly state: string }[] }[];
  readonly alerts?: readonly { readonly labels: Readonly<Record<string, string>> }[];
}

test("a real Prometheus scrapes all three and evaluates every rule", async () => {
  const port = await freePort();
  const targets = Object.values(healthPorts).map((each) => `127.0.0.1:${each}`);
  const file = join(scene.folder, "prometheus.yml");
  const example = readFileSync(join(DEPLOY, "prometheus/prometheus.yml"), "utf8");
  writeFileSync(
    file,
    example
      .replaceAll("15s", "1s")
      .replace("- alerts.yml", `- ${join(DEPLOY, "prometheus/alerts.yml")}`)
      .replace('["127.0.0.1:9464"]', JSON.stringify(targets)),
  );
  const prometheus = spawn(
    "prometheus",
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(scene.folder, "tsdb")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore" },
  );
  try {
    const ask = async (path: string): Promise<PrometheusData> =>
      fetch(`http://127.0.0.1:${port}/api/v1/${path}`).then(
        // While it starts it answers 503 with a text.
        async (reply) => (reply.ok ? (((await reply.json()) as { data?: PrometheusData }).data ?? {}) : {}),
        () => ({}),
      );
    const query = async (expression: string) =>
      ((await ask(`query?query=${encodeURIComponent(expression)}`)).result ?? []).map(({ value }) => Number(value[1]));
    await until(
      () => query('sum(up{job="parley"})'),
      ([up]) => up === 3,
      60_000,
    );
    await until(
      () => query("sum(parley_calls_ended_total)"),
      ([ended]) => ended === 1,
      30_000,
    );
    const rules = await until(
      async () => ((await ask("rules")).groups ?? []).flatMap((group) => group.rules),
      (all) => all.length === 17 && all.every((rule) => rule.health === "ok"),
      30_000,
    );
    expect(rules.filter((rule) => rule.state === "firing")).toEqual([]);
    await worker.end("SIGKILL");
    await until(
      () => query('sum(up{job="parley"})'),
      ([up]) => up === 2,
      30_000,
    );
    await until(
      async () => ((await ask("alerts")).alerts ?? []).map(({ labels }) => labels["alertname"]),
      (names) => names.includes("ParleyDown"),
      30_000,
    );
  } finally {
    prometheus.kill("SIGTERM");
    await once(prometheus, "exit");
  }
});

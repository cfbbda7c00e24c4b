import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packNodes } from "@parley/tools/pack/pack-nodes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byKey, claimFirst, createKey, dataOf } from "../harness/accounts.ts";
import { send } from "../harness/http-client.ts";
import { Scene } from "../harness/scene.ts";
import { REPOSITORY, readFirstRun } from "../harness/service-process.ts";
import { runProgram } from "../sdk/run-program.ts";
import { N8nHost, type WorkflowNode } from "./n8n-host.ts";

/** They are 400 MB and not under a free licence: installed for this test, by nobody else. */
const N8N = ["n8n-core@2.41.1", "n8n-workflow@2.41.0", "@n8n/scan-community-package@0.32.0", "typescript@5.9.3"];
const SIMULATION = JSON.stringify({ answerAfterMs: 0, script: [{ waitMs: 200 }, { hangUp: true }] });

let scene: Scene;
let folder: string;
let host: N8nHost;
let url: string;
let apiKey: string;
let agentId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-n8n-"));
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--prefer-offline"];
  const tarball = await packNodes("sdk/n8n", join(folder, "packed"));
  await promisify(execFile)("npm", [...install, ...N8N, tarball], { cwd: folder });
  scene = await Scene.open();
  const service = await scene.start({ env: { PARLEY_CONVERSATION_THREADS: "1", PARLEY_NATURAL_VOICES: "off" } });
  url = service.url;
  ({ agentId } = await readFirstRun(service));
  const owner = await claimFirst(service);
  ({ key: apiKey } = await createKey(url, owner.cookie));
  // Addresses are given with a slash at the end too.
  host = await N8nHost.load(folder, { baseUrl: `${url}/`, apiKey });
}, 900_000);
afterAll(async () => {
  await scene?.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (path: string) => dataOf(await send(url, { path: `/api/v1${path}`, headers: byKey(apiKey) }));

function callNode(operation: string, parameters: Record<string, unknown>): WorkflowNode {
  return { name: operation, type: "parley", parameters: { resource: "call", operation, ...parameters } };
}

const create = (more: Record<string, unknown> = {}, fields: Record<string, unknown> = {}): WorkflowNode =>
  callNode("create", {
    phoneNumber: "+15550100001",
    agentId,
    additionalFields: { simulation: SIMULATION, ...fields },
    ...more,
  });

test("n8n's scanner of community packages finds nothing, in the sources and in what is published", async () => {
  const program = join(folder, "scan.mjs");
  writeFileSync(
    program,
    `import { analyzePackage, SOURCE_FILE_PATTERNS } from "@n8n/scan-community-package/scanner/scanner.mjs";
const [, , source, published] = process.argv;
console.log(JSON.stringify([
  await analyzePackage(source, SOURCE_FILE_PATTERNS),
  await analyzePackage(published, ["**/*.js", "package.json"]),
]));`,
  );
  const published = join(folder, "published");
  cpSync(join(folder, "node_modules/n8n-nodes-parley"), published, { recursive: true });
  const scanned = await runProgram(process.execPath, [program, join(REPOSITORY, "sdk/n8n"), published], {
    cwd: folder,
  });
  expect(JSON.parse(scanned)).toEqual([{ passed: true }, { passed: true }]);
  // It does look: a dependency is found.
  const manifest = join(published, "package.json");
  writeFileSync(manifest, JSON.stringify({ name: "n8n-nodes-parley", dependencies: { axios: "1" } }));
  const spoiled = JSON.parse(
    await runProgram(process.execPath, [program, join(REPOSITORY, "sdk/n8n"), published], { cwd: folder }),
  );
  expect(spoiled[1]).toMatchObject({ passed: false, details: expect.stringContaining("no-runtime-dependencies") });
});

test("the sources compile with n8n's own types", async () => {
  const sources = join(folder, "sources");
  mkdirSync(sources);
  for (const part of ["credentials", "nodes", "src", "package.json"])
    cpSync(join(REPOSITORY, "sdk/n8n", part), join(sources, part), {
      recursive: true,
      filter: (path) => !path.endsWith(".test.ts"),
    });
  const compilerOptions = {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    target: "es2022",
    module: "nodenext",
    allowImportingTsExtensions: true,
    types: ["node"],
    typeRoots: [join(REPOSITORY, "node_modules/@types")],
  };
  writeFileSync(join(sources, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }));
  const compiler = join(folder, "node_modules/typescript/bin/tsc");
  expect(await runProgram(process.execPath, [compiler, "-p", sources], { cwd: sources })).toBe("");
});

test("n8n loads the nodes and credentials, with their icons and codex files, and offers the node to AI agents", () => {
  expect(host.types).toMatchObject({
    nodes: [
      { name: "parley", usableAsTool: true, codex: { categories: ["Communication", "Sales"] }, iconUrl: {} },
      { name: "parleyTrigger", codex: {}, iconUrl: {} },
    ],
    credentials: [{ name: "parleyApi" }],
  });
});

test("credentials are tested by a request", async () => {
  expect(await host.testCredentials()).toBe(200);
  expect(await host.testCredentials({ baseUrl: url, apiKey: "svc_test_nonsense" })).toBe(401);
});

test("the workflow of the recipe runs", async () => {
  const [, text = ""] =
    /```json\n([\s\S]*?)```/.exec(readFileSync(join(REPOSITORY, "docs/recipes/n8n.md"), "utf8")) ?? [];
  const { nodes } = JSON.parse(text) as {
    nodes: { name: string; type: string; parameters: Record<string, unknown> }[];
  };
  const [place, trigger, read] = nodes
    .filter(({ type }) => type.startsWith("n8n-nodes-parley."))
    .map((node): WorkflowNode => ({ ...node, type: node.type.split(".")[1] as WorkflowNode["type"] }));
  if (!place || !trigger || !read) throw new Error("the recipe has another workflow");
  const active = await host.activate([trigger, read]);
  const { items, error } = await host.run([{ ...place, parameters: { ...place.parameters, agentId } }]);
  expect(error).toBe(null);
  await expect.poll(() => active.runs).toMatchObject([{ error: null, items: [{ json: { id: items[0]?.json.id } }] }]);
  await active.deactivate();
  const callId = items[0]?.json.id;
  const transcript = await host.run([callNode("getTranscript", { callId, format: "text" })]);
  expect(transcript.items).toMatchObject([{ json: { callId, text: expect.stringMatching(/\S/) } }]);
});

test("a workflow places a call, waits for its outcome and reads everything about it", async () => {
  expect(await host.loadOptions("getAgents")).toContainEqual({ name: expect.any(String), value: agentId });
  const placed = await host.run([create({ variables: { variable: [{ name: "first_name", value: "Ada" }] } })]);
  expect(placed.error).toBe(null);
  const [call] = placed.items.map(({ json }) => json);
  expect(call).toMatchObject({
    phase: "ended",
    status: "completed",
    endReason: "callee_hangup",
    analysis: { status: "ready" },
  });
  expect(await ask(`/calls/${call.id}`)).toMatchObject({ variables: { first_name: "Ada" } });

  const callId = call.id;
  const read = async (operation: string, more = {}) =>
    (await host.run([callNode(operation, { callId, ...more })])).items[0];
  expect((await read("get"))?.json.id).toBe(callId);
  expect((await read("getTranscript"))?.json).toMatchObject({ callId, status: "ready", items: expect.any(Array) });
  await expect.poll(async () => (await ask(`/calls/${callId}`)).recording?.status).toBe("ready");
  const recording = await read("getRecording");
  expect(recording?.binary?.["data"]).toMatchObject({ mimeType: "audio/wav", fileName: `${callId}.wav` });
  expect(
    Buffer.from(recording?.binary?.["data"]?.data ?? "", "base64")
      .subarray(0, 4)
      .toString(),
  ).toBe("RIFF");
  const listed = await host.run([callNode("getAll", { filters: { status: "completed" }, limit: 5 })]);
  expect(listed.items.map(({ json }) => json.id)).toContain(callId);
  const agents = await host.run([
    { name: "Agents", type: "parley", parameters: { resource: "agent", operation: "getAll" } },
  ]);
  expect(agents.items.map(({ json }) => json.id)).toContain(agentId);
  const parameters = { resource: "number", operation: "check", phoneNumber: "+15550100001" };
  const checked = await host.run([{ name: "Number", type: "parley", parameters }]);
  expect(checked.items[0]?.json).toMatchObject({ phoneNumber: "+15550100001", gate: expect.anything() });
});

test("an unanswered call is reported as what it was, and a call can be hung up", async () => {
  const busy = await host.run([create({ phoneNumber: "+15550100002" }, { simulation: "{}" })]);
  expect(busy.items[0]?.json).toMatchObject({ status: "failed", endReason: "busy", analysis: null });
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await host.run([create({ waitFor: "nothing" }, { scheduledAt: later })]);
  const callId = scheduled.items[0]?.json.id;
  const ended = await host.run([callNode("hangUp", { callId })]);
  expect(ended.error).toBe(null);
  await expect.poll(async () => (await ask(`/calls/${callId}`)).phase).toBe("ended");
});

test("the same idempotency key places one call, and another execution places another", async () => {
  const ids = [];
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  for (const fields of [{ idempotencyKey: "order-7" }, { idempotencyKey: "order-7" }, {}, {}]) {
    const { items } = await host.run([create({ waitFor: "nothing" }, { ...fields, scheduledAt })]);
    ids.push(items[0]?.json.id);
  }
  expect(ids[0]).toBe(ids[1]);
  expect(new Set(ids).size).toBe(3);
});

test("a refused request says what to correct", async () => {
  const refused = await host.run([create({ phoneNumber: "12" })]);
  expect(refused.error?.description).toContain("phoneNumber:");
  expect(refused.error?.description).toContain("validation_failed");
  const broken = await host.run([create({}, { simulation: "{" })]);
  expect(broken.error?.message).toContain("Simulation is not valid JSON");
  const missing = await host.run([callNode("getRecording", { callId: "call_nothing" })]);
  expect(missing.error?.description).toContain("call_not_found");
});

test("the trigger subscribes, starts the workflow with verified events only, and unsubscribes", async () => {
  const active = await host.activate([
    { name: "Ended", type: "parleyTrigger", parameters: { events: ["call.analyzed"] } },
    callNode("getTranscript", { callId: "={{ $json.data.call.id }}", format: "text" }),
  ]);
  const [endpoint] = await ask("/webhooks");
  expect(endpoint).toMatchObject({ url: active.url, eventTypes: ["call.analyzed"], isEnabled: true });

  const { items } = await host.run([create()]);
  await expect.poll(() => active.runs.length).toBe(1);
  expect(active.runs[0]).toMatchObject({ error: null, items: [{ json: { callId: items[0]?.json.id } }] });

  await send(url, { path: `/api/v1/webhooks/${endpoint.id}/test`, method: "POST", headers: byKey(apiKey) });
  await expect.poll(() => active.answers).toEqual([200, 200]);
  const forged = await fetch(active.url, {
    method: "POST",
    headers: {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
      "webhook-signature": "v1,AAAA",
    },
    body: JSON.stringify({ type: "call.analyzed", data: { call: { id: items[0]?.json.id } } }),
  });
  expect(forged.status).toBe(401);
  expect(active.runs).toHaveLength(1);

  await active.deactivate();
  expect(await ask("/webhooks")).toEqual([]);
});

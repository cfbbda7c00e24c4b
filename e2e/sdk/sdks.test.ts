import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Parley } from "@parley/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../harness/browser.ts";
import { Scene } from "../harness/scene.ts";
import { REPOSITORY, readFirstRun } from "../harness/service-process.ts";
import { bundleForBrowser, type OtherSite, openOtherSite } from "./browser-page.ts";
import { compileIn, type InstalledPython, installPythonSdk, installTypeScriptSdk } from "./install-sdks.ts";
import { listReadRequests } from "./postman-requests.ts";
import { runProgram } from "./run-program.ts";
import {
  clientOptions,
  listErrorFields,
  listExports,
  listMethods,
  requestOptions,
  type Surface,
  verifyOptions,
  waitOptions,
} from "./typescript-surface.ts";

let scene: Scene;
let site: OtherSite;
let folder: string;
let project: string;
let python: InstalledPython;
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-sdks-"));
  scene = await Scene.open();
  // Only calls with a conversation have a recording.
  const talks = { PARLEY_CONVERSATION_THREADS: "1", PARLEY_NATURAL_VOICES: "off" };
  site = await openOtherSite();
  const service = await scene.start({ env: { ...talks, PARLEY_CORS_ORIGINS: site.origin } });
  const { key, agentId } = await readFirstRun(service);
  env = { PARLEY_URL: service.url, PARLEY_API_KEY: key, AGENT_ID: agentId };
  project = await installTypeScriptSdk(folder);
  python = await installPythonSdk(folder);
}, 300_000);
afterAll(async () => {
  await scene?.close();
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

const TIMELINE = ["initiated", "dialing", "ringing", "early_media", "in_progress", "completed"].map(
  (type) => `call.${type}`,
);

/** Events about the conversation come when they come. */
const isOnTimeline = (type: string) => !type.startsWith("call.") || TIMELINE.includes(type);

/** What a program printed, with only the events of the timeline. */
function readPrinted(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) =>
    Array.isArray(value) ? value.filter((each) => typeof each !== "string" || isOnTimeline(each)) : value,
  );
}

function expectRecording(file: string): void {
  const bytes = readFileSync(file);
  expect(bytes.toString("latin1", 0, 4)).toBe("RIFF");
  // The header of a WAV file names its length.
  expect(bytes.readUInt32LE(4) + 8).toBe(bytes.length);
}

test("the packed TypeScript SDK compiles in an empty project, places a call and reports what went wrong", async () => {
  await compileIn(project, "use-sdk.ts");
  const printed = await runProgram(process.execPath, ["use-sdk.js"], { cwd: project, env });
  expect(readPrinted(printed)).toEqual({
    status: "completed",
    endReason: "callee_hangup",
    types: TIMELINE,
    changes: ["refetch", true],
    isWholeTranscript: true,
    isListed: true,
    missing: "call_not_found",
    invalid: ["phoneNumber"],
    refused: "phone",
  });
  expectRecording(join(project, "call.wav"));
});

/** What the page of another site does with a link to a call. */
const READ_BY_LINK = `async ({ baseUrl, token, sdk }) => {
  const { ApiError, Parley } = await import(sdk);
  const parley = new Parley({ baseUrl, apiKey: null, maxRetries: 1 });
  const refusal = async (asked) => {
    const error = await asked.catch((caught) => caught);
    return error instanceof ApiError ? error.code : String(error);
  };
  const call = await parley.calls.getShared({ token });
  const recording = await fetch(new URL(call.recordingUrl, baseUrl));
  return {
    call,
    recorded: new TextDecoder().decode((await recording.arrayBuffer()).slice(0, 4)),
    wrongToken: await refusal(parley.calls.getShared({ token: token + "x" })),
    otherCalls: await refusal(parley.calls.list()),
  };
}`;

test("a page of an allowed site reads a shared call with the SDK and the token of the link; other sites cannot", async () => {
  const parley = new Parley({ baseUrl: env["PARLEY_URL"], apiKey: env["PARLEY_API_KEY"] });
  const { id } = await parley.calls.createAndWait(
    {
      phoneNumber: "+15550100001",
      agentId: env["AGENT_ID"] ?? "",
      simulation: { answerAfterMs: 0, script: [{ waitMs: 200 }, { hangUp: true }] },
    },
    { until: ({ recording }) => recording?.status === "ready", waitMs: 90_000 },
  );
  const { url } = await parley.calls.createShare(id);
  const token = new URL(url).searchParams.get("token");
  const link = { baseUrl: env["PARLEY_URL"], token, sdk: "/sdk.js" };
  const script = await bundleForBrowser(project);
  expect(gzipSync(script).length).toBeLessThanOrEqual(12_000);
  const stranger = await openOtherSite();
  const browser = await openBrowser();
  try {
    const visit = async (from: OtherSite) => {
      from.offer(script);
      const page = await browser.newPage();
      await page.goto(from.origin);
      return page.evaluate(`(${READ_BY_LINK})(${JSON.stringify(link)})`);
    };
    expect(await visit(site)).toMatchObject({
      call: { phoneNumber: "•••• 0001", status: "completed", transcript: expect.any(Array) },
      recorded: "RIFF",
      wrongToken: "not_found",
      otherCalls: "missing_api_key",
    });
    await expect(visit(stranger)).rejects.toThrow("No response to GET /api/v1/shared-call");
  } finally {
    await browser.close();
    await stranger.close();
  }
});

test("the built Python SDK places calls, synchronously and asynchronously, and resumes their events", async () => {
  const program = join(REPOSITORY, "e2e/sdk/packed/use_sdk.py");
  const printed = await runProgram(python.python, [program], { cwd: folder, env });
  expect(readPrinted(printed)).toEqual({
    status: "completed",
    endReason: "callee_hangup",
    types: TIMELINE,
    changes: ["refetch", true],
    isWholeTranscript: true,
    isListed: true,
    missing: "call_not_found",
    invalid: ["phoneNumber"],
    asynchronous: ["refetch", "noticed", "whole transcript", "completed", ...TIMELINE.slice(3)],
  });
  for (const name of ["call.wav", "asynchronous.wav"]) expectRecording(join(folder, name));
});

test("every GET request of the Postman collection gets a reply that the OpenAPI document describes", async () => {
  const headers = { authorization: `Bearer ${env["PARLEY_API_KEY"]}` };
  const document = (await (await fetch(`${env["PARLEY_URL"]}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, { get?: { responses: Record<string, unknown> } }>;
  };
  const requests = listReadRequests({ agentId: env["AGENT_ID"] ?? "" });
  expect(requests.length).toBeGreaterThan(20);
  const statuses: number[] = [];
  for (const { name, template, path } of requests) {
    const reply = await fetch(`${env["PARLEY_URL"]}${path}`, { headers });
    await reply.body?.cancel();
    expect(Object.keys(document.paths[template]?.get?.responses ?? {}), `${name}: ${path}`).toContain(
      String(reply.status),
    );
    statuses.push(reply.status);
  }
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(10);
});

test("both SDKs have the same resources, methods, options and errors", async () => {
  const program = join(REPOSITORY, "e2e/sdk/packed/print_surface.py");
  const surface = JSON.parse(await runProgram(python.python, [program], { cwd: folder })) as Surface;
  for (const resources of [surface.resources, surface.asyncResources]) {
    const methods = Object.entries(resources).map(([name, found]) => [name, Object.keys(found).toSorted()]);
    expect(Object.fromEntries(methods)).toEqual(listMethods());
    for (const [name, found] of Object.entries(resources)) {
      for (const [method, parameters] of Object.entries(found))
        expect(parameters, `${name}.${method}`).toEqual(expect.arrayContaining(requestOptions));
    }
    for (const [method, options] of Object.entries(waitOptions))
      expect(resources["calls"]?.[method], method).toEqual(expect.arrayContaining([...options]));
  }
  expect(surface.resources).toEqual(surface.asyncResources);
  expect(surface.client.toSorted()).toEqual(clientOptions.toSorted());
  expect(surface.asyncClient).toEqual(surface.client);
  expect(surface.exports).toEqual(expect.arrayContaining(listExports()));
  expect(surface.verifyWebhook).toEqual(["body", "headers", "secret", ...verifyOptions]);
  expect(surface.errorFields).toEqual(listErrorFields());
});

test("the Python SDK and a program that uses it pass mypy in strict mode, and its own tests pass", async () => {
  const program = join(folder, "use_sdk.py");
  copyFileSync(join(REPOSITORY, "e2e/sdk/packed/use_sdk.py"), program);
  const config = join(folder, "mypy.ini");
  // The command line of httpx, which we do not use, imports more modules than the rest of it.
  writeFileSync(config, "[mypy]\n[mypy-httpx._main]\nfollow_imports = skip\n");
  const options = ["--config-file", config, "--python-executable", python.python, "--cache-dir", join(folder, "mypy")];
  for (const checked of [["-p", "parley"], [program]])
    expect(await runProgram("/usr/bin/mypy", ["--strict", ...options, ...checked], { cwd: folder })).toContain(
      "Success",
    );
  await runProgram(python.python, ["-B", "-m", "unittest", "discover", "-s", join(REPOSITORY, "sdk/python/tests")], {
    cwd: folder,
  });
});

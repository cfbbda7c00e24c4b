import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Scene } from "../harness/scene.ts";
import { readFirstRun } from "../harness/service-process.ts";
import { installProgram } from "../programs/installed-program.ts";
import { compileIn, installTypeScriptSdk } from "./install-sdks.ts";
import { runProgram } from "./run-program.ts";

/** From the registry that npm is configured for: their binaries are too large to be dependencies. */
const RUNTIMES = {
  bun: "1.4.4",
  deno: "2.9.6",
  node20: `npm:node-${process.platform}-${process.arch}@20.20.2`,
  node22: `npm:node-${process.platform}-${process.arch}@22.23.3`,
};

let scene: Scene;
let folder: string;
let runtimes: string;
let project: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-runtimes-"));
  runtimes = join(folder, "runtimes");
  mkdirSync(runtimes);
  writeFileSync(join(runtimes, "package.json"), JSON.stringify({ private: true, dependencies: RUNTIMES }));
  const npm = { ...(process.env as Record<string, string>), HOME: homedir() };
  await runProgram("npm", ["install", "--no-audit", "--no-fund"], { cwd: runtimes, env: npm });
  scene = await Scene.open();
  const service = await scene.start({ env: { PARLEY_CONVERSATION_THREADS: "1", PARLEY_NATURAL_VOICES: "off" } });
  const { key, agentId } = await readFirstRun(service);
  env = { PARLEY_URL: service.url, PARLEY_API_KEY: key, AGENT_ID: agentId };
  project = await installTypeScriptSdk(folder);
  await compileIn(project, "use-sdk.ts");
}, 600_000);
afterAll(async () => {
  await scene?.close();
  rmSync(folder, { recursive: true, force: true });
});

const DENO = ["run", "--allow-env", "--allow-net=127.0.0.1", "--allow-read", "--allow-write=."];

test.each([
  ["deno", ".bin/deno", DENO, ["use-sdk.js", "use-sdk.ts"]],
  ["bun", ".bin/bun", ["run"], ["use-sdk.js", "use-sdk.ts"]],
  ["Node 20", "node20/bin/node", [], ["use-sdk.js"]],
  ["Node 22", "node22/bin/node", [], ["use-sdk.js", "use-sdk.ts"]],
])("the packed TypeScript SDK places a call and reports what went wrong on %s", async (_, path, options, programs) => {
  const runtime = join(runtimes, "node_modules", path);
  console.log((await runProgram(runtime, ["--version"], { cwd: project })).trim());
  for (const program of programs) {
    const printed = await runProgram(runtime, [...options, program], { cwd: project, env });
    expect(JSON.parse(printed)).toMatchObject({
      status: "completed",
      endReason: "callee_hangup",
      changes: ["refetch", true],
      isWholeTranscript: true,
      isListed: true,
      missing: "call_not_found",
      invalid: ["phoneNumber"],
      refused: "phone",
    });
  }
});

test("the packed command line runs on Node 22, and the packed MCP server on Node 20 and 22", async () => {
  const node = (version: 20 | 22) => join(runtimes, `node_modules/node${version}/bin/node`);
  const cli = await installProgram("sdk/cli", "parley");
  const mcp = await installProgram("sdk/mcp", "parley-mcp");
  try {
    const listed = await runProgram(node(22), [cli.path, "agents", "list", "--json"], { cwd: project, env });
    expect(listed).toContain(env["AGENT_ID"]);
    for (const version of [20, 22] as const) {
      const transport = new StdioClientTransport({ command: node(version), args: [mcp.path], env });
      const client = new Client({ name: "test", version: "1" });
      await client.connect(transport);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain("place_call");
      await client.close();
    }
  } finally {
    await cli.remove();
    await mcp.remove();
  }
});

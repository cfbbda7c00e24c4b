import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateClients } from "@parley/tools/openapi-clients/generate-clients";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Scene } from "../harness/scene.ts";
import { REPOSITORY, readFirstRun } from "../harness/service-process.ts";
import { runProgram } from "../sdk/run-program.ts";
import { PROGRAMS } from "./programs.ts";

const COMPILER_OPTIONS = {
  strict: true,
  skipLibCheck: true,
  target: "es2022",
  module: "nodenext",
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
  outDir: "compiled",
};

let scene: Scene;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-generated-"));
  scene = await Scene.open();
  // Calls without a conversation are not recorded.
  const service = await scene.start({ env: { PARLEY_CONVERSATION_THREADS: "1" } });
  const { key, agentId } = await readFirstRun(service);
  env = { PARLEY_URL: service.url, PARLEY_API_KEY: key, AGENT_ID: agentId };
  const document = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as object;
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  symlinkSync(join(REPOSITORY, "node_modules"), join(folder, "node_modules"));
  await generateClients(document, { baseUrl: service.url, folder });
  for (const [name, text] of Object.entries(PROGRAMS)) writeFileSync(join(folder, name), text);
});
afterAll(async () => {
  await scene?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("clients that others generate from the OpenAPI document compile, and so do the programs that use them", async () => {
  const compiler = join(REPOSITORY, "node_modules/typescript/bin/tsc");
  expect(await runProgram(process.execPath, [compiler, "-p", folder], { cwd: folder })).toBe("");
});

test.each(Object.keys(PROGRAMS))("%s places a call, once, and reads everything about it", async (name) => {
  const program = join("compiled", name.replace(/\.ts$/, ".js"));
  const printed = await runProgram(process.execPath, [program], { cwd: folder, env });
  expect(JSON.parse(printed)).toEqual({
    status: "completed",
    endReason: "callee_hangup",
    isSame: true,
    isListed: true,
    hasEnded: true,
    isExported: true,
    audioType: "audio/wav",
    revision: 1,
    refused: "validation_failed",
  });
});

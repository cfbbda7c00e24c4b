import { type ModelServer, startModelServer } from "@parley/providers/testing/model-server";
import { TEST_KEY } from "@parley/providers/testing/vendor-models";
import { soon } from "@parley/voice/conformance/outcome-of";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readSettings } from "../platform/config/read-settings.ts";
import { typeCommand } from "./testing/type-command.ts";

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(async () => {
  await soon(server.nothingLeft(), "letting go of every request");
  await server.close();
});

function examine(environment: Record<string, string>, interrupted = new AbortController().signal) {
  const settings = () => readSettings({ PARLEY_DATA_DIR: "d", ...environment }, "/");
  return typeCommand(["doctor", "models"], settings, { interrupted });
}

const own = () => ({
  PARLEY_MODEL_URL: `${server.url}/v1`,
  PARLEY_MODEL_NAME: "llama3.2",
  PARLEY_MODEL_API_KEY: TEST_KEY,
});
const says = (text: string) => ({
  type: "stream" as const,
  moves: [{ type: "text" as const, text }, { type: "end" as const }],
});
const calls = () => ({
  type: "stream" as const,
  moves: [
    { type: "call" as const, id: "c", tool: "note_day", inputPieces: ['{"day":"Thursday"}'] },
    { type: "end" as const },
  ],
});

test("a model that answers and calls tools is found to work", async () => {
  server.plan(says("Yes, we are."), calls());
  const { code, out } = await examine(own());
  expect(code).toBe(0);
  expect(out).toMatch(/openai-compatible\/llama3\.2 +\d+ ms +yes +It works\./);
});

test("a model that does not call tools is distinguished from one that does", async () => {
  server.plan(says("Yes, we are."), says("Thursday it is."));
  const { code, out } = await examine(own());
  expect(code).toBe(0);
  expect(out).toContain("agents with tools need another model");
});

test("every model is checked, even after a failed one, and no key is shown", async () => {
  server.plan({ type: "failure", status: 404, message: `no model for ${TEST_KEY}` }, says("Yes."), calls());
  const { code, out, err } = await examine({ ...own(), PARLEY_MODEL_FALLBACK: "openai-compatible/qwen3" });
  expect(code).toBe(1);
  expect(out).toContain("openai-compatible/llama3.2 answered 404");
  expect(out).toMatch(/qwen3 .*It works/);
  expect(out + err).not.toContain(TEST_KEY.slice(0, 8));
});

test("without a configured model the command says what to set", async () => {
  const { code, out } = await examine({});
  expect(code).toBe(1);
  expect(out).toContain("PARLEY_OPENAI_API_KEY");
});

test("an examination that is interrupted leaves no request behind", async () => {
  server.plan({ type: "silence" });
  const interruption = new AbortController();
  const examined = examine(own(), interruption.signal);
  await soon(server.allTakenUp(), "asking");
  interruption.abort();
  expect((await soon(examined, "giving up")).code).toBe(130);
});

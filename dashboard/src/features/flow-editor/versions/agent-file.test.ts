import type { Agent } from "@parley/contract/agents";
import { NewAgent } from "@parley/contract/new-agent";
import { expect, it } from "vitest";
import { smallFlow } from "../model/testing/small-flow.ts";
import { readAgentFile, writeAgentFile } from "./agent-file.tsx";

const agent = { name: "Ours", description: "", engine: null, language: "en-US" } as Agent;

it("writes a file that the API accepts as an agent, and reads it back", () => {
  const text = writeAgentFile(agent, smallFlow());
  expect(NewAgent.safeParse(JSON.parse(text)).success).toBe(true);
  expect(readAgentFile(text)).toEqual({ ok: true, flow: smallFlow() });
  expect(readAgentFile(JSON.stringify(smallFlow()))).toEqual({ ok: true, flow: smallFlow() });
});

it.each([
  ["hello", /valid JSON/],
  ["null", /valid agent/],
  ['{"name":"Ours"}', /valid agent/],
  ['{"name":"Ours","flow":{"schemaVersion":1,"nodes":[{"id":"a","type":"nap"}]}}', /flow\.nodes\.0/],
])("says what is wrong with %s", (text, why) => {
  const result = readAgentFile(text);
  expect(result.ok).toBe(false);
  expect(result.ok ? "" : result.message).toMatch(why);
});

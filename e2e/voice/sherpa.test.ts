import { existsSync } from "node:fs";
import { type ModelFolder, makeModelFolder } from "@parley/providers/sherpa/testing/sherpa-library";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byKey, claimFirst, createKey } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import type { Caller } from "../harness/calls.ts";
import { describeHeld, holdCall } from "./held-calls.ts";
import { TWO_QUESTIONS } from "./two-questions.ts";

const ENGINE = "sherpa-local";
const [START, , PEOPLE, BYE] = TWO_QUESTIONS.nodes;
const FLOW = { ...TWO_QUESTIONS, nodes: [{ ...START, next: "people" }, PEOPLE, BYE] };

let world: ApiWorld;
let folder: ModelFolder;
let caller: Caller;

beforeAll(async () => {
  folder = await makeModelFolder({ words: "seven people", behaviour: "hears_any_speech" });
  world = await openApiWorld();
  const service = await world.start({
    ...{ PARLEY_ROLES: "api,calls", PARLEY_CONVERSATION_THREADS: "1", PARLEY_NATURAL_VOICES: "off" },
    PARLEY_SHERPA_MODEL: folder.path,
  });
  const { url } = service;
  const { key } = await createKey(url, (await claimFirst(service)).cookie);
  const made = await ask(url, "/api/v1/agents", { key, body: { name: "Asks", language: "en-US", flow: FLOW } });
  const agentId: string = made.body.data.id;
  const published = await ask(url, `/api/v1/agents/${agentId}/publish`, { method: "POST", headers: byKey(key) });
  expect(published.status, JSON.stringify(published.body)).toBe(200);
  caller = { url, key, agentId };
});

afterAll(async () => {
  await world?.close();
  await folder?.remove();
});

test("the model is loaded before a call needs it", async () => {
  await expect.poll(() => existsSync(folder.loadedPath), { timeout: 120_000 }).toBe(true);
});

test("a call is recognized by the model in the operator's folder", { timeout: 300_000 }, async () => {
  const held = await holdCall(caller, "+15550100001", {
    engine: ENGINE,
    simulation: { answerAfterMs: 0, script: [{ waitForTurn: true }, { say: "We are seven." }, { waitForTurn: true }] },
  });
  const why = `${describeHeld(held)}\n${JSON.stringify(held.call.incidents)}`;
  expect(held.call, why).toMatchObject({ status: "completed", engine: ENGINE, incidents: [] });
  expect(held.call.collected).toMatchObject({ people: 7 });
  const parts = held.call.engineParts ?? [];
  expect(parts.map(({ part, provider, failures }) => [part, provider, failures])).toContainEqual([
    ...["recognition", "sherpa"],
    0,
  ]);
  expect(parts.map(({ part, provider }) => `${part} ${provider}`)).not.toContain("recognition local");
});

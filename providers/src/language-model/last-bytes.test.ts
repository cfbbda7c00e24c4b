import { soon } from "@parley/voice/conformance/outcome-of";
import type { ModelPart } from "@parley/voice/ports/language-model";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ModelMove } from "../testing/model-move.ts";
import { type ModelServer, startModelServer } from "../testing/model-server.ts";
import { openVendorModel } from "../testing/vendor-models.ts";

const YES: ModelMove[] = [{ type: "text", text: "Yes." }, { type: "end" }];

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(async () => {
  await soon(server.nothingLeft(), "letting go of every request");
  await server.close();
});

const request = () => ({ instructions: "", messages: [], tools: [], signal: new AbortController().signal });

async function hear(parts: AsyncIterable<ModelPart>): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of parts) types.push(type);
  return types;
}

test("a complete reply whose connection stays open delays no one, and drops the connection", async () => {
  const asked = Promise.withResolvers<() => void>();
  const clock = {
    now: () => 0,
    setTimer(_delayMs: number, fire: () => void) {
      asked.resolve(fire);
      return () => undefined;
    },
  };
  server.plan({ type: "stream", moves: [...YES, { type: "hang" }] });
  const heard = hear(openVendorModel("anthropic", server.url, { clock }).reply(request()));
  const patienceEnds = await soon(asked.promise, "waiting for the last bytes");
  patienceEnds();
  expect(await soon(heard, "the reply")).toEqual(["text", "finished"]);
});

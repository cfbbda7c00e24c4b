import { type ModelServer, startModelServer } from "@parley/providers/testing/model-server";
import { TEST_KEY } from "@parley/providers/testing/vendor-models";
import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import type { LanguageModel, ModelPart } from "@parley/voice/ports/language-model";
import type { ProviderError } from "@parley/voice/ports/provider-error";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelChoice } from "../../platform/config/model-settings.ts";
import { openLanguageModel } from "./open-language-model.ts";

describe("the models of an installation", () => {
  let server: ModelServer;
  let closing: (() => void)[];

  beforeEach(async () => {
    server = await startModelServer();
    closing = [];
  });

  afterEach(async () => {
    for (const close of closing) close();
    await soon(server.nothingLeft(), "letting go of every request");
    await server.close();
  });

  const own = (model: string, apiKey: string | null = null, url = server.url): ModelChoice => ({
    provider: "openai-compatible",
    model,
    apiKey,
    baseUrl: `${url}/v1`,
  });

  async function open(choices: readonly ModelChoice[], onFailure: (failure: ProviderError) => void = () => undefined) {
    const opened = await openLanguageModel({ choices, firstTokenTimeoutMs: 20_000 }, { onFailure });
    if (!opened) throw new Error("there is no model");
    closing.push(opened.close);
    return opened;
  }

  const request = () => ({ instructions: "", messages: [], tools: [], signal: new AbortController().signal });

  async function hear(model: LanguageModel): Promise<string> {
    const parts: ModelPart[] = [];
    for await (const part of model.reply(request())) parts.push(part);
    return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  }

  const says = (text: string) => ({
    type: "stream" as const,
    moves: [{ type: "text" as const, text }, { type: "end" as const }],
  });

  it("are none when none was chosen", async () => {
    expect(await openLanguageModel({ choices: [], firstTokenTimeoutMs: 1000 })).toBeNull();
  });

  it("may run on the operator's own machine, by plain http and without a key", async () => {
    server.plan(says("Hello from next door."));
    const { model } = await open([own("llama3.2")]);
    expect(await soon(hear(model), "the reply")).toBe("Hello from next door.");
    expect(server.requests).toMatchObject([{ path: "/v1/chat/completions", body: { model: "llama3.2" } }]);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("may be reached by a name of the machine itself", async () => {
    server.plan(says("Hello."));
    const { model } = await open([own("llama3.2", null, server.url.replace("127.0.0.1", "localhost"))]);
    expect(await soon(hear(model), "the reply")).toBe("Hello.");
  });

  it("are used turn after turn over one connection, to avoid waiting for a new one", async () => {
    const { model } = await open([own("llama3.2", TEST_KEY)]);
    for (const text of ["One.", "Two.", "Three."]) {
      server.plan(says(text));
      expect(await soon(hear(model), "a turn")).toBe(text);
    }
    expect(server.connectionsSeen()).toBe(1);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${TEST_KEY}`);
  });

  it("fall back to the next, and the failure is reported", async () => {
    const failures: string[] = [];
    server.plan({ type: "failure", status: 500, message: "out of memory" }, says("I can help."));
    const { model } = await open([own("large"), own("small")], ({ message }) => failures.push(message));
    expect(await soon(hear(model), "the reply")).toBe("I can help.");
    expect(failures).toEqual(["openai-compatible/large answered 500: out of memory"]);
  });

  it("never follow a redirect, which would carry the key elsewhere", async () => {
    const elsewhere = await startModelServer();
    try {
      server.plan({ type: "failure", status: 307, headers: { Location: `${elsewhere.url}/v1/chat/completions` } });
      const { model } = await open([own("llama3.2", TEST_KEY)]);
      expect(await outcomeOf(hear(model))).toMatchObject({ name: "ProviderError", retryable: false });
      expect(elsewhere.requests).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  it("are not looked for where clouds hand out credentials, whatever the operator wrote", async () => {
    const { model } = await open([{ ...own("x"), baseUrl: "http://169.254.169.254/v1" }]);
    expect(await outcomeOf(hear(model))).toMatchObject({ name: "ProviderError", retryable: false });
  });

  it("report a refused connection as temporary", async () => {
    const gone = await startModelServer();
    await gone.close();
    const { model } = await open([own("llama3.2", TEST_KEY, gone.url)]);
    const failure = await outcomeOf(hear(model));
    expect(failure).toMatchObject({ name: "ProviderError", retryable: true });
    expect(String(failure)).not.toContain(TEST_KEY);
  });

  it("let go of every reply when the service stops", async () => {
    server.plan({ type: "silence" });
    const { model, close } = await open([own("llama3.2")]);
    const waiting = outcomeOf(hear(model));
    await soon(server.allTakenUp(), "asking");
    close();
    expect(await waiting).toMatchObject({ name: "ProviderError" });
    await soon(server.nothingLeft(), "closing");
  });
});

it.each(["openai", "anthropic", "google"])("a model of %s is opened from nothing but its key", async (provider) => {
  const choices = [{ provider, model: "some-model", apiKey: TEST_KEY, baseUrl: null }];
  const opened = await openLanguageModel({ choices, firstTokenTimeoutMs: 1000 });
  expect(opened?.model.name).toBe(`${provider}/some-model`);
  opened?.close();
});

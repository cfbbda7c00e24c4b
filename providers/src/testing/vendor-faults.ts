import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import type { ModelPart, ModelRequest } from "@parley/voice/ports/language-model";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ModelMove } from "./model-move.ts";
import { type ModelServer, type ServerPlan, startModelServer } from "./model-server.ts";
import { openVendorModel, TEST_KEY, VENDOR_NAMES, type VendorName } from "./vendor-models.ts";

/** How requests are sent, and how to close it. */
export interface OpenFetch {
  readonly fetch: typeof fetch;
  close(): void;
}

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

/** What happens to a reply when its vendor fails, in every protocol, by any way of sending requests. */
export function describeVendorFaults(way: string, openFetch: () => OpenFetch): void {
  beforeAll(() => void process.on("unhandledRejection", note));
  afterAll(() => void process.off("unhandledRejection", note));
  for (const vendor of VENDOR_NAMES) describe(`a reply of ${vendor} ${way}`, () => testVendor(vendor, openFetch));
}

function testVendor(vendor: VendorName, openFetch: () => OpenFetch): void {
  let server: ModelServer;
  let opened: OpenFetch;

  beforeEach(async () => {
    server = await startModelServer();
    opened = openFetch();
  });

  afterEach(async () => {
    await soon(server.nothingLeft(), "letting go of every request");
    opened.close();
    await server.close();
    // Rejections are reported one turn of the loop after the promises settled.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled.splice(0)).toEqual([]);
  });

  const openModel = (url = server.url) => openVendorModel(vendor, url, { fetch: opened.fetch });

  async function hear(plan: ServerPlan, wanted: Partial<ModelRequest> = {}) {
    server.plan(plan);
    const { signal } = new AbortController();
    const request: ModelRequest = { instructions: "", messages: [], tools: [], signal, ...wanted };
    const parts: ModelPart[] = [];
    const failure = await outcomeOf(
      (async () => {
        for await (const part of openModel().reply(request)) parts.push(part);
        return null;
      })(),
    );
    const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    return { parts, text, failure };
  }

  const stream = (...moves: ModelMove[]): ServerPlan => ({ type: "stream", moves });
  const said = (text: string): ModelMove => ({ type: "text", text });

  it("is complete when its bytes arrive one by one", async () => {
    const call: ModelMove = { type: "call", id: "c", tool: "look", inputPieces: ['{"who', '":"Zoë', ' 🎉"}'] };
    const { text, parts, failure } = await hear({
      type: "stream",
      moves: [said("Grüß "), said("Gott, 🎉!"), call, { type: "end" }],
      pieceBytes: 7,
    });
    expect(failure).toBeNull();
    expect(text).toBe("Grüß Gott, 🎉!");
    expect(parts).toContainEqual(expect.objectContaining({ type: "tool_call", input: { who: "Zoë 🎉" } }));
  });

  it("is complete when it arrives in one huge delta", async () => {
    const huge = "A long story. ".repeat(40_000);
    const { text, failure } = await hear(stream(said(huge), { type: "end" }));
    expect(failure).toBeNull();
    expect(text).toBe(huge);
  });

  it("reports a tool call split over hundreds of deltas like any other, and announces it early", async () => {
    const input = { notes: Array.from({ length: 100 }, (_, index) => `note ${index}`) };
    const inputPieces = JSON.stringify(input).match(/.{1,2}/g) ?? [];
    const { parts } = await hear(stream({ type: "call", id: "c1", tool: "keep", inputPieces }, { type: "end" }));
    expect(parts.map(({ type }) => type)).toEqual(["tool_call_started", "tool_call", "finished"]);
    expect(parts[1]).toMatchObject({ callId: "c1", tool: "keep", input });
  });

  it("omits the model's thoughts", async () => {
    const { text, parts } = await hear(stream({ type: "thought", text: "Hm, well." }, said("Yes."), { type: "end" }));
    expect(text).toBe("Yes.");
    expect(parts.at(-1)).toEqual({ type: "finished", inputTokens: 42, outputTokens: 7 });
  });

  it("reports that it was cut off at its limit", async () => {
    const { text, parts, failure } = await hear(stream(said("This is a long"), { type: "end", why: "limit" }));
    expect([text, failure]).toEqual(["This is a long", null]);
    expect(parts.at(-1)).toMatchObject({ type: "finished", wasCut: true });
  });

  it("is a refusal when the vendor's filter lets nothing through", async () => {
    const { failure } = await hear(stream({ type: "end", why: "filter" }));
    expect(failure).toMatchObject({ name: "ProviderError", retryable: false });
  });

  it.each<[string, ModelMove[]]>([
    ["breaks off", [said("Well, "), { type: "cut" }]],
    ["breaks off before a word", [{ type: "cut" }]],
    ["ends without having been complete", [said("Well, "), { type: "stop_short" }]],
    ["ends before it began", [{ type: "stop_short" }]],
    [
      "turns into garbage",
      [said("Well, "), { type: "garbage", bytes: "data: {nonsense\n\n" }, said("no"), { type: "end" }],
    ],
    ["begins with garbage", [{ type: "garbage", bytes: 'data: {"surprise":[1,2,3]}\n\n' }, { type: "end" }]],
    [
      "is a page for people",
      [{ type: "garbage", bytes: "<html><body>It works!</body></html>" }, { type: "stop_short" }],
    ],
    ["reports a failure in the middle", [said("Well, "), { type: "report", message: "We are overloaded" }]],
    ["reports a failure at once", [{ type: "report", message: "We are overloaded" }]],
    [
      "calls a tool with half an input",
      [
        { type: "call", id: "c", tool: "look", inputPieces: vendor === "google" ? [] : ['{"day":"Thu'] },
        { type: "cut" },
      ],
    ],
  ])("that %s is a failure that may pass, whatever was said before", async (_what, moves) => {
    const { parts, failure } = await hear(stream(...moves));
    expect(failure).toBeInstanceOf(ProviderError);
    expect(failure).toMatchObject({ retryable: true, provider: expect.stringContaining(vendor) });
    expect(parts.filter(({ type }) => type !== "text" && type !== "tool_call_started")).toEqual([]);
  });

  it.each([
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [408, true],
    [429, true],
    [500, true],
    [502, true],
    [529, true],
  ])("with the status %i says whether asking again may help: %s", async (status, retryable) => {
    const { failure } = await hear({ type: "failure", status, message: "no luck today" });
    expect(failure).toBeInstanceOf(ProviderError);
    expect(failure).toMatchObject({ retryable, message: expect.stringContaining(String(status)) });
    if (status !== 401) expect(failure).toMatchObject({ message: expect.stringContaining("no luck today") });
    expect(server.requests).toHaveLength(1);
  });

  it("reports how long the vendor asks not to be called", async () => {
    const wait = (seconds: string) => hear({ type: "failure", status: 429, headers: { "Retry-After": seconds } });
    expect((await wait("17")).failure).toMatchObject({ retryable: true, retryAfterMs: 17_000 });
    expect((await wait("soon")).failure).toMatchObject({ retryable: true, retryAfterMs: null });
    expect((await hear({ type: "failure", status: 429 })).failure).toMatchObject({ retryAfterMs: null });
  });

  it("that a proxy answers with a page of its own is a failure like any other", async () => {
    const { failure } = await hear({ type: "failure", status: 502, body: "<html>Bad gateway</html>" });
    expect(failure).toMatchObject({ name: "ProviderError", retryable: true });
  });

  it("reveals nothing of the key or the conversation when it fails", async () => {
    const spoken = "my mother's maiden name is Kowalczyk";
    const wanted = { messages: [{ role: "callee", text: spoken }] as const, instructions: "Ask for the secret word." };
    const masked = `${TEST_KEY.slice(0, 8)}****************${TEST_KEY.slice(-4)}`;
    const plans: ServerPlan[] = [
      { type: "failure", status: 401, message: `Incorrect API key provided: ${masked}.` },
      { type: "failure", status: 403, message: `The key '${TEST_KEY}' has no access, nor has "${masked}".` },
      { type: "failure", status: 400, message: `Bad text: ${spoken}` },
      { type: "failure", status: 500 },
      stream(said("Well, "), { type: "report", message: `Key ${TEST_KEY} has used up its quota` }),
      stream({ type: "garbage", bytes: `data: ${JSON.stringify({ spoken, key: TEST_KEY })}\n\n` }, { type: "end" }),
      stream(said("Well, "), { type: "cut" }),
    ];
    for (const plan of plans) {
      const { failure } = await hear(plan, wanted);
      const shown = everythingIn(failure);
      expect(failure, shown).toBeInstanceOf(ProviderError);
      for (const piece of [TEST_KEY.slice(0, 8), TEST_KEY.slice(-4), "Kowalczyk", "secret word"]) {
        expect(shown).not.toContain(piece);
      }
    }
  });

  it("that no one answers is a temporary failure", async () => {
    const gone = await startModelServer();
    await gone.close();
    const { signal } = new AbortController();
    const model = openModel(gone.url);
    const reply = model.reply({ instructions: "", messages: [], tools: [], signal })[Symbol.asyncIterator]();
    expect(await outcomeOf(reply.next())).toMatchObject({ name: "ProviderError", retryable: true });
  });

  it("frees its connection immediately when it is aborted, at any moment", async () => {
    for (const plan of [{ type: "silence" } as const, stream(said("Well, "), { type: "hang" })]) {
      const controller = new AbortController();
      server.plan(plan);
      const request: ModelRequest = { instructions: "", messages: [], tools: [], signal: controller.signal };
      const reply = openModel().reply(request)[Symbol.asyncIterator]();
      const begun = outcomeOf(reply.next());
      await soon(server.allTakenUp(), "asking");
      if (plan.type === "stream") await begun;
      const rest = plan.type === "stream" ? outcomeOf(reply.next()) : begun;
      controller.abort(new Error("cut in"));
      expect(await rest).toMatchObject({ message: "cut in" });
      await soon(server.nothingLeft(), "closing the connection");
    }
  });

  it("frees its connection immediately even if no more of it is read", async () => {
    const controller = new AbortController();
    server.plan(stream(said("Well, "), { type: "hang" }));
    const request: ModelRequest = { instructions: "", messages: [], tools: [], signal: controller.signal };
    const reply = openModel().reply(request)[Symbol.asyncIterator]();
    await outcomeOf(reply.next());
    controller.abort(new Error("cut in"));
    await soon(server.nothingLeft(), "closing the connection");
    expect(await outcomeOf(reply.next())).toMatchObject({ message: "cut in" });
  });
}

/** Everything a log could show of an error, along the chain of its causes. */
function everythingIn(error: unknown): string {
  if (!(error instanceof Object)) return String(error);
  const own = Object.getOwnPropertyNames(error).map((name) => `${name}: ${describeValue(error, name)}`);
  return own.join("\n");
}

function describeValue(holder: object, name: string): string {
  const value: unknown = Reflect.get(holder, name);
  return value instanceof Object ? everythingIn(value) : String(value);
}

import type { LanguageModel, ModelRequest } from "@parley/voice/ports/language-model";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { describe, expect, it } from "vitest";
import type { ExitChecker } from "../confusable-exits.ts";
import { draftFlow } from "./draft-flow.ts";

const GOOD = {
  variables: ["first_name"],
  nodes: [
    { id: "start", type: "start", next: "hello", position: { x: 5, y: 5 } },
    { id: "hello", type: "say", text: "Hi {{first_name}}.", next: "bye" },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
};
const BROKEN = { ...GOOD, nodes: GOOD.nodes.slice(0, 2) };

/** A model that writes these replies, and keeps what it was asked. */
function modelOf(...replies: readonly (string | Error)[]) {
  const asked: ModelRequest[] = [];
  const model: LanguageModel = {
    name: "scripted",
    async *reply(request) {
      const reply = replies[asked.length] ?? "";
      asked.push({ ...request, messages: [...request.messages] });
      if (reply instanceof Error) throw reply;
      yield { type: "text", text: reply };
      yield { type: "finished", inputTokens: 1, outputTokens: 1 };
    },
  };
  return { model, asked };
}

const draft = (model: LanguageModel, checkExits: ExitChecker = async () => []) =>
  draftFlow(model, {
    description: "Greets and hangs up.",
    language: "en-US",
    modelNames: ["scripted"],
    checkExits,
    signal: new AbortController().signal,
  });

describe("a flow from a description", () => {
  it("is read out of the words around it, without the positions that the model guessed", async () => {
    const { model, asked } = modelOf(`Here it is:\n\`\`\`json\n${JSON.stringify(GOOD)}\n\`\`\``);
    const flow = await draft(model);
    expect(flow.nodes.map(({ id, position }) => [id, position])).toEqual([
      ["start", undefined],
      ["hello", undefined],
      ["bye", undefined],
    ]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.messages[0]).toMatchObject({ text: expect.stringContaining("Greets and hangs up.") });
  });

  it("is corrected by the model, which is told the compiler's problems", async () => {
    const { model, asked } = modelOf("no idea", JSON.stringify(BROKEN), JSON.stringify(GOOD));
    expect((await draft(model)).nodes).toHaveLength(3);
    expect(asked[1]?.messages.at(-1)).toMatchObject({ text: expect.stringContaining("not one JSON object") });
    expect(asked[2]?.messages.at(-1)).toMatchObject({
      text: expect.stringContaining('"bye", and there is no such node'),
    });
  });

  it("is the best attempt if none is free of problems", async () => {
    const worse = { ...BROKEN, nodes: [...BROKEN.nodes, { id: "hm", type: "say", text: "" }] };
    const { model } = modelOf(JSON.stringify(worse), JSON.stringify(BROKEN), JSON.stringify(worse));
    expect((await draft(model)).nodes).toHaveLength(2);
  });

  it("is improved once by its warnings, also those about exits that calls would confuse", async () => {
    const unused = { ...GOOD, variables: ["first_name", "shoe_size"] };
    const { model, asked } = modelOf(JSON.stringify(unused), JSON.stringify(unused));
    const checkExits: ExitChecker = async (_, language) => [
      { param: "flow.nodes[1].exits", code: "indistinct_exits", message: `The exits are too alike in ${language}.` },
    ];
    expect((await draft(model, checkExits)).variables).toHaveLength(2);
    expect(asked).toHaveLength(2);
    const told = asked[1]?.messages.at(-1);
    expect(told).toMatchObject({ text: expect.stringContaining("shoe_size") });
    expect(told).toMatchObject({ text: expect.stringContaining("The exits are too alike in en-US.") });
  });

  it("is the one before if what the model improves gets worse, or the model fails", async () => {
    const unused = { ...GOOD, variables: ["first_name", "shoe_size"] };
    expect((await draft(modelOf(JSON.stringify(unused), JSON.stringify(BROKEN), "no idea").model)).nodes).toHaveLength(
      3,
    );
    const failure = new ProviderError("scripted", "it is down", { retryable: true });
    expect((await draft(modelOf(JSON.stringify(unused), failure).model)).nodes).toHaveLength(3);
    expect((await draft(modelOf(JSON.stringify(unused), JSON.stringify(GOOD)).model)).variables).toEqual([
      "first_name",
    ]);
  });

  it("is refused in plain words where the model writes none, or fails", async () => {
    await expect(draft(modelOf("a", "b", "c").model)).rejects.toMatchObject({ code: "unavailable" });
    const failure = new ProviderError("scripted", "it is down", { retryable: true });
    await expect(draft(modelOf(failure).model)).rejects.toThrow("did not answer. Try again.");
  });

  it("does not ask for another try where the model refuses the key", async () => {
    const refusal = new ProviderError("scripted", "401: sk-secret is not a key", { retryable: false });
    await expect(draft(modelOf(refusal).model)).rejects.toMatchObject({
      code: "unavailable",
      message: "The language model refused the request. Ask an operator to check its key and its name.",
      retryAfterSeconds: undefined,
    });
  });
});

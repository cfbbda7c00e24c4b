import type { LanguageModel, ModelPart, ModelRequest } from "@parley/voice/ports/language-model";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { describe, expect, test } from "vitest";
import type { ModelSettings } from "../../platform/config/model-settings.ts";
import { openLiveModel } from "./live-model.ts";

const settings = (...models: string[]): ModelSettings => ({
  choices: models.map((model) => ({ provider: "p", model, apiKey: null, baseUrl: null })),
  firstTokenTimeoutMs: 1000,
});
const request: ModelRequest = { instructions: "", messages: [], tools: [], signal: new AbortController().signal };

/** Models that say their name twice, the second time when released. */
function createModels() {
  const closed: string[] = [];
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
  async function open({ choices: [choice] }: ModelSettings) {
    if (!choice) return null;
    const name = choice.model;
    if (name === "broken") throw new Error("it cannot be opened");
    const model: LanguageModel = {
      name,
      async *reply(): AsyncGenerator<ModelPart> {
        yield { type: "text", text: name };
        await goesOn;
        yield { type: "text", text: name };
      },
    };
    return { model, close: () => void closed.push(name) };
  }
  return { open, closed, goOn };
}

async function textOf(model: LanguageModel | null): Promise<string[]> {
  if (!model) throw new Error("there is no model");
  const said: string[] = [];
  for await (const part of model.reply(request)) if (part.type === "text") said.push(part.text);
  return said;
}

describe("the model of a thread", () => {
  test("is none for conversations that begin while none is chosen, and there once one is", async () => {
    const { open, goOn } = createModels();
    goOn();
    const live = await openLiveModel(settings(), open);
    expect(live.current()).toBe(null);
    await live.change(settings("one"));
    expect(await textOf(live.current())).toEqual(["one", "one"]);
    live.close();
  });

  test("changes with the next reply, even in a live conversation; a pending reply ends with the old one", async () => {
    const { open, closed, goOn } = createModels();
    const live = await openLiveModel(settings("old"), open);
    const model = live.current();
    const underWay = model?.reply(request)[Symbol.asyncIterator]();
    expect(await underWay?.next()).toMatchObject({ value: { text: "old" } });
    await live.change(settings("new"));
    expect(closed).toEqual([]);
    goOn();
    expect(await textOf(model)).toEqual(["new", "new"]);
    expect(await underWay?.next()).toMatchObject({ value: { text: "old" } });
    expect(await underWay?.next()).toMatchObject({ done: true });
    expect(closed).toEqual(["old"]);
    live.close();
    expect(closed).toEqual(["old", "new"]);
  });

  test("says in its own kind of error that it was taken away in the middle of a call", async () => {
    const { open, closed } = createModels();
    const live = await openLiveModel(settings("old"), open);
    const model = live.current();
    await live.change(settings());
    expect(closed).toEqual(["old"]);
    expect(live.current()).toBe(null);
    await expect(textOf(model)).rejects.toBeInstanceOf(ProviderError);
    live.close();
  });

  test("stays the one it was when the next cannot be opened, and takes the one after that", async () => {
    const { open, goOn } = createModels();
    goOn();
    const live = await openLiveModel(settings("old"), open);
    const model = live.current();
    await expect(live.change(settings("broken"))).rejects.toThrow("cannot be opened");
    expect(await textOf(model)).toEqual(["old", "old"]);
    await live.change(settings("new"));
    expect(await textOf(model)).toEqual(["new", "new"]);
    live.close();
  });
});

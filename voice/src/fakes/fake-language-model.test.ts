import { expect, test } from "vitest";
import { describeLanguageModelConformance } from "../conformance/language-model-conformance.ts";
import { outcomeOf } from "../conformance/outcome-of.ts";
import { createFakeLanguageModel } from "./fake-language-model.ts";

describeLanguageModelConformance("the fake", async () => {
  const model = createFakeLanguageModel();
  return {
    model,
    plan: model.plan,
    requestsSeen: () => model.requests.length,
    allTakenUp: async () => {
      if (model.leftOver() > 0) throw new Error("planned replies were not requested");
    },
    nothingLeft: async () => {
      if (model.underWay() > 0) throw new Error(`${model.underWay()} replies are still under way`);
    },
    close: async () => undefined,
  };
});

const request = () => ({ instructions: "", messages: [], tools: [], signal: new AbortController().signal });

test("a reply that is held back arrives when it is released, and not before", async () => {
  const model = createFakeLanguageModel();
  model.plan({ type: "reply", texts: ["Hello."] });
  const letGo = model.holdBack();
  const order: string[] = [];
  const first = outcomeOf(
    model
      .reply(request())
      [Symbol.asyncIterator]()
      .next()
      .then(() => order.push("text")),
  );
  await new Promise((resolve) => setImmediate(resolve));
  order.push("let go");
  letGo();
  await first;
  expect(order).toEqual(["let go", "text"]);
});

test("an unplanned request fails, so that a test notices it", async () => {
  const model = createFakeLanguageModel();
  const asked = request();
  expect(await outcomeOf(model.reply(asked)[Symbol.asyncIterator]().next())).toMatchObject({ retryable: false });
  expect(model.requests).toEqual([asked]);
});

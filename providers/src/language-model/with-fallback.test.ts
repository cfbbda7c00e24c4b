import { getEventListeners } from "node:events";
import { createManualClock, type ManualClock } from "@parley/time/testing/manual-clock";
import { describeLanguageModelConformance } from "@parley/voice/conformance/language-model-conformance";
import type { PlannedReply } from "@parley/voice/conformance/language-model-rig";
import { outcomeOf } from "@parley/voice/conformance/outcome-of";
import type { LanguageModel, ModelPart, ModelRequest } from "@parley/voice/ports/language-model";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { beforeEach, describe, expect, it } from "vitest";
import { openModelServerRig } from "../testing/model-server-rig.ts";
import { createPlannedModel, type PlannedModel } from "../testing/planned-model.ts";
import { openVendorModel } from "../testing/vendor-models.ts";
import { withFallback } from "./with-fallback.ts";

const FIRST_MS = 2_000;
const TOTAL_MS = 10_000;

describeLanguageModelConformance("one model with a time limit", () =>
  openModelServerRig((url) => {
    const clock = createManualClock();
    const model = openVendorModel("anthropic", url);
    const options = { firstTokenTimeoutMs: FIRST_MS, totalTimeoutMs: TOTAL_MS, clock };
    return { model: withFallback([model], options), close: async () => expect(clock.pending()).toBe(0) };
  }),
);

describe("several models", () => {
  let clock: ManualClock;
  let controller: AbortController;
  let first: PlannedModel;
  let second: PlannedModel;
  let failures: ProviderError[];
  let model: LanguageModel;

  beforeEach(() => {
    clock = createManualClock();
    controller = new AbortController();
    first = createPlannedModel("a/first");
    second = createPlannedModel("b/second");
    failures = [];
    model = withFallback([first, second], {
      firstTokenTimeoutMs: FIRST_MS,
      totalTimeoutMs: TOTAL_MS,
      clock,
      onFailure: (failure) => failures.push(failure),
    });
  });

  const request = (wished?: string): ModelRequest => ({
    instructions: "",
    messages: [],
    tools: [],
    signal: controller.signal,
    ...(wished === undefined ? {} : { model: wished }),
  });
  const reply = (...texts: string[]): PlannedReply => ({ type: "reply", texts });

  async function hear(wished?: string) {
    const parts: ModelPart[] = [];
    const heard = outcomeOf(
      (async () => {
        for await (const part of model.reply(request(wished))) parts.push(part);
        return null;
      })(),
    );
    await settled();
    return {
      parts,
      heard,
      text: () => parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    };
  }

  function nothingLeft() {
    expect([first.underWay(), second.underWay(), clock.pending()]).toEqual([0, 0, 0]);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  }

  it("do not ask the second while the first answers", async () => {
    first.plan(reply("Hel", "lo."));
    const { heard, text } = await hear();
    expect([await heard, text(), second.asked()]).toEqual([null, "Hello.", 0]);
    nothingLeft();
  });

  it.each<PlannedReply>([{ type: "overloaded" }, { type: "rejected" }, { type: "cut", texts: [] }, reply()])(
    "let the second answer when the first fails before its first word: %j",
    async (plan) => {
      first.plan(plan);
      second.plan(reply("Hello."));
      const { heard, text } = await hear();
      expect([await heard, text()]).toEqual([null, "Hello."]);
      expect(failures).toMatchObject([{ provider: "a/first" }]);
      nothingLeft();
    },
  );

  it("ask the second beside a first that says nothing for a second, and stop the one that is slower", async () => {
    first.plan({ type: "silence" });
    second.plan(reply("Hello."));
    const { heard, text } = await hear();
    clock.pass(999);
    await settled();
    expect([first.underWay(), second.asked()]).toEqual([1, 0]);
    clock.pass(1);
    expect([await heard, text()]).toEqual([null, "Hello."]);
    expect(failures).toMatchObject([
      { provider: "a/first", retryable: true, message: expect.stringContaining("nothing after 1 s") },
    ]);
    nothingLeft();
  });

  it("use the first if it answers before the second, which has not failed", async () => {
    const slow = Promise.withResolvers<void>();
    const late: LanguageModel = { name: "a/first", reply: () => after(slow.promise, "Hello.") };
    second.plan({ type: "silence" }, reply("Two."));
    const asked: string[] = [];
    const lost: string[] = [];
    model = withFallback([late, second], {
      ...{ firstTokenTimeoutMs: FIRST_MS, totalTimeoutMs: TOTAL_MS, clock },
      onFailure: (failure) => failures.push(failure),
    });
    const parts: ModelPart[] = [];
    const observed = {
      ...request(),
      onAsked: (name: string) => asked.push(name),
      onLost: (name: string) => lost.push(name),
    };
    const heard = (async () => {
      for await (const part of model.reply(observed)) parts.push(part);
    })();
    await settled();
    clock.pass(1_000);
    await settled();
    expect([asked, second.underWay()]).toEqual([["a/first", "b/second"], 1]);
    slow.resolve();
    await heard;
    expect(parts.map((part) => (part.type === "text" ? part.text : "")).join("")).toBe("Hello.");
    expect([lost, failures, second.underWay(), clock.pending()]).toEqual([["b/second"], [], 0, 0]);
  });

  it("wait for a single model as long as it may take, and say so", async () => {
    model = withFallback([first], { firstTokenTimeoutMs: FIRST_MS, totalTimeoutMs: TOTAL_MS, clock });
    first.plan({ type: "silence" });
    const { heard } = await hear();
    clock.pass(FIRST_MS - 1);
    await settled();
    expect(first.underWay()).toBe(1);
    clock.pass(1);
    expect(await heard).toMatchObject({ retryable: true, message: expect.stringContaining("2 s") });
    nothingLeft();
  });

  it("do not wait for a first model that ignores cancellation", async () => {
    const deaf: LanguageModel = { name: "deaf", reply: () => neverEnding() };
    second.plan(reply("Hello."));
    model = withFallback([deaf, second], { firstTokenTimeoutMs: FIRST_MS, totalTimeoutMs: TOTAL_MS, clock });
    const { heard, text } = await hear();
    clock.pass(FIRST_MS);
    expect([await heard, text()]).toEqual([null, "Hello."]);
  });

  it("never say a sentence twice: the second goes on after the last whole word of a first that breaks off", async () => {
    first.plan({ type: "cut", texts: ["Your appointment", " is on Fri"] });
    second.plan(reply("Friday", " at ten."));
    const { heard, text } = await hear();
    expect([await heard, text()]).toEqual([null, "Your appointment is on Friday at ten."]);
    expect(second.lastRequest()?.instructions).toMatch(/without repeating any of them:\nYour appointment is on $/);
    expect(failures).toMatchObject([{ provider: "a/first" }]);
    nothingLeft();
  });

  it("let the second go on when the first stops within its reply for a second", async () => {
    first.plan({ type: "stall", texts: ["Your appointment is "] });
    second.plan(reply("on Friday."));
    const { heard, text } = await hear();
    clock.pass(999);
    await settled();
    expect(second.asked()).toBe(0);
    clock.pass(1);
    expect([await heard, text()]).toEqual([null, "Your appointment is on Friday."]);
    nothingLeft();
  });

  it("report the failure when the one that should go on fails too: what was said stands", async () => {
    first.plan({ type: "cut", texts: ["Your appointment "] });
    second.plan({ type: "overloaded" });
    const { heard, text } = await hear();
    expect(await heard).toMatchObject({ name: "ProviderError", provider: "b/second" });
    expect(text()).toBe("Your appointment ");
    nothingLeft();
  });

  it("do not interrupt a call that takes long to write, and ask no other after one", async () => {
    const cut = Promise.withResolvers<void>();
    const calling: LanguageModel = { name: "a/first", reply: () => callAndFail(cut.promise) };
    model = withFallback([calling, second], { firstTokenTimeoutMs: FIRST_MS, totalTimeoutMs: TOTAL_MS, clock });
    const { heard, parts } = await hear();
    clock.pass(5_000);
    await settled();
    expect(second.asked()).toBe(0);
    cut.resolve();
    expect(await heard).toMatchObject({ provider: "a/first" });
    expect([parts.map(({ type }) => type), second.asked()]).toEqual([["text", "tool_call_started", "tool_call"], 0]);
  });

  it("distinguish the time limit to the first word from the one for the whole reply", async () => {
    model = withFallback([first], { firstTokenTimeoutMs: FIRST_MS, totalTimeoutMs: TOTAL_MS, clock });
    first.plan({ type: "stall", texts: ["Well, "] });
    const { heard, text } = await hear();
    clock.pass(TOTAL_MS - 1);
    await settled();
    expect([text(), first.underWay()]).toEqual(["Well, ", 1]);
    clock.pass(1);
    expect(await heard).toMatchObject({
      name: "ProviderError",
      retryable: true,
      message: expect.stringContaining("10 s"),
    });
    nothingLeft();
  });

  it("report the last failure when none of them answers", async () => {
    first.plan({ type: "silence" });
    second.plan({ type: "overloaded" });
    const { heard } = await hear();
    clock.pass(FIRST_MS);
    expect(await heard).toMatchObject({ name: "ProviderError", provider: "b/second" });
    expect(failures.map(({ provider }) => provider)).toEqual(["a/first", "b/second"]);
    nothingLeft();
  });

  it("are all aborted when the callee interrupts, and no other is asked then", async () => {
    first.plan({ type: "silence" });
    const { heard } = await hear();
    const reason = new Error("cut in");
    controller.abort(reason);
    expect(await heard).toBe(reason);
    expect([second.asked(), failures]).toEqual([0, []]);
    nothingLeft();
  });

  it("leave nothing behind when the listener leaves", async () => {
    first.plan({ type: "stall", texts: ["Well, "] });
    for await (const part of model.reply(request())) {
      expect(part).toEqual({ type: "text", text: "Well, " });
      break;
    }
    await settled();
    nothingLeft();
  });

  it("pass on a call once, and may change models while one is only announced", async () => {
    const announcing: LanguageModel = { name: "a/first", reply: () => announceAndFail() };
    second.plan({ type: "reply", texts: [], calls: [{ id: "c", tool: "look", input: {} }] });
    model = withFallback([announcing, second], { firstTokenTimeoutMs: FIRST_MS, totalTimeoutMs: TOTAL_MS, clock });
    const { heard, parts } = await hear();
    expect(await heard).toBeNull();
    expect(parts.map(({ type }) => type)).toEqual(["tool_call_started", "tool_call", "finished"]);
  });

  it("ask the one that failed last for some time, and in the usual order afterwards", async () => {
    first.plan({ type: "overloaded" });
    second.plan(reply("One."), reply("Two."));
    await (await hear()).heard;
    await (await hear()).heard;
    expect([first.asked(), second.asked()]).toEqual([1, 2]);
    clock.pass(30_000);
    first.plan(reply("Three."));
    const third = await hear();
    expect([await third.heard, third.text()]).toEqual([null, "Three."]);
  });

  it("ask the resting one when no other answers", async () => {
    first.plan({ type: "overloaded" }, reply("I am back."));
    second.plan(reply("One."), { type: "overloaded" });
    await (await hear()).heard;
    const again = await hear();
    expect([await again.heard, again.text()]).toEqual([null, "I am back."]);
  });

  it("do not ask a vendor for as long as it requests, within reason", async () => {
    const busy = (retryAfterMs: number) => new ProviderError("a/first", "busy", { retryable: true, retryAfterMs });
    first.fail(busy(60_000));
    second.plan(reply("One."), reply("Two."), reply("Four."));
    await (await hear()).heard;
    clock.pass(59_999);
    await (await hear()).heard;
    expect(first.asked()).toBe(1);
    clock.pass(1);
    first.fail(busy(24 * 3_600_000));
    await (await hear()).heard;
    expect(first.asked()).toBe(2);
    clock.pass(5 * 60_000);
    first.plan(reply("Five."));
    expect((await hear()).text()).toBe("Five.");
  });

  it("use the requested one, even if it is a fallback, and the first if none is requested", async () => {
    first.plan(reply("First."));
    second.plan(reply("Second."));
    expect((await hear("b/second")).text()).toBe("Second.");
    expect((await hear()).text()).toBe("First.");
    expect([first.asked(), second.asked()]).toEqual([1, 1]);
    nothingLeft();
  });

  it("use the others when the requested one fails, and while it rests", async () => {
    second.plan({ type: "overloaded" });
    first.plan(reply("One."), reply("Two."));
    expect((await hear("b/second")).text()).toBe("One.");
    expect((await hear("b/second")).text()).toBe("Two.");
    expect([second.asked(), failures.length]).toEqual([1, 1]);
    clock.pass(30_000);
    second.plan(reply("I am back."));
    expect((await hear("b/second")).text()).toBe("I am back.");
  });

  it("use the first if the requested one is not among them", async () => {
    first.plan(reply("First."));
    const { heard, text } = await hear("c/gone");
    expect([await heard, text(), second.asked(), failures]).toEqual([null, "First.", 0, []]);
  });

  it("ask the first again immediately when only the one request was wrong", async () => {
    first.plan({ type: "rejected" }, reply("Fine."));
    second.plan(reply("One."));
    await (await hear()).heard;
    expect((await hear()).text()).toBe("Fine.");
  });
});

it("require at least one model", () => {
  const options = { firstTokenTimeoutMs: 1, totalTimeoutMs: 1, clock: createManualClock() };
  expect(() => withFallback([], options)).toThrow("at least one");
});

/** Promise callbacks that are ready run within one turn of the loop, however long their chain is. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

async function* neverEnding(): AsyncGenerator<ModelPart> {
  await new Promise<never>(() => undefined);
  yield { type: "text", text: "never" };
}

async function* announceAndFail(): AsyncGenerator<ModelPart> {
  yield { type: "tool_call_started", tool: "look" };
  throw new ProviderError("a/first", "cut", { retryable: true });
}

async function* after(moment: Promise<void>, text: string): AsyncGenerator<ModelPart> {
  await moment;
  yield { type: "text", text };
  yield { type: "finished", inputTokens: 1, outputTokens: 1 };
}

async function* callAndFail(moment: Promise<void>): AsyncGenerator<ModelPart> {
  yield { type: "text", text: "Let me see. " };
  yield { type: "tool_call_started", tool: "look" };
  await moment;
  yield { type: "tool_call", callId: "c", tool: "look", input: {} };
  throw new ProviderError("a/first", "cut", { retryable: true });
}

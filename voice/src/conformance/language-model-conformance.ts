import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelMessage, ModelPart, ModelRequest } from "../ports/language-model.ts";
import { ProviderError } from "../ports/provider-error.ts";
import type { LanguageModelRig } from "./language-model-rig.ts";
import { outcomeOf, soon } from "./outcome-of.ts";

const TOOL = { name: "find_slot", description: "Finds a free time.", inputSchema: { type: "object", properties: {} } };
const CALL = { id: "call_1", tool: TOOL.name, input: { day: "Thursday", from: 9, note: "äöü “quoted” \\ \n" } };
const HELLO: ModelMessage = { role: "callee", text: "Hello, who is this?" };

/** What a conversation relies on with every model. Every language model registers this suite in its tests. */
export function describeLanguageModelConformance(name: string, openRig: () => Promise<LanguageModelRig>): void {
  describe(`${name} behaves as a language model`, { timeout: 60_000 }, () => {
    let rig: LanguageModelRig;
    let controller: AbortController;

    beforeEach(async () => {
      rig = await openRig();
      controller = new AbortController();
    });

    afterEach(async () => {
      try {
        await soon(rig.nothingLeft(), "letting go of every request");
        expect(getEventListeners(controller.signal, "abort"), "listeners left on the signal").toHaveLength(0);
      } finally {
        await soon(rig.close(), "closing");
      }
    }, 60_000);

    function requestOf(wanted: Partial<ModelRequest> = {}): ModelRequest {
      const { signal } = controller;
      return { instructions: "Be brief.", messages: [HELLO], tools: [TOOL], signal, ...wanted };
    }

    function ask(wanted: Partial<ModelRequest> = {}): AsyncIterator<ModelPart> {
      return rig.model.reply(requestOf(wanted))[Symbol.asyncIterator]();
    }

    /** Everything that was received, and the error that ended it, if any. */
    async function hear(wanted: Partial<ModelRequest> = {}) {
      const parts: ModelPart[] = [];
      const failure = await outcomeOf(
        (async () => {
          for await (const part of rig.model.reply(requestOf(wanted))) parts.push(part);
          return null;
        })(),
      );
      return { parts, text: textOf(parts), calls: parts.filter(({ type }) => type === "tool_call"), failure };
    }

    async function worksAgain(): Promise<void> {
      rig.plan({ type: "reply", texts: ["Still here."] });
      expect(await hear({ signal: new AbortController().signal })).toMatchObject({
        text: "Still here.",
        failure: null,
      });
    }

    it("streams its reply in order, and then reports once that it is finished", async () => {
      const texts = ["Good ", "morning", ", this is ", "Parley. ", "¿Qué tal? 🎉"];
      rig.plan({ type: "reply", texts });
      const { parts, text, failure } = await hear();
      expect(failure).toBeNull();
      expect(text).toBe(texts.join(""));
      expect(parts.map(({ type }) => type).filter((type) => type !== "text")).toEqual(["finished"]);
      const last = parts.at(-1);
      if (last?.type !== "finished") throw new Error("it did not finish");
      for (const tokens of [last.inputTokens, last.outputTokens]) {
        expect(tokens === null || (Number.isInteger(tokens) && tokens >= 0)).toBe(true);
      }
    });

    it("allows the first words to be spoken while the rest is not written yet", async () => {
      rig.plan({ type: "stall", texts: ["One moment. "] });
      const reply = ask();
      expect(await outcomeOf(reply.next())).toEqual({ done: false, value: { type: "text", text: "One moment. " } });
      controller.abort(new Error("that is enough"));
      expect(await outcomeOf(reply.next())).toMatchObject({ message: "that is enough" });
    });

    it("calls a tool with its whole input", async () => {
      rig.plan({ type: "reply", texts: [], calls: [CALL] });
      const { calls, text, parts, failure } = await hear();
      expect(failure).toBeNull();
      expect(text).toBe("");
      expect(calls).toEqual([
        expect.objectContaining({ callId: expect.any(String), tool: CALL.tool, input: CALL.input }),
      ]);
      expect(parts.at(-1)?.type).toBe("finished");
    });

    it("may speak and call several tools in one reply, each call with an id of its own", async () => {
      rig.plan({ type: "reply", texts: ["Let me look."], calls: [CALL, { ...CALL, id: "call_2", input: {} }] });
      const { calls, text } = await hear();
      expect(text).toBe("Let me look.");
      expect(calls.map((call) => call.type === "tool_call" && call.input)).toEqual([CALL.input, {}]);
      expect(new Set(calls.map((call) => call.type === "tool_call" && call.callId)).size).toBe(2);
    });

    it("assigns a call an id that no earlier call of the conversation has", async () => {
      const earlier: ModelMessage[] = [
        HELLO,
        { role: "tool_call", callId: CALL.id, tool: CALL.tool, input: {} },
        { role: "tool_result", callId: CALL.id, tool: CALL.tool, output: "nothing free" },
      ];
      rig.plan({ type: "reply", texts: [], calls: [CALL] });
      const { calls } = await hear({ messages: earlier });
      expect(calls).toHaveLength(1);
      expect(calls).not.toEqual([expect.objectContaining({ callId: CALL.id })]);
    });

    it.each<[string, ModelMessage[]]>([
      ["nothing said yet", []],
      ["the agent having spoken first", [{ role: "agent", text: "Hello, this is Parley." }, HELLO]],
      ["the agent having spoken last", [HELLO, { role: "agent", text: "Are you there?" }]],
      ["a reply of which nothing was heard", [HELLO, { role: "agent", text: "" }, { role: "callee", text: "Hello?" }]],
      ["a tool that is still at work", [HELLO, { role: "tool_call", callId: "a", tool: CALL.tool, input: {} }, HELLO]],
      [
        "a result that came after more was said",
        [
          { role: "tool_call", callId: "a", tool: CALL.tool, input: {} },
          HELLO,
          { role: "tool_result", callId: "a", tool: CALL.tool, output: { free: ["10:00", null, 3] } },
        ],
      ],
    ])("goes on from %s", async (_what, messages) => {
      rig.plan({ type: "reply", texts: ["I am here."] });
      expect(await hear({ messages })).toMatchObject({ text: "I am here.", failure: null });
    });

    it("answers without instructions and without tools", async () => {
      rig.plan({ type: "reply", texts: ["Yes?"] });
      expect(await hear({ instructions: "", tools: [], temperature: 0.3, outputTokensMax: 100 })).toMatchObject({
        text: "Yes?",
        failure: null,
      });
    });

    it("sends no request for a listener who has already left", async () => {
      const reason = new Error("hung up");
      expect(await outcomeOf(ask({ signal: AbortSignal.abort(reason) }).next())).toBe(reason);
      expect(rig.requestsSeen()).toBe(0);
    });

    it("stops when the callee interrupts before the first word, and answers again afterwards", async () => {
      rig.plan({ type: "silence" });
      const reason = new Error("cut in");
      const first = outcomeOf(ask().next());
      await soon(rig.allTakenUp(), "asking");
      controller.abort(reason);
      expect(await first).toBe(reason);
      await soon(rig.nothingLeft(), "the request");
      await worksAgain();
    });

    it("stops when the callee interrupts at the moment of asking", async () => {
      const reason = new Error("cut in");
      const first = outcomeOf(ask().next());
      controller.abort(reason);
      expect(await first).toBe(reason);
    });

    it("stops when the callee interrupts after the first words, and answers again afterwards", async () => {
      rig.plan({ type: "stall", texts: ["Well, "] });
      const reason = new Error("cut in");
      const reply = ask();
      expect(await outcomeOf(reply.next())).toMatchObject({ done: false });
      const next = outcomeOf(reply.next());
      controller.abort(reason);
      expect(await next).toBe(reason);
      expect(await outcomeOf(reply.next())).toMatchObject({ done: true });
      await soon(rig.nothingLeft(), "the request");
      await worksAgain();
    });

    it("returns nothing more of what was ready once the callee has interrupted", async () => {
      rig.plan({ type: "reply", texts: ["One, ", "two, ", "three, ", "four."] });
      const reason = new Error("cut in");
      const reply = ask();
      expect(await outcomeOf(reply.next())).toMatchObject({ done: false });
      controller.abort(reason);
      expect(await outcomeOf(reply.next())).toBe(reason);
    });

    it("is not affected by a listener who leaves in the middle", async () => {
      rig.plan({ type: "stall", texts: ["Well, "] });
      for await (const part of rig.model.reply(requestOf())) {
        expect(part).toMatchObject({ type: "text" });
        break;
      }
      await soon(rig.nothingLeft(), "the request");
      await worksAgain();
    });

    it("reports an overloaded vendor as a temporary failure", async () => {
      rig.plan({ type: "overloaded" });
      const { parts, failure } = await hear();
      expect(parts).toEqual([]);
      expect(failure).toBeInstanceOf(ProviderError);
      expect(failure).toMatchObject({ retryable: true, provider: rig.model.name });
      await worksAgain();
    });

    it("reports a request that the vendor will never answer as a permanent failure", async () => {
      rig.plan({ type: "rejected" });
      const { parts, failure } = await hear();
      expect(parts).toEqual([]);
      expect(failure).toBeInstanceOf(ProviderError);
      expect(failure).toMatchObject({ retryable: false, provider: rig.model.name });
    });

    it("reports a reply that ends in the middle, and never considers it complete", async () => {
      rig.plan({ type: "cut", texts: ["Your appointment is ", "on "] });
      const { parts, text, failure } = await hear();
      expect("Your appointment is on ".startsWith(text)).toBe(true);
      expect(parts.every(({ type }) => type === "text")).toBe(true);
      expect(failure).toMatchObject({ name: "ProviderError", retryable: true, provider: rig.model.name });
      await worksAgain();
    });

    it("runs no tool on half a reply", async () => {
      rig.plan({ type: "cut", texts: ["Let me look."], calls: [CALL] });
      const { calls, failure } = await hear();
      expect(calls).toEqual([]);
      expect(failure).toMatchObject({ name: "ProviderError", retryable: true });
    });

    it("treats a reply without words and calls as a failure", async () => {
      rig.plan({ type: "reply", texts: [] });
      const { parts, failure } = await hear();
      expect(parts).toEqual([]);
      expect(failure).toMatchObject({ name: "ProviderError", retryable: true, provider: rig.model.name });
    });

    it("keeps two conversations apart, even when one of them is aborted", async () => {
      rig.plan({ type: "stall", texts: ["First. "] });
      const reason = new Error("hung up");
      const other = ask();
      expect(await outcomeOf(other.next())).toMatchObject({ value: { type: "text", text: "First. " } });
      rig.plan({ type: "reply", texts: ["Sec", "ond."] });
      const second = hear({ signal: new AbortController().signal });
      controller.abort(reason);
      expect(await second).toMatchObject({ text: "Second.", failure: null });
      expect(await outcomeOf(other.next())).toBe(reason);
    });
  });
}

function textOf(parts: readonly ModelPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

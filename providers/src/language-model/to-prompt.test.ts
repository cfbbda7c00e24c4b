import type { ModelMessage } from "@parley/voice/ports/language-model";
import { describe, expect, it } from "vitest";
import { CALLEE_ANSWERED, CALLEE_SILENT, STILL_RUNNING, toPrompt } from "./to-prompt.ts";

const callee = (text: string): ModelMessage => ({ role: "callee", text });
const agent = (text: string): ModelMessage => ({ role: "agent", text });
const call = (callId: string): ModelMessage => ({ role: "tool_call", callId, tool: "look", input: { id: callId } });
const result = (callId: string, output: unknown = "found"): ModelMessage => ({
  role: "tool_result",
  callId,
  tool: "look",
  output,
});

/** The prompt as lines: who, and what. */
function linesOf(messages: readonly ModelMessage[], instructions = ""): string[] {
  const { signal } = new AbortController();
  return toPrompt({ instructions, messages, tools: [], signal }, { provider: "us" }).map(({ role, content }) => {
    if (typeof content === "string") return `${role}: ${content}`;
    const parts = content.map((part) => {
      if (part.type === "text") return part.text;
      if (part.type === "tool-call") return `call ${part.toolCallId}`;
      if (part.type !== "tool-result") return part.type;
      return `${part.toolCallId}=${"value" in part.output ? JSON.stringify(part.output.value) : "?"}`;
    });
    return `${role}: ${parts.join(" | ")}`;
  });
}

describe("a conversation as vendors expect it", () => {
  it("begins with the instructions, and leaves them out when there are none", () => {
    expect(linesOf([callee("Hi.")], "Be kind.")).toEqual(["system: Be kind.", "user: Hi."]);
    expect(linesOf([callee("Hi.")], "  ")).toEqual(["user: Hi."]);
  });

  it("has the callee's words first and last, and both parties alternating", () => {
    expect(linesOf([])).toEqual([`user: ${CALLEE_ANSWERED}`]);
    expect(
      linesOf([agent("Hello, this is Parley. "), agent("How are you?"), callee("Fine."), callee("And you?")]),
    ).toEqual([`user: ${CALLEE_ANSWERED}`, "assistant: Hello, this is Parley. How are you?", "user: Fine. And you?"]);
    expect(linesOf([callee("Hi."), agent("Are you there?")]).at(-1)).toBe(`user: ${CALLEE_SILENT}`);
  });

  it("does not mention replies of which nothing was heard", () => {
    expect(linesOf([callee("Wait."), agent(""), agent(" "), callee("Go on.")])).toEqual(["user: Wait. Go on."]);
  });

  it("groups the calls of one reply, with what was said before them", () => {
    expect(
      linesOf([
        callee("When?"),
        agent("Let me see."),
        call("a"),
        call("b"),
        result("a"),
        result("b"),
        agent("At ten."),
      ]),
    ).toEqual([
      "user: When?",
      "assistant: Let me see. | call a | call b",
      'tool: a="found" | b="found"',
      "assistant: At ten.",
      `user: ${CALLEE_SILENT}`,
    ]);
  });

  it("separates the calls of successive replies", () => {
    expect(linesOf([callee("When?"), call("a"), result("a"), call("b"), result("b", { at: [10] })])).toEqual([
      "user: When?",
      "assistant: call a",
      'tool: a="found"',
      "assistant: call b",
      'tool: b={"at":[10]}',
    ]);
  });

  it("puts a late result directly after its call", () => {
    expect(
      linesOf([callee("When?"), call("a"), callee("Hello?"), agent("One moment."), result("a"), callee("Yes?")]),
    ).toEqual([
      "user: When?",
      "assistant: call a",
      'tool: a="found"',
      "user: Hello?",
      "assistant: One moment.",
      "user: Yes?",
    ]);
  });

  it("shows a tool without a result as still running", () => {
    expect(linesOf([callee("When?"), call("a"), call("b"), result("b", null), callee("Hello?")])).toEqual([
      "user: When?",
      "assistant: call a | call b",
      `tool: a=${JSON.stringify(STILL_RUNNING)} | b=null`,
      "user: Hello?",
    ]);
  });

  it("leaves out a result whose call is no longer in the history", () => {
    expect(linesOf([result("gone"), callee("Hi.")])).toEqual(["user: Hi."]);
  });

  it("returns a vendor its own state of a call, and no other vendor's", () => {
    const { signal } = new AbortController();
    const optionsFor = (provider: string) => {
      const vendorState = { provider: "us", value: { us: { signature: "s" } } };
      const messages: ModelMessage[] = [{ role: "tool_call", callId: "a", tool: "look", input: {}, vendorState }];
      const prompt = toPrompt({ instructions: "", messages, tools: [], signal }, { provider });
      const assistant = prompt.find(({ role }) => role === "assistant");
      return assistant?.role === "assistant" ? assistant.content[0]?.providerOptions : "none";
    };
    expect(optionsFor("us")).toEqual({ us: { signature: "s" } });
    expect(optionsFor("them")).toBeUndefined();
  });

  it("does not change its input", () => {
    const messages = [callee("One."), callee("Two."), agent("Three."), call("a")];
    const before = structuredClone(messages);
    linesOf(messages, "Be kind.");
    expect(messages).toEqual(before);
  });
});

import type { ModelMessage, ModelRequest } from "@parley/voice/ports/language-model";
import type { SdkOptions, SdkPrompt } from "./sdk-model.ts";

type AssistantPart = Extract<SdkPrompt[number], { role: "assistant" }>["content"][number];
type ToolCall = Extract<ModelMessage, { role: "tool_call" }>;
type ToolResult = Extract<ModelMessage, { role: "tool_result" }>;

/** Placeholders for the callee's turn where vendors require one: at the beginning and at the end. */
export const CALLEE_ANSWERED = "(The callee has answered the phone.)";
export const CALLEE_SILENT = "(The callee says nothing.)";
/** The result of a tool that is still running when the conversation continues. */
export const STILL_RUNNING = "(The tool is still running.)";

export interface PromptStyle {
  /** The vendor whose state of earlier tool calls is returned. */
  readonly provider: string;
  /** Sent with the instructions, such as a request to cache them. */
  readonly instructionOptions?: SdkOptions;
}

/**
 * Converts a conversation to the form that every vendor accepts: callee and agent alternating, the callee first and
 * last, and each tool result directly after its call, whenever it arrived.
 */
export function toPrompt({ instructions, messages }: ModelRequest, style: PromptStyle): SdkPrompt {
  const prompt: SdkPrompt = [];
  const results = new Map(messages.filter((message) => message.role === "tool_result").map((one) => [one.callId, one]));
  let unanswered: ToolCall[] = [];

  function giveResults(): void {
    if (unanswered.length === 0) return;
    prompt.push({ role: "tool", content: unanswered.map((call) => toResult(call, results.get(call.callId))) });
    unanswered = [];
  }

  for (const message of messages) {
    if (message.role === "tool_call") {
      addAgentPart(prompt, toCall(message, style));
      unanswered.push(message);
      continue;
    }
    giveResults();
    if (message.role === "tool_result" || message.text.trim() === "") continue;
    if (message.role === "callee") addCalleeText(prompt, message.text);
    else addAgentPart(prompt, { type: "text", text: message.text.trim() });
  }
  giveResults();
  if (prompt[0]?.role !== "user") prompt.unshift(calleeSaying(CALLEE_ANSWERED));
  if (prompt.at(-1)?.role === "assistant") prompt.push(calleeSaying(CALLEE_SILENT));
  return instructions.trim() === "" ? prompt : [toInstructions(instructions, style), ...prompt];
}

function toInstructions(content: string, { instructionOptions }: PromptStyle): SdkPrompt[number] {
  return { role: "system", content, ...(instructionOptions ? { providerOptions: instructionOptions } : {}) };
}

function calleeSaying(text: string): SdkPrompt[number] {
  return { role: "user", content: [{ type: "text", text }] };
}

/** Each message stays a single text: small servers accept nothing else. */
function addCalleeText(prompt: SdkPrompt, text: string): void {
  const last = prompt.at(-1);
  const before = last?.role === "user" ? last.content[0] : undefined;
  if (before?.type === "text") before.text = `${before.text} ${text.trim()}`;
  else prompt.push(calleeSaying(text.trim()));
}

function addAgentPart(prompt: SdkPrompt, part: AssistantPart): void {
  const last = prompt.at(-1);
  if (last?.role !== "assistant") {
    prompt.push({ role: "assistant", content: [part] });
    return;
  }
  const before = last.content.at(-1);
  if (before?.type === "text" && part.type === "text") before.text = `${before.text} ${part.text}`;
  else last.content.push(part);
}

function toCall({ callId, tool, input, vendorState }: ToolCall, { provider }: PromptStyle): AssistantPart {
  const isOurs = vendorState?.provider === provider;
  return {
    type: "tool-call",
    toolCallId: callId,
    toolName: tool,
    input,
    ...(isOurs ? { providerOptions: vendorState.value as SdkOptions } : {}),
  };
}

function toResult({ callId, tool }: ToolCall, result: ToolResult | undefined) {
  return {
    type: "tool-result" as const,
    toolCallId: callId,
    toolName: tool,
    output: result ? toOutput(result.output) : { type: "text" as const, value: STILL_RUNNING },
  };
}

function toOutput(output: unknown) {
  if (typeof output === "string") return { type: "text" as const, value: output };
  // Outputs come from JSON replies, or are created here from plain values.
  return { type: "json" as const, value: (output ?? null) as never };
}

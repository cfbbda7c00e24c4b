import { type Clock, systemClock } from "@parley/time/clock";
import type { LanguageModel, ModelRequest, ModelTool } from "@parley/voice/ports/language-model";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { ModelChoice } from "../../platform/config/model-settings.ts";
import { nameOfModel } from "../../platform/config/model-settings.ts";
import { openLanguageModel } from "./open-language-model.ts";

/** The result of two small test requests to a model. */
export interface ModelTrial {
  readonly name: string;
  /** From asking to the first word; null when none came. */
  readonly firstWordMs: number | null;
  /** Null when it was not tried, because not even words came. */
  readonly callsTools: boolean | null;
  readonly failure: string | null;
}

/** Far more than a callee waits: a model that is only loaded now should still be seen to work. */
const PATIENCE_MS = 60_000;

export const NO_TOOLS = "It did not call a tool when asked to; agents with tools need another model.";

const TOOL: ModelTool = {
  name: "note_day",
  description: "Notes the day on which the caller wants to come.",
  inputSchema: {
    type: "object",
    properties: { day: { type: "string" } },
    required: ["day"],
    additionalProperties: false,
  },
};

/** Asks a model for a sentence and for a tool call, as a conversation would. */
export async function tryModel(
  choice: ModelChoice,
  signal: AbortSignal,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Promise<ModelTrial> {
  const name = nameOfModel(choice);
  const opened = await openLanguageModel({ choices: [choice], firstTokenTimeoutMs: PATIENCE_MS }, { clock });
  if (!opened) throw new Error("a model that was chosen is not there");
  let firstWordMs: number | null = null;
  try {
    firstWordMs = await timeFirstWord(opened.model, clock, signal);
    return { name, firstWordMs, callsTools: await callsTool(opened.model, signal), failure: null };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProviderError)) throw error;
    return { name, firstWordMs, callsTools: null, failure: error.message };
  } finally {
    opened.close();
  }
}

async function timeFirstWord(model: LanguageModel, clock: Clock, signal: AbortSignal): Promise<number | null> {
  const askedMs = clock.now();
  let firstWordMs: number | null = null;
  const request: ModelRequest = {
    instructions: "You answer the phone of a doctor's practice. Reply with one short sentence.",
    messages: [{ role: "callee", text: "Hello, are you open on Thursday?" }],
    tools: [],
    signal,
  };
  for await (const part of model.reply(request)) {
    if (part.type === "text") firstWordMs ??= clock.now() - askedMs;
  }
  return firstWordMs;
}

async function callsTool(model: LanguageModel, signal: AbortSignal): Promise<boolean> {
  const request: ModelRequest = {
    instructions: "When the caller names a day, call the tool note_day with it before you say anything.",
    messages: [{ role: "callee", text: "I would like to come on Thursday." }],
    tools: [TOOL],
    signal,
  };
  let hasCalled = false;
  for await (const part of model.reply(request)) hasCalled ||= part.type === "tool_call" && part.tool === TOOL.name;
  return hasCalled;
}

import type { ModelPart } from "@parley/voice/ports/language-model";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { SdkPart } from "./sdk-model.ts";
import { unlessAborted } from "./unless-aborted.ts";

type SdkToolCall = Extract<SdkPart, { type: "tool-call" }>;
type SdkFinish = Extract<SdkPart, { type: "finish" }>;

export interface PartReading {
  /** The name of the model. */
  readonly name: string;
  /** The vendor under whose name a call's state is kept, or null when it needs none of it back. */
  readonly stateOf: string | null;
  readonly hidesThoughts: boolean;
  /** The ids of earlier calls of the conversation. */
  readonly usedCallIds: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** Reads a reply as it streams. Ends with `finished`, or throws the error; the stream may contain more. */
export async function* readParts(
  reader: ReadableStreamDefaultReader<SdkPart>,
  reading: PartReading,
): AsyncGenerator<ModelPart, void, undefined> {
  const thoughts = createThoughtFilter();
  const calls: SdkToolCall[] = [];
  let hasText = false;
  for (;;) {
    reading.signal.throwIfAborted();
    const { done, value: part } = await unlessAborted(reader.read(), reading.signal);
    if (done) throw failure(reading, `${reading.name} ended its reply in the middle.`);
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta") {
      const text = reading.hidesThoughts ? thoughts.pass(part.delta) : part.delta;
      hasText ||= text.trim() !== "";
      if (text !== "") yield { type: "text", text };
    }
    if (part.type === "tool-input-start") yield { type: "tool_call_started", tool: part.toolName };
    if (part.type === "tool-call") calls.push(part);
    if (part.type !== "finish") continue;
    const held = thoughts.end();
    hasText ||= held.trim() !== "";
    if (held !== "") yield { type: "text", text: held };
    checkEnd(part, hasText || calls.length > 0, reading);
    yield* toCalls(calls, reading);
    yield toFinished(part);
    return;
  }
}

function checkEnd({ finishReason }: SdkFinish, saysAnything: boolean, reading: PartReading): void {
  const { unified } = finishReason;
  if (unified === "interrupted" || unified === "error") {
    throw failure(reading, `${reading.name} ended its reply in the middle.`);
  }
  if (saysAnything) return;
  if (unified === "content-filter") {
    throw new ProviderError(reading.name, `${reading.name} refused to answer.`, { retryable: false });
  }
  throw failure(reading, `${reading.name} gave an empty reply.`);
}

function* toCalls(calls: readonly SdkToolCall[], reading: PartReading): Generator<ModelPart> {
  const used = new Set(reading.usedCallIds);
  for (const call of calls) {
    const callId = unusedId(call.toolCallId, used);
    used.add(callId);
    const hasState = reading.stateOf !== null && call.providerMetadata !== undefined;
    yield {
      type: "tool_call",
      callId,
      tool: call.toolName,
      input: readInput(call, reading),
      ...(hasState ? { vendorState: { provider: reading.stateOf, value: call.providerMetadata } } : {}),
    };
  }
}

/** Some servers restart their numbering with each reply. */
function unusedId(id: string, used: ReadonlySet<string>): string {
  if (!used.has(id)) return id;
  let count = 2;
  while (used.has(`${id}_${count}`)) count += 1;
  return `${id}_${count}`;
}

function readInput({ input, toolName }: SdkToolCall, reading: PartReading): object {
  // A tool without parameters is often called with no input at all.
  const text = input.trim() === "" ? "{}" : input;
  try {
    const value: unknown = JSON.parse(text);
    if (value instanceof Object && !Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw failure(reading, `${reading.name} called ${toolName} with an input that is no JSON object.`);
}

function toFinished({ usage, finishReason }: SdkFinish): ModelPart {
  const wasCut = finishReason.unified === "length" || finishReason.unified === "content-filter";
  return {
    type: "finished",
    inputTokens: usage.inputTokens.total ?? null,
    outputTokens: usage.outputTokens.total ?? null,
    ...(wasCut ? { wasCut } : {}),
  };
}

function failure({ name }: PartReading, message: string): ProviderError {
  return new ProviderError(name, message, { retryable: true });
}

/** Removes the thoughts that some models write before a reply. */
export interface ThoughtFilter {
  /** The part of this piece to be said. */
  pass(piece: string): string;
  /** What was held back in doubt, once the reply is over. */
  end(): string;
}

const OPENING = "<think>";
const CLOSING = "</think>";

/**
 * Self-hosted models may write their thoughts into the text, between `<think>` and `</think>` at its very beginning.
 * They must not be spoken.
 */
export function createThoughtFilter(): ThoughtFilter {
  let place: "beginning" | "thoughts" | "reply" = "beginning";
  let held = "";
  return {
    pass(piece) {
      if (place === "reply") return piece;
      held += piece;
      if (place === "beginning") {
        const begun = held.trimStart();
        if (begun.length < OPENING.length && OPENING.startsWith(begun)) return "";
        if (!begun.startsWith(OPENING)) return letGo();
        place = "thoughts";
      }
      const end = held.indexOf(CLOSING);
      if (end < 0) {
        // Only a possible beginning of the closing tag is needed again.
        held = held.slice(-CLOSING.length);
        return "";
      }
      held = held.slice(end + CLOSING.length).trimStart();
      if (held === "") {
        place = "beginning";
        return "";
      }
      return letGo();
    },
    end: () => (place === "beginning" ? letGo() : ""),
  };

  function letGo(): string {
    place = "reply";
    const text = held;
    held = "";
    return text;
  }
}

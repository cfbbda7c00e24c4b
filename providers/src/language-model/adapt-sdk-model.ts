import type { Clock } from "@parley/time/clock";
import type { LanguageModel, ModelPart, ModelRequest } from "@parley/voice/ports/language-model";
import { explainFailure } from "./explain-failure.ts";
import { readParts } from "./read-parts.ts";
import type { SdkCall, SdkModel, SdkOptions, SdkPart } from "./sdk-model.ts";
import { toPrompt } from "./to-prompt.ts";
import { unlessAborted } from "./unless-aborted.ts";

export interface SdkModelOptions {
  /** The vendor's name in the registry. */
  readonly provider: string;
  readonly model: SdkModel;
  readonly clock: Clock;
  /** Keys that must not appear in errors. */
  readonly secrets: readonly string[];
  /** Sent with every request. */
  readonly callOptions?: Pick<SdkCall, "reasoning" | "providerOptions">;
  readonly instructionOptions?: SdkOptions;
  /** How strictly the vendor must follow a tool's schema; omitted, the vendor decides. */
  readonly strictTools?: boolean;
  /** Whether tool calls carry state that the vendor needs back. */
  readonly keepsCallState?: boolean;
  /** Whether the text may contain reasoning that must not be spoken. */
  readonly hidesThoughts?: boolean;
}

/** Long enough for the last bytes of a complete reply, and too short to be noticed if they never arrive. */
const LAST_BYTES_MS = 250;

/** Adapts a model of the AI SDK to the port. Does not retry and sets no time limit. */
export function adaptSdkModel(options: SdkModelOptions): LanguageModel {
  const name = `${options.provider}/${options.model.modelId}`;
  return { name, reply: (request) => replyOf(name, options, request) };
}

async function* replyOf(
  name: string,
  options: SdkModelOptions,
  request: ModelRequest,
): AsyncGenerator<ModelPart, void, undefined> {
  const { signal } = request;
  signal.throwIfAborted();
  // For this reply alone: however the loop over it is left, its request ends with it.
  const life = new AbortController();
  const onAbort = () => life.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const { stream } = await unlessAborted(options.model.doStream(toCall(options, request, life.signal)), signal);
    const reader = stream.getReader();
    yield* readParts(reader, {
      name,
      stateOf: options.keepsCallState ? options.provider : null,
      hidesThoughts: options.hidesThoughts ?? false,
      usedCallIds: new Set(request.messages.flatMap((one) => (one.role === "tool_call" ? [one.callId] : []))),
      signal,
    });
    await readLastBytes(reader, options.clock, signal);
  } catch (error) {
    signal.throwIfAborted();
    const spoken = request.messages.flatMap((message) => ("text" in message ? [message.text] : []));
    throw explainFailure(error, { name, secrets: options.secrets, spoken, nowMs: options.clock.now() });
  } finally {
    signal.removeEventListener("abort", onAbort);
    life.abort();
  }
}

function toCall(options: SdkModelOptions, request: ModelRequest, abortSignal: AbortSignal): SdkCall {
  const { provider, instructionOptions, strictTools } = options;
  return {
    ...options.callOptions,
    prompt: toPrompt(request, { provider, ...(instructionOptions ? { instructionOptions } : {}) }),
    tools: request.tools.map((tool) => ({
      type: "function",
      name: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema,
      ...(strictTools === undefined ? {} : { strict: strictTools }),
    })),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.outputTokensMax === undefined ? {} : { maxOutputTokens: request.outputTokensMax }),
    abortSignal,
  };
}

/** Lets a complete reply end on the wire too, so that its connection can serve the next turn. */
async function readLastBytes(
  reader: ReadableStreamDefaultReader<SdkPart>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const patience = new AbortController();
  const cancelTimer = clock.setTimer(LAST_BYTES_MS, () => patience.abort());
  const onAbort = () => patience.abort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    while (!(await unlessAborted(reader.read(), patience.signal)).done);
  } catch {
    // The reply is complete and was delivered; later errors of its connection do not matter.
  } finally {
    cancelTimer();
    signal.removeEventListener("abort", onAbort);
  }
}

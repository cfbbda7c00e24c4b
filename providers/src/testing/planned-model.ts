import type { PlannedReply } from "@parley/voice/conformance/language-model-rig";
import type { LanguageModel, ModelPart, ModelRequest } from "@parley/voice/ports/language-model";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { unlessAborted } from "../language-model/unless-aborted.ts";

/** A model without a vendor, for tests of the code around models. */
export interface PlannedModel extends LanguageModel {
  plan(...replies: readonly PlannedReply[]): void;
  /** Makes the next request fail with this error. */
  fail(error: ProviderError): void;
  /** How often it was asked. */
  asked(): number;
  /** What it was asked last; null before the first time. */
  lastRequest(): ModelRequest | null;
  underWay(): number;
}

export function createPlannedModel(name: string): PlannedModel {
  const plans: (PlannedReply | ProviderError)[] = [];
  let asked = 0;
  let last: ModelRequest | null = null;
  let underWay = 0;

  async function* reply(request: ModelRequest): AsyncGenerator<ModelPart, void, undefined> {
    const { signal } = request;
    asked += 1;
    last = request;
    underWay += 1;
    try {
      const plan = plans.shift() ?? { type: "rejected" as const };
      if (plan instanceof ProviderError) throw plan;
      for (const text of "texts" in plan ? plan.texts : []) {
        yield { type: "text", text };
        signal.throwIfAborted();
      }
      if (plan.type === "silence" || plan.type === "stall")
        await unlessAborted(new Promise<never>(() => undefined), signal);
      const calls = ("calls" in plan && plan.calls) || [];
      const isComplete = plan.type === "reply" && plan.texts.length + calls.length > 0;
      if (!isComplete)
        throw new ProviderError(name, `${plan.type}, as planned`, { retryable: plan.type !== "rejected" });
      for (const { id, tool, input } of calls) yield { type: "tool_call", callId: id, tool, input };
      yield { type: "finished", inputTokens: null, outputTokens: null };
    } finally {
      underWay -= 1;
    }
  }

  return {
    name,
    reply,
    plan: (...replies) => void plans.push(...replies),
    fail: (error) => void plans.push(error),
    asked: () => asked,
    lastRequest: () => last,
    underWay: () => underWay,
  };
}

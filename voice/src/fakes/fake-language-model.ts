import type { PlannedReply } from "../conformance/language-model-rig.ts";
import type { LanguageModel, ModelPart, ModelRequest } from "../ports/language-model.ts";
import { ProviderError } from "../ports/provider-error.ts";

interface FakeLanguageModel extends LanguageModel {
  /** Every request that was started, in order. */
  readonly requests: readonly ModelRequest[];
  /** Plans the next replies, in order. An unplanned request fails, so that a test notices it. */
  plan(...replies: readonly PlannedReply[]): void;
  /** Holds back every part from now on, until the returned function is called. */
  holdBack(): () => void;
  /** Replies that have started and are not over. */
  underWay(): number;
  /** Planned replies that were not requested yet. */
  leftOver(): number;
}

/** A model for tests. It responds instantly, with one part per text, as planned. */
export function createFakeLanguageModel(name = "fake/model"): FakeLanguageModel {
  const requests: ModelRequest[] = [];
  const planned: PlannedReply[] = [];
  let held: PromiseWithResolvers<void> | null = null;
  let underWay = 0;

  async function* reply(request: ModelRequest): AsyncGenerator<ModelPart, void, undefined> {
    request.signal.throwIfAborted();
    requests.push(request);
    const plan = planned.shift() ?? { type: "rejected" as const };
    underWay += 1;
    try {
      for (const step of stepsOf(name, plan, request)) {
        await unlessAborted(held?.promise ?? Promise.resolve(), request.signal);
        if (step === "nothing") await unlessAborted(new Promise<void>(() => undefined), request.signal);
        else if (step instanceof ProviderError) throw step;
        else yield step;
        request.signal.throwIfAborted();
      }
    } finally {
      underWay -= 1;
    }
  }

  return {
    name,
    requests,
    reply,
    plan: (...replies) => void planned.push(...replies),
    holdBack() {
      const hold = Promise.withResolvers<void>();
      held = hold;
      return () => {
        if (held === hold) held = null;
        hold.resolve();
      };
    },
    underWay: () => underWay,
    leftOver: () => planned.length,
  };
}

type Step = ModelPart | ProviderError | "nothing";

function stepsOf(name: string, plan: PlannedReply, request: ModelRequest): readonly Step[] {
  const fail = (message: string, retryable: boolean) => new ProviderError(name, message, { retryable });
  switch (plan.type) {
    case "silence":
      return ["nothing"];
    case "stall":
      return [...texts(plan.texts), "nothing"];
    case "cut":
      return [...texts(plan.texts), fail("the fake was told to end in the middle", true)];
    case "overloaded":
      return [fail("the fake was told to be overloaded", true)];
    case "rejected":
      return [fail("the fake was told to refuse, or nothing was planned", false)];
    case "reply": {
      const calls = (plan.calls ?? []).map(({ id, tool, input }): ModelPart => {
        const isUsed = request.messages.some((message) => message.role === "tool_call" && message.callId === id);
        return { type: "tool_call", callId: isUsed ? `${id}_${request.messages.length}` : id, tool, input };
      });
      const said = [...texts(plan.texts), ...calls];
      if (said.length === 0) return [fail("the fake was told to say nothing", true)];
      return [...said, { type: "finished", inputTokens: null, outputTokens: null }];
    }
  }
}

function texts(planned: readonly string[]): ModelPart[] {
  return planned.map((text) => ({ type: "text", text }));
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([work, aborted.promise]);
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

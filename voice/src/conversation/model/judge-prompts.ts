import type { FlowNode } from "@parley/contract/flow";
import type { CallContext } from "../call-context.ts";
import type { FlowState } from "../flow-state.ts";
import type { ToolLedger } from "../tools/tool-ledger.ts";
import { askModels, type ModelAccess } from "./ask-models.ts";
import { instructionsFor, modelMessages } from "./instructions.ts";

const QUESTION =
  "Do not speak with the callee now. Judge the conversation so far: which of the following statements holds? Answer with the number of the first one that does and nothing else, or with 0 when none does.";

/**
 * Which of a branch's statements holds, judged by a model; null when none does or its answer cannot be read, `failed`
 * when no model was available.
 */
export async function judgePrompts(
  access: ModelAccess & { readonly context: CallContext; readonly ledger: ToolLedger },
  state: FlowState,
  { prompts = [], model }: Pick<Extract<FlowNode, { type: "branch" }>, "prompts" | "model">,
  signal: AbortSignal,
): Promise<number | null | "failed"> {
  const statements = prompts.map(({ when }, index) => `${index + 1}. ${when}`);
  const request = {
    instructions: instructionsFor(access.context, state, [QUESTION, ...statements].join("\n"), []),
    messages: [
      ...modelMessages(state.history, access.ledger),
      { role: "callee", text: "(Answer with a number now.)" } as const,
    ],
    tools: [],
    temperature: 0,
    outputTokensMax: 10,
    ...(model === undefined ? {} : { model }),
  };
  let answer = "";
  for await (const event of askModels(access, request, signal)) {
    if (event.type === "failed") return "failed";
    if (event.type === "part" && event.part.type === "text") answer += event.part.text;
  }
  const number = Number(/\d+/.exec(answer)?.[0] ?? "0");
  return number >= 1 && number <= prompts.length ? number - 1 : null;
}

import { type CallAnalysis, emptyAnalysis } from "@parley/contract/analysis";
import type { Call } from "@parley/contract/calls";
import type { Flow, FlowNode } from "@parley/contract/flow";

export interface EndedCallFacts {
  readonly endReason: NonNullable<Call["endReason"]>;
  readonly collected: Call["collected"];
  /** The node that the call came to last; null when it came to none. */
  readonly lastNodeId: string | null;
}

type EndingNode = Extract<FlowNode, { type: "end" | "transfer" | "voicemail" }>;

/** What an answered call came to, by what its flow declares and by what it collected. */
export function judgeByRules(flow: Flow, call: EndedCallFacts): CallAnalysis {
  const endings = flow.nodes.filter(isEnding);
  const reached = endingOf(endings, call);
  const declaresSuccess = endings.some(({ success }) => success !== undefined);
  return {
    ...emptyAnalysis("ready"),
    outcome: reached?.outcome ?? collectedOutcome(call.collected) ?? reached?.id ?? call.endReason,
    success: reached?.success ?? (declaresSuccess ? false : null),
    fields: call.collected ?? {},
    by: "rules",
  };
}

function isEnding(node: FlowNode): node is EndingNode {
  return node.type === "end" || node.type === "transfer" || node.type === "voicemail";
}

/** A transfer ends the flow only where the callee was connected. A message is left without any node leading to it. */
function endingOf(endings: readonly EndingNode[], { endReason, lastNodeId }: EndedCallFacts): EndingNode | null {
  if (endReason === "voicemail_left") return endings.find(({ type }) => type === "voicemail") ?? null;
  const last = endings.find(({ id }) => id === lastNodeId);
  if (last === undefined || last.type === "voicemail") return null;
  return last.type === "end" || endReason === "transferred" ? last : null;
}

function collectedOutcome(collected: Call["collected"]): string | null {
  const outcome = collected?.["outcome"];
  return typeof outcome === "string" && outcome !== "" ? outcome : null;
}

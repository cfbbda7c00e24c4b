import { type CallAnalysis, emptyAnalysis } from "@parley/contract/analysis";
import type { Call } from "@parley/contract/calls";
import { AppError } from "@parley/contract/errors";
import { Flow, type FlowNode } from "@parley/contract/flow";
import { findPublishedAgent } from "../../agents/find-published-agent.ts";
import { readAgentVersion } from "../../agents/read-agent-version.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import { recordCallEvent } from "../event-store.ts";
import { readLastNodeId, setAnalysis } from "./analysis-store.ts";

/**
 * Analyzes an answered call in the transaction that ends it, so that `call.analyzed` is sent exactly once. The call
 * must be locked, and its final event recorded.
 */
export async function analyzeEndedCall(tx: Tx, call: CallRow): Promise<CallRow> {
  const analysis = await judge(tx, call, call.agent_version);
  const row = await setAnalysis(tx, call.id, analysis);
  await recordCallEvent(tx, row, "call.analyzed", { outcome: analysis.outcome, success: analysis.success });
  return row;
}

/**
 * Analyzes a call again with the currently published version of its agent, whose declarations may have changed. If none
 * is published, with the version of the call. The call must be locked.
 */
export async function analyzeAgain(tx: Tx, call: CallRow): Promise<CallRow> {
  if (call.answered_at === null || call.state !== "ended")
    throw new AppError("invalid_state", "Only a call that was answered and has ended can be analyzed.");
  if (call.transcript_erased_at !== null)
    throw new AppError("invalid_state", "The transcript of the call was erased; there is nothing to analyze.");
  const agent = await findPublishedAgent(tx, call.account_id, call.agent_id);
  const version = (agent.exists && agent.chosen?.version) || call.agent_version;
  const analysis = await judge(tx, call, version);
  const row = await setAnalysis(tx, call.id, analysis);
  await recordCallEvent(tx, row, "call.reanalyzed", { outcome: analysis.outcome, success: analysis.success });
  return row;
}

async function judge(tx: Tx, call: CallRow, version: number): Promise<CallAnalysis> {
  if (call.end_reason === null) throw new Error(`call ${call.id} has not ended`);
  const flow = Flow.safeParse((await readAgentVersion(tx, call.agent_id, version)).flow);
  // A flow of a later release, after a restore into this one.
  if (!flow.success) return emptyAnalysis("failed");
  const lastNodeId = await readLastNodeId(tx, call.id);
  return judgeByRules(flow.data, { endReason: call.end_reason, collected: call.collected, lastNodeId });
}

export interface EndedCallFacts {
  readonly endReason: NonNullable<Call["endReason"]>;
  readonly collected: Call["collected"];
  /** The last node that the call reached; null when it reached none. */
  readonly lastNodeId: string | null;
}

type EndingNode = Extract<FlowNode, { type: "end" | "transfer" | "voicemail" }>;

/** The outcome of an answered call, by the declarations of its flow and by what it collected. */
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

/**
 * A transfer ends the flow only if the callee was connected. A voicemail message is left without any node leading to
 * it.
 */
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

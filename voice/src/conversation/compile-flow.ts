import type { Flow, FlowNode } from "@parley/contract/flow";
import { checkBranches, checkConditionsCollectedBefore, checkEndlessBranching } from "./check-branches.ts";
import { checkExits } from "./check-exits.ts";
import { checkPaths, checkReferences } from "./check-shape.ts";
import { checkCollectedBefore, checkTexts } from "./check-texts.ts";
import type { Expression } from "./expression/expression.ts";
import type { FlowProblem } from "./flow-problem.ts";
import { nodesAfterSaving } from "./saved-names.ts";

/** A flow that can be held as a conversation: every step leads somewhere, and every path comes to an end. */
export interface CompiledFlow {
  readonly startId: string;
  readonly nodes: ReadonlyMap<string, FlowNode>;
  /** Names a call fills in. */
  readonly variables: readonly string[];
  /** Names the conversation itself collects. */
  readonly collects: readonly string[];
  /** The conditions of each branch by its id, in the order of its exits. */
  readonly conditions: ReadonlyMap<string, readonly Expression[]>;
}

export type CompileResult =
  | { readonly ok: true; readonly plan: CompiledFlow }
  | { readonly ok: false; readonly problems: readonly FlowProblem[] };

/** Turns a flow into a plan, or says everything that is wrong with it, in the order of its nodes within each check. */
export function compileFlow(flow: Flow): CompileResult {
  const references = checkReferences(flow);
  const branches = checkBranches(flow);
  const problems = [...references, ...checkTexts(flow), ...checkExits(flow), ...branches.problems];
  // Paths through a broken graph would only repeat the same faults in other words.
  if (references.length === 0) {
    const afterSaving = nodesAfterSaving(flow);
    problems.push(...checkPaths(flow), ...checkEndlessBranching(flow), ...checkCollectedBefore(flow, afterSaving));
    if (branches.problems.length === 0) problems.push(...checkConditionsCollectedBefore(flow, branches, afterSaving));
  }
  const start = flow.nodes.find((node) => node.type === "start");
  if (problems.length > 0 || !start) return { ok: false, problems };
  return {
    ok: true,
    plan: {
      startId: start.id,
      nodes: new Map(flow.nodes.map((node) => [node.id, node])),
      variables: [...new Set(flow.variables)],
      collects: [...new Set(flow.nodes.flatMap((node) => (node.type === "ask" && node.saveAs ? [node.saveAs] : [])))],
      conditions: branches.conditions,
    },
  };
}

import type { Flow, FlowNode } from "@parley/contract/flow";
import { checkExits } from "./check-exits.ts";
import { checkPaths, checkReferences } from "./check-shape.ts";
import { checkCollectedBefore, checkTexts } from "./check-texts.ts";
import type { FlowProblem } from "./flow-problem.ts";

/** A flow that can be held as a conversation: every step leads somewhere, and every path comes to an end. */
export interface CompiledFlow {
  readonly startId: string;
  readonly nodes: ReadonlyMap<string, FlowNode>;
  /** Names a call fills in. */
  readonly variables: readonly string[];
  /** Names the conversation itself collects. */
  readonly collects: readonly string[];
}

export type CompileResult =
  | { readonly ok: true; readonly plan: CompiledFlow }
  | { readonly ok: false; readonly problems: readonly FlowProblem[] };

/** Turns a flow into a plan, or says everything that is wrong with it, in the order of its nodes within each check. */
export function compileFlow(flow: Flow): CompileResult {
  const references = checkReferences(flow);
  // Paths through a broken graph would only repeat the same faults in other words.
  const paths = references.length === 0 ? [...checkPaths(flow), ...checkCollectedBefore(flow)] : [];
  const problems = [...references, ...checkTexts(flow), ...checkExits(flow), ...paths];
  const start = flow.nodes.find((node) => node.type === "start");
  if (problems.length > 0 || !start) return { ok: false, problems };
  return {
    ok: true,
    plan: {
      startId: start.id,
      nodes: new Map(flow.nodes.map((node) => [node.id, node])),
      variables: [...new Set(flow.variables)],
      collects: [...new Set(flow.nodes.flatMap((node) => (node.type === "ask" && node.saveAs ? [node.saveAs] : [])))],
    },
  };
}

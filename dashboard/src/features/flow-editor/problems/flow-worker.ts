import type { Flow } from "@parley/contract/flow";
import { compileFlow } from "@parley/flow/compile";
import type { SubFlows } from "@parley/flow/sub-flows/sub-flow";
import type { CompilerNotes } from "../model/flow-notes.ts";
import { type Direction, layoutFlow } from "../model/layout/layout-flow.ts";
import { type Route, routeLines } from "../model/layout/route-lines.ts";
import type { NodePosition } from "../model/new-node.ts";

/** Requests of the page, each with a number that identifies the reply. */
export type FlowQuestion =
  | {
      readonly id: number;
      readonly kind: "compile";
      readonly flow: Flow;
      readonly modelNames: readonly string[] | null;
      readonly agentId: string;
      readonly subFlows: SubFlows;
    }
  | { readonly id: number; readonly kind: "layout"; readonly flow: Flow; readonly direction: Direction }
  | { readonly id: number; readonly kind: "route"; readonly flow: Flow };

export type FlowAnswer =
  | { readonly id: number; readonly kind: "compile"; readonly notes: CompilerNotes }
  | { readonly id: number; readonly kind: "layout"; readonly positions: ReadonlyMap<string, NodePosition> }
  | { readonly id: number; readonly kind: "route"; readonly routes: ReadonlyMap<string, Route> };

// Runs in a worker so that typing and dragging stay responsive, however large the flow is.
// It loads no translation: findings leave it as codes and parts, and the page words them.
addEventListener("message", async ({ data }: MessageEvent<FlowQuestion>) => postMessage(await answer(data)));

async function answer(question: FlowQuestion): Promise<FlowAnswer> {
  const { id, flow } = question;
  switch (question.kind) {
    case "layout":
      return { id, kind: "layout", positions: await layoutFlow(flow, question.direction) };
    case "route":
      return { id, kind: "route", routes: routeLines(flow) };
    case "compile": {
      const { modelNames, agentId, subFlows } = question;
      const result = compileFlow(flow, { agentId, subFlows, ...(modelNames === null ? {} : { modelNames }) });
      return { id, kind: "compile", notes: { problems: result.ok ? [] : result.problems, warnings: result.warnings } };
    }
  }
}

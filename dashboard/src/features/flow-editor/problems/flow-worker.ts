import type { Flow } from "@parley/contract/flow";
import { compileFlow } from "@parley/flow/compile";
import type { FlowNotes } from "../model/flow-notes.ts";
import { layoutFlow } from "../model/layout-flow.ts";
import type { NodePosition } from "../model/new-node.ts";

/** Requests of the page, each with a number that identifies the reply. */
export type FlowQuestion =
  | {
      readonly id: number;
      readonly kind: "compile";
      readonly flow: Flow;
      readonly modelNames: readonly string[] | null;
    }
  | { readonly id: number; readonly kind: "layout"; readonly flow: Flow };

export type FlowAnswer =
  | { readonly id: number; readonly kind: "compile"; readonly notes: FlowNotes }
  | { readonly id: number; readonly kind: "layout"; readonly positions: ReadonlyMap<string, NodePosition> };

// Runs in a worker so that typing and dragging stay responsive, however large the flow is.
addEventListener("message", ({ data }: MessageEvent<FlowQuestion>) => postMessage(answer(data)));

function answer(question: FlowQuestion): FlowAnswer {
  if (question.kind === "layout") {
    return { id: question.id, kind: "layout", positions: layoutFlow(question.flow) };
  }
  const { modelNames } = question;
  const result = compileFlow(question.flow, modelNames === null ? {} : { modelNames });
  const notes = { problems: result.ok ? [] : result.problems, warnings: result.warnings };
  return { id: question.id, kind: "compile", notes };
}

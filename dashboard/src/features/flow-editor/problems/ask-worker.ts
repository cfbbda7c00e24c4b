import type { Flow } from "@parley/contract/flow";
import type { SubFlows } from "@parley/flow/sub-flows/sub-flow";
import type { CompilerNotes } from "../model/flow-notes.ts";
import type { Direction } from "../model/layout/layout-flow.ts";
import type { Route } from "../model/layout/route-lines.ts";
import type { NodePosition } from "../model/new-node.ts";
import type { FlowAnswer, FlowQuestion } from "./flow-worker.ts";

type Unnumbered<Question> = Question extends FlowQuestion ? Omit<Question, "id"> : never;

let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, (answer: FlowAnswer) => void>();

/** One worker serves the page for its lifetime. */
function ask(question: Unnumbered<FlowQuestion>): Promise<FlowAnswer> {
  if (!worker) {
    worker = new Worker(new URL("./flow-worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<FlowAnswer>) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    });
  }
  lastId += 1;
  const id = lastId;
  const sender = worker;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    sender.postMessage({ ...question, id });
  });
}

/** The problems of the flow; models are not checked until the available ones are known. */
export async function compileAside(
  flow: Flow,
  modelNames: readonly string[] | null,
  agentId: string,
  subFlows: SubFlows,
): Promise<CompilerNotes> {
  const answer = await ask({ kind: "compile", flow, modelNames, agentId, subFlows });
  return answer.kind === "compile" ? answer.notes : { problems: [], warnings: [] };
}

export async function layoutAside(
  flow: Flow,
  direction: Direction = "right",
): Promise<ReadonlyMap<string, NodePosition>> {
  const answer = await ask({ kind: "layout", flow, direction });
  return answer.kind === "layout" ? answer.positions : new Map();
}

/** The lines that are led around nodes. */
export async function routeAside(flow: Flow): Promise<ReadonlyMap<string, Route>> {
  const answer = await ask({ kind: "route", flow });
  return answer.kind === "route" ? answer.routes : new Map();
}

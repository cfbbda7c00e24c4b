import type { Flow, FlowNode } from "@parley/contract/flow";
import type { FlowTool } from "@parley/contract/flow-request";
import type { FlowSettings } from "@parley/contract/flow-settings";
import { checkExits } from "./checks/answers.ts";
import {
  checkBranches,
  checkConditionsCollectedBefore,
  checkEndlessBranching,
  checkValues,
  checkValuesCollectedBefore,
} from "./checks/expressions.ts";
import { checkFields } from "./checks/fields.ts";
import { checkRequests } from "./checks/requests.ts";
import { checkGlobals, checkGroups, checkPaths, checkReferences, checkVoicemail } from "./checks/shape.ts";
import { checkCollectedBefore, checkTexts } from "./checks/texts.ts";
import type { DeclaredName } from "./expression/declared-name.ts";
import type { Expression } from "./expression/expression.ts";
import { isGlobal } from "./graph.ts";
import { warnOfExits } from "./indistinct-exits.ts";
import { namesOfFlow, nodesAfterSaving, savedNames } from "./names.ts";
import type { FlowProblem, FlowWarning } from "./problem.ts";
import { warnOfDenials } from "./says-machine.ts";
import { expandFlow } from "./sub-flows/expand-flow.ts";
import { placeProblems, placeWarnings } from "./sub-flows/place-notes.ts";
import type { SubFlows } from "./sub-flows/sub-flow.ts";
import { warnOfTranslations } from "./translate.ts";
import { warnOfAnswers, warnOfLoops, warnOfLostCallees, warnOfModels, warnOfUnused } from "./warnings.ts";

/** A flow that can be held as a conversation: every step leads somewhere, and every path ends. */
export interface CompiledFlow {
  readonly startId: string;
  readonly nodes: ReadonlyMap<string, FlowNode>;
  /** Names a call fills in. */
  readonly variables: readonly string[];
  /** Names the conversation itself collects. */
  readonly collects: readonly string[];
  /** Everything that expressions may use, with its type. */
  readonly names: readonly DeclaredName[];
  /** The conditions of each branch by its id, in the order of its exits. */
  readonly conditions: ReadonlyMap<string, readonly Expression[]>;
  /** The expressions of each `set` node by its id, in the order of its values. */
  readonly expressions: ReadonlyMap<string, readonly Expression[]>;
  /** Nodes the callee can jump to, in the order of the document. */
  readonly globalIds: readonly string[];
  /** The message for a voicemail, null if there is none. */
  readonly voicemailId: string | null;
  readonly tools: ReadonlyMap<string, FlowTool>;
  readonly settings: FlowSettings;
}

interface CompileOptions {
  /** The names of the configured language models, in order. Omitted, they are not checked. */
  readonly modelNames?: readonly string[];
  /** The published flows that its sub-flows use. A flow that was published has none left. */
  readonly subFlows?: SubFlows;
  /** Whose flow it is, so that it cannot be a part of itself. */
  readonly agentId?: string;
}

type CompileResult =
  | { readonly ok: true; readonly plan: CompiledFlow; readonly warnings: readonly FlowWarning[] }
  | { readonly ok: false; readonly problems: readonly FlowProblem[]; readonly warnings: readonly FlowWarning[] };

/**
 * Compiles a flow into a plan, or reports everything that is wrong with it, in the order of its nodes within each
 * check.
 */
export function compileFlow(document: Flow, options: CompileOptions = {}): CompileResult {
  const expanded = expandFlow(document, options.subFlows ?? NO_SUB_FLOWS, options.agentId);
  const result = compileExpanded(expanded.flow, options.modelNames);
  const warnings = placeWarnings(document, expanded, result.warnings);
  if (result.ok && expanded.problems.length === 0) return { ...result, warnings };
  const problems = result.ok ? [] : placeProblems(document, expanded, result.problems);
  return { ok: false, problems: [...expanded.problems, ...problems], warnings };
}

const NO_SUB_FLOWS: SubFlows = new Map();

function compileExpanded(flow: Flow, modelNames: readonly string[] | undefined): CompileResult {
  const references = checkReferences(flow);
  const branches = checkBranches(flow);
  const values = checkValues(flow);
  const problems = [
    ...references,
    ...checkTexts(flow),
    ...checkExits(flow),
    ...checkFields(flow),
    ...branches.problems,
    ...values.problems,
    ...checkGlobals(flow),
    ...checkVoicemail(flow),
    ...checkRequests(flow),
    ...checkGroups(flow),
  ];
  // Paths through a broken graph would only repeat the same faults in other words.
  if (references.length === 0) {
    const afterSaving = nodesAfterSaving(flow);
    problems.push(...checkPaths(flow), ...checkEndlessBranching(flow), ...checkCollectedBefore(flow, afterSaving));
    if (branches.problems.length === 0) problems.push(...checkConditionsCollectedBefore(flow, branches, afterSaving));
    if (values.problems.length === 0) problems.push(...checkValuesCollectedBefore(flow, values, afterSaving));
  }
  const warnings = [
    ...(modelNames === undefined ? [] : warnOfModels(flow, modelNames)),
    ...warnOfAnswers(flow),
    ...warnOfDenials(flow),
    ...warnOfExits(flow),
    ...warnOfLoops(flow),
    ...warnOfLostCallees(flow),
    ...warnOfTranslations(flow),
    ...warnOfUnused(flow, [...branches.conditions.values(), ...values.expressions.values()].flat()),
  ];
  const start = flow.nodes.find((node) => node.type === "start");
  if (problems.length > 0 || !start) return { ok: false, problems, warnings };
  return {
    ok: true,
    warnings,
    plan: {
      startId: start.id,
      nodes: new Map(flow.nodes.map((node) => [node.id, node])),
      variables: [...new Set(flow.variables)],
      collects: [...new Set(flow.nodes.flatMap(savedNames))],
      names: namesOfFlow(flow),
      conditions: branches.conditions,
      expressions: values.expressions,
      globalIds: flow.nodes.filter(isGlobal).map(({ id }) => id),
      voicemailId: flow.nodes.find(({ type }) => type === "voicemail")?.id ?? null,
      tools: new Map((flow.tools ?? []).map((tool) => [tool.name, tool])),
      settings: flow.settings ?? {},
    },
  };
}

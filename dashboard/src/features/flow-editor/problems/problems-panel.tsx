import type { Agent } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { checkAgent } from "@parley/contract/routes/agents";
import type { SubFlows } from "@parley/flow/sub-flows/sub-flow";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, CircleAlert, CircleCheck, CircleDashed, LoaderCircle, TriangleAlert } from "lucide-react";
import { useEffect, useId, useMemo, useState } from "react";
import { send } from "../../../api/send.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { modelNamesQuery } from "../editor-queries.ts";
import type { EditorStore } from "../model/editor-store.ts";
import type { CompilerNotes, FlowNote, FlowNotes, NoteFix } from "../model/flow-notes.ts";
import { useSubFlows } from "../sub-flows/load-sub-flows.ts";
import { useEditor } from "../use-editor.ts";
import { compileAside } from "./ask-worker.ts";
import { problemsText } from "./text.ts";
import { foundAt } from "./word-notes.ts";

interface ProblemsPanelProps {
  readonly notes: FlowNotes;
  /** Whether the flow has been checked yet. */
  readonly isChecked: boolean;
  readonly isCurrent: boolean;
  /** The error of the last attempt to publish. */
  readonly refusal: string | null;
  /** Whether new nodes still lack something, which is not listed yet. */
  readonly isUnfinished?: boolean;
  onGoTo(nodeId: string): void;
  onFix(fix: NoteFix): void;
}

/** The problems and warnings of the flow; a click goes to the node. */
export function ProblemsPanel({ notes, isChecked, isCurrent, refusal, onGoTo, ...props }: ProblemsPanelProps) {
  const { isUnfinished = false, onFix } = props;
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const { problems, warnings } = notes;
  const count = problems.length + warnings.length;
  const isListed = isOpen && count > 0;
  return (
    <section aria-label={problemsText.problems} aria-busy={!isChecked} className="border-t border-line bg-surface">
      <button
        type="button"
        aria-expanded={isListed}
        aria-controls={listId}
        disabled={count === 0 && refusal === null}
        onClick={() => setOpen(!isOpen)}
        className="flex h-11 w-full items-center gap-2.5 px-4 text-left text-sm outline-offset-[-2px] [&_svg]:size-4"
      >
        {!isChecked ? (
          <LoaderCircle aria-hidden="true" className="animate-spin text-ink-soft motion-reduce:animate-none" />
        ) : problems.length > 0 ? (
          <CircleAlert aria-hidden="true" className="text-danger" />
        ) : warnings.length > 0 ? (
          <TriangleAlert aria-hidden="true" className="text-warning-text" />
        ) : isUnfinished ? (
          <CircleDashed aria-hidden="true" className="text-ink-soft" />
        ) : (
          <CircleCheck aria-hidden="true" className="text-accent-text" />
        )}
        <span role="status" data-testid="problems" data-current={isCurrent} className="flex-1 truncate">
          {isChecked ? countText(problems.length, warnings.length, isUnfinished) : problemsText.checking}
        </span>
        {count > 0 ? <ChevronDown aria-hidden="true" className={isOpen ? "" : "rotate-180"} /> : null}
      </button>
      {refusal ? (
        <p role="alert" className="border-t border-line px-4 py-2.5 text-sm text-danger-text">
          {refusal}
        </p>
      ) : null}
      {isListed ? (
        <ul id={listId} className="relative max-h-52 overflow-y-auto border-t border-line py-1.5">
          {problems.map((problem) => (
            <Line
              key={`${problem.path} ${problem.message}`}
              note={problem}
              isProblem
              canFix={isCurrent}
              onGoTo={onGoTo}
              onFix={onFix}
            />
          ))}
          {warnings.map((warning) => (
            <Line
              key={`${warning.path} ${warning.message}`}
              note={warning}
              isProblem={false}
              canFix={isCurrent}
              onGoTo={onGoTo}
              onFix={onFix}
            />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

interface LineProps {
  readonly note: FlowNote;
  readonly isProblem: boolean;
  /** A fix belongs to the flow that was checked. */
  readonly canFix: boolean;
  onGoTo(nodeId: string): void;
  onFix(fix: NoteFix): void;
}

function Line({ note: { nodeId, place, message, fix }, isProblem, canFix, onGoTo, onFix }: LineProps) {
  const mark = isProblem ? (
    <CircleAlert aria-label={problemsText.problem} className="mt-0.5 size-4 shrink-0 text-danger" />
  ) : (
    <TriangleAlert aria-label={problemsText.warning} className="mt-0.5 size-4 shrink-0 text-warning-text" />
  );
  const look = "flex min-w-0 flex-1 items-start gap-2.5 px-4 py-1.5 text-left text-sm outline-offset-[-2px]";
  const text = (
    <span>
      {place === null ? null : <span className="font-medium">{place}: </span>}
      {message}
    </span>
  );
  return (
    <li className="flex items-center gap-2 pr-4">
      {nodeId === null ? (
        <p className={look}>
          {mark}
          {text}
        </p>
      ) : (
        <button type="button" className={`${look} hover:bg-sunken`} onClick={() => onGoTo(nodeId)}>
          {mark}
          {text}
        </button>
      )}
      {fix ? (
        <Button size="small" className="shrink-0" disabled={!canFix} onClick={() => onFix(fix)}>
          {fix.label}
        </Button>
      ) : null}
    </li>
  );
}

function countText(problems: number, warnings: number, isUnfinished: boolean): string {
  if (problems + warnings === 0) return isUnfinished ? problemsText.unfinished : problemsText.noProblems;
  const parts = [
    ...(problems === 0 ? [] : [problemsText.problemCount(problems)]),
    ...(warnings === 0 ? [] : [problemsText.warningCount(warnings)]),
  ];
  return parts.join(", ");
}

/** How long to wait after a change before checking again: a pause in typing. */
const PAUSE_MS = 250;

interface CheckedFlow {
  readonly notes: CompilerNotes;
  /** Whether the flow has been checked at all. Until then nothing is known about it. */
  readonly isChecked: boolean;
  /** Whether the results belong to the current flow. */
  readonly isCurrent: boolean;
}

interface CheckResult {
  readonly flow: Flow;
  readonly modelNames: readonly string[] | null;
  readonly subFlows: SubFlows;
  readonly notes: CompilerNotes;
}

const NOTHING_FOUND: CompilerNotes = { problems: [], warnings: [] };

/** Checks the flow as it is edited. */
export function useFlowNotes(store: EditorStore, agentId: string): CheckedFlow {
  const flow = useEditor(store, (state) => state.flow);
  const subFlows = useSubFlows(flow);
  const { data: modelNames = null, isLoading, failureCount } = useQuery(modelNamesQuery);
  const [checked, setChecked] = useState<CheckResult | null>(null);
  const isChecked = checked !== null;
  const isCurrent = checked?.flow === flow && checked.modelNames === modelNames && checked.subFlows === subFlows;
  // Waits for the list of models: without it the first result might change a moment later.
  const isReady = !isLoading || failureCount > 0;
  useEffect(() => {
    if (isCurrent || !isReady || subFlows === null) return;
    let isWanted = true;
    const timer = setTimeout(
      async () => {
        const notes = await compileAside(flow, modelNames, agentId, subFlows);
        if (isWanted) setChecked({ flow, modelNames, subFlows, notes });
      },
      isChecked ? PAUSE_MS : 0,
    );
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [flow, modelNames, agentId, subFlows, isReady, isChecked, isCurrent]);
  return { notes: checked?.notes ?? NOTHING_FOUND, isChecked, isCurrent };
}

type Warning = CompilerNotes["warnings"][number];

/** The delay after a change: the service asks a model about every new phrase. */
const EXITS_PAUSE_MS = 1_000;

type CheckedAgent = Pick<Agent, "id" | "engine" | "language">;

interface CheckedExits {
  readonly flow: Flow;
  readonly warnings: readonly Warning[];
}

/**
 * What only the service can check: whether its models distinguish the exits of questions, and whether the engine speaks the
 * language. Without a reply there are no warnings; publishing reports them again.
 */
export function useExitWarnings(
  { id: agentId, engine, language }: CheckedAgent,
  flow: Flow,
  pauseMs = EXITS_PAUSE_MS,
): readonly Warning[] {
  const [checked, setChecked] = useState<CheckedExits | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the service checks against the engine and language of the agent.
  useEffect(() => {
    const request = new AbortController();
    const timer = setTimeout(() => {
      send(checkAgent, { params: { id: agentId }, body: { flow }, signal: request.signal }).then(
        ({ warnings }) => setChecked({ flow, warnings: warnings.map((each) => foundAt(flow, each)) }),
        () => undefined,
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [agentId, engine, language, flow, pauseMs]);
  // Findings about a node are valid until the node is changed.
  return useMemo(
    () =>
      (checked?.warnings ?? []).filter(({ code, nodeId }) => {
        if (ABOUT_THE_ENGINE.has(code)) return true;
        const node = checked?.flow.nodes.find(({ id }) => id === nodeId);
        return node !== undefined && flow.nodes.includes(node);
      }),
    [checked, flow],
  );
}

const ABOUT_THE_ENGINE: ReadonlySet<Warning["code"]> = new Set([
  "unspoken_language",
  "unsuited_engine",
  "no_other_voice",
]);

const FOUND_BY_SERVICE: ReadonlySet<Warning["code"]> = new Set([
  "indistinct_exits",
  "misunderstood_phrase",
  ...ABOUT_THE_ENGINE,
  "unusable_mcp_tool",
]);

/** The compiler's results, and what the service found beyond them. */
export function withExitWarnings(notes: CompilerNotes, found: readonly Warning[]): CompilerNotes {
  const isNew = ({ code, path }: Warning) =>
    FOUND_BY_SERVICE.has(code) && !notes.warnings.some((known) => known.code === code && known.path === path);
  const added = found.filter(isNew);
  return added.length === 0 ? notes : { ...notes, warnings: [...notes.warnings, ...added] };
}

import type { Flow } from "@parley/contract/flow";
import { createScenario, deleteScenario } from "@parley/contract/routes/scenarios";
import type { Scenario, ScenarioResult } from "@parley/contract/scenarios";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  CircleCheck,
  CircleDashed,
  CircleX,
  Crosshair,
  EllipsisVertical,
  ListChecks,
  LoaderCircle,
  Play,
  Plus,
} from "lucide-react";
import { useState } from "react";
import { errorText } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Segmented } from "../../../ui/forms/segmented.tsx";
import { Menu, MenuItem } from "../../../ui/layout/menu.tsx";
import { versionQuery } from "../editor-queries.ts";
import type { EditorStore } from "../model/editor-store.ts";
import { useExpandedFlow } from "../sub-flows/load-sub-flows.ts";
import { titleOfId } from "../sub-flows/outer-node.ts";
import { TryRefusal } from "../try/try-refusal.tsx";
import { useEditor } from "../use-editor.ts";
import { DanglingExpectations } from "./dangling-expectations.tsx";
import { ScenarioDialog } from "./scenario-dialog.tsx";
import { scenarioKeys, scenariosQuery } from "./scenario-queries.ts";
import { useScenarioRun, useVerdicts, type Verdict } from "./scenario-runs.ts";
import { failureWords, stepWords } from "./scenario-text.ts";
import { scenariosText } from "./text.tsx";

interface ScenariosPanelProps {
  readonly agentId: string;
  readonly publishedVersion: number | null;
  readonly store: EditorStore;
}

const WAYS = [
  { value: "text", label: scenariosText.onText },
  { value: "audio", label: scenariosText.onAudio },
] as const;

/** The scenarios of an agent, to be run before it is published. */
export function ScenariosPanel({ agentId, publishedVersion, store }: ScenariosPanelProps) {
  const flow = useEditor(store, (state) => state.flow);
  const expanded = useExpandedFlow(flow);
  const { data: scenarios, error } = useQuery(scenariosQuery(agentId));
  const published = useQuery({ ...versionQuery(agentId, publishedVersion ?? 0), enabled: publishedVersion !== null });
  const { run, start, isRunning, error: runError } = useScenarioRun(agentId, flow);
  const verdicts = useVerdicts(agentId);
  const [on, setOn] = useState<"text" | "audio">("text");
  const [edited, setEdited] = useState<Scenario | "new" | null>(null);
  const all = scenarios ?? [];
  const failed = all.filter(({ id }) => verdicts.get(id)?.result.status === "failed").length;
  const passed = all.filter(({ id }) => verdicts.get(id)?.result.status === "passed").length;
  const add = (
    <Button size="small" onClick={() => setEdited("new")}>
      <Plus aria-hidden="true" />
      {scenariosText.newScenario}
    </Button>
  );
  return (
    <div className="space-y-4">
      {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
      {!scenarios && !error ? <SkeletonRows count={4} label={scenariosText.loading} /> : null}
      {scenarios && all.length === 0 ? (
        <EmptyState
          icon={<ListChecks />}
          title={scenariosText.emptyTitle}
          text={scenariosText.emptyText}
          action={add}
        />
      ) : null}
      {all.length > 0 ? (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <Segmented label={scenariosText.howToRun} value={on} choices={WAYS} onChoose={(next) => setOn(next)} />
            <Button look="primary" size="small" isBusy={isRunning} onClick={() => start({ on })}>
              <Play aria-hidden="true" />
              {scenariosText.runAll}
            </Button>
          </div>
          {on === "audio" ? <p className="text-sm text-ink-soft">{scenariosText.onAudioNote}</p> : null}
          {runError ? <TryRefusal error={runError} flow={flow} store={store} /> : null}
          <div className="flex items-center justify-between gap-3">
            <p role="status" className="text-sm">
              {summary({ isRunning, passed, failed, done: run?.results.filter(isDone).length ?? 0, all: all.length })}
            </p>
            {add}
          </div>
          <ul className="space-y-2">
            {all.map((scenario) => (
              <ScenarioRow
                key={scenario.id}
                scenario={scenario}
                expanded={expanded}
                published={published.data?.flow}
                verdict={verdicts.get(scenario.id)}
                isStale={verdicts.get(scenario.id)?.flow !== flow}
                isRunning={isRunning}
                store={store}
                onRun={() => start({ on, ids: [scenario.id] })}
                onEdit={() => setEdited(scenario)}
              />
            ))}
          </ul>
        </>
      ) : null}
      {edited ? (
        <ScenarioDialog
          agentId={agentId}
          flow={flow}
          scenario={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
        />
      ) : null}
    </div>
  );
}

const isDone = ({ status }: { readonly status: string }) => status !== "running";

interface Counts {
  readonly isRunning: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly done: number;
  readonly all: number;
}

function summary({ isRunning, passed, failed, done, all }: Counts): string {
  if (isRunning) return done > 0 ? scenariosText.runningDone(done) : scenariosText.isRunning;
  if (passed + failed === 0) return scenariosText.noneRunYet(all);
  return failed === 0 ? scenariosText.allPassed(passed, all) : scenariosText.someFailed(failed, all, passed);
}

interface ScenarioRowProps {
  readonly scenario: Scenario;
  /** The flow with its sub-flows written into it. */
  readonly expanded: Flow;
  readonly published: Flow | undefined;
  readonly verdict: Verdict | undefined;
  /** Whether the flow has changed since. */
  readonly isStale: boolean;
  readonly isRunning: boolean;
  readonly store: EditorStore;
  onRun(): void;
  onEdit(): void;
}

/** One scenario, its last result, and its actions. */
function ScenarioRow({
  scenario,
  expanded,
  published,
  verdict,
  isStale,
  isRunning,
  store,
  onRun,
  onEdit,
}: ScenarioRowProps) {
  const remove = useRemoval(scenario);
  return (
    <li className="rounded-xl border border-line">
      <div className="flex items-start gap-2.5 py-2.5 pr-1.5 pl-3.5">
        <StatusIcon status={verdict?.result.status} isStale={isStale} />
        <button type="button" onClick={onEdit} className="min-w-0 flex-1 text-left">
          <span className="block text-sm font-medium break-words">{scenario.name}</span>
          <span className="line-clamp-2 text-xs text-ink-soft">
            {scenario.steps.map(stepWords).join(" · ") || scenariosText.noSteps}
          </span>
        </button>
        <Menu
          trigger={
            <Button look="quiet" size="smallIcon" aria-label={scenariosText.menuOf(scenario.name)}>
              <EllipsisVertical aria-hidden="true" />
            </Button>
          }
        >
          <MenuItem onChoose={() => (isRunning ? undefined : onRun())}>{scenariosText.runOne}</MenuItem>
          <MenuItem onChoose={onEdit}>{scenariosText.edit}</MenuItem>
          <MenuItem onChoose={remove}>{scenariosText.deleteOne}</MenuItem>
        </Menu>
      </div>
      <DanglingExpectations scenario={scenario} expanded={expanded} published={published} onEdit={onEdit} />
      {verdict && verdict.result.status !== "running" ? (
        <ScenarioOutcome result={verdict.result} expanded={expanded} isStale={isStale} store={store} />
      ) : null}
    </li>
  );
}

function StatusIcon({ status, isStale }: { readonly status: string | undefined; readonly isStale: boolean }) {
  const soft = isStale ? "opacity-50" : "";
  switch (status) {
    case "passed":
      return (
        <CircleCheck
          aria-label={scenariosText.passed}
          className={`mt-0.5 size-4.5 shrink-0 text-accent-text ${soft}`}
        />
      );
    case "failed":
      return (
        <CircleX aria-label={scenariosText.failed} className={`mt-0.5 size-4.5 shrink-0 text-danger-text ${soft}`} />
      );
    case "running":
      return (
        <LoaderCircle
          aria-label={scenariosText.running}
          className="mt-0.5 size-4.5 shrink-0 animate-spin text-ink-soft"
        />
      );
    default:
      return <CircleDashed aria-label={scenariosText.notRunYet} className="mt-0.5 size-4.5 shrink-0 text-ink-soft" />;
  }
}

/** Deletes immediately and offers an undo that restores it. */
function useRemoval(scenario: Scenario): () => void {
  const queries = useQueryClient();
  const toast = useToast();
  const refresh = () => queries.invalidateQueries({ queryKey: scenarioKeys.list(scenario.agentId) });
  const restore = useMutation({
    mutationFn: () => {
      const { name, steps, variables, toolReplies, expect } = scenario;
      return send(createScenario, {
        params: { id: scenario.agentId },
        body: { name, steps, variables, toolReplies, expect },
      });
    },
    onSuccess: refresh,
    onError: (error) => toast({ text: errorText(error) }),
  });
  const removal = useMutation({
    mutationFn: () => send(deleteScenario, { params: { id: scenario.id } }),
    onSuccess: async () => {
      toast({ text: scenariosText.deleted(scenario.name), undo: () => restore.mutate() });
      await refresh();
    },
    onError: (error) => toast({ text: errorText(error) }),
  });
  return () => removal.mutate();
}

interface ScenarioOutcomeProps {
  readonly result: ScenarioResult;
  readonly expanded: Flow;
  readonly isStale: boolean;
  readonly store: EditorStore;
}

/** The result of a run: what failed, after which step, in which node, and what was said. */
function ScenarioOutcome({ result, expanded, isStale, store }: ScenarioOutcomeProps) {
  const { failure, lines, path, callId } = result;
  const nodeId = failure?.nodeId;
  const title = nodeId ? titleOfId(expanded, nodeId) : "";
  return (
    <div className="space-y-2 border-t border-line px-3.5 py-2.5 text-sm">
      {isStale ? <p className="text-xs text-ink-soft">{scenariosText.stale}</p> : null}
      {failure ? (
        <div className="space-y-1.5">
          <p className="break-words text-danger-text">{failureWords(failure, expanded)}</p>
          {nodeId ? (
            <Button size="small" onClick={() => store.goTo(nodeId)}>
              <Crosshair aria-hidden="true" />
              {failure.step === null
                ? scenariosText.goToNode(title)
                : scenariosText.goToNodeAfterStep(failure.step, title)}
            </Button>
          ) : null}
        </div>
      ) : null}
      <details>
        <summary className="text-xs text-ink-soft">{scenariosText.whatWasSaid}</summary>
        <ol className="mt-2 space-y-1 text-xs">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a run that is over do not change.
            <li key={index} className="break-words">
              <span className={`font-semibold ${line.role === "agent" ? "text-accent-text" : "text-ink-soft"}`}>
                {line.role === "agent" ? scenariosText.agent : scenariosText.callee}
              </span>{" "}
              {line.text}
            </li>
          ))}
        </ol>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="small" look="quiet" onClick={() => store.setPath(path.map((id) => ({ nodeId: id })))}>
            {scenariosText.showPath}
          </Button>
          {callId ? (
            <Link to="/calls/$callId" params={{ callId }} className="self-center text-xs underline">
              {scenariosText.openCall}
            </Link>
          ) : null}
        </div>
      </details>
    </div>
  );
}

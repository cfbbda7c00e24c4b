import { createScenario, deleteScenario } from "@parley/contract/routes/scenarios";
import type { Scenario, ScenarioResult } from "@parley/contract/scenarios";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDashed, CircleX, Crosshair, EllipsisVertical, LoaderCircle } from "lucide-react";
import { inWords } from "../../../api/api-error.ts";
import { send } from "../../../api/send.ts";
import { useToast } from "../../../ui/feedback/toast.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Menu, MenuItem } from "../../../ui/layout/menu.tsx";
import type { EditorStore } from "../model/editor-store.ts";
import { scenarioKeys } from "./scenario-queries.ts";
import type { Verdict } from "./scenario-runs.ts";
import { stepWords } from "./scenario-text.ts";

interface ScenarioRowProps {
  readonly scenario: Scenario;
  readonly verdict: Verdict | undefined;
  /** Whether the flow has changed since. */
  readonly isStale: boolean;
  readonly isRunning: boolean;
  readonly store: EditorStore;
  onRun(): void;
  onEdit(): void;
}

/** One scenario, what the last run said about it, and what can be done with it. */
export function ScenarioRow({ scenario, verdict, isStale, isRunning, store, onRun, onEdit }: ScenarioRowProps) {
  const remove = useRemoval(scenario);
  return (
    <li className="rounded-xl border border-line">
      <div className="flex items-start gap-2.5 py-2.5 pr-1.5 pl-3.5">
        <StatusIcon status={verdict?.result.status} isStale={isStale} />
        <button type="button" onClick={onEdit} className="min-w-0 flex-1 text-left">
          <span className="block text-sm font-medium break-words">{scenario.name}</span>
          <span className="line-clamp-2 text-xs text-ink-soft">
            {scenario.steps.map(stepWords).join(" · ") || "The callee does nothing"}
          </span>
        </button>
        <Menu
          trigger={
            <Button look="quiet" size="smallIcon" aria-label={`What to do with “${scenario.name}”`}>
              <EllipsisVertical aria-hidden="true" />
            </Button>
          }
        >
          <MenuItem onChoose={() => (isRunning ? undefined : onRun())}>Run this one</MenuItem>
          <MenuItem onChoose={onEdit}>Edit</MenuItem>
          <MenuItem onChoose={remove}>Delete</MenuItem>
        </Menu>
      </div>
      {verdict && verdict.result.status !== "running" ? (
        <ScenarioOutcome result={verdict.result} isStale={isStale} store={store} />
      ) : null}
    </li>
  );
}

function StatusIcon({ status, isStale }: { readonly status: string | undefined; readonly isStale: boolean }) {
  const soft = isStale ? "opacity-50" : "";
  switch (status) {
    case "passed":
      return <CircleCheck aria-label="Passed" className={`mt-0.5 size-4.5 shrink-0 text-accent-text ${soft}`} />;
    case "failed":
      return <CircleX aria-label="Failed" className={`mt-0.5 size-4.5 shrink-0 text-danger-text ${soft}`} />;
    case "running":
      return <LoaderCircle aria-label="Running" className="mt-0.5 size-4.5 shrink-0 animate-spin text-ink-soft" />;
    default:
      return <CircleDashed aria-label="Not run yet" className="mt-0.5 size-4.5 shrink-0 text-ink-soft" />;
  }
}

/** Deletes it at once; whoever did not mean it gets the same again. */
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
    onError: (error) => toast({ text: inWords(error) }),
  });
  const removal = useMutation({
    mutationFn: () => send(deleteScenario, { params: { id: scenario.id } }),
    onSuccess: async () => {
      toast({ text: `“${scenario.name}” was deleted.`, undo: () => restore.mutate() });
      await refresh();
    },
    onError: (error) => toast({ text: inWords(error) }),
  });
  return () => removal.mutate();
}

interface ScenarioOutcomeProps {
  readonly result: ScenarioResult;
  readonly isStale: boolean;
  readonly store: EditorStore;
}

/** What a run found: what broke, after which step, in which node, and what was said. */
function ScenarioOutcome({ result, isStale, store }: ScenarioOutcomeProps) {
  const { failure, lines, path, callId } = result;
  const nodeId = failure?.nodeId;
  return (
    <div className="space-y-2 border-t border-line px-3.5 py-2.5 text-sm">
      {isStale ? <p className="text-xs text-ink-soft">From before the last change.</p> : null}
      {failure ? (
        <div className="space-y-1.5">
          <p className="break-words text-danger-text">{failure.message}</p>
          {nodeId ? (
            <Button size="small" onClick={() => store.goTo(nodeId)}>
              <Crosshair aria-hidden="true" />
              {failure.step === null ? "Go to" : `After step ${failure.step}: go to`} {nodeId}
            </Button>
          ) : null}
        </div>
      ) : null}
      <details>
        <summary className="text-xs text-ink-soft">What was said</summary>
        <ol className="mt-2 space-y-1 text-xs">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a run that is over do not change.
            <li key={index} className="break-words">
              <span className={`font-semibold ${line.role === "agent" ? "text-accent-text" : "text-ink-soft"}`}>
                {line.role === "agent" ? "Agent" : "Callee"}
              </span>{" "}
              {line.text}
            </li>
          ))}
        </ol>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="small" look="quiet" onClick={() => store.setPath(path)}>
            Show its way on the canvas
          </Button>
          {callId ? (
            <Link to="/calls/$callId" params={{ callId }} className="self-center text-xs underline">
              Open the call
            </Link>
          ) : null}
        </div>
      </details>
    </div>
  );
}

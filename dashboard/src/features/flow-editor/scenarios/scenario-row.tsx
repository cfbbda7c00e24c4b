import { createScenario, deleteScenario } from "@parley/contract/routes/scenarios";
import type { Scenario } from "@parley/contract/scenarios";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, CircleX, EllipsisVertical, LoaderCircle } from "lucide-react";
import { inWords } from "../../../api/refusal.ts";
import { send } from "../../../api/send.ts";
import { Button } from "../../../ui/button.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { useToast } from "../../../ui/toast.tsx";
import type { EditorStore } from "../model/editor-store.ts";
import { ScenarioOutcome } from "./scenario-outcome.tsx";
import { scenarioKeys } from "./scenario-queries.ts";
import { stepWords } from "./scenario-words.ts";
import type { Verdict } from "./verdict-store.ts";

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

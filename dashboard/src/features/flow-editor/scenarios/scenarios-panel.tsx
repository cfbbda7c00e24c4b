import type { Scenario } from "@parley/contract/scenarios";
import { useQuery } from "@tanstack/react-query";
import { ListChecks, Play, Plus } from "lucide-react";
import { useState } from "react";
import { inWords } from "../../../api/api-error.ts";
import { EmptyState } from "../../../ui/feedback/empty-state.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { SkeletonRows } from "../../../ui/feedback/skeleton.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Segmented } from "../../../ui/forms/segmented.tsx";
import type { EditorStore } from "../model/editor-store.ts";
import { TryRefusal } from "../try/try-refusal.tsx";
import { useEditor } from "../use-editor.ts";
import { ScenarioDialog } from "./scenario-dialog.tsx";
import { scenariosQuery } from "./scenario-queries.ts";
import { ScenarioRow } from "./scenario-row.tsx";
import { useScenarioRun, useVerdicts } from "./scenario-runs.ts";

interface ScenariosPanelProps {
  readonly agentId: string;
  readonly store: EditorStore;
}

const WAYS = [
  { value: "text", label: "On text" },
  { value: "audio", label: "On audio" },
] as const;

/** What callees may do and what must come of it: to be run before the agent is published. */
export function ScenariosPanel({ agentId, store }: ScenariosPanelProps) {
  const flow = useEditor(store, (state) => state.flow);
  const { data: scenarios, error } = useQuery(scenariosQuery(agentId));
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
      New scenario
    </Button>
  );
  return (
    <div className="space-y-4">
      {error ? <Notice tone="danger">{inWords(error)}</Notice> : null}
      {!scenarios && !error ? <SkeletonRows count={4} label="Fetching the scenarios" /> : null}
      {scenarios && all.length === 0 ? (
        <EmptyState
          icon={<ListChecks />}
          title="No scenarios yet"
          text="A scenario says what a callee does and what must come of it. Save one from a try or a call, or write it."
          action={add}
        />
      ) : null}
      {all.length > 0 ? (
        <>
          <div className="flex flex-wrap items-center gap-2">
            <Segmented label="How to run them" value={on} choices={WAYS} onChoose={(next) => setOn(next)} />
            <Button look="primary" size="small" isBusy={isRunning} onClick={() => start({ on })}>
              <Play aria-hidden="true" />
              Run all
            </Button>
          </div>
          {on === "audio" ? (
            <p className="text-sm text-ink-soft">
              On audio each is a simulated call with real sound. It costs nothing and takes about as long as the calls.
            </p>
          ) : null}
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
  if (isRunning) return done > 0 ? `Running: ${done} done.` : "Running.";
  if (passed + failed === 0) return `${all} scenarios, not run yet.`;
  return failed === 0 ? `${passed} of ${all} passed.` : `${failed} of ${all} failed, ${passed} passed.`;
}

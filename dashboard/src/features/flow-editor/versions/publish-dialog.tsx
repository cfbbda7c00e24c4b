import type { Agent, PublishedVersion } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { publishAgent } from "@parley/contract/routes/agents";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useMemo, useState } from "react";
import { ApiError, errorText } from "../../../api/api-error.ts";
import { randomKey } from "../../../api/idempotency-keys.ts";
import { send } from "../../../api/send.ts";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { CONTROL, Field } from "../../../ui/forms/field.tsx";
import { Dialog, DialogActions } from "../../../ui/layout/dialog.tsx";
import { agentsQuery } from "../../agents/agent-list-query.ts";
import { versionQuery, versionsQuery } from "../editor-queries.ts";
import { compareFlows } from "../model/compare-flows.ts";
import type { EditorStore } from "../model/editor-store.ts";
import type { FlowNotes } from "../model/flow-notes.ts";
import { DanglingExpectations, findDangling } from "../scenarios/dangling-expectations.tsx";
import { scenariosQuery } from "../scenarios/scenario-queries.ts";
import { useScenarioRun, useVerdicts } from "../scenarios/scenario-runs.ts";
import { failureWords } from "../scenarios/scenario-text.ts";
import { useExpandedFlow } from "../sub-flows/load-sub-flows.ts";
import { Comparison } from "./comparison.tsx";
import type { DraftSaver } from "./draft-saver.ts";
import { versionsText } from "./text.tsx";

interface PublishDialogProps {
  readonly agentId: string;
  readonly publishedVersion: number | null;
  readonly store: EditorStore;
  readonly saver: DraftSaver;
  readonly notes: FlowNotes;
  /** Whether the results belong to the current flow. */
  readonly isCurrent: boolean;
  onPublished(version: PublishedVersion): void;
  onRefused(words: string): void;
  onClose(): void;
}

/** Shows what will change for callees, takes a note, and publishes the current draft. */
export function PublishDialog({
  agentId,
  publishedVersion,
  store,
  saver,
  notes,
  isCurrent,
  ...on
}: PublishDialogProps) {
  const queries = useQueryClient();
  const [note, setNote] = useState("");
  // The same for every attempt from this dialog: a lost reply does not publish twice.
  const [idempotencyKey] = useState(() => randomKey());
  const published = useQuery({ ...versionQuery(agentId, publishedVersion ?? 0), enabled: publishedVersion !== null });
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      if (!(await saver.flush())) throw new ApiError(null);
      const { revision } = saver.getSnapshot();
      return send(publishAgent, { params: { id: agentId }, body: { note }, ifMatch: revision, idempotencyKey });
    },
    onSuccess: async (version) => {
      on.onPublished(version);
      await Promise.all([queries.invalidateQueries(versionsQuery(agentId)), queries.invalidateQueries(agentsQuery)]);
    },
    onError: (refusal) => on.onRefused(errorText(refusal)),
  });
  return (
    <Dialog
      isOpen
      onClose={on.onClose}
      isWide
      title={publishedVersion === null ? versionsText.publishFirst : versionsText.publishNew}
      lead={versionsText.publishLead}
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        {error ? <Notice tone="danger">{errorText(error)}</Notice> : null}
        {notes.problems.length > 0 ? <Notice tone="danger">{versionsText.fixProblems}</Notice> : null}
        {notes.warnings.length > 0 ? (
          <Notice tone="warning">
            <ul className="space-y-1">
              {notes.warnings.map(({ path, message }) => (
                <li key={`${path} ${message}`}>{message}</li>
              ))}
            </ul>
          </Notice>
        ) : null}
        <ScenarioCheck agentId={agentId} flow={store.getSnapshot().flow} published={published.data?.flow} />
        <Field label={versionsText.note} hint={versionsText.noteHint}>
          {(control) => (
            <textarea
              {...control}
              rows={2}
              maxLength={500}
              value={note}
              onChange={({ target }) => setNote(target.value)}
              className={`${CONTROL} py-2`}
            />
          )}
        </Field>
        {published.data ? (
          <section aria-label={versionsText.whatChanges} className="rounded-xl border border-line px-4">
            <Comparison before={published.data.flow} after={store.getSnapshot().flow} />
          </section>
        ) : null}
        <DialogActions>
          <Button onClick={on.onClose}>{versionsText.notYet}</Button>
          <Button type="submit" look="primary" isBusy={isPending} disabled={!isCurrent || notes.problems.length > 0}>
            {versionsText.publish}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Whether the published version is the draft already; null until that is known. A failed comparison forbids nothing. */
export function useIsPublished({ id, publishedVersion, engine, language }: Agent, flow: Flow): boolean | null {
  const isAny = publishedVersion !== null;
  const { data, isLoading } = useQuery({ ...versionQuery(id, publishedVersion ?? 0), enabled: isAny });
  const published = isAny ? data : undefined;
  const isLikeFlow = useMemo(
    () => published !== undefined && compareFlows(published.flow, flow).isSame,
    [published, flow],
  );
  if (isAny && isLoading) return null;
  return isLikeFlow && published?.engine === engine && published.language === language;
}

interface ScenarioCheckProps {
  readonly agentId: string;
  readonly flow: Flow;
  readonly published: Flow | undefined;
}

/** Before publishing: the scenario results for the current flow, and a way to run them. It warns and never forbids. */
function ScenarioCheck({ agentId, flow, published }: ScenarioCheckProps) {
  const expanded = useExpandedFlow(flow);
  const { data: scenarios = [] } = useQuery(scenariosQuery(agentId));
  const { start, isRunning, error } = useScenarioRun(agentId, flow);
  const verdicts = useVerdicts(agentId);
  if (scenarios.length === 0) return null;
  const known = scenarios.flatMap(({ id }) => {
    const verdict = verdicts.get(id);
    return verdict?.flow === flow && verdict.result.status !== "running" ? [verdict.result] : [];
  });
  const failed = known.filter(({ status }) => status === "failed");
  const run = (
    <Button size="small" isBusy={isRunning} onClick={() => start({ on: "text" })}>
      <Play aria-hidden="true" />
      {versionsText.runAllScenarios}
    </Button>
  );
  if (error) return <Notice tone="danger">{errorText(error)}</Notice>;
  const dangling = scenarios.filter((scenario) => findDangling(scenario, expanded).length > 0);
  if (dangling.length > 0) {
    return (
      <Notice tone="warning">
        <p className="font-medium">{versionsText.scenariosDangle(dangling.length)}</p>
        {dangling.slice(0, 3).map((scenario) => (
          <section key={scenario.id} aria-label={scenario.name} className="mt-2">
            <p className="break-words">{scenario.name}</p>
            <DanglingExpectations scenario={scenario} expanded={expanded} published={published} />
          </section>
        ))}
      </Notice>
    );
  }
  if (failed.length > 0) {
    return (
      <Notice tone="danger">
        <p className="font-medium">{versionsText.scenariosFail(failed.length, scenarios.length)}</p>
        <ul className="mt-1 space-y-1">
          {failed.slice(0, 3).map(({ scenarioId, name, failure }) => (
            <li key={scenarioId} className="break-words">
              {name}: {failure ? failureWords(failure, expanded) : null}
            </li>
          ))}
        </ul>
      </Notice>
    );
  }
  if (known.length === scenarios.length) {
    return <Notice tone="accent">{versionsText.scenariosPass(scenarios.length)}</Notice>;
  }
  return (
    <Notice tone="accent" action={run}>
      {known.length === 0 ? versionsText.scenariosNotRun : versionsText.scenariosPartlyRun}
    </Notice>
  );
}

import type { Flow } from "@parley/contract/flow";
import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { inWords } from "../../../api/refusal.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { scenariosQuery } from "./scenario-queries.ts";
import { useScenarioRun } from "./use-scenario-run.ts";
import { useVerdicts } from "./verdict-store.ts";

interface ScenarioCheckProps {
  readonly agentId: string;
  readonly flow: Flow;
}

/** Before publishing: what the scenarios say about the flow as it is, and a way to ask them. It warns and never forbids. */
export function ScenarioCheck({ agentId, flow }: ScenarioCheckProps) {
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
      Run all scenarios
    </Button>
  );
  if (error) return <Notice tone="danger">{inWords(error)}</Notice>;
  if (failed.length > 0) {
    return (
      <Notice tone="danger">
        <p className="font-medium">
          {failed.length} of {scenarios.length} scenarios fail. Publish anyway?
        </p>
        <ul className="mt-1 space-y-1">
          {failed.slice(0, 3).map(({ scenarioId, name, failure }) => (
            <li key={scenarioId} className="break-words">
              {name}: {failure?.message}
            </li>
          ))}
        </ul>
      </Notice>
    );
  }
  if (known.length === scenarios.length) {
    return <Notice tone="accent">All {scenarios.length} scenarios pass with this flow.</Notice>;
  }
  return (
    <Notice tone="accent" action={run}>
      {known.length === 0
        ? "The scenarios have not been run with this flow."
        : "Some scenarios have not been run with this flow."}
    </Notice>
  );
}

import type { Flow } from "@parley/contract/flow";
import { runScenarios } from "@parley/contract/routes/scenarios";
import type { ScenarioResult } from "@parley/contract/scenarios";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { send } from "../../../api/send.ts";
import { runQuery } from "./scenario-queries.ts";

/** The results of the last runs for each scenario of an agent, and their flow. */
export interface Verdict {
  readonly flow: Flow;
  readonly result: ScenarioResult;
}
type Verdicts = ReadonlyMap<string, Verdict>;

const NONE: Verdicts = new Map();
const held = new Map<string, Verdicts>();
const listeners = new Set<() => void>();

/** Stores the results of a run, along with earlier ones of other scenarios. */
function keepVerdicts(agentId: string, flow: Flow, results: readonly ScenarioResult[]): void {
  const known = new Map(held.get(agentId));
  for (const result of results) known.set(result.scenarioId, { flow, result });
  held.set(agentId, known);
  for (const listener of listeners) listener();
}

export function useVerdicts(agentId: string): Verdicts {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => held.get(agentId) ?? NONE,
  );
}

interface Wish {
  readonly on: "text" | "audio";
  /** Default: all of the agent. */
  readonly ids?: readonly string[];
}

/**
 * Runs scenarios against a flow, saved or not. By text they finish immediately; with audio they fill in as calls end.
 */
export function useScenarioRun(agentId: string, flow: Flow) {
  const tried = useRef(flow);
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: ({ on, ids }: Wish) => {
      tried.current = flow;
      return send(runScenarios, { params: { id: agentId }, body: { on, flow, ...(ids ? { ids: [...ids] } : {}) } });
    },
  });
  const followed = useQuery({ ...runQuery(data?.id ?? ""), enabled: data?.status === "running" });
  const run = data?.status === "running" ? (followed.data ?? data) : data;
  useEffect(() => {
    if (run) keepVerdicts(agentId, tried.current, run.results);
  }, [run, agentId]);
  return {
    run,
    start: mutate,
    error: error ?? followed.error,
    isRunning: isPending || run?.status === "running",
  };
}

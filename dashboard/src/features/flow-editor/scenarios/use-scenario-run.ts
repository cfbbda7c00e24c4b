import type { Flow } from "@parley/contract/flow";
import { runScenarios } from "@parley/contract/routes/scenarios";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { send } from "../../../api/send.ts";
import { runQuery } from "./scenario-queries.ts";
import { keepVerdicts } from "./verdict-store.ts";

interface Wish {
  readonly on: "text" | "audio";
  /** Default: all of the agent. */
  readonly ids?: readonly string[];
}

/** Runs scenarios against a flow, saved or not. On text they are done at once; on audio they fill up as calls end. */
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

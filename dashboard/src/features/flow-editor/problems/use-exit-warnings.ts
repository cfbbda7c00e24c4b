import type { Agent } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { checkAgent } from "@parley/contract/routes/agents";
import { useEffect, useMemo, useState } from "react";
import { send } from "../../../api/send.ts";
import type { CompilerNotes } from "../model/flow-notes.ts";

type Warning = CompilerNotes["warnings"][number];

/** The delay after a change: the service asks a model about every new phrase. */
const PAUSE_MS = 1_000;

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
  pauseMs = PAUSE_MS,
): readonly Warning[] {
  const [checked, setChecked] = useState<CheckedExits | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the service checks against the engine and language of the agent.
  useEffect(() => {
    const request = new AbortController();
    const timer = setTimeout(() => {
      send(checkAgent, { params: { id: agentId }, body: { flow }, signal: request.signal }).then(
        ({ warnings }) => setChecked({ flow, warnings: warnings.map((each) => atNode(flow, each)) }),
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

function atNode(
  flow: Flow,
  { param, code, message }: { param: string; code: Warning["code"]; message: string },
): Warning {
  const path = param.replace(/^flow\./, "");
  const index = /^nodes\[(\d+)\]/.exec(path)?.[1];
  return { code, message, path, nodeId: (index === undefined ? undefined : flow.nodes[Number(index)]?.id) ?? null };
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

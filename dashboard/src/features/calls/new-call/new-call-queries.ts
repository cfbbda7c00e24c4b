import type { AgentSummary } from "@parley/contract/agents";
import { getAgentVersion } from "@parley/contract/routes/agents";
import { checkCall } from "@parley/contract/routes/calls";
import { listScenarios } from "@parley/contract/routes/scenarios";
import { type Mode, PhoneNumber } from "@parley/contract/shared-fields";
import { requiredVariables } from "@parley/flow/required-variables";
import { queryOptions } from "@tanstack/react-query";
import { send, sendForPage } from "../../../api/send.ts";

/** A variable that the agent of a call uses. */
export interface CallVariable {
  readonly name: string;
  /** Whether a sentence of the agent has a hole without it. */
  readonly isRequired: boolean;
  /** A value from the scenarios of the agent. */
  readonly example: string | null;
}

type PublishedAgent = Pick<AgentSummary, "id" | "publishedVersion">;

/** The variables of an agent's published version, with examples. */
export const callVariablesQuery = (agent: PublishedAgent | undefined) =>
  queryOptions({
    queryKey: ["agents", "call-variables", agent?.id, agent?.publishedVersion],
    queryFn: async ({ signal }): Promise<readonly CallVariable[]> => {
      const id = agent?.id ?? "";
      const [version, scenarios] = await Promise.all([
        send(getAgentVersion, { params: { id, version: String(agent?.publishedVersion) } as never, signal }),
        sendForPage(listScenarios, { params: { id }, query: { limit: "20" }, signal }),
      ]);
      const required = new Set(requiredVariables(version.flow));
      return version.flow.variables.map((name) => ({
        name,
        isRequired: required.has(name),
        example: scenarios.rows.map(({ variables }) => variables?.[name]).find((value) => Boolean(value)) ?? null,
      }));
    },
    enabled: agent !== undefined && agent.publishedVersion !== null,
    staleTime: 60_000,
  });

/** A number as people write it, as the API wants it. */
export function plainNumber(text: string): string {
  return text.replaceAll(/[\s().\-/]/g, "").replace(/^00/, "+");
}

/** Whether a number may be called now, its price and local time. Asked only for whole numbers. */
export const callCheckQuery = (mode: Mode, number: string, engine: string | undefined) =>
  queryOptions({
    queryKey: ["call-check", mode, number, engine],
    queryFn: ({ signal }) =>
      send(checkCall, { mode, body: { phoneNumber: number, ...(engine ? { engine } : {}) }, signal }),
    enabled: PhoneNumber.safeParse(number).success,
    retry: false,
    staleTime: 30_000,
  });

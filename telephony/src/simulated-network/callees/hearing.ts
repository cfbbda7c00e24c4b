import type { CalleeEvent } from "./callee-machine.ts";

/** What a callee remembers of the agent's voice. */
export interface Hearing {
  /** Since when the agent speaks; null while it is silent. */
  readonly agentSinceMs: number | null;
  /** Since when it is silent; null while it speaks. */
  readonly quietSinceMs: number;
  /** Whether the agent finished saying something since this was last forgotten. */
  readonly hasHadTurn: boolean;
}

export function startHearing(atMs: number): Hearing {
  return { agentSinceMs: null, quietSinceMs: atMs, hasHadTurn: false };
}

export function followAgent(hearing: Hearing, event: CalleeEvent): Hearing {
  if (event.type === "agent.started") return { ...hearing, agentSinceMs: event.atMs };
  if (event.type === "agent.stopped") return { agentSinceMs: null, quietSinceMs: event.atMs, hasHadTurn: true };
  return hearing;
}

/** How long the agent has been speaking; 0 while it is silent. */
export function agentSpeaksForMs({ agentSinceMs }: Hearing, atMs: number): number {
  return agentSinceMs === null ? 0 : atMs - agentSinceMs;
}

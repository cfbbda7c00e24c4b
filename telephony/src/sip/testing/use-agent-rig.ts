import { afterEach, expect } from "vitest";
import { type AgentRig, openAgentRig, type RigOptions } from "./agent-rig.ts";

export interface AgentRigs {
  open(options?: RigOptions): AgentRig;
  /** The one that was opened last. */
  readonly rig: AgentRig;
}

/** Rigs for the tests of one file. After each test nothing of them may be left, and nothing may have gone wrong in them. */
export function useAgentRig(): AgentRigs {
  const opened: AgentRig[] = [];
  afterEach(() => {
    for (const { agent, clock, errors } of opened.splice(0)) {
      agent.close();
      expect(errors).toEqual([]);
      expect(agent.openInvites + agent.openTransactions).toBe(0);
      expect(clock.pendingTimers()).toBe(0);
    }
  });
  return {
    open(options = {}) {
      const rig = openAgentRig(options);
      opened.push(rig);
      return rig;
    },
    get rig() {
      const rig = opened.at(-1);
      if (rig === undefined) throw new Error("no rig was opened");
      return rig;
    },
  };
}

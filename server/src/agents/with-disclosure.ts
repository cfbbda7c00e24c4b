import type { Flow } from "@parley/contract/flow";

/**
 * The flow with the account's words for what it leaves open. An agent with its own text, or explicitly none, is
 * unchanged.
 */
export function withDisclosure(flow: Flow, disclosure: string | null): Flow {
  if (disclosure === null || flow.settings?.disclosure !== undefined) return flow;
  return { ...flow, settings: { ...flow.settings, disclosure } };
}

import type { Flow } from "@parley/contract/flow";

/** The flow with the account's words for what it leaves open. An agent that says it otherwise, or not at all, is left alone. */
export function withDisclosure(flow: Flow, disclosure: string | null): Flow {
  if (disclosure === null || flow.settings?.disclosure !== undefined) return flow;
  return { ...flow, settings: { ...flow.settings, disclosure } };
}

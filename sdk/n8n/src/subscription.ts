import type { IHookFunctions } from "n8n-workflow";
import { NodeOperationError } from "n8n-workflow";
import { isMissing, requestJson } from "./request.ts";

/** What n8n keeps for the node between activations. */
interface Kept {
  endpointId?: string;
  secret?: string;
}

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly eventTypes: readonly string[] | null;
  readonly isEnabled: boolean;
}

/** Whether the service sends the events of the node to its address. */
export async function hasSubscription(context: IHookFunctions): Promise<boolean> {
  const { endpointId, secret } = keptBy(context);
  if (!endpointId || !secret) return false;
  try {
    const reply = await requestJson(context, { method: "GET", path: endpointPath(endpointId) });
    const { url, eventTypes, isEnabled } = reply.data as Endpoint;
    return isEnabled && url === addressOf(context) && isSameSet(eventTypes ?? [], eventsOf(context));
  } catch (error) {
    if (isMissing(error)) return false;
    throw new NodeOperationError(context.getNode(), error as Error);
  }
}

/** Adds an endpoint in place of the one before, whose secret nobody may know any more. */
export async function subscribe(context: IHookFunctions): Promise<void> {
  const eventTypes = eventsOf(context);
  if (eventTypes.length === 0) throw new NodeOperationError(context.getNode(), "Choose at least one event");
  await unsubscribe(context);
  const { name, id } = context.getWorkflow();
  const body = { url: addressOf(context), eventTypes, description: `n8n: ${name ?? id ?? "workflow"}`.slice(0, 100) };
  const { data } = await requestJson(context, { method: "POST", path: "/webhooks", body });
  Object.assign(keptBy(context), { endpointId: data.id, secret: data.secret });
}

export async function unsubscribe(context: IHookFunctions): Promise<void> {
  const kept = keptBy(context);
  if (!kept.endpointId) return;
  try {
    await requestJson(context, { method: "DELETE", path: endpointPath(kept.endpointId) });
  } catch (error) {
    // Someone removed it in the dashboard.
    if (!isMissing(error)) throw new NodeOperationError(context.getNode(), error as Error);
  }
  delete kept.endpointId;
  delete kept.secret;
}

const keptBy = (context: IHookFunctions) => context.getWorkflowStaticData("node") as Kept;
const endpointPath = (id: string) => `/webhooks/${encodeURIComponent(id)}`;
const eventsOf = (context: IHookFunctions) => context.getNodeParameter("events", []) as string[];

function addressOf(context: IHookFunctions): string {
  const address = context.getNodeWebhookUrl("default");
  if (address === undefined) throw new NodeOperationError(context.getNode(), "The node has no webhook address");
  return address;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each) => other.includes(each));
}

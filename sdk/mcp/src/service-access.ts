import { type GrantedAccess, Parley } from "@parley/sdk";

/** The service, as the key of one client may use it. */
export interface ServiceAccess {
  readonly url: string;
  readonly parley: Parley;
  readonly access: GrantedAccess;
}

/** Connects to the service and asks what the key may do. */
export async function openServiceAccess(url: string, apiKey: string): Promise<ServiceAccess> {
  const baseUrl = url.replace(/\/+$/, "");
  const parley = new Parley({ baseUrl, apiKey, headers: { "user-agent": "parley-mcp" } });
  return { url: baseUrl, parley, access: await parley.access.get({ deadlineMs: 15_000 }) };
}

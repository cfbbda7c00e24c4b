import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { claimFirst, createKey, dataOf, type SignedInMember } from "../harness/accounts.ts";
import { completeCall } from "../harness/calls.ts";
import { sendPatiently } from "../harness/http-client.ts";
import type { ServiceProcess } from "../harness/service-process.ts";

/** An operator whose account has one of everything that a page shows. */
export interface PageIds {
  readonly operator: SignedInMember;
  /** The value of each `$name` in an address. */
  readonly ids: Readonly<Record<string, string>>;
  /** The address of a page, with these values. */
  addressOf(route: string): string;
  close(): void;
}

export async function makePageIds(service: ServiceProcess): Promise<PageIds> {
  const { url } = service;
  const operator = await claimFirst(service);
  const { key } = await createKey(url, operator.cookie);
  const post = async (path: string, json: object) =>
    dataOf(await sendPatiently(url, { path: `/api/v1/${path}`, headers: operator.cookie, json }));
  const read = async (path: string) =>
    dataOf(await sendPatiently(url, { path: `/api/v1/${path}`, headers: operator.cookie }));
  const receiver = createServer((request, reply) => request.resume().once("end", () => reply.end()));
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const webhookId = (await post("webhooks", { url: receiverUrl })).id;
  await post(`webhooks/${webhookId}/test`, {});
  const [{ id: agentId }] = await read("agents");
  const ids: Readonly<Record<string, string>> = {
    agentId,
    webhookId,
    deliveryId: (await read(`webhooks/${webhookId}/deliveries`))[0].id,
    callId: await completeCall({ url, key, agentId }),
    trunkId: (await post("operator/trunks", { name: "Trunk 4711", host: "127.0.0.1", isEnabled: false })).id,
    accountId: operator.accountId,
    batchId: (
      await post("batches", {
        name: "A list",
        agentId,
        scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
        rows: [{ phoneNumber: "+15550100001" }],
      })
    ).id,
    serverId: (await post("mcp-servers", { name: "crm", url: `${receiverUrl}mcp` })).id,
  };
  return {
    operator,
    ids,
    addressOf(route) {
      const path = route.replaceAll(/\$(\w+)/g, (_, name: string) => {
        const id = ids[name];
        if (id === undefined) throw new Error(`nothing here stands for $${name}`);
        return id;
      });
      return url + path;
    },
    close() {
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Call } from "@parley/contract/calls";
import type { SimulatedCalleePlan } from "@parley/telephony/carrier";
import { createSimulatedNetwork } from "@parley/telephony/simulated-network/simulated-network";
import { systemClock } from "@parley/time/clock";
import { ask } from "../harness/api-client.ts";
import type { Caller } from "../harness/calls.ts";
import { claim, makeKey } from "../harness/claim.ts";
import { freePort } from "../harness/free-port.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";
import type { PhoneVendor, StandIn } from "./phone-vendors.ts";

interface ReceivedWebhook {
  readonly type: string;
  readonly data: { readonly call: Call };
}

/** An installation whose calls go out over a stand-in for a vendor, behind which are simulated callees. */
export interface VendorScene<Server extends StandIn> {
  readonly scene: Scene;
  readonly vendor: Server;
  readonly env: Readonly<Record<string, string>>;
  readonly live: Caller;
  readonly webhooks: readonly ReceivedWebhook[];
  service(): ServiceProcess;
  /** Kills the only process, and starts another at the same address. */
  killAndStart(): Promise<void>;
  /** As an operator of the installation. */
  operate(path: string, body: object, method?: string): Promise<Awaited<ReturnType<typeof ask>>>;
  addTrunk(fields: object, priority: number, prefix?: string): Promise<string>;
  callTo(number: string): Server["calls"][number];
  close(): Promise<void>;
}

export async function openVendorScene<Server extends StandIn>(
  { open, urlSetting }: PhoneVendor<Server>,
  plans: Readonly<Record<string, SimulatedCalleePlan>>,
): Promise<VendorScene<Server>> {
  const scene = await Scene.open();
  const network = createSimulatedNetwork({ clock: systemClock });
  const vendor = await open(network, (number) => plans[number]);
  const port = await freePort();
  const env = {
    PARLEY_PUBLIC_URL: `http://127.0.0.1:${port}`,
    [urlSetting]: vendor.url,
    PARLEY_OUTBOUND_ALLOW: "loopback",
  };
  let service = await scene.start({ env, port });
  const { agentId, claimToken } = await readFirstRun(service);
  const { cookie } = await claim(service.url, claimToken);
  const operate = (path: string, body: object, method = "POST") =>
    ask(service.url, `/api/v1/operator${path}`, { method, body, headers: { cookie, origin: service.url } });
  const opened = await operate("/gate", { callingHours: null }, "PATCH");
  if (opened.status !== 200) throw new Error(`the gate was not opened: ${JSON.stringify(opened.body)}`);
  const live = { url: service.url, agentId, key: await makeKey(service.url, cookie, "live") };
  const { receiver, webhooks, url } = await openReceiver();
  await ask(live.url, "/api/v1/webhooks", { key: live.key, body: { url } });
  return {
    scene,
    vendor,
    env,
    live,
    webhooks,
    service: () => service,
    async killAndStart() {
      await service.end("SIGKILL");
      service = await scene.start({ env, port });
    },
    operate,
    async addTrunk(fields, priority, prefix = "") {
      const made = await operate("/trunks", fields);
      if (made.status !== 200) throw new Error(`the trunk was refused: ${JSON.stringify(made.body)}`);
      const { id: trunkId } = made.body.data as { id: string };
      const routed = await operate("/routes", { prefix, trunkId, priority });
      if (routed.status !== 200) throw new Error(`the route was refused: ${JSON.stringify(routed.body)}`);
      return trunkId;
    },
    callTo(number) {
      const [call, ...others] = vendor.calls.filter(({ to }) => to === number);
      if (call === undefined) throw new Error(`${number} was not called`);
      if (others.length > 0) throw new Error(`${number} was called ${1 + others.length} times`);
      return call;
    },
    async close() {
      await scene.close();
      await vendor.close();
      await network.close();
      receiver.close();
      receiver.closeAllConnections();
    },
  };
}

async function openReceiver(): Promise<{ receiver: Server; webhooks: ReceivedWebhook[]; url: string }> {
  const webhooks: ReceivedWebhook[] = [];
  const receiver = createServer((request, reply) => {
    text(request).then(
      (body) => {
        webhooks.push(JSON.parse(body) as ReceivedWebhook);
        reply.writeHead(204).end();
      },
      () => reply.destroy(),
    );
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  return { receiver, webhooks, url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` };
}

import { runCreateWorker } from "../../stream-carrier/testing/create-worker.ts";
import { openEndpoint } from "../../stream-carrier/testing/open-endpoint.ts";
import { createTelnyxCalls } from "../telnyx-calls.ts";
import { createTelnyxCarrier } from "../telnyx-carrier.ts";
import { API_KEY, CALLER_ID, CONNECTION_ID, PRIVATE_KEY, serveTelnyx } from "./open-telnyx-rig.ts";
import { publicKeyOf } from "./telnyx-server.ts";

const account = { apiKey: API_KEY, connectionId: CONNECTION_ID };

await runCreateWorker({
  async openCarrier(baseUrl, clock) {
    const endpoint = await openEndpoint();
    const place = { baseUrl, publicUrl: endpoint.url, callerId: CALLER_ID, publicKey: publicKeyOf(PRIVATE_KEY) };
    const carrier = createTelnyxCarrier({ clock, ...account, ...place, onError: () => undefined });
    serveTelnyx(endpoint, carrier);
    return { carrier, close: () => endpoint.close() };
  },
  openNaiveClient(baseUrl, clock) {
    const urls = { streamUrlOf: () => "ws://127.0.0.1:1/", callbackUrlOf: () => "http://127.0.0.1:1/" };
    const calls = createTelnyxCalls({ clock, ...account, baseUrl, ...urls });
    return {
      async create(to) {
        // A new name for each request, as a client without a journal has.
        const names = { dialId: crypto.randomUUID(), callbackToken: "naive", streamToken: "naive" };
        return (await calls.create({ ...names, to, from: CALLER_ID, ringTimeoutS: 30 })).type === "created";
      },
      close: () => calls.close(),
    };
  },
});

import { describeAtMostOnce } from "../stream-carrier/testing/at-most-once.ts";
import { API_KEY, CONNECTION_ID, PRIVATE_KEY } from "./testing/open-telnyx-rig.ts";
import { TelnyxServer } from "./testing/telnyx-server.ts";

const account = { apiKey: API_KEY, privateKey: PRIVATE_KEY, connectionId: CONNECTION_ID };

describeAtMostOnce({
  name: "Telnyx",
  worker: new URL("./testing/create-worker.ts", import.meta.url).pathname,
  openVendor: (clock, network, onCreate) => TelnyxServer.open({ clock, ...account, network, faults: { onCreate } }),
});

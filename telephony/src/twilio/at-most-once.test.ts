import { describeAtMostOnce } from "../stream-carrier/testing/at-most-once.ts";
import { ACCOUNT_SID, AUTH_TOKEN } from "./testing/open-twilio-rig.ts";
import { TwilioServer } from "./testing/twilio-server.ts";

describeAtMostOnce({
  name: "Twilio",
  worker: new URL("./testing/create-worker.ts", import.meta.url).pathname,
  openVendor: (clock, network, onCreate) =>
    TwilioServer.open({ clock, accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN, network, faults: { onCreate } }),
});

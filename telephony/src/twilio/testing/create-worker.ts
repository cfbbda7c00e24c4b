import { runCreateWorker } from "../../stream-carrier/testing/create-worker.ts";
import { createTwilioCarrier } from "../twilio-carrier.ts";
import { TwilioRest } from "../twilio-rest.ts";
import { ACCOUNT_SID, AUTH_TOKEN } from "./open-twilio-rig.ts";
import { openTwilioEndpoint } from "./twilio-endpoint.ts";

const FROM = "+15550199999";
const credentials = { accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN };

await runCreateWorker({
  async openCarrier(baseUrl, clock) {
    const endpoint = await openTwilioEndpoint();
    const publicUrl = endpoint.url;
    const onError = () => undefined;
    const carrier = createTwilioCarrier({ clock, ...credentials, baseUrl, publicUrl, callerId: FROM, onError });
    endpoint.serve(carrier);
    return { carrier, close: () => endpoint.close() };
  },
  openNaiveClient(baseUrl, clock) {
    const rest = new TwilioRest({ clock, ...credentials, baseUrl });
    const call = { from: FROM, twiml: "<Response><Hangup/></Response>", ringTimeoutS: 30 };
    return {
      async create(to) {
        const outcome = await rest.createCall({ ...call, to, statusUrl: "http://127.0.0.1:1/" });
        return outcome.type === "created";
      },
      close: () => rest.close(),
    };
  },
});

import type { IncomingHttpHeaders } from "node:http";
import { reportOf } from "@parley/telephony/twilio/call-end";
import { readCallStatus } from "@parley/telephony/twilio/find-call";
import { createTwilioCarrier } from "@parley/telephony/twilio/twilio-carrier";
import { TwilioRest } from "@parley/telephony/twilio/twilio-rest";
import { type FormParameters, isSignedByTwilio } from "@parley/telephony/twilio/twilio-signature";
import type { Clock } from "@parley/time/clock";
import type { VendorTrunk } from "../../trunks/to-carrier-trunk.ts";
import { findForeignNumbers, type Vendor } from "./vendor.ts";

/** Twilio: callbacks are signed forms, audio is a Media Stream. */
export const twilioVendor: Vendor = {
  open({ clock, trunk, publicUrl, apiUrl, onError }) {
    const { id, accountId, callerIds } = trunk();
    const carrier = createTwilioCarrier({
      clock,
      accountSid: accountId,
      get authToken() {
        return trunk().secret;
      },
      publicUrl,
      callerId: callerIds[0] ?? "",
      trunkId: id,
      onError,
      ...(apiUrl === null ? {} : { baseUrl: apiUrl }),
    });
    return {
      name: carrier.name,
      place: (dial) => carrier.place(dial),
      endOrphan: (orphan) => carrier.endOrphan(orphan),
      close: () => carrier.close(),
      handleRequest({ path, headers, body }) {
        const { status, twiml } = carrier.handleCallback({
          path,
          signature: signatureOf(headers),
          parameters: readForm(body),
        });
        return { status, contentType: twiml === null ? null : XML, body: twiml ?? "" };
      },
      handleUpgrade(request, socket, head) {
        if (request.url?.endsWith(carrier.streamPath) === true) carrier.handleUpgrade(request, socket, head);
        else socket.end("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n");
      },
    };
  },

  isGenuine({ trunk: { secret }, carrierUrl, path, isStream }, { headers, body }) {
    const url = (isStream ? carrierUrl.replace(/^http/, "ws") : carrierUrl) + path;
    const signature = signatureOf(headers);
    const parameters = readForm(body);
    // Twilio signs the URL of some handshakes with a slash at its end.
    return [url, `${url}/`].some((signed) => isSignedByTwilio(secret, signature, signed, parameters));
  },

  readStray({ clock, trunk, apiUrl }, { path, body }) {
    const { CallSid: callSid, ...parameters } = readForm(body);
    // The callbacks of a party that the callee was transferred to have a part more.
    const token = /^\/calls\/([\w-]+)$/.exec(path)?.[1];
    const status = readCallStatus(parameters);
    if (token === undefined || callSid === undefined || status === null) return null;
    const { accountId, secret } = trunk();
    return {
      recordKey: "callbackToken",
      recordValue: token,
      named: { vendorCallId: callSid },
      isOver: reportOf(status).state === "ended",
      async end() {
        const rest = openRest(clock, { accountId, secret }, apiUrl);
        if (!(await rest.endCall(callSid))) throw new Error("Twilio did not confirm the end of a call.");
      },
    };
  },

  async readAccount({ clock, trunk, apiUrl }) {
    const { callerIds } = trunk();
    const rest = openRest(clock, trunk(), apiUrl);
    try {
      const { status, accountStatus } = await rest.fetchAccount();
      if (status === 401 || status === 403 || status === 404)
        return { areCredentialsRight: false, obstacle: null, foreignNumbers: [] };
      if (status !== 200) throw new Error(`HTTP status ${status}`);
      const foreignNumbers = await findForeignNumbers(callerIds, (number) => rest.mayShow(number));
      const obstacle = accountStatus === "active" ? null : `the account is ${accountStatus ?? "in an unknown state"}`;
      return { areCredentialsRight: true, obstacle, foreignNumbers };
    } finally {
      rest.close();
    }
  },

  // Also to the question what follows a transfer.
  goneReply: { status: 200, contentType: "text/xml", body: "<Response><Hangup/></Response>" },
};

const XML = "text/xml";

function openRest(clock: Clock, account: Pick<VendorTrunk, "accountId" | "secret">, apiUrl: string | null): TwilioRest {
  const { accountId: accountSid, secret: authToken } = account;
  return new TwilioRest({ clock, accountSid, authToken, ...(apiUrl === null ? {} : { baseUrl: apiUrl }) });
}

function signatureOf(headers: IncomingHttpHeaders): string | undefined {
  const value = headers["x-twilio-signature"];
  return typeof value === "string" ? value : undefined;
}

function readForm(body: Buffer): FormParameters {
  return Object.fromEntries(new URLSearchParams(body.toString("utf8")));
}

import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { TelnyxApi, type TelnyxApplication } from "@parley/telephony/telnyx/telnyx-api";
import { clientStateOf } from "@parley/telephony/telnyx/telnyx-calls";
import { createTelnyxCarrier } from "@parley/telephony/telnyx/telnyx-carrier";
import { isSignedByTelnyx, readEvent, type SignedWebhook } from "@parley/telephony/telnyx/telnyx-webhook";
import type { Clock } from "@parley/time/clock";
import type { Vouch } from "../../../calls/live/listening/internal-token.ts";
import { findForeignNumbers, type Vendor } from "./vendor.ts";

/** Telnyx: webhooks are JSON, signed with a key of the account; streams are not signed, so their URLs are. */
export const telnyxVendor: Vendor = {
  open({ clock, trunk, publicUrl, apiUrl, vouch, onError }) {
    const { id, accountId, callerIds } = trunk();
    const carrier = createTelnyxCarrier({
      clock,
      connectionId: accountId,
      get apiKey() {
        return trunk().secret;
      },
      get publicKey() {
        return trunk().publicKey ?? "";
      },
      publicUrl,
      callerId: callerIds[0] ?? "",
      trunkId: id,
      proofOf: (streamToken) => proofOf(vouch, publicUrl, streamToken).toString("base64url"),
      onError,
      ...(apiUrl === null ? {} : { baseUrl: apiUrl }),
    });
    return {
      name: carrier.name,
      place: (dial) => carrier.place(dial),
      endOrphan: (orphan) => carrier.endOrphan(orphan),
      close: () => carrier.close(),
      handleRequest({ path, headers, body }) {
        const status = carrier.handleWebhook({ path, ...signedPartOf(headers, body) });
        return { status, contentType: null, body: "" };
      },
      handleUpgrade(request, socket, head) {
        if (request.url?.includes(carrier.streamPath) === true) carrier.handleUpgrade(request, socket, head);
        else socket.end("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n");
      },
    };
  },

  isGenuine({ trunk, carrierUrl, path, isStream, vouch, nowMs }, { headers, body }) {
    if (!isStream) return isSignedByTelnyx(trunk.publicKey ?? "", signedPartOf(headers, body), nowMs);
    const [, proof = "", streamToken = ""] = STREAM_PATH.exec(path) ?? [];
    const given = Buffer.from(proof, "base64url");
    const expected = proofOf(vouch, carrierUrl, streamToken);
    return given.length === expected.length && timingSafeEqual(given, expected);
  },

  readStray({ clock, trunk, apiUrl }, { path, body }) {
    const token = /^\/calls\/([\w-]+)$/.exec(path)?.[1];
    const event = readEvent(body.toString("utf8"));
    if (token === undefined || event === null || event.clientState !== clientStateOf(token, "call")) return null;
    const { callControlId } = event;
    const { secret } = trunk();
    return {
      recordKey: "callbackToken",
      recordValue: token,
      named: { vendorCallId: callControlId },
      isOver: event.report?.state === "ended",
      async end() {
        const api = openApi(clock, secret, apiUrl);
        if (!(await api.endCall(callControlId))) throw new Error("Telnyx did not confirm the end of a call.");
      },
    };
  },

  async readAccount({ clock, trunk, apiUrl }) {
    const { accountId, secret, callerIds } = trunk();
    const api = openApi(clock, secret, apiUrl);
    try {
      const { isKeyRight, application } = await api.fetchApplication(accountId);
      const obstacle = explainApplication(application);
      if (!isKeyRight || obstacle !== null) return { areCredentialsRight: isKeyRight, obstacle, foreignNumbers: [] };
      const foreignNumbers = await findForeignNumbers(callerIds, (number) => api.mayShow(number));
      return { areCredentialsRight: true, obstacle: null, foreignNumbers };
    } finally {
      api.close();
    }
  },

  goneReply: { status: 200, contentType: null, body: "" },
};

/** Below the public URL of a carrier: the proof, then the token that is valid once. */
const STREAM_PATH = /^\/stream\/([\w-]{43})\/([\w-]{32})$/;

/** Binds a token to the worker and the trunk that its URL names. */
function proofOf(vouch: Vouch, carrierUrl: string, streamToken: string): Buffer {
  return vouch(JSON.stringify(["telnyx stream", carrierUrl, streamToken]));
}

function explainApplication(application: TelnyxApplication | null): string | null {
  if (application === null) return "the account has no Voice API application with this ID";
  if (!application.isActive) return "the application is not active";
  if (!application.hasOutboundProfile) return "the application has no outbound voice profile";
  return application.webhookVersion === "2" ? null : "the application sends webhooks of another API version than 2";
}

function openApi(clock: Clock, apiKey: string, apiUrl: string | null): TelnyxApi {
  return new TelnyxApi({ clock, apiKey, ...(apiUrl === null ? {} : { baseUrl: apiUrl }) });
}

function signedPartOf(headers: IncomingHttpHeaders, body: Buffer): SignedWebhook {
  const header = (name: string) => {
    const value = headers[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    signature: header("telnyx-signature-ed25519"),
    timestamp: header("telnyx-timestamp"),
    body: body.toString("utf8"),
  };
}

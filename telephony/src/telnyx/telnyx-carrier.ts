import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Carrier } from "../carrier.ts";
import { createStreamCarrier } from "../stream-carrier/stream-carrier.ts";
import type { StreamLeg } from "../stream-carrier/stream-leg.ts";
import {
  encodePayload,
  objectOf,
  parseObject,
  readCommonMessage,
  type StreamMessage,
  type StreamProtocol,
} from "../stream-carrier/stream-message.ts";
import type { TelnyxApiOptions } from "./telnyx-api.ts";
import { clientStateOf, createTelnyxCalls } from "./telnyx-calls.ts";
import { isSignedByTelnyx, readEvent, type SignedWebhook, type TelnyxEvent } from "./telnyx-webhook.ts";

export interface TelnyxCarrierOptions extends TelnyxApiOptions {
  /** The Voice API application (formerly connection) that places the calls. */
  readonly connectionId: string;
  /**
   * The public key of the account, in base64: webhooks are signed with its private half. Read for each webhook, so that it may be a
   * getter.
   */
  readonly publicKey: string;
  /** Where Telnyx reaches this carrier, and no other: `https://host/path`. Webhooks and streams are below it. */
  readonly publicUrl: string;
  /** Shown to callees of calls without a caller id of their own. A Telnyx number, or one verified there. */
  readonly callerId: string;
  /** As which trunk its attempts are recorded. */
  readonly trunkId?: string | null;
  readonly onError?: (error: unknown) => void;
  /**
   * Telnyx does not sign the requests for streams. This proves that a token is ours, without asking the carrier; it comes before the
   * token in the path.
   */
  readonly proofOf?: (streamToken: string) => string;
}

/** A webhook of Telnyx, as received. */
interface TelnyxWebhook extends SignedWebhook {
  /** Below the public URL: `/calls/...`. */
  readonly path: string;
}

export interface TelnyxCarrier extends Carrier {
  /** Returns the HTTP status of the reply. */
  handleWebhook(webhook: TelnyxWebhook): 200 | 403 | 404;
  /** A WebSocket request below the stream path. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Below the public URL: streams connect to a path that begins with it and ends with their token. */
  readonly streamPath: string;
  resourcesHeld(): Readonly<Record<string, number>>;
}

const STREAM_PATH = "/stream/";

/** Telnyx's bidirectional media streaming in `rtp` mode. The one stream of a connection needs no name in what we send. */
const TELNYX_STREAMS: StreamProtocol = {
  read(text) {
    const message = parseObject(text);
    return message["event"] === "start" ? readStart(message) : readCommonMessage(message);
  },
  media: (_, payload) => JSON.stringify({ event: "media", media: { payload: encodePayload(payload) } }),
  mark: (_, name) => JSON.stringify({ event: "mark", mark: { name } }),
  clear: () => JSON.stringify({ event: "clear" }),
};

/** A carrier over Telnyx: calls by its Call Control API, audio by media streaming. */
export function createTelnyxCarrier(options: TelnyxCarrierOptions): TelnyxCarrier {
  const publicUrl = options.publicUrl.replace(/\/+$/, "");
  const streamUrl = `${publicUrl.replace(/^http/, "ws")}${STREAM_PATH}`;
  const proofPathOf = (streamToken: string) =>
    options.proofOf === undefined ? "" : `${options.proofOf(streamToken)}/`;
  const carrier = createStreamCarrier({
    ...options,
    name: "telnyx",
    calls: (clock) =>
      createTelnyxCalls({
        ...options,
        // It may be replaced while calls are held.
        get apiKey() {
          return options.apiKey;
        },
        clock,
        streamUrlOf: (streamToken) => streamUrl + proofPathOf(streamToken) + streamToken,
        callbackUrlOf: (callbackToken) => `${publicUrl}/calls/${callbackToken}`,
      }),
    protocol: TELNYX_STREAMS,
    owner: null,
  });

  function handleWebhook({ path, ...signed }: TelnyxWebhook): 200 | 403 | 404 {
    if (!isSignedByTelnyx(options.publicKey, signed, options.clock.now())) return 403;
    const token = /^\/calls\/([\w-]+)$/.exec(path)?.[1];
    const event = readEvent(signed.body);
    if (token === undefined || event === null) return 404;
    // The path is not signed: a webhook about one call must not count as one about another.
    const isParty = event.clientState === clientStateOf(token, "party");
    if (!isParty && event.clientState !== clientStateOf(token, "call")) return 404;
    const leg = carrier.legOf(token);
    if (leg === undefined) {
      // It was placed before a restart. Unlike calls at other vendors it would stay connected without its stream.
      if (!isParty && (event.type === "call.initiated" || event.type === "call.answered")) {
        carrier.endStray(event.callControlId);
      }
    } else if (isParty) followParty(leg, event);
    else followCall(leg, event);
    return 200;
  }

  return {
    ...carrier,
    streamPath: STREAM_PATH,
    handleWebhook,
    handleUpgrade(request, socket, head) {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      carrier.handleUpgrade(request, socket, head, pathname.slice(pathname.lastIndexOf("/") + 1));
    },
  };
}

function followCall(leg: StreamLeg, { type, callControlId, report }: TelnyxEvent): void {
  leg.learnName(callControlId);
  // A second call in our name cannot be: it is not ours, whatever the webhook says about it.
  if (callControlId !== leg.vendorCallId) return;
  if (type === "call.bridged") leg.takePartyState("answered");
  else if (report !== null) leg.takeReport(report);
}

/** The callee stays connected to our stream until the other party answers, and when it does not. */
function followParty(leg: StreamLeg, { type, report, sipCode }: TelnyxEvent): void {
  if (type === "call.bridged") leg.takePartyState("answered");
  else if (report?.state === "ended") leg.failTransfer(sipCode ?? 480, "The other party was not reached.");
  else if (report !== null) leg.takePartyState(report.state);
}

function readStart(message: Readonly<Record<string, unknown>>): StreamMessage | null {
  const { stream_id: streamId } = message;
  const { call_control_id: vendorCallId, user_id: owner, media_format: format } = objectOf(message["start"]);
  const { encoding, sample_rate: sampleRate, channels } = objectOf(format);
  if (typeof streamId !== "string" || typeof vendorCallId !== "string") return null;
  const isTelephoneAudio = encoding === "PCMU" && Number(sampleRate) === 8_000 && Number(channels) === 1;
  return { type: "start", streamId, owner: String(owner), vendorCallId, token: null, isTelephoneAudio };
}

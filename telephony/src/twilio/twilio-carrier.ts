import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "@parley/time/clock";
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
import { reportOf } from "./call-end.ts";
import { readCallStatus } from "./find-call.ts";
import { createTwilioCalls } from "./twilio-calls.ts";
import type { TwilioRestOptions } from "./twilio-rest.ts";
import { type FormParameters, isSignedByTwilio } from "./twilio-signature.ts";
import { connectStreamTwiml, HANG_UP_TWIML } from "./twiml.ts";

export interface TwilioCarrierOptions extends TwilioRestOptions {
  readonly clock: Clock;
  /** Where Twilio reaches this carrier, and no other: `https://host/path`. Callbacks and streams are below it. */
  readonly publicUrl: string;
  /** Shown to callees of calls without a caller id of their own. A Twilio number, or one verified there. */
  readonly callerId: string;
  /** As which trunk its attempts are recorded. */
  readonly trunkId?: string | null;
  readonly onError?: (error: unknown) => void;
}

/** A callback of Twilio, as received. */
interface TwilioCallback {
  /** Below the public URL: `/calls/...`. */
  readonly path: string;
  readonly signature: string | undefined;
  readonly parameters: FormParameters;
}

interface CallbackReply {
  readonly status: 200 | 204 | 403 | 404;
  /** TwiML, where Twilio asks for some. */
  readonly twiml: string | null;
}

export interface TwilioCarrier extends Carrier {
  handleCallback(callback: TwilioCallback): CallbackReply;
  /** A WebSocket request for the stream path. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Below the public URL: where streams connect. */
  readonly streamPath: string;
  resourcesHeld(): Readonly<Record<string, number>>;
}

const STREAM_PATH = "/stream";

/** Twilio's bidirectional Media Streams. */
const TWILIO_STREAMS: StreamProtocol = {
  read(text) {
    const message = parseObject(text);
    return message["event"] === "start" ? readStart(objectOf(message["start"])) : readCommonMessage(message);
  },
  media: (streamSid, payload) =>
    JSON.stringify({ event: "media", streamSid, media: { payload: encodePayload(payload) } }),
  mark: (streamSid, name) => JSON.stringify({ event: "mark", streamSid, mark: { name } }),
  clear: (streamSid) => JSON.stringify({ event: "clear", streamSid }),
};

/** A carrier over Twilio: calls by its REST API, audio by Media Streams. */
export function createTwilioCarrier(options: TwilioCarrierOptions): TwilioCarrier {
  const { accountSid } = options;
  const publicUrl = options.publicUrl.replace(/\/+$/, "");
  const streamUrl = `${publicUrl.replace(/^http/, "ws")}${STREAM_PATH}`;
  const callbackUrlOf = (callbackToken: string) => `${publicUrl}/calls/${callbackToken}`;
  const carrier = createStreamCarrier({
    ...options,
    name: "twilio",
    calls: (clock) =>
      createTwilioCalls({
        ...options,
        // It may be replaced while calls are held.
        get authToken() {
          return options.authToken;
        },
        clock,
        streamUrl,
        callbackUrlOf,
      }),
    protocol: TWILIO_STREAMS,
    owner: accountSid,
  });

  function handleCallback({ path, signature, parameters }: TwilioCallback): CallbackReply {
    if (!isSignedByTwilio(options.authToken, signature, publicUrl + path, parameters))
      return { status: 403, twiml: null };
    const [, , token = "", part = ""] = path.split("/");
    const leg = path.startsWith("/calls/") ? carrier.legOf(token) : undefined;
    const status = readCallStatus(parameters);
    if (part === "dialed") {
      return { status: 200, twiml: leg === undefined ? HANG_UP_TWIML : afterDial(leg, streamUrl, parameters) };
    }
    if (leg === undefined) return { status: 404, twiml: null };
    if (part === "party") {
      if (status !== null) leg.takePartyState(reportOf(status).state);
      return { status: 204, twiml: null };
    }
    const { CallSid } = parameters;
    if (CallSid !== undefined) leg.learnName(CallSid);
    // A second call in our name cannot be: it is not ours, whatever the callback says about it.
    if (status !== null && CallSid === leg.vendorCallId) leg.takeReport(reportOf(status));
    return { status: 204, twiml: null };
  }

  return { ...carrier, streamPath: STREAM_PATH, handleCallback };
}

/** Twilio asks what to do after a `<Dial>`: back to us if the other party did not answer. */
function afterDial(leg: StreamLeg, streamUrl: string, { DialCallStatus }: FormParameters): string {
  if (!leg.isTransferring) return HANG_UP_TWIML;
  if (DialCallStatus === "completed" || DialCallStatus === "answered") {
    leg.takePartyState("answered");
    return HANG_UP_TWIML;
  }
  const [code, reason] = TRANSFER_FAILURES.get(DialCallStatus ?? "") ?? [503, "Service Unavailable"];
  leg.failTransfer(code, reason);
  return connectStreamTwiml(streamUrl, leg.issueStreamToken());
}

const TRANSFER_FAILURES: ReadonlyMap<string, readonly [code: number, reason: string]> = new Map([
  ["busy", [486, "Busy Here"]],
  ["no-answer", [480, "Temporarily Unavailable"]],
  ["canceled", [487, "Request Terminated"]],
]);

function readStart(start: Readonly<Record<string, unknown>>): StreamMessage | null {
  const { streamSid, accountSid, callSid } = start;
  const { token } = objectOf(start["customParameters"]);
  const { encoding, sampleRate, channels } = objectOf(start["mediaFormat"]);
  if (typeof streamSid !== "string" || typeof accountSid !== "string" || typeof callSid !== "string") return null;
  if (typeof token !== "string") return null;
  const isTelephoneAudio = encoding === "audio/x-mulaw" && Number(sampleRate) === 8_000 && Number(channels) === 1;
  return { type: "start", streamId: streamSid, owner: accountSid, vendorCallId: callSid, token, isTelephoneAudio };
}

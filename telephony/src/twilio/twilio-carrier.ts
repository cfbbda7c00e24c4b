import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "@parley/time/clock";
import { pause, waitFor } from "@parley/time/within";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { CallLeg, Carrier, Dial, OrphanedLeg } from "../carrier.ts";
import { createEndedLeg } from "../ended-leg.ts";
import { placedBefore } from "../leg-end.ts";
import { AudioTick } from "../simulated-network/audio/audio-tick.ts";
import { createCountingClock } from "../sip-carrier/counting-clock.ts";
import { RecentDials } from "../sip-carrier/sip-carrier.ts";
import { findCall, readCallStatus, readDialRecord, type TwilioDialRecord } from "./find-call.ts";
import { createToken, OneTimeTokens } from "./one-time-tokens.ts";
import { readStreamMessage } from "./stream-protocol.ts";
import { type LegStream, TwilioLeg } from "./twilio-leg.ts";
import { TwilioRest, type TwilioRestOptions } from "./twilio-rest.ts";
import { type FormParameters, isSignedByTwilio } from "./twilio-signature.ts";
import { HANG_UP_TWIML } from "./twiml.ts";

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

/** Twilio sends `start` right after it has connected. */
const START_WITHIN_MS = 5_000;
/** Of streams that have not shown a token. */
const STRANGERS_MAX = 200;
const MESSAGE_MAX_BYTES = 64 * 1_024;
/** How many calls are remembered for callbacks that come after their end. */
const LEGS_MAX = 20_000;
const HANG_UP_MAX_MS = 8_000;
const FIND_AFTER_MS = [0, 1_000, 3_000];
const STREAM_PATH = "/stream";

/** A carrier over Twilio: calls by its REST API, audio by Media Streams. */
export function createTwilioCarrier(options: TwilioCarrierOptions): TwilioCarrier {
  const { accountSid, authToken, callerId, trunkId = null } = options;
  const clock = createCountingClock(options.clock);
  const reportError = guard(options.onError);
  const rest = new TwilioRest({ ...options, clock });
  const tick = new AudioTick(clock);
  const publicUrl = options.publicUrl.replace(/\/+$/, "");
  const streamUrl = `${publicUrl.replace(/^http/, "ws")}${STREAM_PATH}`;
  const dials = new RecentDials();
  const live = new Set<TwilioLeg>();
  const byCallbackToken = new Map<string, TwilioLeg>();
  const streamTokens = new OneTimeTokens<TwilioLeg>(() => clock.now());
  const sockets = new Set<WebSocket>();
  const strangers = new Set<WebSocket>();
  const server = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_MAX_BYTES, perMessageDeflate: false });
  const closed = new AbortController();
  let closing: Promise<void> | null = null;

  function openLeg(dial: Dial, record: TwilioDialRecord): TwilioLeg {
    const { callbackToken } = record;
    const leg = new TwilioLeg(
      {
        clock,
        rest,
        tick,
        trunkId,
        streamUrl,
        callbackUrl: `${publicUrl}/calls/${callbackToken}`,
        issueStreamToken: (owner, validMs) => streamTokens.issue(owner, validMs),
        reportError,
      },
      dial,
      record,
    );
    live.add(leg);
    remember(callbackToken, leg);
    leg.whenEnded
      .then(() => {
        live.delete(leg);
        streamTokens.revoke(leg);
      })
      .catch(reportError);
    return leg;
  }

  function remember(callbackToken: string, leg: TwilioLeg): void {
    byCallbackToken.set(callbackToken, leg);
    if (byCallbackToken.size <= LEGS_MAX) return;
    for (const [token, old] of byCallbackToken) {
      if (!old.hasEnded) continue;
      byCallbackToken.delete(token);
      return;
    }
  }

  async function place(dial: Dial): Promise<CallLeg> {
    if (closing !== null) throw new Error("The Twilio carrier is closed.");
    const { dialId, journal } = dial;
    const refuseAgain = () => createEndedLeg(dialId, { ...placedBefore(), by: "network" }, reportError);
    if (!dials.admit(dialId)) return refuseAgain();
    const record: TwilioDialRecord = {
      carrier: "twilio",
      to: dial.to,
      from: dial.from ?? callerId,
      callbackToken: createToken(),
      writtenAtMs: clock.now(),
      callSid: null,
    };
    try {
      const written = await journal?.writeAhead({ dialId, ordinal: 1, trunkId, record });
      // Twilio has no name for a request and would dial again: the journal is the only memory of what was sent.
      if (written?.decision === "already_sent") return refuseAgain();
      if (written !== undefined && written.decision !== "send") throw new Error("The call is not to be dialed.");
      if (written !== undefined && written.afterMs > 0) await pause(clock, written.afterMs, closed.signal);
      if (closing !== null) throw new Error("The Twilio carrier is closed.");
    } catch (error) {
      // Nothing was sent, so it may be placed again.
      dials.forget(dialId);
      throw error;
    }
    const leg = openLeg(dial, record);
    leg.create();
    return leg;
  }

  async function endOrphan({ record }: OrphanedLeg): Promise<boolean> {
    if (closing !== null) return false;
    // Where nothing was written down nothing was sent.
    if (record === null || record === undefined) return true;
    const read = readDialRecord(record);
    if (read === null) return false;
    try {
      const callSid = read.callSid ?? (await findOrphan(read));
      // An unnamed call cannot be ended from here. If it is answered, its stream finds no leg and Twilio hangs up.
      return callSid !== null && (await rest.endCall(callSid));
    } catch (error) {
      reportError(error);
      return false;
    }
  }

  async function findOrphan(record: TwilioDialRecord): Promise<string | null> {
    for (const afterMs of FIND_AFTER_MS) {
      await pause(clock, afterMs, closed.signal);
      if (closed.signal.aborted) return null;
      const found = await findCall(rest, record);
      if (found !== null) return found.sid;
    }
    return null;
  }

  function handleCallback({ path, signature, parameters }: TwilioCallback): CallbackReply {
    if (!isSignedByTwilio(authToken, signature, publicUrl + path, parameters)) return { status: 403, twiml: null };
    const [, , token = "", part = ""] = path.split("/");
    const leg = path.startsWith("/calls/") ? byCallbackToken.get(token) : undefined;
    const status = readCallStatus(parameters);
    if (part === "dialed") return { status: 200, twiml: leg?.takeDialResult(parameters) ?? HANG_UP_TWIML };
    if (leg === undefined) return { status: 404, twiml: null };
    if (part === "party") {
      if (status !== null) leg.takePartyStatus(status);
      return { status: 204, twiml: null };
    }
    const { CallSid } = parameters;
    if (CallSid !== undefined) leg.learnName(CallSid);
    // A second call in our name cannot be: it is not ours, whatever the callback says about it.
    if (status !== null && CallSid === leg.callSid) leg.takeStatus(status);
    return { status: 204, twiml: null };
  }

  function handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (closing !== null || strangers.size >= STRANGERS_MAX) {
      socket.end("HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n");
      return;
    }
    server.handleUpgrade(request, socket, head, (connected) => takeSocket(connected));
  }

  function takeSocket(socket: WebSocket): void {
    let leg: TwilioLeg | null = null;
    let stream: LegStream | null = null;
    let wasStopped = false;
    sockets.add(socket);
    strangers.add(socket);
    const cancelTimer = clock.setTimer(START_WITHIN_MS, () => socket.terminate());
    const refuse = () => socket.close(1008);
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      cancelTimer();
      strangers.delete(socket);
      sockets.delete(socket);
      if (leg !== null && stream !== null) leg.streamEnded(stream, wasStopped);
    });
    socket.on("message", (data: RawData, isBinary: boolean) => {
      const message = isBinary ? null : readStreamMessage(String(data));
      if (message === null || message.type === "connected") return;
      if (message.type === "start") {
        if (stream !== null) return refuse();
        cancelTimer();
        strangers.delete(socket);
        const owner = streamTokens.redeem(message.token);
        if (owner === null || message.accountSid !== accountSid || !message.isTelephoneAudio) return refuse();
        stream = streamOver(socket, message.streamSid);
        leg = owner;
        if (!owner.takeStream(stream, message)) refuse();
        return;
      }
      if (leg === null || stream === null) return refuse();
      if (message.type === "stop") wasStopped = true;
      leg.takeMessage(message);
      if (wasStopped) socket.close(1000);
    });
  }

  async function close(): Promise<void> {
    await waitFor(clock, HANG_UP_MAX_MS, Promise.all([...live].map((leg) => leg.hangup())));
    for (const leg of live) leg.giveUp();
    closed.abort();
    rest.close();
    const gone = [...sockets].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    for (const socket of sockets) socket.terminate();
    await Promise.all(gone);
    server.close();
  }

  return {
    name: "twilio",
    streamPath: STREAM_PATH,
    place,
    endOrphan,
    handleCallback,
    handleUpgrade,
    resourcesHeld: () => ({
      legs: live.size,
      sockets: sockets.size,
      requests: rest.openRequests,
      timers: clock.pendingTimers(),
    }),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function streamOver(socket: WebSocket, streamSid: string): LegStream {
  return {
    streamSid,
    send(text) {
      if (socket.readyState === socket.OPEN) socket.send(text);
    },
    get unsentBytes() {
      return socket.bufferedAmount;
    },
    close: () => socket.close(1000),
  };
}

function guard(onError: ((error: unknown) => void) | undefined): (error: unknown) => void {
  return (error) => {
    if (onError !== undefined) onError(error);
    else {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.emitWarning("Something went wrong inside the Twilio carrier.", { type: "TwilioCarrierWarning", detail });
    }
  };
}

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
import { createToken, OneTimeTokens } from "./one-time-tokens.ts";
import { type LegStream, StreamLeg } from "./stream-leg.ts";
import type { StreamProtocol } from "./stream-message.ts";
import { readDialRecord, type StreamDialRecord, type VendorCalls } from "./vendor-calls.ts";

export interface StreamCarrierOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly calls: (clock: Clock) => VendorCalls & { readonly openRequests: number; close(): void };
  readonly protocol: StreamProtocol;
  /** The account or application whose streams are accepted; null if the vendor's streams do not say it. */
  readonly owner: string | null;
  /** Shown to callees of calls without a caller id of their own. */
  readonly callerId: string;
  /** As which trunk its attempts are recorded. */
  readonly trunkId?: string | null;
  readonly onError?: (error: unknown) => void;
}

/** The part of a carrier that is the same for all vendors with an API for calls and streams for their audio. */
export interface StreamCarrier extends Carrier {
  /** The leg whose callbacks have this token, also for some time after its end. */
  legOf(callbackToken: string): StreamLeg | undefined;
  /** Ends a call that no leg of this process belongs to. */
  endStray(vendorCallId: string): void;
  /** A WebSocket request for a stream. The token is given where it is not in the `start` message. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, token?: string): void;
  resourcesHeld(): Readonly<Record<string, number>>;
}

/** Vendors send `start` right after they have connected. */
const START_WITHIN_MS = 5_000;
/** Of streams that have not shown a token. */
const STRANGERS_MAX = 200;
const MESSAGE_MAX_BYTES = 64 * 1_024;
/** How many calls are remembered for callbacks that come after their end. */
const LEGS_MAX = 20_000;
const HANG_UP_MAX_MS = 8_000;
const FIND_AFTER_MS = [0, 1_000, 3_000];

export function createStreamCarrier(options: StreamCarrierOptions): StreamCarrier {
  const { name, protocol, owner, callerId, trunkId = null } = options;
  const clock = createCountingClock(options.clock);
  const calls = options.calls(clock);
  const reportError = guard(calls.vendor, options.onError);
  const tick = new AudioTick(clock);
  const dials = new RecentDials();
  const live = new Set<StreamLeg>();
  const byCallbackToken = new Map<string, StreamLeg>();
  const streamTokens = new OneTimeTokens<StreamLeg>(() => clock.now());
  const sockets = new Set<WebSocket>();
  const strangers = new Set<WebSocket>();
  const server = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_MAX_BYTES, perMessageDeflate: false });
  const closed = new AbortController();
  let closing: Promise<void> | null = null;

  function openLeg(dial: Dial, record: StreamDialRecord): StreamLeg {
    const issueStreamToken = (leg: StreamLeg, validMs: number) => streamTokens.issue(leg, validMs);
    const leg = new StreamLeg({ clock, calls, tick, trunkId, issueStreamToken, reportError }, dial, record);
    live.add(leg);
    remember(record.callbackToken, leg);
    leg.whenEnded
      .then(() => {
        live.delete(leg);
        streamTokens.revoke(leg);
      })
      .catch(reportError);
    return leg;
  }

  function remember(callbackToken: string, leg: StreamLeg): void {
    byCallbackToken.set(callbackToken, leg);
    if (byCallbackToken.size <= LEGS_MAX) return;
    for (const [token, old] of byCallbackToken) {
      if (!old.hasEnded) continue;
      byCallbackToken.delete(token);
      return;
    }
  }

  async function place(dial: Dial): Promise<CallLeg> {
    const isClosed = () => new Error(`The ${calls.vendor} carrier is closed.`);
    if (closing !== null) throw isClosed();
    const { dialId, journal } = dial;
    const refuseAgain = () => createEndedLeg(dialId, { ...placedBefore(), by: "network" }, reportError);
    if (!dials.admit(dialId)) return refuseAgain();
    const record: StreamDialRecord = {
      carrier: name,
      to: dial.to,
      from: dial.from ?? callerId,
      callbackToken: createToken(),
      writtenAtMs: clock.now(),
      vendorCallId: null,
    };
    try {
      const written = await journal?.writeAhead({ dialId, ordinal: 1, trunkId, record });
      // The vendor may dial again what it is asked twice: the journal is the only memory of what was sent.
      if (written?.decision === "already_sent") return refuseAgain();
      if (written !== undefined && written.decision !== "send") throw new Error("The call is not to be dialed.");
      if (written !== undefined && written.afterMs > 0) await pause(clock, written.afterMs, closed.signal);
      if (closing !== null) throw isClosed();
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
    const read = readDialRecord(name, record);
    if (read === null) return false;
    try {
      const vendorCallId = read.vendorCallId ?? (await findOrphan(read));
      // An unnamed call cannot be ended from here. If it is answered, it finds no leg and is hung up.
      return vendorCallId !== null && (await calls.end(vendorCallId));
    } catch (error) {
      reportError(error);
      return false;
    }
  }

  async function findOrphan(record: StreamDialRecord): Promise<string | null> {
    for (const afterMs of FIND_AFTER_MS) {
      await pause(clock, afterMs, closed.signal);
      if (closed.signal.aborted) return null;
      const found = await calls.find(record);
      if (found !== null) return found.vendorCallId;
    }
    return null;
  }

  function handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, token?: string): void {
    if (closing !== null || strangers.size >= STRANGERS_MAX) {
      socket.end("HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n");
      return;
    }
    if (token !== undefined && !streamTokens.isValid(token)) {
      socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n");
      return;
    }
    server.handleUpgrade(request, socket, head, (connected) => takeSocket(connected, token ?? null));
  }

  function takeSocket(socket: WebSocket, urlToken: string | null): void {
    let leg: StreamLeg | null = null;
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
      const message = isBinary ? null : protocol.read(String(data));
      if (message === null || message.type === "connected") return;
      if (message.type === "start") {
        if (stream !== null) return refuse();
        cancelTimer();
        strangers.delete(socket);
        const found = streamTokens.redeem(urlToken ?? message.token ?? "");
        const isOurs = owner === null || message.owner === owner;
        if (found === null || !isOurs || !message.isTelephoneAudio) return refuse();
        stream = streamOver(socket, protocol, message.streamId);
        leg = found;
        if (!found.takeStream(stream, message)) refuse();
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
    calls.close();
    const gone = [...sockets].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    for (const socket of sockets) socket.terminate();
    await Promise.all(gone);
    server.close();
  }

  return {
    name,
    place,
    endOrphan,
    legOf: (callbackToken) => byCallbackToken.get(callbackToken),
    endStray(vendorCallId) {
      if (closing === null) calls.end(vendorCallId).catch(reportError);
    },
    handleUpgrade,
    resourcesHeld: () => ({
      legs: live.size,
      sockets: sockets.size,
      requests: calls.openRequests,
      timers: clock.pendingTimers(),
    }),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function streamOver(socket: WebSocket, protocol: StreamProtocol, streamId: string): LegStream {
  const send = (text: string) => {
    if (socket.readyState === socket.OPEN) socket.send(text);
  };
  return {
    sendMedia: (payload) => send(protocol.media(streamId, payload)),
    sendMark: (name) => send(protocol.mark(streamId, name)),
    sendClear: () => send(protocol.clear(streamId)),
    get unsentBytes() {
      return socket.bufferedAmount;
    },
    close: () => socket.close(1000),
  };
}

function guard(vendor: string, onError: ((error: unknown) => void) | undefined): (error: unknown) => void {
  return (error) => {
    if (onError !== undefined) onError(error);
    else {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.emitWarning(`Something went wrong inside the ${vendor} carrier.`, { type: "CarrierWarning", detail });
    }
  };
}

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { parseMessage } from "@parley/telephony/sip/parse-message";
import type { Hop, SipTransport } from "@parley/telephony/sip/transport/sip-transport";
import { openTcpTransport } from "@parley/telephony/sip/transport/stream-transport";
import { openUdpTransport } from "@parley/telephony/sip/transport/udp";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { systemClock } from "@parley/time/clock";
import { FarCall } from "./far-call.ts";
import type { FarScript } from "./scripts.ts";

export interface FarEnd {
  /** For UDP and TCP alike. */
  readonly port: number;
  /** How often each script came to its end. */
  readonly completed: Readonly<Record<string, number>>;
  /** What scripts waited for in vain. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export interface NamedScript {
  readonly name: string;
  readonly play: FarScript;
}

/** A call is remembered for so long after its script, for requests that are sent again. */
const LINGER_MS = 10_000;

/** A carrier's other side on real sockets: every call is played by the script of the number that was dialed. */
export async function openFarEnd(scriptOf: (number: string) => NamedScript): Promise<FarEnd> {
  const calls = new Map<string, FarCall>();
  const completed: Record<string, number> = {};
  const complaints: string[] = [];
  const echo = await openEcho();
  // One that is free for both: what the system gives for UDP may be taken over TCP.
  const port = await freePorts(1);
  const udp = await openUdpTransport({ address: "127.0.0.1", port });
  const tcp = await openTcpTransport({ clock: systemClock, address: "127.0.0.1", port });
  let isClosing = false;

  function take(transport: SipTransport, bytes: Buffer, source: Hop): void {
    const outcome = parseMessage(bytes);
    if (!outcome.ok) {
      complaints.push(`we sent what is no SIP: ${outcome.reason}`);
      return;
    }
    const { message } = outcome;
    const { callId } = message.essentials;
    const known = calls.get(callId);
    if (known !== undefined) return known.receive(message);
    // What belongs to no call is late, or for a call that said nothing.
    if (message.kind !== "request" || message.method !== "INVITE") return;
    const side = {
      host: transport.local.host,
      port,
      soundPort: echo.port,
      transport: transport === tcp ? ("TCP" as const) : ("UDP" as const),
      send: (reply: Buffer) => transport.send(reply, source, () => undefined),
    };
    const call = new FarCall(side, message);
    calls.set(callId, call);
    const script = scriptOf(/^sips?:([^@]+)@/.exec(message.uri)?.[1] ?? "");
    script
      .play(call)
      .then(() => {
        completed[script.name] = (completed[script.name] ?? 0) + 1;
      })
      .catch((error: unknown) => {
        if (!isClosing) complaints.push(`${script.name}: ${String(error)}`);
      })
      .finally(() => {
        setTimeout(() => {
          call.close();
          calls.delete(callId);
        }, LINGER_MS).unref();
      });
  }
  for (const transport of [udp, tcp]) transport.onMessage((bytes, source) => take(transport, bytes, source));

  return {
    port,
    completed,
    complaints,
    async close() {
      isClosing = true;
      for (const call of calls.values()) call.close();
      await Promise.all([udp.close(), tcp.close(), echo.close()]);
    },
  };
}

/** Sends every packet of sound back to whoever sent it. */
async function openEcho(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const socket = createSocket("udp4");
  socket.on("message", (bytes, { port, address }) => socket.send(bytes, port, address));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { port: socket.address().port, close: () => new Promise((resolve) => socket.close(resolve)) };
}

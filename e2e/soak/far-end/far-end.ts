import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { ReceivedMessage } from "@parley/telephony/sip/message/message";
import { ScriptedPeer } from "@parley/telephony/sip/testing/scripted-peer";
import { openTcpTransport } from "@parley/telephony/sip/transport/stream-transport";
import { openUdpTransport } from "@parley/telephony/sip/transport/udp";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { systemClock } from "@parley/time/clock";
import { ScriptedCall } from "./scripted-call.ts";
import type { FarScript } from "./scripts.ts";

export interface ScriptedFarEnd {
  /** For UDP and TCP alike. */
  readonly port: number;
  /** How often each script was completed. */
  readonly completed: Readonly<Record<string, number>>;
  /** What scripts waited for without success. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export interface NamedScript {
  readonly name: string;
  readonly play: FarScript;
}

/** A call is remembered this long after its script, for retransmissions. */
const LINGER_MS = 10_000;

/** A carrier's other side on real sockets: every call is played by the script of the number that was dialed. */
export async function openScriptedFarEnd(scriptOf: (number: string) => NamedScript): Promise<ScriptedFarEnd> {
  const calls = new Map<string, ScriptedCall>();
  const completed: Record<string, number> = {};
  const complaints: string[] = [];
  const echo = await openEcho();
  // One that is free for both: a port that is free for UDP may be taken for TCP.
  const port = await freePorts(1);
  const udp = await openUdpTransport({ address: "127.0.0.1", port });
  const tcp = await openTcpTransport({ clock: systemClock, address: "127.0.0.1", port });
  let isClosing = false;

  function take(peer: ScriptedPeer, message: ReceivedMessage): void {
    const { callId } = message.essentials;
    const known = calls.get(callId);
    if (known !== undefined) return known.receive(message);
    // Anything that belongs to no call is late, or for a silent call.
    if (message.kind !== "request" || message.method !== "INVITE") return;
    const call = new ScriptedCall(peer, echo.port, message);
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
  for (const transport of [udp, tcp]) {
    const peer: ScriptedPeer = new ScriptedPeer(transport, {
      onMessage: (message) => take(peer, message),
      onInvalid: (reason) => complaints.push(`we sent what is no SIP: ${reason}`),
    });
  }

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

/** Echoes every audio packet to its sender. */
async function openEcho(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const socket = createSocket("udp4");
  socket.on("message", (bytes, { port, address }) => socket.send(bytes, port, address));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { port: socket.address().port, close: () => new Promise((resolve) => socket.close(resolve)) };
}

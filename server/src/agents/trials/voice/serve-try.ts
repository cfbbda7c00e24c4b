import type { Duplex } from "node:stream";
import { type HoldTryDeps, RunningTrial, type TryCommand, type TryOrder } from "./hold-try.ts";
import { type Packet, PacketReader, writePacket } from "./packets.ts";

/** A process that does not read is cut off: some half a minute of audio. */
const BUFFERED_BYTES_MAX = 512 * 1024;

/**
 * Holds a try for another process of the installation. The first packet is the request; then come audio and commands.
 */
export function serveTry(deps: HoldTryDeps, socket: Duplex): void {
  const reader = new PacketReader();
  let held: RunningTrial | null = null;
  const send = (packet: Packet) => {
    if (socket.destroyed || socket.writableEnded) return;
    if (socket.writableLength > BUFFERED_BYTES_MAX) socket.destroy();
    else socket.write(writePacket(packet));
  };
  const take = (packet: Packet) => {
    if (packet.kind === "sound") return held?.hear(packet.bytes);
    if (held !== null) return held.command(packet.value as TryCommand);
    held = new RunningTrial(deps, packet.value as TryOrder, {
      onEvent: (value) => send({ kind: "json", value }),
      onAudio: (bytes) => send({ kind: "sound", bytes }),
      onEnd: () => void socket.end(),
    });
  };
  socket.on("data", (chunk: Buffer) => {
    try {
      for (const packet of reader.read(chunk)) take(packet);
    } catch {
      // An unknown format: the peer is not one of our processes, or runs another version.
      socket.destroy();
    }
  });
  socket.on("error", () => socket.destroy());
  socket.on("end", () => held?.hangUp());
  socket.on("close", () => held?.hangUp());
}

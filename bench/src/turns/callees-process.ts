import { createSocket, type Socket } from "node:dgram";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/audio/frame";
import { decodeMulaw, encodeMulaw } from "@parley/audio/g711";
import { createRtpHeader, RTP_HEADER_BYTES, readRtpPacket, writeRtpHeader } from "@parley/telephony/rtp/packet";
import type { CalleePlan } from "./callee-script.ts";
import type { CalleesCommand, CalleesNotice } from "./process-messages.ts";
import { ScriptedCallee } from "./scripted-callee.ts";

/** The callees of a run, in a process of their own: RTP on loopback, G.711, a frame each 20 ms by an absolute clock. */

const HOST = "127.0.0.1";
/** The backlog of received audio beyond which it is dropped. */
const HEARD_FRAMES_MAX = 10;

interface Line {
  readonly socket: Socket;
  readonly callee: ScriptedCallee;
  readonly heard: { readonly frame: Int16Array; readonly atMs: number }[];
  agentPort: number | null;
  sequence: number;
  /** The agent has left, perhaps before the callee picked up. */
  isEnded: boolean;
}

const say = (notice: CalleesNotice) => void process.send?.(notice);
const header = createRtpHeader();
const silence = new Int16Array(FRAME_SAMPLES);
const said = new Int16Array(FRAME_SAMPLES);
const packet = new Uint8Array(RTP_HEADER_BYTES + FRAME_SAMPLES);
const running = new Map<number, Line>();
let lines: Line[] = [];
let nextTickMs = performance.now();
let timer: NodeJS.Timeout | null = null;

async function open(plans: readonly CalleePlan[], clips: ReadonlyMap<string, Int16Array>): Promise<void> {
  lines = await Promise.all(plans.map((plan) => openLine(plan, clips)));
  say({ type: "opened", ports: lines.map(({ socket }) => socket.address().port) });
}

function openLine(plan: CalleePlan, clips: ReadonlyMap<string, Int16Array>): Promise<Line> {
  const socket = createSocket("udp4");
  const line: Line = {
    socket,
    callee: new ScriptedCallee(plan, clips),
    heard: [],
    agentPort: null,
    sequence: 0,
    isEnded: false,
  };
  socket.on("message", (bytes) => {
    if (!readRtpPacket(bytes, bytes.length, header) || header.payloadType !== 0) return;
    const frame = new Int16Array(FRAME_SAMPLES);
    decodeMulaw(bytes.subarray(header.payloadStart, header.payloadStart + header.payloadLength), frame);
    line.heard.push({ frame, atMs: performance.now() });
    if (line.heard.length > HEARD_FRAMES_MAX) line.heard.shift();
  });
  return new Promise((resolve) => socket.bind(0, HOST, () => resolve(line)));
}

function tick(): void {
  const nowMs = performance.now();
  for (const [call, line] of running) {
    const heard = line.heard.shift();
    line.callee.step(heard?.frame ?? silence, said, nowMs, heard?.atMs ?? nowMs);
    send(line);
    if (line.callee.isDone) finish(call, line);
  }
  nextTickMs += FRAME_MS;
  timer = setTimeout(tick, Math.max(0, nextTickMs - performance.now()));
}

function finish(call: number, { socket, callee }: Line): void {
  running.delete(call);
  socket.close();
  say({ type: "done", call, notes: callee.notes, originMs: performance.timeOrigin });
}

function send(line: Line): void {
  const { socket, agentPort, sequence } = line;
  if (agentPort === null) return;
  writeRtpHeader(packet, 0, sequence === 0, sequence & 0xffff, (sequence * FRAME_SAMPLES) >>> 0, agentPort);
  encodeMulaw(said, packet, RTP_HEADER_BYTES);
  // The socket sends the bytes later, and the next line overwrites them.
  socket.send(packet.slice(), agentPort, HOST);
  line.sequence += 1;
}

// The parent process has exited.
process.on("disconnect", () => process.exit(0));
process.on("message", (command: CalleesCommand) => {
  if (command.type === "open") return void open(command.plans, command.clips);
  if (command.type === "begin") {
    const line = lines[command.call];
    if (line === undefined) throw new Error(`there is no callee ${command.call}`);
    line.agentPort = command.agentPort;
    running.set(command.call, line);
    if (line.isEnded) finish(command.call, line);
    return;
  }
  if (command.type === "end") {
    const line = lines[command.call];
    if (line !== undefined) line.isEnded = true;
    if (line !== undefined && running.has(command.call)) finish(command.call, line);
    return;
  }
  if (timer !== null) clearTimeout(timer);
  for (const { socket } of running.values()) socket.close();
  process.disconnect?.();
});
tick();

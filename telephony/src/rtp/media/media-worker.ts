import { randomInt } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { PlayoutPlayer } from "@parley/audio/playout-player";
import { RingWriter } from "@parley/audio/ring";
import { bytesOf } from "../../leg-memory.ts";
import { weighMemory } from "../../memory-weight.ts";
import { SLOT_GROUPS, SlotClock } from "../slot-clock.ts";
import { createEventSockets } from "../sockets/event-sockets.ts";
import { type Libc, loadLibc } from "../sockets/libc.ts";
import type { MediaSockets } from "../sockets/media-sockets.ts";
import { createPolledSockets } from "../sockets/polled-sockets.ts";
import { collectGarbage } from "./collect-garbage.ts";
import { MediaLeg } from "./media-leg.ts";
import type { MediaCommand, MediaMessage } from "./media-messages.ts";
import type { MediaThreadOptions } from "./media-thread.ts";

/** The media thread itself: it owns sockets and legs and never blocks. See `media-thread.ts` for its other side. */

const M_MMAP_THRESHOLD = -3;
/** The store of a leg's clips is larger than this, and most of it is never written to. */
const LARGE_BYTES = 256 * 1024;

/**
 * Has the C library take large pieces of memory from the kernel one by one, for the whole process. Left to itself it stops
 * doing so after some time, and then clears more than a hundred unused KiB per leg.
 */
function keepMemoryLazy(libc: Libc): boolean {
  return libc.mallopt !== null && libc.mallopt(M_MMAP_THRESHOLD, LARGE_BYTES) === 1;
}

/** On Linux a priority belongs to a thread, and 0 names the one that asks. */
const PRIO_PROCESS = 0;
const THIS_THREAD = 0;
/** Of -20 to 19. It outweighs ordinary threads some ten times, and does not shut them out. */
const NICENESS = -10;

/**
 * Gives this thread priority on an overloaded machine: a late packet is audible, a late reply of the API
 * is not. It needs CAP_SYS_NICE; without it nothing changes.
 */
function raisePriority(libc: Libc): boolean {
  return libc.setpriority(PRIO_PROCESS, THIS_THREAD, NICENESS) === 0;
}

interface OpenLeg {
  legId: number;
  group: number;
  leg: MediaLeg;
  sockets: MediaSockets;
  /** See `weighMemory`. */
  weight: ArrayBuffer;
}

if (parentPort === null) throw new Error("this file is the inside of a media thread");
const port = parentPort;
const now = () => performance.now();
const libc = loadLibc();
const usesEventSockets = libc === null || (workerData as MediaThreadOptions).usesEventSockets;
const socketFactory = usesEventSockets ? createEventSockets(now) : createPolledSockets(libc);
if (libc !== null) {
  raisePriority(libc);
  keepMemoryLazy(libc);
}
const legs = new Map<number, OpenLeg>();
const groups = Array.from({ length: SLOT_GROUPS }, () => new Set<OpenLeg>());
/** Legs that were closed before their sockets were open. */
const opening = new Map<number, { isCanceled: boolean }>();
let clock = new SlotClock(now());
let timer: NodeJS.Timeout | null = null;
let isStopping = false;

function say(message: MediaMessage): void {
  port.postMessage(message);
}

async function open(command: Extract<MediaCommand, { type: "open" }>): Promise<void> {
  const { legId, bindHosts, rtpPort, rtcpPort, heard, played, playout, cname } = command;
  const request = { isCanceled: false };
  let opened: OpenLeg | null = null;
  opening.set(legId, request);
  try {
    const sockets = await socketFactory.open({
      bindHosts,
      rtpPort,
      rtcpPort,
      onRtp(bytes, length, host, from, arrivalMs) {
        try {
          opened?.leg.receive(bytes, length, host, from, arrivalMs);
        } catch (error) {
          fail(opened, error);
        }
      },
      onRtcp: (bytes, length, host, _from, arrivalMs) =>
        guarded(opened, (leg) => leg.receiveControl(bytes, length, host, arrivalMs)),
    });
    const leg = new MediaLeg({
      heard: new RingWriter(heard),
      played: new RingWriter(played),
      playout: new PlayoutPlayer(playout),
      stream: {
        ssrc: randomInt(2 ** 32),
        // RFC 3711 section 3.3.1: below 2^15, so that the roll-over counter is not in doubt at the beginning.
        firstSequence: randomInt(2 ** 15),
        firstTimestamp: randomInt(2 ** 32),
      },
      cname,
      wallOffsetMs: performance.timeOrigin,
      rtp: sockets.rtp,
      rtcp: sockets.rtcp,
      report: (event) => say({ type: "event", legId, event }),
      random: Math.random,
    });
    // The least busy group, so that ticks stay spread when legs come and go.
    const group = groups.reduce((best, set, index) => (set.size < (groups[best]?.size ?? 0) ? index : best), 0);
    opened = { legId, group, leg, sockets, weight: weighMemory(bytesOf({ heard, played, playout })) };
    legs.set(legId, opened);
    groups[group]?.add(opened);
    say({ type: "opened", legId, rtpPort: sockets.rtpPort, rtcpPort: sockets.rtcpPort });
    if (request.isCanceled) await close(opened, null);
    else schedule();
  } catch (error) {
    say({ type: "open_failed", legId, reason: error instanceof Error ? error.message : String(error) });
  } finally {
    opening.delete(legId);
  }
}

async function close(opened: OpenLeg, failure: string | null): Promise<void> {
  const { legId, group, leg, sockets } = opened;
  if (!legs.delete(legId)) return;
  groups[group]?.delete(opened);
  leg.close(now());
  const statistics = leg.statistics();
  await sockets.close();
  say({ type: "closed", legId, statistics, failure });
  // A pause is not noticed now, and otherwise the memory of the last legs would be kept until the next ones.
  if (legs.size === 0 && opening.size === 0) collectGarbage();
}

/** A leg that fails is closed; the others of this thread do not notice. */
function guarded(opened: OpenLeg | null, act: (leg: MediaLeg) => void): void {
  if (opened === null) return;
  try {
    act(opened.leg);
  } catch (error) {
    fail(opened, error);
  }
}

function fail(opened: OpenLeg | null, error: unknown): void {
  if (opened === null) return;
  void close(opened, error instanceof Error ? (error.stack ?? error.message) : String(error));
}

function tickGroup(group: number, dueMs: number): void {
  const members = groups[group] ?? [];
  for (const { sockets } of members) sockets.poll();
  for (const opened of members) {
    try {
      opened.leg.tick(dueMs);
    } catch (error) {
      fail(opened, error);
    }
  }
  socketFactory.flush();
}

function tick(): void {
  timer = null;
  const nowMs = now();
  socketFactory.noteTime(nowMs);
  const waitMs = clock.run(nowMs, tickGroup);
  if (legs.size > 0) timer = setTimeout(tick, Math.max(1, waitMs));
}

function schedule(): void {
  if (timer !== null) return;
  // The clock of a thread without legs stands still, and what it missed does not matter.
  clock = new SlotClock(now());
  tick();
}

async function stop(): Promise<void> {
  isStopping = true;
  for (const request of opening.values()) request.isCanceled = true;
  await Promise.all(Array.from(legs.values(), (opened) => close(opened, null)));
  if (timer !== null) clearTimeout(timer);
  // Without its port, sockets and timer the thread exits on its own.
  port.close();
}

port.on("message", (command: MediaCommand) => {
  if (command.type === "stop") void stop();
  else if (command.type === "open") {
    if (!isStopping) void open(command);
  } else obey(command);
});

function obey(command: Exclude<MediaCommand, { type: "open" } | { type: "stop" }>): void {
  const opened = legs.get(command.legId);
  if (command.type === "statistics") {
    say({ type: "statistics", requestId: command.requestId, statistics: opened?.leg.statistics() ?? null });
    return;
  }
  if (opened === undefined) {
    const request = opening.get(command.legId);
    if (command.type === "close" && request) request.isCanceled = true;
    return;
  }
  if (command.type === "close") void close(opened, null);
  else if (command.type === "configure") guarded(opened, (leg) => leg.configure(command.setup, now()));
  else if (command.type === "join") join(opened, command.otherId);
  else guarded(opened, (leg) => leg.sendDtmf(command.keys, command.keyMs));
}

/** Another that is gone by now leaves this one alone, as if it had gone a moment later. */
function join(opened: OpenLeg, otherId: number | null): void {
  const other = otherId === null ? undefined : legs.get(otherId);
  guarded(opened, (leg) => leg.join(other?.leg ?? null));
}

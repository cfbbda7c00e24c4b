import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { installPeer } from "../install-peer.ts";
import type { ActNote, CalleePlan } from "../turns/callee-script.ts";
import { Child } from "../turns/child.ts";
import { startTestedService } from "../turns/tested-service.ts";
import {
  ENGINE,
  ENGINE_FLOW,
  type EngineSounds,
  engineEnvironment,
  GREETING,
  VENDOR_KEY,
  VOICE_ID,
} from "./engine-scene.ts";
import type { VendorUrls } from "./vendor-messages.ts";

/** What a callee noted. Times count from `originMs`. */
export interface CallNotes {
  readonly notes: readonly ActNote[];
  readonly originMs: number;
  /** The recording of the call, with the callee on the left. Left out: there is none. */
  readonly wavPath?: string;
}

/** A program that conducts calls, ours or a third-party one. */
export interface EngineProgram {
  readonly name: string;
  /** The process that is measured. */
  readonly pid: number;
  /** Prepares these calls. Nothing is heard on their lines yet. */
  open(plans: readonly CalleePlan[]): Promise<void>;
  /** Answers a call. Resolves when its callee has nothing more to say. */
  hold(call: number): Promise<CallNotes>;
  /** Collects the garbage of all threads, so that what is left is in use. */
  collect(): Promise<void>;
  close(): Promise<void>;
}

const CALL_MAX_MS = 180_000;

/** The service's own threads, with RTP on loopback and recordings. Its callees run in another process. */
export async function startOurs(folder: string, urls: VendorUrls, { clips }: EngineSounds): Promise<EngineProgram> {
  const service = await startTestedService(folder, "light", engineEnvironment(urls));
  const { host, callees } = service;
  let agentPorts: readonly number[] = [];
  let levels = 0;
  return {
    name: "parley",
    pid: host.pid,
    async open(plans) {
      const into = join(folder, `level-${levels++}`);
      await rm(into, { recursive: true, force: true });
      await mkdir(into, { recursive: true });
      const opened = callees.next("opened");
      callees.tell({ type: "open", plans, clips });
      const { ports: calleePorts } = await opened;
      const hosted = host.next("opened");
      host.tell({ type: "open", flow: ENGINE_FLOW, folder: into, calleePorts, engine: ENGINE });
      agentPorts = (await hosted).ports;
    },
    async hold(call) {
      const done = noticeOf(callees, call, "done");
      callees.tell({ type: "begin", call, agentPort: agentPorts[call] ?? 0 });
      host.tell({ type: "answer", call });
      const notes = await done;
      const ended = noticeOf(host, call, "ended");
      host.tell({ type: "hang_up", call });
      const { wavPath } = (await ended).outcome;
      return { ...notes, wavPath };
    },
    async collect() {
      const collected = host.next("collected");
      host.tell({ type: "collect" });
      await collected;
    },
    close: () => service.close(),
  };
}

/** The messages of a peer (bench/peers/livekit/engines.mjs). */
type PeerCommand =
  | {
      readonly type: "open";
      readonly plans: readonly CalleePlan[];
      readonly clips: ReadonlyMap<string, Int16Array>;
      readonly urls: VendorUrls;
      readonly key: string;
      readonly voiceId: string;
      readonly greeting: string;
    }
  | { readonly type: "begin"; readonly call: number }
  | { readonly type: "collect" }
  | { readonly type: "stop" };
type PeerNotice =
  | { readonly type: "ready" }
  | { readonly type: "opened" }
  | { readonly type: "collected" }
  | ({ readonly type: "done"; readonly call: number } & CallNotes);

/**
 * LiveKit's AgentSession with its own plugins for the same vendors. It gets and gives audio directly: no room, no RTP, no
 * codec, no recording.
 */
export async function startLiveKit(urls: VendorUrls, { clips }: EngineSounds): Promise<EngineProgram> {
  installPeer("livekit");
  const child = new Child<PeerCommand, PeerNotice>("../../peers/livekit/engines.mjs", [], "./collect-on-request.ts");
  await child.next("ready");
  return {
    name: "LiveKit Agents 1.9.0",
    pid: child.pid,
    async open(plans) {
      const opened = child.next("opened");
      child.tell({ type: "open", plans, clips, urls, key: VENDOR_KEY, voiceId: VOICE_ID, greeting: GREETING });
      await opened;
    },
    hold(call) {
      const done = noticeOf(child, call, "done");
      child.tell({ type: "begin", call });
      return done;
    },
    async collect() {
      const collected = child.next("collected");
      child.tell({ type: "collect" });
      await collected;
    },
    async close() {
      child.tell({ type: "stop" });
      await child.ended();
    },
  };
}

/** The result of one call. A call that never ends is a failure and does not hang the benchmark. */
function noticeOf<Notice extends { readonly type: string }, Type extends Notice["type"]>(
  child: Child<never, Notice>,
  call: number,
  type: Type,
): Promise<Extract<Notice, { type: Type }>> {
  return new Promise((resolve, reject) => {
    const stop = child.listen((notice) => {
      if (notice.type !== type || !("call" in notice) || notice.call !== call) return;
      clearTimeout(timer);
      stop();
      resolve(notice as Notice as Extract<Notice, { type: Type }>);
    });
    const timer = setTimeout(() => {
      stop();
      reject(new Error(`call ${call} did not end in time`));
    }, CALL_MAX_MS);
  });
}

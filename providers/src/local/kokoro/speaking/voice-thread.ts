import type { MessagePort } from "node:worker_threads";
import { startServiceThread } from "@parley/threads/service-thread";

export interface VoiceThreadOptions {
  /** Clips that came with the installation. */
  readonly shippedClips: string;
  /** Where clips that are rendered here are stored. */
  readonly clipFolder: string;
  readonly processes: number;
}

/** What the thread reports when its networks are loaded. */
export interface VoiceReady {
  /** How many seconds of speech one process renders in a second. */
  readonly secondsOfSpeechPerSecond: number;
}

export interface VoiceAnswers {
  readonly speed: number;
  readonly lateMs: number;
  readonly processIds: readonly number[];
}

/** The speaking processes of this program, shared by all conversations. */
export interface VoiceThread {
  /** Rejects when the networks could not be loaded; later requests retry. */
  readonly ready: Promise<VoiceReady>;
  /** A port for one thread, to be passed to `connectVoice` there. */
  connect(): MessagePort;
  /** How many seconds of speech one process currently renders in a second, whatever else the machine does. */
  speed(): Promise<number>;
  /** How long after it was needed the latest audio for a callee arrived, since the last time this was asked. */
  lateMs(): Promise<number>;
  processIds(): Promise<readonly number[]>;
  stop(): Promise<void>;
}

export function startVoiceThread(
  options: VoiceThreadOptions,
  onProblem: (reason: string) => void = () => undefined,
): VoiceThread {
  const thread = startServiceThread<VoiceReady, VoiceAnswers>(new URL("./voice-worker.ts", import.meta.url), {
    name: "voice",
    workerData: options,
    onFailure: onProblem,
    onProblem,
  });
  return {
    ready: thread.ready,
    connect: () => thread.connect(),
    speed: () => thread.ask("speed"),
    lateMs: () => thread.ask("lateMs"),
    processIds: () => thread.ask("processIds"),
    stop: () => thread.stop(),
  };
}

import type { MessagePort } from "node:worker_threads";
import { RingReader } from "@parley/audio/ring-reader";
import type { ActivityWindow, VoiceActivityDetector } from "@parley/voice/ports/voice-activity-detector";
import { SILERO_WINDOW_SAMPLES } from "./silero-model.ts";

/** What a client in any thread sends to the detector's thread, over a port of its own. */
export type VadRequest =
  | {
      readonly type: "watch";
      readonly watchId: number;
      readonly heard: SharedArrayBuffer;
      /** What was written before it is not classified. */
      readonly fromPosition: number;
    }
  | { readonly type: "unwatch"; readonly watchId: number };

/** What the detector sends back: the results of one tick for the lines of this client. */
export interface VadReport {
  readonly windows: readonly { readonly watchId: number; readonly windows: readonly ActivityWindow[] }[];
}

/** What the owner of the thread sends to a client: the new port to the detector. */
export interface VadRoute {
  readonly port: MessagePort;
}

interface Watch {
  readonly heard: SharedArrayBuffer;
  readonly listener: (windows: readonly ActivityWindow[]) => void;
  /** The position up to which it was classified. A detector that takes over continues from there. */
  judgedPosition: number;
}

/** The detector as one thread uses it, over a port from `VadThread.connect`. */
export function connectVad(owner: MessagePort): VoiceActivityDetector {
  const watches = new Map<number, Watch>();
  let detector: MessagePort | null = null;
  let nextId = 1;
  const send = (request: VadRequest) => detector?.postMessage(request);

  function follow({ port }: VadRoute): void {
    detector?.close();
    detector = port;
    port.on("message", ({ windows }: VadReport) => {
      for (const { watchId, windows: ofLine } of windows) report(watchId, ofLine);
    });
    holdProgram();
    for (const [watchId, watch] of watches) begin(watchId, watch);
  }

  function begin(watchId: number, { heard, judgedPosition: fromPosition }: Watch): void {
    send({ type: "watch", watchId, heard, fromPosition });
  }

  function report(watchId: number, windows: readonly ActivityWindow[]): void {
    const watch = watches.get(watchId);
    if (watch === undefined) return;
    watch.judgedPosition = windows.at(-1)?.endPosition ?? watch.judgedPosition;
    watch.listener(windows);
  }

  /** Without a watched line the ports must not keep the program from ending. */
  function holdProgram(): void {
    for (const port of [owner, detector]) {
      if (watches.size > 0) port?.ref();
      else port?.unref();
    }
  }

  owner.on("message", follow);
  holdProgram();
  return {
    name: "silero",
    windowSamples: SILERO_WINDOW_SAMPLES,
    watch(heard, listener) {
      const watchId = nextId++;
      const watch: Watch = { heard, listener, judgedPosition: new RingReader(heard).position };
      watches.set(watchId, watch);
      holdProgram();
      begin(watchId, watch);
      return () => {
        if (!watches.delete(watchId)) return;
        send({ type: "unwatch", watchId });
        holdProgram();
      };
    },
    async close() {
      watches.clear();
      owner.close();
      detector?.close();
    },
  };
}

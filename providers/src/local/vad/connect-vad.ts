import type { MessagePort } from "node:worker_threads";
import type { ActivityWindow, VoiceActivityDetector } from "@parley/voice/ports/voice-activity-detector";
import { SILERO_WINDOW_SAMPLES } from "./silero-model.ts";
import type { VadReport, VadRequest } from "./vad-messages.ts";

/** The detector as one thread uses it, over a port that `VadThread.connect` gave. */
export function connectVad(port: MessagePort): VoiceActivityDetector {
  const listeners = new Map<number, (windows: readonly ActivityWindow[]) => void>();
  let nextId = 1;
  const tell = (request: VadRequest) => port.postMessage(request);
  port.on("message", ({ windows }: VadReport) => {
    for (const { watchId, windows: ofLine } of windows) listeners.get(watchId)?.(ofLine);
  });
  // A port that nobody listens on must not keep a program from ending.
  port.unref();
  return {
    name: "silero",
    windowSamples: SILERO_WINDOW_SAMPLES,
    watch(heard, listener) {
      const watchId = nextId++;
      listeners.set(watchId, listener);
      port.ref();
      tell({ type: "watch", watchId, heard });
      return () => {
        if (!listeners.delete(watchId)) return;
        tell({ type: "unwatch", watchId });
        if (listeners.size === 0) port.unref();
      };
    },
    async close() {
      listeners.clear();
      port.close();
    },
  };
}

import type { CallScreening, ScreeningDecision, ScreeningWatch } from "../ports/call-screening.ts";
import { beginScreening, stepScreening, type UntimedScreeningEvent } from "./screening-machine.ts";
import { overrideScreeningSettings } from "./screening-settings.ts";
import { type EdgeState, findSpeechEdge, NO_SPEECH } from "./speech-edges.ts";
import { ToneDetector } from "./tone-detector.ts";

/**
 * Screening without a timer or a thread of its own: each window of speech detection also makes it process the ring up
 * to the end of that window, which keeps audio and events in order.
 */
export function createCallScreening(options: { settings?: Readonly<Record<string, number>> } = {}): CallScreening {
  const settings = overrideScreeningSettings(options.settings ?? {});

  function watch(heard: SharedArrayBuffer, listener: (decision: ScreeningDecision) => void): ScreeningWatch {
    let nowMs = 0;
    let edge: EdgeState = NO_SPEECH;
    let isStopped = false;
    const detector = new ToneDetector(heard, settings.busyPauseMs, (tone) => take({ type: "tone.heard", tone }));
    let state = beginScreening(detector.positionMs, settings);

    function take(event: UntimedScreeningEvent): void {
      const [next, decisions] = stepScreening(state, { ...event, atMs: nowMs });
      state = next;
      for (const decision of decisions) if (!isStopped) listener(decision);
    }

    const isOver = () => isStopped || state.phase === "over";
    return {
      hearWindow(window) {
        if (isOver() || window.endMs <= state.answeredMs) return;
        nowMs = Math.max(nowMs, window.endMs);
        detector.listenUntil(window.endMs);
        const isSpeech = window.isSpeech && !detector.isToneSounding;
        const [nextEdge, found] = findSpeechEdge(edge, { ...window, isSpeech }, settings);
        edge = nextEdge;
        take(found ?? { type: "time.passed" });
      },
      hearWords({ text, startMs, endMs }) {
        if (isOver()) return;
        nowMs = Math.max(nowMs, endMs);
        take({ type: "words.heard", text, startMs, endMs });
      },
      hearKey(atMs) {
        if (isOver()) return;
        nowMs = Math.max(nowMs, atMs);
        take({ type: "key.pressed" });
      },
      stop() {
        isStopped = true;
      },
    };
  }

  return { watch };
}

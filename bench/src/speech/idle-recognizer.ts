import { durationMsOf } from "@parley/audio/frame";
import { ModelChoice, type ModelProcesses } from "@parley/providers/local/stt/choose-model";
import { MoonshineModel } from "@parley/providers/local/stt/moonshine-model";
import type { MoonshineSize } from "@parley/providers/local/stt/moonshine-weights";
import { recognizeUtterance, type UtteranceWork } from "@parley/providers/local/stt/recognize-utterance";
import type { Recognition } from "@parley/voice/ports/speech-recognizer";

/** Recognition as on an idle machine, in this process, however slow this machine is. */
export interface IdleRecognizer {
  /** Null if it was aborted. */
  recognize(work: UtteranceWork, signal?: AbortSignal): Promise<Recognition | null>;
  close(): Promise<void>;
}

/** Seconds of work per second of speech, on two arm64 cores. */
const SPEED = { small: 0.04, large: 0.07 };

/** Both models and the choice between them, or one of the models alone. */
export async function openIdleRecognizer(model: "auto" | MoonshineSize): Promise<IdleRecognizer> {
  const small = await MoonshineModel.open(model === "base" ? "base" : "tiny");
  if (model !== "auto") {
    return {
      recognize: (work, signal) => recognizeUtterance(small, work, async () => signal?.aborted ?? false),
      close: () => small.close(),
    };
  }
  const large = await MoonshineModel.open("base");
  // Time passes as it would there.
  let nowMs = 0;
  const processes = (network: MoonshineModel, speed: number): ModelProcesses => ({
    hasIdle: true,
    async run(work, { signal }) {
      nowMs += speed * durationMsOf(work.samples.length);
      return recognizeUtterance(network, work, async () => signal?.aborted ?? false);
    },
  });
  const larger = processes(large, SPEED.large);
  const choice = new ModelChoice({
    small: processes(small, SPEED.small),
    large: () => larger,
    // A second look is never late here.
    timers: { setTimer: () => () => undefined },
    nowMs: () => nowMs,
  });
  choice.setSpeed(SPEED);
  return {
    recognize: (work, signal) => choice.recognize(work, "urgent", signal),
    async close() {
      await Promise.all([small.close(), large.close()]);
    },
  };
}

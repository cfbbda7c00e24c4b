import { ProcessHost } from "@parley/threads/process-host";
import { systemClock } from "@parley/time/clock";
import type { Recognition } from "@parley/voice/ports/speech-recognizer";
import type { MoonshineSize } from "./moonshine-weights.ts";
import type { UtteranceWork } from "./recognize-utterance.ts";

/** Null when the work was cancelled. */
export type RecognizerProcess = ProcessHost<UtteranceWork, Recognition | null>;

/** A process of low priority on a busy machine takes long to load its networks. */
const START_MAX_MS = 300_000;
/** A callee waits for the result. A process of low priority may get no processor time at all for a while. */
const STALLED_MS = 3_000;

interface RecognizerProcessOptions {
  /** As the operating system counts, the owner's by default. */
  readonly priority?: number;
  /** Ends a process that is still loading. */
  readonly signal?: AbortSignal;
}

/** Resolves when the networks are loaded. Rejects with HostEnded when they cannot be. */
export async function openRecognizerProcess(
  size: MoonshineSize,
  { priority, signal }: RecognizerProcessOptions = {},
): Promise<RecognizerProcess> {
  const opened: RecognizerProcess = new ProcessHost(new URL("./recognizer-child.ts", import.meta.url), {
    name: "the recognizing process",
    timers: systemClock,
    args: [size],
    priority,
    startMaxMs: START_MAX_MS,
    stalledMs: priority === undefined ? STALLED_MS : undefined,
  });
  const end = () => void opened.end();
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  try {
    await opened.ready;
  } finally {
    signal?.removeEventListener("abort", end);
  }
  return opened;
}

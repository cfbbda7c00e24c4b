import type { Flow } from "@parley/contract/flow";
import { isFliteVoice } from "@parley/providers/local/flite/flite-voices";
import type { NaturalVoice } from "@parley/providers/local/kokoro/speaking/voice-port";
import type { Clock } from "@parley/time/clock";
import { watchLoopDelay } from "../../platform/telemetry/loop-delay.ts";
import { textsOfVersion } from "./call-texts.ts";
import { naturalVoiceFor } from "./known-voices.ts";

/** Where the last look ended. */
export interface PublishedCursor {
  readonly createdAt: Date;
  readonly id: string;
}

export interface PublishedFlow {
  readonly id: string;
  readonly flow: Flow;
  readonly language: string;
  readonly created_at: Date;
}

export interface RenderPublishedDeps {
  readonly natural: Pick<NaturalVoice, "renderAhead">;
  /** Whether there is processor time to spare. Asked before each text. */
  readonly mayWork: () => boolean;
  readonly clock: Pick<Clock, "setTimer">;
  /** Versions in use by calls, created after this one, the oldest first. */
  list(after: PublishedCursor): Promise<readonly PublishedFlow[]>;
  readonly since: PublishedCursor;
  onTrouble(error: unknown): void;
}

/** A start is for the first calls; what may be needed later begins after it. */
const FIRST_LOOK_MS = 60_000;
const LOOK_EVERY_MS = 20_000;
/** How often it is checked whether there is time to spare again. */
const PAUSE_MS = 250;

/**
 * Renders what newly published agents say, whenever there is time. Each machine does so for itself, because each has clips
 * of its own. Returns a function that ends it and resolves when it has stopped.
 */
export function renderPublished(deps: RenderPublishedDeps): () => Promise<void> {
  const { natural, clock, list, since, mayWork, onTrouble } = deps;
  const over = new AbortController();
  let cursor = since;
  let looking: Promise<void> = Promise.resolve();
  let cancelTimer = clock.setTimer(FIRST_LOOK_MS, look);

  function look(): void {
    looking = renderNew().then(() => {
      if (!over.signal.aborted) cancelTimer = clock.setTimer(LOOK_EVERY_MS, look);
    });
  }

  async function renderNew(): Promise<void> {
    try {
      for (const { id, flow, language, created_at: createdAt } of await list(cursor)) {
        if (over.signal.aborted) return;
        await renderFlow(flow, language);
        cursor = { id, createdAt };
      }
    } catch (error) {
      if (!over.signal.aborted) onTrouble(error);
    }
  }

  async function renderFlow(flow: Flow, language: string): Promise<void> {
    const asked = flow.settings?.voice;
    const isLight = asked !== undefined && isFliteVoice(asked) && /^en\b/i.test(language);
    // Voices of vendors are not rendered: the natural one is only their fallback.
    const isOfVendor = asked?.includes("/") ?? false;
    const voice = isLight || isOfVendor ? null : naturalVoiceFor(asked, language);
    if (voice === null) return;
    for (const text of textsOfVersion(flow, language)) {
      while (!mayWork() && !over.signal.aborted) await pause();
      if (over.signal.aborted) return;
      await natural.renderAhead(text, voice, over.signal);
    }
  }

  function pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = clock.setTimer(PAUSE_MS, resolve);
    over.signal.addEventListener("abort", () => {
      cancel();
      resolve();
    });
    return promise;
  }

  return async () => {
    over.abort(new Error("the service stops"));
    cancelTimer();
    await looking;
  };
}

export interface SpareTime {
  /** Whether there is capacity for background work. */
  hasSpareTime(): boolean;
  close(): void;
}

/** A thread that wakes up so late is short of processor time, and so are those that talk to callees. */
const LATE_MS = 30;

/** Watches how late this thread runs. While it is late and calls are live, there is no time to spare. */
export function watchSpareTime(liveCalls: () => number): SpareTime {
  const delay = watchLoopDelay(95);
  return {
    hasSpareTime() {
      const lateMs = delay.takeLateMs();
      return liveCalls() === 0 || lateMs <= LATE_MS;
    },
    close: delay.close,
  };
}

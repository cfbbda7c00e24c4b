/** After this long without a packet the callee may hear us while we hear nothing, or a firewall blocks the path. */
const MISSING_AFTER_MS = 3_000;
const TIMEOUT_AFTER_MS = 30_000;
/** A far end that announced its silence may keep it much longer than one that just stopped. */
const ANNOUNCED_TIMEOUT_AFTER_MS = 300_000;

export type MediaAlarm = "audio_missing" | "audio_returned" | "media_timed_out";

/** Detects missing audio. Each alarm is raised once; hold and early media expect nothing. */
export class MediaWatch {
  #isExpected = false;
  #sinceMs = 0;
  #isAnnouncedSilence = false;
  #isMissing = false;
  #hasTimedOut = false;

  expect(isExpected: boolean, nowMs: number): void {
    if (isExpected && !this.#isExpected) this.#sinceMs = nowMs;
    this.#isExpected = isExpected;
  }

  /** A genuine packet of any kind came. */
  noteReception(nowMs: number, announcesSilence: boolean): MediaAlarm | null {
    this.#sinceMs = nowMs;
    this.#isAnnouncedSilence = announcesSilence;
    if (!this.#isMissing) return null;
    this.#isMissing = false;
    return "audio_returned";
  }

  tick(nowMs: number): MediaAlarm | null {
    if (!this.#isExpected || this.#hasTimedOut) return null;
    const silentMs = nowMs - this.#sinceMs;
    if (silentMs >= (this.#isAnnouncedSilence ? ANNOUNCED_TIMEOUT_AFTER_MS : TIMEOUT_AFTER_MS)) {
      this.#hasTimedOut = true;
      return "media_timed_out";
    }
    if (this.#isMissing || this.#isAnnouncedSilence || silentMs < MISSING_AFTER_MS) return null;
    this.#isMissing = true;
    return "audio_missing";
  }
}

import type { TrunkHealth } from "@parley/telephony/sip-carrier/trunks/trunk-health";
import type { Clock } from "@parley/time/clock";
import type { Database } from "../../platform/database/database.ts";
import { deleteHealthOf, replaceHealth } from "./attempt-note-store.ts";
import { deleteHealthBefore } from "./findings-store.ts";

/** A note that was not renewed for this long is that of a dead worker. */
export const HEALTH_LASTS_SECONDS = 20 * 60;
const REPEAT_MS = 5 * 60_000;
const FORGOTTEN_AFTER_SECONDS = 24 * 3600;
// The text of a peer has no length limit.
const TROUBLE_CHARS_MAX = 500;

export interface HealthNotesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly workerId: string;
  /** Called if the health could not be stored; the next attempt still runs. */
  onError(error: unknown): void;
}

/**
 * Stores the health of trunks as this worker sees it, for readers of a trunk: when it changes, and periodically, so
 * that the note of a dead worker expires. Notes are written one after the other.
 */
export class HealthNotes {
  readonly #deps: HealthNotesDeps;
  readonly #latest = new Map<string, TrunkHealth>();
  #writing: Promise<void> = Promise.resolve();
  #cancelTimer: () => void = () => undefined;
  #isClosed = false;

  constructor(deps: HealthNotesDeps) {
    this.#deps = deps;
    this.#repeatLater();
  }

  note(trunkId: string, health: TrunkHealth): void {
    if (this.#isClosed) return;
    this.#latest.set(trunkId, health);
    this.#write(() => this.#writeOne(trunkId, health));
  }

  /** Removes the notes of this worker. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#write(() => deleteHealthOf(this.#deps.db, this.#deps.workerId));
    await this.#writing;
  }

  #repeatLater(): void {
    this.#cancelTimer = this.#deps.clock.setTimer(REPEAT_MS, () => {
      for (const [trunkId, health] of this.#latest) this.#write(() => this.#writeOne(trunkId, health));
      this.#write(() => deleteHealthBefore(this.#deps.db, FORGOTTEN_AFTER_SECONDS));
      this.#repeatLater();
    });
  }

  #writeOne(trunkId: string, health: TrunkHealth): Promise<void> {
    const { db, workerId } = this.#deps;
    return replaceHealth(db, {
      trunkId,
      workerId,
      ...health,
      trouble: health.trouble?.slice(0, TROUBLE_CHARS_MAX) ?? null,
    });
  }

  #write(work: () => Promise<void>): void {
    this.#writing = this.#writing.then(work).catch((error: unknown) => this.#deps.onError(error));
  }
}

import { ClipStore } from "@parley/audio/clip-store";
import { durationMsOf } from "@parley/audio/frame";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import type { Clock } from "@parley/time/clock";
import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import type { LineMedia } from "./conversation-messages.ts";
import { claimFloor } from "./line-floor.ts";

/** The introduction, as text and as audio. */
export interface SpokenIdentification {
  readonly text: string;
  readonly clip: Int16Array;
}

export interface FallbackSpeakerDeps {
  readonly clock: Clock;
  readonly media: LineMedia;
  readonly floor: SharedArrayBuffer;
  /** Null when it could not be rendered. Never rejects. */
  readonly identification: Promise<SpokenIdentification | null>;
  /** What the callee has heard. */
  onSaid(entry: JournalEntry): void;
  /** Everything that replaces the conversation was played. */
  onOver(): void;
}

/** A conversation that has not taken the answered line by then will not do so soon. */
const WAIT_MS = 2_000;
/** The last audio takes a moment to reach the callee. */
const TAIL_MS = 300;

/**
 * Speaks instead of a conversation whose thread does not respond, so that the callee does not hear only silence. It says who is
 * calling, and then the call ends, because there is nothing left to conduct it.
 */
export class FallbackSpeaker {
  readonly #deps: FallbackSpeakerDeps;
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(deps: FallbackSpeakerDeps) {
    this.#deps = deps;
  }

  /** The callee has answered, and the conversation was notified. */
  watch(): void {
    this.#cancel();
    this.#cancel = this.#deps.clock.setTimer(WAIT_MS, () => {
      if (claimFloor(this.#deps.floor, "fallback")) void this.#speak();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  async #speak(): Promise<void> {
    const identification = await this.#deps.identification;
    if (this.#isClosed) return;
    const startMs = identification && this.#play(identification.clip);
    if (identification === null || startMs === null) return this.#deps.onOver();
    const { text, clip } = identification;
    const endMs = startMs + durationMsOf(clip.length);
    this.#cancel = this.#deps.clock.setTimer(endMs - startMs + TAIL_MS, () => {
      this.#deps.onSaid({
        type: "agent_said",
        turnId: 0,
        text,
        heardText: text,
        wasInterrupted: false,
        startMs,
        endMs,
        words: [],
      });
      this.#deps.onOver();
    });
  }

  /** Where on the line it begins; null when there is no room for it. */
  #play(clip: Int16Array): number | null {
    const { playout } = this.#deps.media;
    const offset = new ClipStore(playout).put(clip);
    const queue = new PlayoutQueue(playout);
    return offset !== null && queue.enqueue(1, offset, clip.length) ? durationMsOf(queue.position) : null;
  }
}

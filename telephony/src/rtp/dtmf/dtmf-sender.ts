import { FRAME_SAMPLES, samplesIn } from "@parley/audio/frame";
import { checkKeys } from "../../check-keys.ts";
import { codeOfKey, type TelephoneEvent } from "./telephone-event.ts";

/** RFC 4733 section 2.5.1.4: the last packet of an event goes out three times, because its loss would hold the key. */
const END_PACKETS = 3;
/** Menus need a gap between keys. */
const GAP_SAMPLES = samplesIn(80);
const KEY_MIN_MS = 40;
/** Section 2.5.1.3 would split longer events into segments; keys are never pressed for eight seconds. */
const KEY_MAX_MS = 6_000;
const DEFAULT_KEY_MS = 120;

/** The actual duration of a key press: shorter ones are not detected, longer ones only delay. */
export function heldKeyMs(keyMs: number): number {
  return Math.min(KEY_MAX_MS, Math.max(KEY_MIN_MS, keyMs));
}

interface WaitingKey {
  code: number;
  samples: number;
}

/** What a tick sends instead of audio. */
export interface DtmfPacket extends TelephoneEvent {
  /** Section 2.5.1.2: only the first packet of an event is marked. */
  marker: boolean;
  /** Of the moment the key went down, the same in all packets of the event. */
  timestamp: number;
}

/**
 * Presses keys, one packet per tick. Audio is muted from the first packet of an event to its last repetition, and the
 * timestamp of the stream advances by wall time meanwhile.
 */
export class DtmfSender {
  readonly #waiting: WaitingKey[] = [];
  readonly #packet: DtmfPacket = { code: 0, isEnd: false, durationSamples: 0, marker: false, timestamp: 0 };
  #current: WaitingKey | null = null;
  #endsLeft = 0;
  #gapLeft = 0;

  /** Characters that are not keys are rejected before anything is sent. */
  press(keys: string, keyMs: number = DEFAULT_KEY_MS): void {
    const samples = samplesIn(heldKeyMs(keyMs));
    checkKeys(keys);
    for (const key of keys) this.#waiting.push({ code: codeOfKey(key), samples });
  }

  get isIdle(): boolean {
    return this.#current === null && this.#waiting.length === 0 && this.#gapLeft <= 0;
  }

  /** What to send in this tick instead of audio, or null. The object is reused in the next tick. */
  next(timestamp: number): DtmfPacket | null {
    if (this.#current === null) {
      if (this.#gapLeft > 0) {
        this.#gapLeft -= FRAME_SAMPLES;
        return null;
      }
      const key = this.#waiting.shift();
      if (key === undefined) return null;
      return this.#begin(key, timestamp);
    }
    this.#packet.marker = false;
    if (!this.#packet.isEnd) this.#lengthen(this.#current);
    this.#finishPacket();
    return this.#packet;
  }

  #begin(key: WaitingKey, timestamp: number): DtmfPacket {
    this.#current = key;
    this.#packet.code = key.code;
    this.#packet.timestamp = timestamp;
    this.#packet.marker = true;
    this.#packet.isEnd = false;
    this.#packet.durationSamples = 0;
    this.#lengthen(key);
    this.#finishPacket();
    return this.#packet;
  }

  #lengthen(key: WaitingKey): void {
    this.#packet.durationSamples = Math.min(key.samples, this.#packet.durationSamples + FRAME_SAMPLES);
    if (this.#packet.durationSamples < key.samples) return;
    this.#packet.isEnd = true;
    this.#endsLeft = END_PACKETS;
  }

  #finishPacket(): void {
    if (!this.#packet.isEnd) return;
    this.#endsLeft -= 1;
    if (this.#endsLeft > 0) return;
    this.#current = null;
    this.#gapLeft = GAP_SAMPLES;
  }
}

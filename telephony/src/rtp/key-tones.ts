import { DtmfDetector } from "@parley/audio/detect/dtmf-detector";
import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { ReceivedKey } from "./dtmf-receiver.ts";

/**
 * Detects keys in the audio of a leg, only while telephone events are not agreed on: where they are, a far end that
 * plays the tones as well would press every key twice. A key is reported when it is released, like that of an event.
 */
export class KeyTones {
  readonly #report: (key: ReceivedKey) => void;
  #detector: DtmfDetector | null = null;

  constructor(report: (key: ReceivedKey) => void) {
    this.#report = report;
  }

  configure(dtmfPayloadType: number | null): void {
    if (dtmfPayloadType !== null) this.#detector = null;
    else {
      this.#detector ??= new DtmfDetector((event) => {
        if (event.type !== "key.released") return;
        const samples = event.position - event.pressedPosition;
        this.#report({ key: event.key, durationMs: (samples * 1000) / TELEPHONE_RATE_HZ });
      });
    }
  }

  push(frame: Int16Array): void {
    this.#detector?.push(frame);
  }
}

import type { LegEvent } from "@parley/telephony/carrier";
import type { LineEvent } from "@parley/voice/ports/line";

/** What a conversation is told of what happens to its leg; null for what does not concern it. */
export function toLineEvent(event: LegEvent): LineEvent | null {
  switch (event.type) {
    case "answered":
    case "audioMissing":
    case "audioReturned":
    case "heardAgain":
    case "ended":
      return { type: event.type };
    case "notHeard":
      return { type: "notHeard", wasHeard: event.wasHeard, forMs: event.forMs };
    case "dtmf":
      return { type: "dtmf", key: event.key };
    case "transferProgress":
      return { type: "transferProgress", state: event.state, reason: event.reason };
    case "ringing":
    case "earlyMedia":
      return null;
  }
}

import type { LineEvent } from "../ports/line.ts";
import type { TurnNews } from "../turns/turn-events.ts";

/** What a line tells, in the words of the machine. */
export function newsOfLine(event: LineEvent): TurnNews {
  switch (event.type) {
    case "answered":
      return { type: "line.answered" };
    case "dtmf":
      return { type: "line.key_pressed", key: event.key };
    case "audioMissing":
      return { type: "line.audio_missing" };
    case "audioReturned":
      return { type: "line.audio_returned" };
    case "notHeard":
      return { type: "line.not_heard", wasHeard: event.wasHeard, forMs: event.forMs };
    case "heardAgain":
      return { type: "line.heard_again" };
    case "transferProgress":
      return { type: "line.transfer_progressed", state: event.state, reason: event.reason };
    case "ended":
      return { type: "line.ended" };
  }
}

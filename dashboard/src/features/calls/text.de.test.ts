import { expect, test } from "vitest";
import { german } from "./text.de.ts";

test.each([
  ["hearing_failed", "We could not hear the callee for 3 seconds.", "3 Sekunden nicht hören"],
  ["hearing_failed", "We could not hear the callee for a while.", "eine Weile nicht hören"],
  ["recording_gap", "1 second of the recording is missing.", "fehlen 1 Sekunde"],
  ["worker_lost", "The call was cut off. The call was not charged.", "Nicht berechnet: der ganze Anruf."],
  [
    "audio_late",
    "The audio of the call stopped for 2 seconds. 5 seconds of the call were not charged.",
    "2 Sekunden aus. Nicht berechnet: 5 Sekunden.",
  ],
] as const)("the effect of %s keeps how long it lasted and what was not charged", (what, effect, part) => {
  expect(german.incidentEffect({ what, effect })).toContain(part);
});

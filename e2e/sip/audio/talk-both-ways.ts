import { expect } from "vitest";
import type { Line } from "../open-line.ts";
import type { Baresip } from "../peers/start-baresip.ts";
import type { PlacedLeg } from "../placed-leg.ts";
import { hearClearly } from "./hear-clearly.ts";
import { likeness } from "./likeness.ts";
import { CALLEE_PHRASE, CALLER_PHRASE, WE_SAY } from "./phrases.ts";

/** Calls a telephone that says its phrase, says ours, and hangs up: each must have heard the other clearly. */
export async function talkBothWays(line: Line, callee: Baresip, measure = likeness): Promise<PlacedLeg> {
  const placed = await line.place();
  await placed.until("answered");
  placed.audio.say(WE_SAY);
  const clearest = await hearClearly(placed.audio, CALLEE_PHRASE, { measure });
  await placed.leg.hangup();
  expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "us" });
  await callee.tells("CALL_CLOSED");
  const [heardByCallee] = await callee.recordings.heard();
  expect(clearest).toBeGreaterThan(0.99);
  expect(measure(CALLER_PHRASE, heardByCallee ?? new Int16Array())).toBeGreaterThan(0.99);
  return placed;
}

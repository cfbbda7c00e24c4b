import { expect, test } from "vitest";
import { holdFaults, problemsOf } from "./hold-faults.ts";

test("a call goes on when its vendors fail, and its record says which and why", { timeout: 400_000 }, async () => {
  // For each part one vendor with WebSockets and one with plain requests.
  const held = await holdFaults([
    { recognition: "deepgram", synthesis: "elevenlabs", fault: "malformed" },
    { recognition: "own-stt", synthesis: "own-tts", fault: "quota" },
  ]);
  expect(held.flatMap(problemsOf)).toEqual([]);
});

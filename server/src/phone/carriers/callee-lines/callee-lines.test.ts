import { expect, test } from "vitest";
import { CalleeLines, linesToRender } from "./callee-lines.ts";

const SPEECH_RMS = 300;

test("everything that simulated people say of themselves came with the installation, and can be heard", () => {
  const lines = CalleeLines.read();
  for (const text of linesToRender()) {
    const sound = lines.find(text) ?? new Int16Array(0);
    const rms = Math.sqrt(sound.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, sound.length));
    expect(rms, text).toBeGreaterThan(SPEECH_RMS);
  }
});

test("a line that was not shipped is missing", () => {
  const lines = CalleeLines.read();
  expect(lines.has("Nobody ever says this.")).toBe(false);
  expect(lines.find("Nobody ever says this.")).toBeNull();
});

test("a file that was cut off is refused when it is opened", () => {
  expect(() => new CalleeLines(new Uint8Array(3), [{ text: "Hello?", start: 0, length: 4 }])).toThrow(/Hello/);
});

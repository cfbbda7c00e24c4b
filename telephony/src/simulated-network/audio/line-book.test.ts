import { samplesIn } from "@parley/audio/frame";
import { describe, expect, it, vi } from "vitest";
import type { CalleeVoice } from "../ports/callee-voice.ts";
import { renderBabble } from "./babble.ts";
import { LineBook } from "./line-book.ts";
import { speechDurationMs } from "./syllables.ts";

const HELLO = { text: "Hello?", voice: "human" };

function voiceOf(durationMs: number): CalleeVoice & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async render(text, voice) {
      asked.push(`${voice}: ${text}`);
      return new Int16Array(samplesIn(durationMs)).fill(text.length);
    },
  };
}

describe("the lines of simulated callees", () => {
  it("are babbled where there is no voice, the same way each time and in the time speech takes", () => {
    const book = new LineBook(null);
    expect(book.isReady([HELLO])).toBe(true);
    expect(book.find(HELLO)).toEqual(renderBabble(HELLO.text, "human"));
    expect(book.find(HELLO).length).toBe(samplesIn(speechDurationMs(HELLO.text)));
    expect(book.find({ ...HELLO, voice: "machine" })).not.toEqual(book.find(HELLO));
  });

  it("are rendered once, however many calls ask for them at the same time", async () => {
    const voice = voiceOf(500);
    const book = new LineBook(voice);
    expect(book.isReady([HELLO])).toBe(false);
    await Promise.all([book.prepare([HELLO]), book.prepare([HELLO])]);
    await book.prepare([HELLO]);
    expect(voice.asked).toEqual(["human: Hello?"]);
    expect(book.isReady([HELLO])).toBe(true);
    expect(book.find(HELLO)).toEqual(new Int16Array(4_000).fill(6));
  });

  it("have a long pause where there are three dots, which the voice does not see", async () => {
    const voice = voiceOf(100);
    const book = new LineBook(voice);
    const line = { text: "It was ... last Tuesday… yes.", voice: "human" };
    await book.prepare([line]);
    expect(voice.asked).toEqual(["human: It was", "human: last Tuesday", "human: yes."]);
    expect(book.find(line).length).toBe(samplesIn(3 * 100 + 2 * 900));
    expect(
      book
        .find(line)
        .subarray(samplesIn(100), samplesIn(1_000))
        .some((sample) => sample !== 0),
    ).toBe(false);
  });

  it("are babbled when the voice fails, which is reported once", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const book = new LineBook({ render: () => Promise.reject(new Error("hoarse")) });
    await book.prepare([HELLO, { ...HELLO, text: "Goodbye." }]);
    expect(book.isReady([HELLO])).toBe(false);
    expect(book.find(HELLO)).toEqual(renderBabble(HELLO.text, "human"));
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  it("are forgotten beyond a limit, those first that were not said for longest", async () => {
    const book = new LineBook(voiceOf(119_000));
    const lines = ["a", "b", "c"].map((text) => ({ text, voice: "human" }));
    const [a, b, c] = lines as [(typeof lines)[0], (typeof lines)[0], (typeof lines)[0]];
    await book.prepare(lines);
    book.find(a);
    await book.prepare([{ text: "d", voice: "human" }]);
    expect([a, b, c].map((line) => book.isReady([line]))).toEqual([true, false, true]);
  });
});

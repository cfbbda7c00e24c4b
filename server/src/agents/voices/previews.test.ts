import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { describe, expect, it } from "vitest";
import { PreviewCache, previewVoice } from "./previews.ts";

const openCache = (bytesMax = 100) => {
  const clock = createVirtualClock();
  return { clock, cache: new PreviewCache({ clock, waitMs: 1000, bytesMax }) };
};

describe("hearing a voice", () => {
  it("is spoken once, however many want to hear it", async () => {
    const { cache } = openCache();
    const spoken: string[] = [];
    const speak = async () => Buffer.from(String(spoken.push("spoken")));
    const heard = await Promise.all([cache.get("a", speak), cache.get("a", speak)]);
    expect([...heard, await cache.get("a", speak)].map(String)).toEqual(["1", "1", "1"]);
  });

  it("that takes too long is refused, continues, and is available the next time", async () => {
    const { cache, clock } = openCache();
    const slow = Promise.withResolvers<Buffer>();
    const waiting = cache.get("a", () => slow.promise);
    const refused = expect(waiting).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
    await clock.advance(1000);
    await refused;
    slow.resolve(Buffer.from("late"));
    await slow.promise;
    expect(String(await cache.get("a", () => Promise.reject(new Error("again"))))).toBe("late");
  });

  it("that failed is retried", async () => {
    const { cache } = openCache();
    await expect(cache.get("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(String(await cache.get("a", async () => Buffer.from("fine")))).toBe("fine");
  });

  it("keeps the most recently played ones, up to its limit", async () => {
    const { cache } = openCache(10);
    for (const key of ["a", "b", "c"]) await cache.get(key, async () => Buffer.alloc(4));
    const spokenAgain: string[] = [];
    const again = (key: string) =>
      cache.get(key, async () => {
        spokenAgain.push(key);
        return Buffer.alloc(4);
      });
    await again("c");
    await again("a");
    expect(spokenAgain).toEqual(["a"]);
  });
});

describe("a voice that fails", () => {
  const hear = (retryable: boolean) => {
    const speak = async function* (): AsyncGenerator<Int16Array> {
      yield new Int16Array(80);
      throw new ProviderError("flite", "flite: no reply within 4000 ms", { retryable });
    };
    return previewVoice({ light: { speak }, natural: null }, "slt", { text: "Hello.", language: "en-US" });
  };

  it("in time for another attempt is unavailable", async () => {
    await expect(hear(true)).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
  });

  it("for good says why", async () => {
    await expect(hear(false)).rejects.toMatchObject({
      code: "invalid_state",
      message: expect.stringContaining("4000 ms"),
    });
  });
});

import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, it } from "vitest";
import { PreviewCache, PreviewLimiter } from "./previews.ts";

const openShelf = (bytesMax = 100) => {
  const clock = createVirtualClock();
  return { clock, shelf: new PreviewCache({ clock, waitMs: 1000, bytesMax }) };
};

describe("hearing a voice", () => {
  it("is spoken once, however many want to hear it", async () => {
    const { shelf } = openShelf();
    const spoken: string[] = [];
    const speak = async () => Buffer.from(String(spoken.push("spoken")));
    const heard = await Promise.all([shelf.take("a", speak), shelf.take("a", speak)]);
    expect([...heard, await shelf.take("a", speak)].map(String)).toEqual(["1", "1", "1"]);
  });

  it("that takes too long is refused, goes on, and is there the next time", async () => {
    const { shelf, clock } = openShelf();
    const slow = Promise.withResolvers<Buffer>();
    const waiting = shelf.take("a", () => slow.promise);
    const refused = expect(waiting).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 5 });
    await clock.advance(1000);
    await refused;
    slow.resolve(Buffer.from("late"));
    await slow.promise;
    expect(String(await shelf.take("a", () => Promise.reject(new Error("again"))))).toBe("late");
  });

  it("that failed is tried anew", async () => {
    const { shelf } = openShelf();
    await expect(shelf.take("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(String(await shelf.take("a", async () => Buffer.from("fine")))).toBe("fine");
  });

  it("keeps what was heard last, and no more than it may", async () => {
    const { shelf } = openShelf(10);
    for (const key of ["a", "b", "c"]) await shelf.take(key, async () => Buffer.alloc(4));
    const spokenAgain: string[] = [];
    const again = (key: string) =>
      shelf.take(key, async () => {
        spokenAgain.push(key);
        return Buffer.alloc(4);
      });
    await again("c");
    await again("a");
    expect(spokenAgain).toEqual(["a"]);
  });
});

describe("how often voices are heard", () => {
  it("is two at once and thirty a minute for each account", () => {
    let nowMs = 0;
    const desk = new PreviewLimiter(() => nowMs);
    const leave = [desk.take("ada"), desk.take("ada")];
    expect(() => desk.take("ada")).toThrow("too often");
    desk.take("bob")();
    for (const each of leave) each();
    for (let count = 2; count < 30; count += 1) desk.take("ada")();
    expect(() => desk.take("ada")).toThrow("too often");
    nowMs = 60_001;
    expect(() => desk.take("ada")()).not.toThrow();
  });
});

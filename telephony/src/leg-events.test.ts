import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { LegEvent } from "./carrier.ts";
import { hungUp } from "./leg-end.ts";
import { LegEvents } from "./leg-events.ts";

const promisesSettle = () => new Promise((resolve) => setImmediate(resolve));

describe("the events of a leg", () => {
  it("reports nothing after the end", async () => {
    const events = new LegEvents("dial");
    const seen: LegEvent[] = [];
    events.onEvent((event) => seen.push(event));
    events.emit(hungUp("us"));
    events.emit(hungUp("callee"));
    events.emit({ type: "ringing" });
    await promisesSettle();
    expect(seen).toEqual([hungUp("us")]);
  });

  it("delivers kept events to the first listener only", async () => {
    const events = new LegEvents("dial");
    events.emit({ type: "ringing" });
    const first: string[] = [];
    const second: string[] = [];
    events.onEvent(({ type }) => first.push(type));
    await promisesSettle();
    events.onEvent(({ type }) => second.push(type));
    events.emit({ type: "answered" });
    await promisesSettle();
    expect(first).toEqual(["ringing", "answered"]);
    expect(second).toEqual(["answered"]);
  });

  it("does not call a listener that another one stopped during the same event", async () => {
    const events = new LegEvents("dial");
    const seen: string[] = [];
    events.onEvent(() => stopSecond());
    const stopSecond = events.onEvent(({ type }) => seen.push(type));
    events.emit({ type: "ringing" });
    await promisesSettle();
    expect(seen).toEqual([]);
  });

  it("warns of a listener that threw when no error handler was given", async () => {
    const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    onTestFinished(() => emitWarning.mockRestore());
    const events = new LegEvents("dial-7");
    events.onEvent(() => {
      throw new Error("a mistake");
    });
    events.emit({ type: "ringing" });
    await promisesSettle();
    expect(emitWarning).toHaveBeenCalledExactlyOnceWith("A listener of a call leg threw.", {
      type: "LegListenerWarning",
      detail: expect.stringMatching(/^dial-7: Error: a mistake/),
    });
  });
});

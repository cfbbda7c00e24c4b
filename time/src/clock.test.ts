import { expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "./clock.ts";

it("a delay longer than the system timer supports does not fire immediately", () => {
  const setTimeout = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => setTimeout.mockRestore());
  const cancel = systemClock.setTimer(2 ** 40, () => expect.unreachable());
  expect(setTimeout).toHaveBeenCalledExactlyOnceWith(expect.any(Function), 2 ** 31 - 1);
  cancel();
});

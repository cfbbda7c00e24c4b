import { useQuery } from "@tanstack/react-query";
import { act } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestQueries, renderWithQueries } from "../testing/render-with-queries.tsx";
import { LiveChanges } from "./live-changes.tsx";
import { BATCHES_KEY } from "./live-keys.ts";

let stream: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    "EventSource",
    class extends EventTarget {
      constructor() {
        super();
        stream = this;
      }
      close() {
        // Nothing arrives on it any more.
      }
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const changeCall = () => stream.dispatchEvent(new MessageEvent("call", { data: JSON.stringify({ callId: "call_1" }) }));

test("figures follow a burst of changes a few times, and the last change always", async () => {
  let ended = 0;
  let fetched = 0;
  const shown = { ended: 0 };
  function Progress() {
    const { data = 0 } = useQuery({
      queryKey: [...BATCHES_KEY, "test"],
      queryFn: async () => {
        fetched += 1;
        return ended;
      },
      staleTime: Number.POSITIVE_INFINITY,
    });
    shown.ended = data;
    return null;
  }
  renderWithQueries(
    <LiveChanges>
      <Progress />
    </LiveChanges>,
    createTestQueries(),
  );
  await pass(5000);
  expect(fetched).toBe(1);
  for (ended = 1; ended < 20; ended += 1) {
    changeCall();
    await pass(100);
  }
  // The last call ends right after the figures were fetched, and nothing changes after it.
  changeCall();
  await pass(10_000);
  expect(shown.ended).toBe(20);
  expect(fetched).toBeLessThan(6);
  await pass(60_000);
  expect(fetched).toBeLessThan(6);
});

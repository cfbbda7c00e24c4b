import { expect, test } from "vitest";
import { placePiece } from "./listen-in.tsx";

/** Plays chunks of 100 ms that arrive at these times and reports how they were heard. */
function hear(arrivalsS: readonly number[]) {
  let untilS = 0;
  let gaps = 0;
  let dropped = 0;
  for (const nowS of arrivalsS) {
    const startS = placePiece(untilS, nowS);
    if (startS === null) {
      dropped += 1;
      continue;
    }
    expect(startS).toBeGreaterThanOrEqual(nowS);
    if (untilS > 0 && startS > untilS + 1e-9) gaps += 1;
    untilS = startS + 0.1;
  }
  return { gaps, dropped, lagS: untilS - (arrivalsS.at(-1) ?? 0) };
}

const every100Ms = Array.from({ length: 300 }, (_, index) => index / 10);

test("chunks that arrive in time are heard without a gap", () => {
  expect(hear(every100Ms)).toMatchObject({ gaps: 0, dropped: 0 });
});

test("chunks that arrive up to 300 ms late are heard without a gap", () => {
  const late = every100Ms.map((atS, index) => atS + ([0, 0.3, 0.2, 0.1, 0.25][index % 5] ?? 0));
  expect(hear(late).gaps).toBe(0);
});

test("after a second without audio it continues, with one gap", () => {
  const stalled = every100Ms.filter((atS) => atS < 10 || atS > 11);
  expect(hear(stalled)).toMatchObject({ gaps: 1, dropped: 0 });
});

test("audio that was delayed by five seconds and arrives all at once is mostly dropped: listeners want the present", () => {
  const burst = [...every100Ms.slice(0, 50), ...Array.from({ length: 50 }, () => 10), 10.1, 10.2];
  const heard = hear(burst);
  expect(heard.dropped).toBeGreaterThan(30);
  expect(heard.lagS).toBeLessThan(2);
});

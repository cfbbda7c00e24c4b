import { createRandom } from "@parley/audio/testing/random";
import { describe, expect, it } from "vitest";
import { PresentRuns } from "./sample-timeline.ts";

describe("the runs of a timeline", () => {
  it("know of each moment whether it is there, as a list of all moments would", () => {
    const random = createRandom(17);
    const runs = new PresentRuns();
    const naive = new Set<number>();
    let forgotten = 0;
    for (let round = 0; round < 3_000; round++) {
      const start = forgotten + random.wholeBetween(0, 60);
      const end = start + random.wholeBetween(1, 12);
      runs.add(start, end);
      for (let time = start; time < end; time++) naive.add(time);
      if (random.next() < 0.4) {
        forgotten += random.wholeBetween(0, 25);
        runs.forgetBefore(forgotten);
        for (const time of naive) if (time < forgotten) naive.delete(time);
      }
      const asked = forgotten + random.wholeBetween(-5, 70);
      expect(runs.isPresent(asked)).toBe(naive.has(asked));
      let alike = 1;
      while (alike < 40 && naive.has(asked + alike) === naive.has(asked)) alike += 1;
      expect(runs.alikeFrom(asked, 40)).toBe(alike);
    }
    runs.clear();
    expect(runs.isPresent(forgotten)).toBe(false);
    expect(runs.alikeFrom(forgotten, 7)).toBe(7);
  });
});

import { expect, test } from "vitest";
import { energyDb, forecastLevelDbfs, LEVEL_PER_ENERGY } from "./speech-level.ts";

const features = (energy: readonly number[]) => ({
  ...{ frames: energy.length, features: new Float32Array(0), pitchHz: new Float32Array(energy.length) },
  ...{ energy: Float32Array.from(energy), style: new Float32Array(0), symbolFrames: [] },
});

test("the energy of a clause is that of the frames that are decoded", () => {
  expect(energyDb(Float32Array.of(9, Math.log(10), Math.log(10), 9), { from: 1, until: 3 })).toBeCloseTo(20);
});

test("a clause that is planned louder is expected to be louder, by a part of it", () => {
  const range = { from: 0, until: 2 };
  const quiet = forecastLevelDbfs("af_heart", features([0, 0]), range);
  const loud = forecastLevelDbfs("af_heart", features([Math.log(10), Math.log(10)]), range);
  expect(loud - quiet).toBeCloseTo(20 * LEVEL_PER_ENERGY);
});

import { describe, expect, it } from "vitest";
import { overrideScreeningSettings, SCREENING_SETTINGS, USUAL_SCREENING_SETTINGS } from "./screening-settings.ts";

describe("the settings of screening", () => {
  it("defaults apply, unknown names are ignored, and values out of range are clamped", () => {
    const settings = overrideScreeningSettings({
      windowMs: 10_000,
      helloMaxMs: -1,
      waitMs: Number.NaN,
      suspectWeight: 99,
      nobody: 1,
    });
    expect(settings).toEqual({
      ...USUAL_SCREENING_SETTINGS,
      windowMs: 10_000,
      helloMaxMs: SCREENING_SETTINGS.helloMaxMs.min,
      suspectWeight: SCREENING_SETTINGS.suspectWeight.max,
    });
  });

  it("the length of speech and one fair phrase stay below the threshold for a machine", () => {
    const { suspectWeight, monologueWeight, fairWeight, machineWeightMin } = USUAL_SCREENING_SETTINGS;
    expect(suspectWeight + monologueWeight + fairWeight).toBeLessThan(machineWeightMin);
  });
});

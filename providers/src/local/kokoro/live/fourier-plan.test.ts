import { expect, test } from "vitest";
import { FourierPlan } from "./fourier-plan.ts";

test.each([400, 800, 2, 3, 7, 12, 45])("a transform of %i samples is the sum that defines it", (length) => {
  const re = Float64Array.from({ length }, (_, at) => Math.sin(at * at));
  const im = Float64Array.from({ length }, (_, at) => Math.cos(3 * at + 1));
  const [outRe, outIm] = [new Float64Array(length), new Float64Array(length)];
  new FourierPlan(length).forward(re, im, outRe, outIm);
  for (let bin = 0; bin < length; bin++) {
    let real = 0;
    let imaginary = 0;
    for (let at = 0; at < length; at++) {
      const angle = (-2 * Math.PI * bin * at) / length;
      real += (re[at] as number) * Math.cos(angle) - (im[at] as number) * Math.sin(angle);
      imaginary += (re[at] as number) * Math.sin(angle) + (im[at] as number) * Math.cos(angle);
    }
    expect(outRe[bin]).toBeCloseTo(real, 8);
    expect(outIm[bin]).toBeCloseTo(imaginary, 8);
  }
});

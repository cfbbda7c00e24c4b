import { expect, it } from "vitest";
import { createRandom } from "../testing/random.ts";
import { GoertzelBank } from "./goertzel.ts";

it("returns the same sums as the definition of the Fourier transform", () => {
  const random = createRandom(2);
  const frequenciesHz = [300, 697, 1209, 2100.5, 3333];
  const block = Float64Array.from({ length: 40 }, () => random.between(-10_000, 10_000));
  const bank = new GoertzelBank(frequenciesHz, 40);
  bank.measure(block);
  for (const [index, frequencyHz] of frequenciesHz.entries()) {
    const angle = (2 * Math.PI * frequencyHz) / 8000;
    const real = block.reduce((sum, sample, at) => sum + sample * Math.cos(angle * at), 0);
    const imaginary = block.reduce((sum, sample, at) => sum - sample * Math.sin(angle * at), 0);
    expect(bank.real[index]).toBeCloseTo(real, 4);
    expect(bank.imaginary[index]).toBeCloseTo(imaginary, 4);
  }
});

import { Tensor } from "onnxruntime-node";
import { expect, test } from "vitest";
import { openModelBytes } from "../../weights/open-model.ts";
import { readWeights } from "../../weights/weight-file.ts";
import { KOKORO_WEIGHTS } from "../kokoro-model.ts";
import { doublingsToProducts } from "./doubled-frames.ts";
import { cutGraph } from "./onnx-graph.ts";
import { ELEMENT } from "./onnx-messages.ts";
import { operatorsOf } from "./testing/operators-of.ts";

const INPUT = "/encoder/F0.1/actv/LeakyRelu_output_0";
const OUTPUT = "/encoder/F0.1/pool/ConvTranspose_output_0";
const CHANNELS = 512;

test("frames that are doubled by products are those of the transposed convolution", async () => {
  const convolution = cutGraph(await readWeights(KOKORO_WEIGHTS), {
    inputs: { [INPUT]: ELEMENT.float32 },
    outputs: [OUTPUT],
  });
  const products = doublingsToProducts(convolution);
  expect(operatorsOf(convolution)).toContain("ConvTranspose");
  expect(operatorsOf(products)).not.toContain("ConvTranspose");
  for (const frames of [1, 2, 9]) {
    const values = Float32Array.from({ length: CHANNELS * frames }, (_, at) => Math.sin(at * 1.7) * (1 + (at % 5)));
    const given = { [INPUT]: new Tensor("float32", values, [1, CHANNELS, frames]) };
    const [expected, made] = await Promise.all(
      [convolution, products].map(async (model) => (await (await openModelBytes(model)).run(given))[OUTPUT]),
    );
    expect(made?.dims).toEqual([1, CHANNELS, 2 * frames]);
    const [wanted, found] = [expected?.data as Float32Array, made?.data as Float32Array];
    expect(Math.max(...found.map((value, at) => Math.abs(value - (wanted[at] as number))))).toBeLessThan(1e-4);
  }
});

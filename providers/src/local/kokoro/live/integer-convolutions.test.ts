import { Tensor } from "onnxruntime-node";
import { expect, test } from "vitest";
import { openModelBytes } from "../../weights/open-model.ts";
import { readWeights } from "../../weights/weight-file.ts";
import { KOKORO_WEIGHTS } from "../kokoro-model.ts";
import { convolutionsToProducts } from "./integer-convolutions.ts";
import { cutGraph } from "./onnx-graph.ts";
import { ELEMENT } from "./onnx-messages.ts";
import { operatorsOf } from "./testing/operators-of.ts";

const kokoro = await readWeights(KOKORO_WEIGHTS);

/** Quantised convolutions of the shipped network with kernels of five, three and one, and one with gaps of three frames. */
test.each([
  { layer: "/encoder/text_encoder/cnn.0/cnn.0.0", input: "/encoder/text_encoder/Transpose_output_0", channels: 512 },
  { layer: "/encoder/F0.0/conv1", input: "/encoder/F0.0/actv/LeakyRelu_output_0", channels: 512 },
  { layer: "/decoder/decoder/encode/conv1x1", input: "/decoder/decoder/Concat_output_0", channels: 514 },
  {
    layer: "/decoder/decoder/generator/noise_res.0/convs1.1",
    input: "/decoder/decoder/generator/noise_res.0/Add_3_output_0",
    channels: 256,
  },
])("$layer gives the same audio features as a product of matrices", async ({ layer, input, channels }) => {
  const output = `${layer}/Conv_output_0`;
  const convolution = cutGraph(kokoro, { inputs: { [input]: ELEMENT.float32 }, outputs: [output] });
  const product = convolutionsToProducts(convolution);
  expect(operatorsOf(convolution)).toContain("ConvInteger");
  expect(operatorsOf(product)).not.toContain("ConvInteger");
  const given = { [input]: features(channels, 9) };
  const [expected, made] = await Promise.all(
    [convolution, product].map(async (model) => (await (await openModelBytes(model)).run(given))[output]),
  );
  expect(made?.dims).toEqual(expected?.dims);
  expect(made?.data).toEqual(expected?.data);
});

test("a convolution that skips frames stays as it is", () => {
  const input = "/decoder/decoder/Unsqueeze_output_0";
  const output = "/decoder/decoder/F0_conv/Conv_output_0";
  const part = cutGraph(kokoro, { inputs: { [input]: ELEMENT.float32 }, outputs: [output] });
  expect(operatorsOf(convolutionsToProducts(part))).toEqual(operatorsOf(part));
});

function features(channels: number, frames: number): Tensor {
  const values = Float32Array.from({ length: channels * frames }, (_, at) => Math.sin(at * 1.7) * (1 + (at % 5)));
  return new Tensor("float32", values, [1, channels, frames]);
}

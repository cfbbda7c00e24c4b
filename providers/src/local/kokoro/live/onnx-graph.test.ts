import { readFile } from "node:fs/promises";
import { Tensor } from "onnxruntime-node";
import { expect, test } from "vitest";
import { openModelBytes } from "../../weights/open-model.ts";
import { cutGraph } from "./onnx-graph.ts";
import { ELEMENT } from "./onnx-messages.ts";

const model = await readFile(new URL("telephone-decoder.onnx", import.meta.url));
const FRAMES = 5;
const MIDDLE = "blocks.3.end";

test("the two parts of a model in sequence produce the output of the whole", async () => {
  const inputs = { features: tensorOf([1, 512, FRAMES]), side: tensorOf([1, FRAMES, 806]), style: tensorOf([1, 128]) };
  const whole = await (await openModelBytes(model)).run(inputs);
  const float = ELEMENT.float32;
  const front = cutGraph(model, { inputs: { features: float, side: float, style: float }, outputs: [MIDDLE] });
  const back = cutGraph(model, { inputs: { [MIDDLE]: float, style: float }, outputs: ["filters"] });
  expect(front.length + back.length).toBeLessThan(model.length * 1.01);
  const { [MIDDLE]: between } = await (await openModelBytes(front)).run(inputs);
  const end = await (await openModelBytes(back)).run({ [MIDDLE]: between as Tensor, style: inputs.style });
  const [expected, made] = [whole["filters"]?.data as Float32Array, end["filters"]?.data as Float32Array];
  expect(made.length).toBe(FRAMES * 4 * 401);
  expect(Math.max(...made.map((value, at) => Math.abs(value - (expected[at] as number))))).toBeLessThan(1e-4);
});

test("a tensor that the model does not produce is reported by name", () => {
  expect(() => cutGraph(model, { inputs: {}, outputs: ["loudness"] })).toThrow("nothing in the graph makes loudness");
});

test("a missing input of a part is reported by name", () => {
  expect(() => cutGraph(model, { inputs: { side: ELEMENT.float32 }, outputs: ["filters"] })).toThrow(
    "nothing in the graph makes",
  );
});

test("a truncated file is refused", () => {
  expect(() => cutGraph(model.subarray(0, 1_000_000), { inputs: {}, outputs: ["filters"] })).toThrow(
    "ends within a field",
  );
});

function tensorOf(shape: readonly number[]): Tensor {
  const size = shape.reduce((product, length) => product * length, 1);
  return new Tensor(
    "float32",
    Float32Array.from({ length: size }, (_, at) => Math.sin(at * 1.7)),
    [...shape],
  );
}

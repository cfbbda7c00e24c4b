import { editGraph } from "./onnx-graph.ts";
import {
  ELEMENT,
  type Field,
  GRAPH,
  type GraphNode,
  readNode,
  readTensor,
  type WeightTensor,
} from "./onnx-messages.ts";
import { ReplacementNodes, readWeights } from "./replacement-nodes.ts";

/** A convolution along time that gives as many frames as it takes, with known weights. */
interface Convolution {
  readonly node: GraphNode;
  readonly weights: WeightTensor;
  readonly zeroPoint: number;
  readonly padding: number;
  readonly dilation: number;
}

/**
 * Quantised weights have seven bits. Around zero, the sum of two products with eight bits fits into sixteen, as
 * processors without instructions for neural networks need it.
 */
const MIDDLE = 64;

/**
 * Replaces quantised convolutions (ConvInteger) by products of matrices (MatMulInteger), which give the same integers. The
 * runtime packs the weights of a product once and multiplies them with the instructions that processors have for this; for
 * convolutions it does neither, and takes ten times as long.
 */
export function convolutionsToProducts(model: Uint8Array): Uint8Array {
  return editGraph(model, (graph) => {
    const tensors = readWeights(graph);
    const replaced = new Set<string>();
    const parts = graph.map((field) => {
      const convolution = field.number === GRAPH.node ? readConvolution(field, tensors) : null;
      if (convolution === null) return [field.bytes];
      replaced.add(convolution.weights.name);
      return productOf(convolution);
    });
    const isUnused = ({ number, content }: Field) =>
      number === GRAPH.initializer && replaced.has(readTensor(content).name);
    return graph.flatMap((field, index) => (isUnused(field) ? [] : (parts[index] ?? [])));
  });
}

function readConvolution(field: Field, tensors: ReadonlyMap<string, WeightTensor>): Convolution | null {
  const node = readNode(field.content);
  if (node.operator !== "ConvInteger") return null;
  const { strides, dilations, pads, group } = node.integers;
  const weights = tensors.get(node.inputs[1] ?? "");
  const zeroPoint = tensors.get(node.inputs[3] ?? "")?.bytes[0];
  if (weights === undefined || zeroPoint === undefined) return null;
  const isPlain = String(strides) === "1" && isEven(pads) && group === 1 && weights.shape.length === 3;
  if (!isPlain || weights.elementType !== ELEMENT.uint8 || !hasSevenBits(weights.bytes)) return null;
  return { node, weights, zeroPoint, padding: firstOf(pads) ?? 0, dilation: firstOf(dilations) ?? 1 };
}

function isEven(pads: number | readonly number[] | undefined): boolean {
  return typeof pads === "object" && pads[0] === pads.at(-1);
}

function firstOf(value: number | readonly number[] | undefined): number | undefined {
  return typeof value === "object" ? value[0] : value;
}

function hasSevenBits(bytes: Uint8Array): boolean {
  let union = 0;
  for (let at = 0; at < bytes.length; at++) union |= bytes[at] as number;
  return union < 2 * MIDDLE;
}

/** The input with its neighbors in time side by side, times the weights. */
function productOf({ node, weights, zeroPoint, padding, dilation }: Convolution): Uint8Array[] {
  const [outputs = 0, channels = 0, kernel = 0] = weights.shape;
  const [input = "", , inputZeroPoint = ""] = node.inputs;
  const made = new ReplacementNodes(node);
  const byTime = { perm: [0, 2, 1] };
  let rows = made.add("Transpose", [input], made.named("rows"), byTime);
  if (kernel > 1) {
    const pads = made.addIndexes("pads", [0, padding, 0, 0, padding, 0]);
    const padded = made.add("Pad", [rows, pads, inputZeroPoint], made.named("padded"));
    const axis = made.addIndexes("axis", [1]);
    const shifted = Array.from({ length: kernel }, (_, shift) => {
      const isLast = shift === kernel - 1;
      const from = made.addIndexes(`from${shift}`, [shift * dilation]);
      const until = made.addIndexes(`until${shift}`, [
        isLast ? Number.MAX_SAFE_INTEGER : (shift + 1 - kernel) * dilation,
      ]);
      return made.add("Slice", [padded, from, until, axis], made.named(`shifted${shift}`));
    });
    rows = made.add("Concat", shifted, made.named("neighbors"), { axis: 2 });
  }
  const factors = made.addTensor("weights", ELEMENT.int8, [kernel * channels, outputs], matrixOf(weights));
  const zero = made.addTensor("zero", ELEMENT.int8, [], Uint8Array.of((zeroPoint - MIDDLE) & 255));
  const product = made.add("MatMulInteger", [rows, factors, inputZeroPoint, zero], made.named("product"));
  made.add("Transpose", [product], node.outputs[0] ?? "", byTime);
  return made.fields;
}

/** Tiles of this size are transposed within the cache of a processor, which takes a tenth of the time. */
const TILE = 64;

/** Output by channel by shift becomes shift and channel by output. */
function matrixOf({ shape: [outputs = 0, channels = 0, kernel = 0], bytes }: WeightTensor): Uint8Array {
  const matrix = new Uint8Array(bytes.length);
  const columns = channels * kernel;
  for (let firstOutput = 0; firstOutput < outputs; firstOutput += TILE) {
    const endOutput = Math.min(outputs, firstOutput + TILE);
    for (let first = 0; first < columns; first += TILE) {
      const end = Math.min(columns, first + TILE);
      for (let column = first; column < end; column++) {
        const row = ((column % kernel) * channels + Math.floor(column / kernel)) * outputs;
        for (let output = firstOutput; output < endOutput; output++)
          matrix[row + output] = (bytes[output * columns + column] as number) - MIDDLE;
      }
    }
  }
  return matrix;
}

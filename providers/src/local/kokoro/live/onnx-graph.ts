/**
 * Cuts a part out of an ONNX graph. Only the messages of the format that this needs are read, everything else is copied
 * byte for byte. Numbers of fields are those of onnx.proto (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto).
 */

const MODEL_GRAPH = 7;
const GRAPH_NODE = 1;
const GRAPH_NAME = 2;
const GRAPH_INITIALIZER = 5;
const GRAPH_INPUT = 11;
const GRAPH_OUTPUT = 12;
const NODE_INPUT = 1;
const NODE_OUTPUT = 2;
const TENSOR_NAME = 8;
const VALUE_NAME = 1;
const VALUE_TYPE = 2;
const TYPE_TENSOR = 1;
const TENSOR_TYPE_ELEMENT = 1;

/** Element types of tensors, as TensorProto.DataType numbers them. */
export const ELEMENT = { float32: 1, int64: 7 } as const;

export interface GraphPart {
  /** Where the part begins: tensors that its caller provides, with their element types. */
  readonly inputs: Readonly<Record<string, number>>;
  /** Where it ends: tensors of 32-bit floats that its caller receives. */
  readonly outputs: readonly string[];
}

interface Field {
  readonly number: number;
  /** The whole field with its tag. */
  readonly bytes: Uint8Array;
  /** Its contents, for fields that have a length. */
  readonly content: Uint8Array;
}

/** The nodes between the inputs and the outputs, with the weights that they use, as a model of its own. */
export function cutGraph(model: Uint8Array, part: GraphPart): Uint8Array {
  const fields = readFields(model);
  const graph = fields.find(({ number }) => number === MODEL_GRAPH);
  if (graph === undefined) throw new Error("the model has no graph");
  const rest = fields.filter(({ number }) => number !== MODEL_GRAPH).map(({ bytes }) => bytes);
  return join([...rest, lengthDelimited(MODEL_GRAPH, join(cutFields(readFields(graph.content), part)))]);
}

function cutFields(graph: readonly Field[], { inputs, outputs }: GraphPart): Uint8Array[] {
  const nodes = graph.filter(({ number }) => number === GRAPH_NODE).map(readNode);
  const weights = new Map(
    graph
      .filter(({ number }) => number === GRAPH_INITIALIZER)
      .map((field) => [textOf(readFields(field.content), TENSOR_NAME)[0] ?? "", field]),
  );
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((output) => [output, node])));
  const kept = new Set<Field>();
  const wanted = [...outputs];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (name === "" || Object.hasOwn(inputs, name)) continue;
    const weight = weights.get(name);
    const maker = makers.get(name);
    if (weight !== undefined) kept.add(weight);
    else if (maker === undefined) throw new Error(`nothing in the graph makes ${name}`);
    else if (!kept.has(maker.field)) {
      kept.add(maker.field);
      wanted.push(...maker.inputs);
    }
  }
  return [
    lengthDelimited(GRAPH_NAME, Buffer.from("part")),
    ...graph.filter((field) => kept.has(field)).map(({ bytes }) => bytes),
    ...Object.entries(inputs).map(([name, type]) => lengthDelimited(GRAPH_INPUT, valueInfo(name, type))),
    ...outputs.map((name) => lengthDelimited(GRAPH_OUTPUT, valueInfo(name, ELEMENT.float32))),
  ];
}

function readNode(field: Field): { field: Field; inputs: readonly string[]; outputs: readonly string[] } {
  const fields = readFields(field.content);
  return { field, inputs: textOf(fields, NODE_INPUT), outputs: textOf(fields, NODE_OUTPUT) };
}

function textOf(fields: readonly Field[], wanted: number): readonly string[] {
  return fields.filter(({ number }) => number === wanted).map(({ content }) => Buffer.from(content).toString("utf8"));
}

/** A tensor whose shape is left open. */
function valueInfo(name: string, elementType: number): Uint8Array {
  const tensor = Uint8Array.of(TENSOR_TYPE_ELEMENT << 3, elementType);
  const type = lengthDelimited(TYPE_TENSOR, tensor);
  return join([lengthDelimited(VALUE_NAME, Buffer.from(name)), lengthDelimited(VALUE_TYPE, type)]);
}

/** The fields of a message (https://protobuf.dev/programming-guides/encoding/). */
function readFields(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at++];
      if (byte === undefined) throw new Error("the model file ends within a field");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const start = at;
    const tag = readVarint();
    const wireType = tag & 7;
    let from = at;
    if (wireType === 0) readVarint();
    else if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else if (wireType === 2) {
      const length = readVarint();
      from = at;
      at += length;
    } else throw new Error(`the model file has a field of the unknown wire type ${wireType}`);
    if (at > message.length) throw new Error("the model file ends within a field");
    fields.push({ number: tag >>> 3, bytes: message.subarray(start, at), content: message.subarray(from, at) });
  }
  return fields;
}

function lengthDelimited(number: number, content: Uint8Array): Uint8Array {
  return join([varint(number * 8 + 2), varint(content.length), content]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.from([...bytes, rest]);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

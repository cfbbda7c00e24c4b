/**
 * The few messages of the ONNX format that are read and written here. Numbers of fields are those of onnx.proto
 * (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto), and the encoding is that of protocol buffers
 * (https://protobuf.dev/programming-guides/encoding/).
 */

export const MODEL_GRAPH = 7;
export const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12 } as const;
const NODE = { input: 1, output: 2, name: 3, operator: 4, attribute: 5 } as const;
const ATTRIBUTE = { name: 1, integer: 3, integers: 8, type: 20 } as const;
const ATTRIBUTE_TYPE = { integer: 2, integers: 7 } as const;
const TENSOR = { dimensions: 1, elementType: 2, integers: 5, name: 8, bytes: 9 } as const;
const VALUE = { name: 1, type: 2 } as const;
const TYPE_TENSOR = 1;
const TENSOR_TYPE_ELEMENT = 1;

/** Element types of tensors, as TensorProto.DataType numbers them. */
export const ELEMENT = { float32: 1, uint8: 2, int8: 3, int64: 7 } as const;

export interface Field {
  readonly number: number;
  /** The whole field with its tag. */
  readonly bytes: Uint8Array;
  /** Its contents, without the length of fields that have one. */
  readonly content: Uint8Array;
}

export interface GraphNode {
  readonly name: string;
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Attributes that are lists of integers, or single ones. */
  readonly integers: Readonly<Record<string, number | readonly number[]>>;
}

export interface WeightTensor {
  readonly name: string;
  readonly elementType: number;
  readonly shape: readonly number[];
  /** Of tensors of bytes, or as the file stores them. Empty when it stores them in another way. */
  readonly bytes: Uint8Array;
}

/** The fields of a message. */
export function readFields(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < message.length; ) {
    const start = at;
    const tag = readVarint(message, at);
    const wireType = tag.value & 7;
    let from = tag.end;
    if (wireType === 0) at = readVarint(message, from).end;
    else if (wireType === 1) at = from + 8;
    else if (wireType === 5) at = from + 4;
    else if (wireType === 2) {
      const length = readVarint(message, from);
      from = length.end;
      at = from + length.value;
    } else throw new Error(`the model file has a field of the unknown wire type ${wireType}`);
    if (at > message.length) throw new Error("the model file ends within a field");
    fields.push({ number: tag.value >>> 3, bytes: message.subarray(start, at), content: message.subarray(from, at) });
  }
  return fields;
}

function textOf(fields: readonly Field[], wanted: number): readonly string[] {
  return fields.filter(({ number }) => number === wanted).map(({ content }) => Buffer.from(content).toString("utf8"));
}

export function readNode(message: Uint8Array): GraphNode {
  const fields = readFields(message);
  return {
    name: textOf(fields, NODE.name)[0] ?? "",
    operator: textOf(fields, NODE.operator)[0] ?? "",
    inputs: textOf(fields, NODE.input),
    outputs: textOf(fields, NODE.output),
    integers: Object.fromEntries(
      fields.filter(({ number }) => number === NODE.attribute).map(({ content }) => readAttribute(content)),
    ),
  };
}

function readAttribute(message: Uint8Array): [string, number | readonly number[]] {
  const fields = readFields(message);
  const [single] = integersOf(fields, ATTRIBUTE.integer);
  return [textOf(fields, ATTRIBUTE.name)[0] ?? "", single ?? integersOf(fields, ATTRIBUTE.integers)];
}

export function readTensor(message: Uint8Array): WeightTensor {
  const fields = readFields(message);
  const stored = fields.find(({ number }) => number === TENSOR.bytes)?.content;
  return {
    name: textOf(fields, TENSOR.name)[0] ?? "",
    elementType: integersOf(fields, TENSOR.elementType)[0] ?? 0,
    shape: integersOf(fields, TENSOR.dimensions),
    bytes: stored ?? Uint8Array.from(integersOf(fields, TENSOR.integers)),
  };
}

export function tensorName(message: Uint8Array): string {
  return textOf(readFields(message), TENSOR.name)[0] ?? "";
}

export function writeNode({ name, operator, inputs, outputs, integers }: GraphNode): Uint8Array {
  return lengthDelimited(
    GRAPH.node,
    join([
      ...inputs.map((input) => text(NODE.input, input)),
      ...outputs.map((output) => text(NODE.output, output)),
      text(NODE.name, name),
      text(NODE.operator, operator),
      ...Object.entries(integers).map(([key, value]) => lengthDelimited(NODE.attribute, writeAttribute(key, value))),
    ]),
  );
}

function writeAttribute(name: string, value: number | readonly number[]): Uint8Array {
  if (typeof value === "number") {
    const type = integer(ATTRIBUTE.type, ATTRIBUTE_TYPE.integer);
    return join([text(ATTRIBUTE.name, name), integer(ATTRIBUTE.integer, value), type]);
  }
  const values = value.map((each) => integer(ATTRIBUTE.integers, each));
  return join([text(ATTRIBUTE.name, name), ...values, integer(ATTRIBUTE.type, ATTRIBUTE_TYPE.integers)]);
}

export function writeTensor({ name, elementType, shape, bytes }: WeightTensor): Uint8Array {
  return join(
    delimited(GRAPH.initializer, [
      ...shape.map((length) => integer(TENSOR.dimensions, length)),
      integer(TENSOR.elementType, elementType),
      text(TENSOR.name, name),
      ...delimited(TENSOR.bytes, [bytes]),
    ]),
  );
}

/** A tensor whose shape is left open. */
export function valueInfo(name: string, elementType: number): Uint8Array {
  const type = lengthDelimited(TYPE_TENSOR, integer(TENSOR_TYPE_ELEMENT, elementType));
  return join([text(VALUE.name, name), lengthDelimited(VALUE.type, type)]);
}

export function text(number: number, content: string): Uint8Array {
  return lengthDelimited(number, Buffer.from(content));
}

export function lengthDelimited(number: number, content: Uint8Array): Uint8Array {
  return join(delimited(number, [content]));
}

/** A field in pieces that are not copied yet: models are large. */
export function delimited(number: number, content: readonly Uint8Array[]): readonly Uint8Array[] {
  const length = content.reduce((sum, piece) => sum + piece.length, 0);
  return [varint(number * 8 + 2), varint(length), ...content];
}

export function join(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

function integer(number: number, value: number): Uint8Array {
  return join([varint(number * 8), varint(value)]);
}

/** Repeated integers are written one by one or packed into one field. */
function integersOf(fields: readonly Field[], wanted: number): number[] {
  const values: number[] = [];
  for (const { number, content } of fields) {
    for (let at = 0; number === wanted && at < content.length; ) {
      const { value, end } = readVarint(content, at);
      values.push(value);
      at = end;
    }
  }
  return values;
}

function readVarint(message: Uint8Array, from: number): { value: number; end: number } {
  let value = 0;
  let at = from;
  for (let scale = 1; ; scale *= 128) {
    const byte = message[at++];
    if (byte === undefined) throw new Error("the model file ends within a field");
    value += (byte & 127) * scale;
    if (byte < 128) return { value, end: at };
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.from([...bytes, rest]);
}

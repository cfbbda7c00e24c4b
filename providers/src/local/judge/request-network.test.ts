import { CALLEE_REQUESTS } from "@parley/voice/ports/answer-judge";
import { describe, expect, it } from "vitest";
import { openModelBytes } from "../weights/open-model.ts";
import { type EncodedText, RequestNetwork } from "./request-network.ts";

/** Encodes a field of a protocol buffer: an integer, or bytes. */
function field(number: number, value: number | string | Uint8Array): Uint8Array {
  if (typeof value === "number") return Uint8Array.of(...varint(number << 3), ...varint(value));
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return join(Uint8Array.of(...varint((number << 3) | 2), ...varint(bytes.length)), bytes);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const FLOAT = 1;
const SENTENCE_WIDTH = 768;

function tensorType(name: string, ...dims: readonly number[]): Uint8Array {
  const shape = join(...dims.map((dim) => field(1, field(1, dim))));
  return join(field(1, name), field(2, field(1, join(field(1, FLOAT), field(2, shape)))));
}

/** An ONNX network that returns the softmax of the sentence vector times a matrix. */
function linearNetwork(input: string, width: number, classes: number, weights: Float32Array): Uint8Array {
  const matrix = join(
    ...[field(1, width), field(1, classes), field(2, FLOAT), field(8, "weights")],
    field(9, new Uint8Array(weights.buffer)),
  );
  const graph = join(
    field(1, join(field(1, input), field(1, "weights"), field(2, "scores"), field(4, "MatMul"))),
    field(1, join(field(1, "scores"), field(2, "probabilities"), field(4, "Softmax"))),
    ...[field(2, "requests"), field(5, matrix)],
    ...[field(11, tensorType(input, 1, width)), field(12, tensorType("probabilities", 1, classes))],
  );
  return join(field(1, 8), field(8, join(field(1, ""), field(2, 17))), field(7, graph));
}

/** A network that takes each place of the sentence vector for one class. */
async function networkFor(input = "sentence", classes = CALLEE_REQUESTS.length + 1): Promise<RequestNetwork> {
  const weights = new Float32Array(SENTENCE_WIDTH * classes);
  for (let place = 0; place < classes; place += 1) weights[place * classes + place] = 10;
  return new RequestNetwork(await openModelBytes(linearNetwork(input, SENTENCE_WIDTH, classes, weights)));
}

function encodedAs(place: number): EncodedText {
  const sentence = new Float32Array(SENTENCE_WIDTH);
  sentence[place] = 1;
  return { tokens: new Float32Array(2 * 768), sentence };
}

describe("the network for requests", () => {
  it("names the requests in the order in which it was trained, and none last", async () => {
    const network = await networkFor();
    const judge = (place: number) => network.judge({ said: encodedAs(place), question: null, answerKind: "number" });
    for (const [place, name] of CALLEE_REQUESTS.entries()) {
      const { requests, none } = await judge(place);
      expect(requests[name]).toBeGreaterThan(0.99);
      expect(none).toBeLessThan(0.01);
    }
    expect((await judge(CALLEE_REQUESTS.length)).none).toBeGreaterThan(0.99);
    await network.close();
  });

  it("gets only the inputs that it has, the question among them", async () => {
    const network = await networkFor("question_sentence");
    const { requests } = await network.judge({ said: encodedAs(0), question: encodedAs(1), answerKind: "yes_no" });
    expect(requests.deceased).toBeGreaterThan(0.99);
    const { none } = await network.judge({ said: encodedAs(0), question: null, answerKind: "yes_no" });
    expect(none).toBeCloseTo(1 / 24, 3);
    await network.close();
  });

  it("is refused if it has an unknown input, and fails if it has another number of classes", async () => {
    await expect(networkFor("loudness")).rejects.toThrow("unknown inputs: loudness");
    const other = await networkFor("sentence", 5);
    await expect(other.judge({ said: encodedAs(0), question: null, answerKind: "yes_no" })).rejects.toThrow(
      "returns 5 probabilities",
    );
    await other.close();
  });
});

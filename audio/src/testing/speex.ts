import { createRequire } from "node:module";

/** The part of speex-resampler that we compare ourselves with. */
interface SpeexResampler {
  processChunk(chunk: Buffer): Buffer;
}

interface SpeexModule {
  default: {
    new (channels: number, inRateHz: number, outRateHz: number, quality: number): SpeexResampler;
    initPromise: Promise<unknown>;
  };
}

/** Required and not imported, because the package's default export looks different to every loader of modules. */
const { default: Speex } = createRequire(import.meta.url)("speex-resampler") as SpeexModule;

/** Waits for the WebAssembly to be compiled. `processChunk` takes and returns 16-bit samples as bytes. */
export async function openSpeex(fromHz: number, toHz: number): Promise<SpeexResampler> {
  await Speex.initPromise;
  return new Speex(1, fromHz, toHz, 5);
}

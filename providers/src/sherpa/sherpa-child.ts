import { createRequire } from "node:module";
import { resampleClip } from "@parley/audio/resample";
import { followOwner, serveProcess } from "@parley/threads/serve";
import { findSherpaLibrary, findSherpaModel } from "./sherpa-model.ts";

/** A process of its own, because a library that fails ends its process, and it may be killed without loss. */

/** Speech of one utterance at 8 kHz. */
export interface SherpaWork {
  readonly samples: Int16Array;
}

/** What sherpa-onnx returns. Times are in seconds. Models leave out what they do not know. */
export interface SherpaResult {
  readonly text?: string;
  readonly tokens?: readonly string[];
  readonly timestamps?: readonly number[];
  readonly lang?: string;
}

interface SherpaStream {
  acceptWaveform(audio: { samples: Float32Array; sampleRate: number }): void;
  inputFinished?(): void;
}

interface SherpaEngine {
  createStream(): SherpaStream;
  isReady?(stream: SherpaStream): boolean;
  decode(stream: SherpaStream): void;
  getResult(stream: SherpaStream): SherpaResult;
}

const RATE_HZ = 16_000;
/** Streaming models hold back the last words until they hear what follows. */
const TAIL_SAMPLES = RATE_HZ / 2;

followOwner();
const folder = process.argv[2] ?? "";
const { isStreaming, modelConfig } = await findSherpaModel(folder);
const library = createRequire(import.meta.url)(findSherpaLibrary(folder)) as Record<
  "OfflineRecognizer" | "OnlineRecognizer",
  new (
    config: object,
  ) => SherpaEngine
>;
const Recognizer = isStreaming ? library.OnlineRecognizer : library.OfflineRecognizer;
const engine = new Recognizer({
  featConfig: { sampleRate: RATE_HZ, featureDim: 80 },
  modelConfig: { ...modelConfig, numThreads: 2, provider: "cpu", debug: 0 },
});

serveProcess(({ samples }: SherpaWork): SherpaResult => {
  const stream = engine.createStream();
  const wide = resampleClip(samples, 8_000, RATE_HZ);
  const audio = new Float32Array(wide.length + (isStreaming ? TAIL_SAMPLES : 0));
  for (const [index, sample] of wide.entries()) audio[index] = sample / 32_768;
  stream.acceptWaveform({ samples: audio, sampleRate: RATE_HZ });
  if (isStreaming) {
    stream.inputFinished?.();
    while (engine.isReady?.(stream)) engine.decode(stream);
  } else engine.decode(stream);
  const { text, tokens, timestamps, lang } = engine.getResult(stream);
  return { text: text ?? "", tokens: tokens ?? [], timestamps: timestamps ?? [], lang: lang ?? "" };
});

import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { ProviderError } from "@parley/voice/ports/provider-error";

export const SHERPA = "sherpa";
const LIBRARY = "sherpa-onnx-node";

/** A model as sherpa-onnx takes it. Streaming models have another recognizer. */
export interface SherpaModel {
  readonly isStreaming: boolean;
  readonly modelConfig: Readonly<Record<string, unknown>>;
}

/** What each kind of model consists of. The first kind whose files are all there is taken. */
interface Kind {
  /** What the name of the folder must contain, where files alone do not tell. */
  readonly folder?: RegExp;
  readonly files: Readonly<Record<string, RegExp>>;
  readonly isStreaming?: (folder: string, files: Readonly<Record<string, string>>) => boolean;
  config(files: Readonly<Record<string, string>>): Readonly<Record<string, unknown>>;
}

const NETWORK = "\\.(onnx|ort)$";
const network = (name: string) => new RegExp(`${name}.*${NETWORK}`);
const SINGLE = network("^model");

const KINDS: readonly Kind[] = [
  {
    files: { encoder: network("^encoder_model"), mergedDecoder: network("^decoder_model_merged") },
    config: (files) => ({ moonshine: files }),
  },
  {
    files: {
      preprocessor: network("^preprocess"),
      encoder: network("^encode"),
      uncachedDecoder: network("^uncached_decode"),
      cachedDecoder: network("^cached_decode"),
    },
    config: (files) => ({ moonshine: files }),
  },
  {
    files: { encoder: network("encoder"), decoder: network("decoder"), joiner: network("joiner") },
    isStreaming: (folder, { encoder = "" }) => /(?<!non-)streaming/.test(folder) || encoder.includes("chunk"),
    config: (files) => ({ transducer: files }),
  },
  {
    folder: /paraformer/,
    files: { encoder: network("encoder"), decoder: network("decoder") },
    isStreaming: () => true,
    config: (files) => ({ paraformer: files }),
  },
  {
    files: { encoder: network("encoder"), decoder: network("decoder") },
    config: (files) => ({ whisper: { ...files, language: "", task: "transcribe" } }),
  },
  {
    folder: /sense-voice/,
    files: { model: SINGLE },
    config: (files) => ({ senseVoice: { ...files, language: "auto", useInverseTextNormalization: 1 } }),
  },
  { folder: /paraformer/, files: { model: SINGLE }, config: (files) => ({ paraformer: files }) },
  { folder: /nemo.*ctc/, files: { model: SINGLE }, config: (files) => ({ nemoCtc: files }) },
  { folder: /zipformer.*ctc/, files: { model: SINGLE }, config: (files) => ({ zipformerCtc: files }) },
];

/** Recognizes the kind of a model by its files. Rejects with a ProviderError that says what is missing. */
export async function findSherpaModel(folder: string): Promise<SherpaModel> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch {
    throw unusable(`There is no folder ${folder} for sherpa-onnx, or it cannot be read.`);
  }
  const tokens = names.find((name) => /(^|-)tokens\.txt$/.test(name));
  if (tokens === undefined)
    throw unusable(`The folder ${folder} has no tokens.txt, which every model of sherpa-onnx has.`);
  const title = basename(resolve(folder)).toLowerCase();
  for (const kind of KINDS) {
    if (kind.folder?.test(title) === false) continue;
    const files = filesOf(kind, names, folder);
    if (files === null) continue;
    const isStreaming = kind.isStreaming?.(title, files) ?? false;
    return { isStreaming, modelConfig: { ...kind.config(files), tokens: join(folder, tokens) } };
  }
  const known = "transducer, Whisper, Moonshine, SenseVoice, Paraformer, NeMo CTC and Zipformer CTC";
  throw unusable(
    `The folder ${folder} has no model of a kind that is known: ${known}. It must keep the name that it was published with.`,
  );
}

/** One file for each part, the quantized one if there are two. Null if a part is missing. */
function filesOf({ files }: Kind, names: readonly string[], folder: string): Record<string, string> | null {
  const found: Record<string, string> = {};
  for (const [part, pattern] of Object.entries(files)) {
    const candidates = names.filter((name) => pattern.test(name)).toSorted();
    const name = candidates.find((each) => each.includes("int8")) ?? candidates[0];
    if (name === undefined) return null;
    found[part] = join(folder, name);
  }
  return found;
}

/** The operator installs the library in the model's folder or in one above it. */
export function findSherpaLibrary(folder: string): string {
  try {
    return createRequire(join(resolve(folder), "model.js")).resolve(LIBRARY);
  } catch {
    throw unusable(`${LIBRARY} is not installed. Run: npm install --prefix ${resolve(folder)} ${LIBRARY}`);
  }
}

/** Whether the library can be found; the model is looked at when it is opened. */
export function isSherpaInstalled(folder: string): boolean {
  try {
    return findSherpaLibrary(folder) !== "";
  } catch {
    return false;
  }
}

function unusable(message: string): ProviderError {
  return new ProviderError(SHERPA, message, { retryable: false });
}

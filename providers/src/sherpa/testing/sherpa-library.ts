import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CodedSpeech } from "../../testing/coded-speech.ts";

export interface ModelFolder {
  readonly path: string;
  readonly speech: CodedSpeech;
  /** A file that is there once the model has been loaded. */
  readonly loadedPath: string;
  remove(): Promise<void>;
}

/** What the model does when it is loaded or asked. One that hears any speech takes it for all of its words. */
type Behaviour = "well" | "crashes_on_load" | "has_times" | "shouts" | "hears_any_speech";

interface FolderOptions {
  readonly name?: string;
  readonly files?: readonly string[];
  readonly words?: string;
  readonly behaviour?: Behaviour;
  readonly hasLibrary?: boolean;
}

const OFFLINE_FILES = ["encoder_model.onnx", "decoder_model_merged.onnx"];

/**
 * A folder with a model, and beside it a library with the interface of sherpa-onnx-node that understands coded speech of
 * the given words. The real one is not part of this tree: its binaries contain code under the GPL.
 */
export async function makeModelFolder(options: FolderOptions = {}): Promise<ModelFolder> {
  const { name = "sherpa-onnx-moonshine-tiny-en", files = OFFLINE_FILES, words = "", behaviour = "well" } = options;
  const parent = await mkdtemp(join(tmpdir(), "parley-sherpa-"));
  const path = join(parent, name);
  await mkdir(path);
  for (const file of files) await writeFile(join(path, file), "");
  await writeFile(join(path, "tokens.txt"), words);
  const library = join(parent, "node_modules/sherpa-onnx-node/index.js");
  if (options.hasLibrary !== false) {
    await mkdir(dirname(library), { recursive: true });
    await writeFile(library, librarySource(behaviour));
  }
  const speech = new CodedSpeech();
  speech.speak(words);
  const loadedPath = join(path, "loaded");
  return { path, speech, loadedPath, remove: () => rm(parent, { recursive: true, force: true }) };
}

function librarySource(behaviour: Behaviour): string {
  const coded = JSON.stringify(join(import.meta.dirname, "../../testing/coded-speech.ts"));
  return `
const { readFileSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const { CodedSpeech } = require(${coded});
const behaviour = ${JSON.stringify(behaviour)};

class Recognizer {
  constructor({ featConfig, modelConfig }) {
    // As the library does when it cannot use a model.
    if (behaviour === "crashes_on_load" || featConfig.sampleRate !== 16000) process.exit(255);
    this.speech = new CodedSpeech();
    this.vocabulary = readFileSync(modelConfig.tokens, "utf8");
    this.speech.speak(this.vocabulary);
    writeFileSync(join(dirname(modelConfig.tokens), "loaded"), "");
  }
  createStream() {
    return {
      samples: new Float32Array(0),
      isFinished: false,
      acceptWaveform({ samples }) { this.samples = samples; },
      inputFinished() { this.isFinished = true; },
    };
  }
  decode(stream) {
    const narrow = Int16Array.from({ length: stream.samples.length >> 1 }, (_, index) => stream.samples[2 * index] * 32768);
    const isAny = behaviour === "hears_any_speech";
    const words = isAny ? [] : this.speech.read(narrow);
    const anyText = narrow.some((sample) => Math.abs(sample) > 2000) ? this.vocabulary : "";
    const text = isAny ? anyText : words.map((word) => word.text).join(" ");
    const hasTimes = behaviour === "has_times";
    stream.result = {
      text: behaviour === "shouts" ? text.toUpperCase() : text,
      tokens: words.flatMap(({ text }) => ["▁" + text.slice(0, 2), text.slice(2)]),
      timestamps: hasTimes ? words.flatMap(({ startMs }) => [startMs / 1000, startMs / 1000 + 0.1]) : [],
      lang: hasTimes ? "<|en|>" : "",
    };
  }
  getResult(stream) { return stream.result; }
}

exports.OfflineRecognizer = Recognizer;
exports.OnlineRecognizer = class extends Recognizer {
  isReady(stream) { return stream.isFinished && stream.result === undefined; }
};
`;
}
